package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// maxCompletions is the most values that the protocol allows in one answer.
const maxCompletions = 100

// complete answers completion/complete. What an argument stands for follows from
// its name, the same in prompts and in templates; one that stands for nothing of
// the index has no completions.
func (s *Server) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	p := req.Params
	if err := knownReference(p.Ref); err != nil {
		return nil, err
	}
	var before map[string]string
	if p.Context != nil {
		before = p.Context.Arguments
	}
	site, typed := before[argumentSite], p.Argument.Value
	var found ops.Completion
	switch p.Argument.Name {
	case argumentSite:
		found = s.service.CompleteSite(typed, maxCompletions)
	case argumentTool:
		found = s.service.CompleteTool(site, typed, maxCompletions)
	case argumentFile:
		found = s.service.CompleteNote(site, "notes/", typed, maxCompletions)
	case argumentPath:
		found = s.service.CompleteNote(site, "", typed, maxCompletions)
	case argumentURL:
		found = s.service.CompleteURL(typed, maxCompletions)
	}
	result := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: found.Values, Total: found.Total, HasMore: found.Total > len(found.Values),
	}}
	if result.Completion.Values == nil {
		result.Completion.Values = []string{}
	}
	return result, nil
}

// Names of the arguments of prompts and templates.
const (
	argumentSite     = "site"
	argumentTool     = "tool"
	argumentFile     = "file"
	argumentPath     = "path"
	argumentURL      = "url"
	argumentTask     = "task"
	argumentMaxChars = "maxChars"
)

// knownReference checks that a completion is asked for something that is there. A
// resource may be named by its template or by an address that it expands to.
func knownReference(ref *mcp.CompleteReference) error {
	if ref.Type == "ref/resource" {
		if strings.HasPrefix(ref.URI, uriScheme) {
			return nil
		}
		return ops.Errorf(ops.KindInvalidParams, "there is no template %s", inLine(ref.URI)).With("path", "$.ref.uri").
			WithHint("the templates are %s and %s", noteTemplate, pathTemplate)
	}
	var names []string
	for _, p := range prompts() {
		if p.Name == ref.Name {
			return nil
		}
		names = append(names, p.Name)
	}
	return ops.Errorf(ops.KindInvalidParams, "there is no prompt %q", inLine(ref.Name)).With("path", "$.ref.name").
		WithHint("the prompts are %s", strings.Join(names, ", "))
}
