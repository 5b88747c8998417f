package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"egod/internal/ops"
	"egod/internal/wire"
)

// toolsOfPacks makes one tool for each tool of a pack, in order of name. Those that
// are what they were before are taken from there.
func toolsOfPacks(declared []ops.PackTool, before map[string]*tool) []*tool {
	names := packToolNames(declared)
	tools := make([]*tool, 0, len(declared))
	for i, d := range declared {
		if old := before[names[i]]; old != nil && old.declared != nil && reflect.DeepEqual(*old.declared, d) {
			tools = append(tools, old)
			continue
		}
		tools = append(tools, packToolOf(d, names[i]))
	}
	slices.SortFunc(tools, func(a, b *tool) int { return strings.Compare(a.name, b.name) })
	return tools
}

// MetaTool is the key in _meta of the names that a pack tool has in its pack.
const MetaTool = "egod/tool"

// packToolOf makes the tool of a pack as one of its own. Its entry in tools/list is
// made when it is asked for: there may be thousands.
func packToolOf(d ops.PackTool, name string) *tool {
	t := &tool{name: name, declared: &d, anyParams: true, tell: tellPackTool(d), origin: PackOrigin(d.SiteID)}
	t.listed = sync.OnceValues(func() (json.RawMessage, error) { return wire.Encode(packListing(d, name)) })
	declared := declaredNames(d.Args)
	t.plan = func(args arguments) ([]step, error) {
		args = maps.Clone(args)
		for name, theirs := range declared {
			if value, ok := args[name]; ok {
				delete(args, name)
				args[theirs] = value
			}
		}
		return []step{{op: d.Operation, params: arguments{
			"siteId": encoded(d.SiteID), "toolName": encoded(d.Name), "args": encoded(args),
		}}}, nil
	}
	return t
}

// declaredNames has the names of arguments as the pack declares them, by those that
// hosts see, where they differ. The declared ones may be used too: errors and hints
// have them.
func declaredNames(args []ops.PackArg) map[string]string {
	differ := map[string]string{}
	for i, name := range argNames(args) {
		if theirs := args[i].Name; theirs != name {
			differ[name] = theirs
		}
	}
	return differ
}

func packListing(d ops.PackTool, name string) listing {
	kind := "node"
	if d.Operation == "runBrowserTool" {
		kind = "browser"
	}
	names := map[string]any{"siteId": d.SiteID, "toolName": d.Name, "toolType": kind}
	if differ := declaredNames(d.Args); len(differ) > 0 {
		names["args"] = differ
	}
	return listing{
		Name: name, Title: inLine(d.SiteName) + ": " + inLine(d.Name), Description: packDescription(d, kind),
		InputSchema: argsSchema(d), OutputSchema: valueSchema(d.Returns), Annotations: packHints(d),
		Meta: map[string]any{MetaTool: names, MetaOrigin: PackOrigin(d.SiteID)},
	}
}

// packDescription is what the pack says of a tool. The words are the pack's own.
func packDescription(d ops.PackTool, kind string) string {
	text := d.Description
	if text == "" {
		text = "A tool of the skill pack " + d.SiteID + "."
	}
	text = sentence(text)
	if kind == "browser" {
		text += " Runs in the current page."
	}
	if d.SideEffects != "" && !noEffects.MatchString(d.SideEffects) {
		text += " Side effects: " + sentence(d.SideEffects)
	}
	return shorten(text, maxDescription)
}

// sentence ends a text as one.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// maxDescription is the longest description in bytes: it is read in every session.
const maxDescription = 1000

// argsSchema is the declared arguments of a tool as a JSON Schema.
func argsSchema(d ops.PackTool) *jsonschema.Schema {
	schema := objectSchema()
	if !d.AnyArgs {
		schema.AdditionalProperties = noSchema()
	}
	for i, name := range argNames(d.Args) {
		a := d.Args[i]
		if _, twice := schema.Properties[name]; !twice {
			schema.PropertyOrder = append(schema.PropertyOrder, name)
		}
		schema.Properties[name] = argSchema(a, name)
		if a.Required {
			schema.Required = append(schema.Required, name)
		}
	}
	return schema
}

// argSchema is one declared argument, which hosts see under a name.
func argSchema(a ops.PackArg, name string) *jsonschema.Schema {
	schema := schemaOfKind(anyKind)
	if a.Type != "" {
		schema.Type = a.Type
	}
	if a.Type == "array" {
		schema.Items = schemaOfKind(anyKind) // hosts refuse lists of what is not said (microsoft/vscode #248810)
	}
	if a.Type != "" || a.Description != "" {
		schema.Description = shorten(a.Description, maxDescription)
	}
	if a.Name != name {
		schema.Description = shorten(a.Name, maxArgName) + ": " + schema.Description
	}
	return schema
}

// noSchema is the schema that nothing fits, written as false.
func noSchema() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// valueSchema is what a tool gives: its value as the pack declares it. It is not
// required, because a call that fails has none.
func valueSchema(returns *ops.PackValue) *jsonschema.Schema {
	value := schemaOfKind(anyKind)
	if returns != nil && *returns != (ops.PackValue{}) {
		value = &jsonschema.Schema{Type: returns.Type, Description: shorten(returns.Description, maxDescription)}
	}
	schema := objectSchema()
	schema.Properties["value"] = value
	schema.PropertyOrder = []string{"value"}
	return schema
}

// noEffects recognises authors who write out that a tool changes nothing.
var noEffects = regexp.MustCompile(`(?i)^\s*(none|no|nothing|false|read[- ]?only)\b`)

// packHints says what a tool may do as far as its pack says so: without a word about
// side effects nothing is claimed, and hosts assume the worst.
func packHints(d ops.PackTool) hints {
	open := true
	if d.SideEffects == "" {
		return hints{OpenWorld: &open}
	}
	reads := noEffects.MatchString(d.SideEffects)
	destroys := !reads
	return hints{ReadOnly: &reads, Destructive: &destroys, OpenWorld: &open}
}

// tellPackTool tells what a tool of a pack returned. A value of another type than the
// pack declares would make a client refuse the whole result: it comes as text, beside
// the warning that says so.
func tellPackTool(d ops.PackTool) func(*outcome) (*reply, error) {
	return func(out *outcome) (*reply, error) {
		out.args = arguments{"siteId": encoded(d.SiteID)}
		r, err := tellRun(out)
		if err != nil || d.Returns == nil {
			return r, err
		}
		if value, ok := r.members["value"].(json.RawMessage); ok && !d.Returns.Fits(value) {
			delete(r.members, "value")
			r.members["valueText"] = string(value)
		}
		return r, nil
	}
}
