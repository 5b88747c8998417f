package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"egod/internal/skills"
)

type toolHelpParams struct {
	SiteID   string `json:"siteId" doc:"id of the pack"`
	ToolName string `json:"toolName,omitempty" doc:"one tool; all tools of the pack when left out"`
}

// ToolHelp is the result of toolHelp.
type ToolHelp struct {
	Generation uint64   `json:"generation"`
	Text       string   `json:"text"`
	Tools      []string `json:"tools"`
}

func toolHelp(_ context.Context, sc *Scope, p toolHelpParams) (ToolHelp, error) {
	catalog := sc.svc.store().Catalog()
	pack, err := findPack(catalog, p.SiteID)
	if err != nil {
		return ToolHelp{}, err
	}
	help := ToolHelp{Generation: catalog.Generation(), Tools: []string{}}
	var text strings.Builder
	for _, t := range append(append([]*skills.Tool{}, pack.NodeTools...), pack.BrowserTools...) {
		if p.ToolName != "" && t.Name != p.ToolName {
			continue
		}
		help.Tools = append(help.Tools, signature(t))
		writeHelp(&text, pack, t)
	}
	if len(help.Tools) == 0 && p.ToolName != "" {
		return ToolHelp{}, toolNotFound(pack, p.ToolName, skills.NodeTool)
	}
	help.Text = strings.TrimSpace(text.String())
	return help, nil
}

// ToolsNamed returns the tools of a pack with a name: a node tool, a browser tool, or
// both. The error names what is near.
func (s *Service) ToolsNamed(siteID, toolName string) ([]LearnedTool, error) {
	pack, err := findPack(s.store().Catalog(), siteID)
	if err != nil {
		return nil, err
	}
	var found []LearnedTool
	for _, kind := range []skills.ToolKind{skills.NodeTool, skills.BrowserTool} {
		if t, ok := pack.Tool(kind, toolName); ok {
			found = append(found, learnedTool(pack, t))
		}
	}
	if len(found) == 0 {
		return nil, toolNotFound(pack, toolName, skills.NodeTool)
	}
	return found, nil
}

// signature is the one-line form of a tool: name(args): result.
func signature(t *skills.Tool) string {
	var args []string
	for _, a := range t.Args {
		mark := ""
		if !a.Required {
			mark = "?"
		}
		args = append(args, a.Name+mark+": "+a.Type)
	}
	returns := "any"
	if t.Returns != nil && t.Returns.Type != "" {
		returns = t.Returns.Type
	}
	return fmt.Sprintf("%s({%s}): %s", t.Name, strings.Join(args, ", "), returns)
}

func writeHelp(w *strings.Builder, pack *skills.Pack, t *skills.Tool) {
	fmt.Fprintf(w, "%s tool %s\n", t.Kind, signature(t))
	if t.Description != "" {
		fmt.Fprintf(w, "  %s\n", t.Description)
	}
	for _, a := range t.Args {
		need := "optional"
		if a.Required {
			need = "required"
		}
		fmt.Fprintf(w, "  %s (%s, %s) %s\n", a.Name, a.Type, need, a.Description)
	}
	if t.Returns != nil {
		fmt.Fprintf(w, "  returns %s %s\n", t.Returns.Type, t.Returns.Description)
	}
	fmt.Fprintf(w, "  %s\n\n", exampleCall(pack.ID, t))
}

// exampleCall is a call template as the original runtime prints it.
func exampleCall(siteID string, t *skills.Tool) string {
	method := "runTool"
	if t.Kind == skills.BrowserTool {
		method = "runBrowserTool"
	}
	var args []string
	for _, a := range t.Args {
		if a.Required {
			args = append(args, a.Name+": "+placeholder(a.Type))
		}
	}
	object := "{}"
	if len(args) > 0 {
		object = "{ " + strings.Join(args, ", ") + " }"
	} else if len(t.Args) > 0 {
		object = "{ ... }"
	}
	return fmt.Sprintf("await site.%s(%s, %s, %s)", method, quote(siteID), quote(t.Name), object)
}

// ExampleArgs is a JSON object with a value for each argument that a call of the
// tool needs, in the order in which the pack declares them.
func (t *LearnedTool) ExampleArgs() string {
	decoder := json.NewDecoder(bytes.NewReader(t.Args))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return "{}"
	}
	var args []string
	for decoder.More() {
		name, err := decoder.Token()
		var raw json.RawMessage
		if err != nil || decoder.Decode(&raw) != nil {
			break
		}
		var declared struct {
			Type     string `json:"type"`
			Required bool   `json:"required"`
		}
		if text, ok := name.(string); ok && json.Unmarshal(raw, &declared) == nil && declared.Required {
			args = append(args, quote(text)+": "+placeholder(declared.Type))
		}
	}
	return "{" + strings.Join(args, ", ") + "}"
}

func placeholder(valueType string) string {
	switch valueType {
	case "string":
		return `"..."`
	case "number", "integer":
		return "1"
	case "boolean":
		return "true"
	case "array":
		return "[]"
	}
	return "{}"
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}
