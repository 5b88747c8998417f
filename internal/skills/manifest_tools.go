package skills

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// portableToolName is what hosts of the Model Context Protocol accept.
var portableToolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// tools reads nodeTools or browserTools in any of its dialects, with the object
// as it is echoed.
func (d *manifestDecoder) tools(root *jsonNode, field string, kind ToolKind) ([]*toolSpec, json.RawMessage) {
	member := root.get(field)
	if member == nil || member.value.falsy(d.doc.text) {
		return nil, json.RawMessage("{}")
	}
	v := member.value
	switch {
	case v.kind == jsonObject:
		return d.toolMap(v, field, kind), compactJSON(d.doc.text[v.start:v.end])
	case v.kind == jsonArray && len(v.items) > 0 && allStrings(v.items):
		specs := d.toolList(member, field, kind)
		return specs, json.RawMessage("{}") // filled in once the callables are known
	case v.kind == jsonArray && len(v.items) == 0:
		d.report(codeManifestTools, d.at(v), "write {}", "%s must be an object keyed by tool name, not an array", field)
	default:
		d.report(codeManifestTools, d.at(v), "", "%s must be an object keyed by tool name, not %s", field, describe(v))
	}
	return nil, json.RawMessage("{}")
}

func allStrings(items []*jsonNode) bool {
	return !slices.ContainsFunc(items, func(n *jsonNode) bool { return n.kind != jsonString })
}

// toolMap reads the canonical form. A name that occurs twice stands where it
// stood first and means what it said last, as in JavaScript; what it said first is
// not looked at.
func (d *manifestDecoder) toolMap(v *jsonNode, field string, kind ToolKind) []*toolSpec {
	var specs []*toolSpec
	for _, m := range v.distinct() {
		specs = append(specs, d.tool(m, field+"."+m.key, kind))
	}
	return specs
}

// toolList reads the shorthand: a list of paths.
func (d *manifestDecoder) toolList(member *jsonMember, field string, kind ToolKind) []*toolSpec {
	d.report(codeShorthandTools, d.key(member), "write an object keyed by tool name, each with description, path and args",
		"%s is a list of paths instead of an object keyed by tool name", field)
	var specs []*toolSpec
	for _, item := range member.value.items {
		name := strings.TrimSuffix(path.Base(item.str), path.Ext(item.str))
		if slices.ContainsFunc(specs, func(s *toolSpec) bool { return s.Name == name }) {
			d.report(codeToolDuplicate, d.at(item), "", "%s already has a tool %q", field, name)
			continue
		}
		spec := &toolSpec{
			Tool:      Tool{Name: name, Kind: kind, RawArgs: json.RawMessage("{}"), RawReturns: json.RawMessage("null")},
			path:      declared{item.str, d.at(item)},
			key:       d.at(item),
			shorthand: true,
		}
		if kind == NodeTool {
			spec.Callable, spec.CallableAt = camelCase(name), spec.key
		}
		d.toolName(name, d.at(item), field)
		specs = append(specs, spec)
	}
	return specs
}

// camelCase makes a function's name of a file's: search-users -> searchUsers.
func camelCase(stem string) string {
	words := strings.FieldsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '$' })
	for i, w := range words {
		if i > 0 {
			r := []rune(w)
			r[0] = unicode.ToUpper(r[0])
			words[i] = string(r)
		}
	}
	return strings.Join(words, "")
}

// rawShorthand makes the object that a list of paths stands for.
func rawShorthand(tools []*Tool) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(t.Name) // a string always marshals
		b.Write(name)
		entry, _ := json.Marshal(struct {
			Description string          `json:"description"`
			Path        string          `json:"path"`
			Callable    string          `json:"callable,omitempty"`
			Args        json.RawMessage `json:"args"`
		}{"", t.Path, t.Callable, json.RawMessage("{}")})
		b.WriteByte(':')
		b.Write(entry)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (d *manifestDecoder) tool(m *jsonMember, where string, kind ToolKind) *toolSpec {
	spec := &toolSpec{
		Tool: Tool{Name: m.key, Kind: kind, RawArgs: json.RawMessage("{}"), RawReturns: json.RawMessage("null")},
		key:  d.key(m),
	}
	d.toolName(m.key, spec.key, where)
	v := m.value
	if v.kind != jsonObject {
		spec.problem(d, codeToolSchema, d.at(v), "", "%s must be an object, not %s", where, v.kind)
		return spec
	}
	d.unknown(v, toolFields(kind), where)
	spec.Description = d.requiredString(v, "description", codeToolDescription, where+".description")
	if p := v.get("path"); p == nil {
		spec.problem(d, codeToolPath, d.missingIn(v), "add \"path\": \""+toolDir(kind)+"/<name>.js\"", "%s.path is missing", where)
	} else if p.value.kind != jsonString || isBlank(p.value.str) {
		spec.problem(d, codeToolPath, d.at(p.value), "", "%s.path must be a non-empty relative path, not %s", where, describe(p.value))
	} else {
		spec.path = declared{p.value.str, d.at(p.value)}
	}
	if kind == NodeTool {
		d.callable(v, where, spec)
	}
	if s := v.get("sideEffects"); s != nil && s.value.kind == jsonString {
		spec.SideEffects = s.value.str
	}
	d.args(v, where, spec)
	d.returns(v, where, spec)
	return spec
}

// problem reports a finding that stops the tool.
func (s *toolSpec) problem(d *manifestDecoder, code Code, at Range, hint, format string, args ...any) {
	d.findings.addStop(&s.Tool, code, manifestName, at, fmt.Sprintf(format, args...), hint)
}

func (d *manifestDecoder) toolName(name string, at Range, where string) {
	switch {
	case isBlank(name) || strings.ContainsAny(name, `/\`) || name == "." || strings.Contains(name, ".."):
		d.report(codeToolName, at, "", "%s: invalid tool name %q", where, name)
	case !portableToolName.MatchString(name):
		d.report(codeToolNamePortable, at, "", "%s: the name %q cannot be used where tools are named by A-Z a-z 0-9 _ - alone, at most 64", where, name)
	}
}

func (d *manifestDecoder) callable(v *jsonNode, where string, spec *toolSpec) {
	m := v.get("callable")
	switch {
	case m == nil:
		spec.problem(d, codeToolCallable, d.missingIn(v), "", "%s.callable is missing", where)
	case m.value.kind != jsonString || isBlank(m.value.str):
		spec.problem(d, codeToolCallable, d.at(m.value), "", "%s.callable must be a non-blank string, not %s", where, describe(m.value))
	default:
		spec.Callable, spec.CallableAt = m.value.str, d.at(m.value)
	}
}

func (d *manifestDecoder) args(v *jsonNode, where string, spec *toolSpec) {
	m := v.get("args")
	if m == nil {
		d.report(codeToolArgs, d.missingIn(v), "", "%s.args is missing", where)
		return
	}
	if m.value.kind != jsonObject {
		d.report(codeToolArgs, d.at(m.value), "", "%s.args must be an object, not %s", where, m.value.kind)
		return
	}
	spec.RawArgs = compactJSON(d.doc.text[m.value.start:m.value.end])
	for _, am := range m.value.distinct() {
		if isBlank(am.key) {
			d.report(codeToolArg, d.key(am), "", "%s.args has an argument without a name", where)
			continue
		}
		spec.Args = append(spec.Args, d.arg(am, where+".args."+am.key))
	}
}

func (d *manifestDecoder) arg(m *jsonMember, where string) Arg {
	arg := Arg{Name: m.key}
	if m.value.kind != jsonObject {
		d.report(codeToolArg, d.at(m.value), "", "%s must be an object, not %s", where, m.value.kind)
		return arg
	}
	d.unknown(m.value, valueFields(true), where)
	arg.ValueSchema = d.value(m.value, where, codeToolArg)
	switch r := m.value.get("required"); {
	case r == nil:
		d.report(codeToolArg, d.missingIn(m.value), "add \"required\": true or false", "%s.required is missing", where)
	case r.value.kind != jsonBool:
		d.report(codeToolArg, d.at(r.value), "write true or false", "%s.required must be a boolean, not %s", where, r.value.kind)
	default:
		arg.Required = r.value.truth
	}
	return arg
}

func (d *manifestDecoder) returns(v *jsonNode, where string, spec *toolSpec) {
	m := v.get("returns")
	if m == nil {
		d.report(codeToolReturnsMissing, spec.key, "", "%s does not say what it returns", where)
		return
	}
	spec.RawReturns = compactJSON(d.doc.text[m.value.start:m.value.end])
	if m.value.kind != jsonObject {
		d.report(codeToolReturns, d.at(m.value), "", "%s.returns must be an object, not %s", where, m.value.kind)
		return
	}
	d.unknown(m.value, valueFields(false), where+".returns")
	schema := d.value(m.value, where+".returns", codeToolReturns)
	spec.Returns = &schema
}

// value reads type and description. A type that does not exist is left empty,
// so that nothing is checked against it.
func (d *manifestDecoder) value(v *jsonNode, where string, code Code) ValueSchema {
	var schema ValueSchema
	types := valueTypes()
	switch t := v.get("type"); {
	case t == nil:
		d.report(code, d.missingIn(v), "types are "+strings.Join(types, ", "), "%s.type is missing", where)
	case t.value.kind != jsonString:
		d.report(code, d.at(t.value), "types are "+strings.Join(types, ", "), "%s.type must be a string, not %s", where, t.value.kind)
	case !slices.Contains(types, t.value.str):
		hint := didYouMean(t.value.str, types)
		if hint == "" {
			hint = "types are " + strings.Join(types, ", ")
		}
		d.report(code, d.at(t.value), hint, "%s.type %q is not a type", where, t.value.str)
	default:
		schema.Type = t.value.str
	}
	schema.Description = d.requiredString(v, "description", code, where+".description")
	return schema
}

func toolDir(kind ToolKind) string {
	if kind == BrowserTool {
		return "browser-tools"
	}
	return "tools"
}
