package policy

import (
	"encoding/json"
	"fmt"
	"strings"

	"egod/internal/skills"
)

// Rules are what a policy file says of everybody, or of one pack. What is nil is not
// said: it is as for everybody, and in the end as egod has it.
type Rules struct {
	AllowFS         []string
	AllowPrivateNet *bool
	AllowAnyOrigin  *bool
	Browser         *bool
	FetchHosts      []string
	Deny            []string
	Tools           []string
}

// File is a policy file that was read.
type File struct {
	// Path is the file's, as errors and denials name it.
	Path string
	Rules
	LegacyHelpers *bool
	Secrets       []string
	// Packs has what is said of single packs, by id. "*" stands for those that are
	// not named.
	Packs map[string]Rules
}

// EveryPack is the entry for packs that have none of their own.
const EveryPack = "*"

// Entry is how the entry of a pack is written in messages: "packs.x-com".
func Entry(id string) string { return "packs." + id }

// field is one member of a policy file. All checks and the JSON Schema are made from
// the lists of them.
type field struct {
	name, doc string
	// flag sets a switch, list a list of texts; exactly one is set.
	flag func(*File, *Rules) **bool
	list func(*File, *Rules) *[]string
	// check says what is wrong with a text of the list.
	check func(text string, operations []string) *fault
}

// fault is what is wrong with a value, and what would be right.
type fault struct{ message, hint string }

// ruleFields are the members that stand at the top and in the entry of a pack.
func ruleFields() []field {
	return []field{
		{
			name: "allowFs", doc: "directories whose files may be used, with :ro for reading alone; relative ones are below the directory of this file",
			list: func(_ *File, r *Rules) *[]string { return &r.AllowFS }, check: checkText,
		},
		{
			name: "allowPrivateNet", doc: "whether fetch.server may connect to this machine and its private networks",
			flag: func(_ *File, r *Rules) **bool { return &r.AllowPrivateNet },
		},
		{
			name: "allowAnyOrigin", doc: "whether calls with anyOrigin may run browser tools on pages that their pack does not declare",
			flag: func(_ *File, r *Rules) **bool { return &r.AllowAnyOrigin },
		},
		{
			name: "browser", doc: "whether pages may be used at all; true when left out",
			flag: func(_ *File, r *Rules) **bool { return &r.Browser },
		},
		{
			name: "fetchHosts", doc: "the hosts that fetch.server may ask, such as api.example.com or *.example.com; all when left out",
			list: func(_ *File, r *Rules) *[]string { return &r.FetchHosts }, check: checkHost,
		},
		{
			name: "deny", doc: "operations that are refused, such as cdp, page.evaluate or locator.*",
			list: func(_ *File, r *Rules) *[]string { return &r.Deny }, check: checkOperation,
		},
		{
			name: "tools", doc: "the tools that may be run, such as search or get-*; all when left out",
			list: func(_ *File, r *Rules) *[]string { return &r.Tools }, check: checkText,
		},
	}
}

// topFields are the members that stand at the top alone.
func topFields() []field {
	return []field{
		{
			name: "legacyHelpers", doc: "whether scripts get the flat helpers of the older dialect too",
			flag: func(f *File, _ *Rules) **bool { return &f.LegacyHelpers },
		},
		{
			name: "secrets", doc: "environment variables whose values never show in logs and errors",
			list: func(f *File, _ *Rules) *[]string { return &f.Secrets }, check: checkText,
		},
	}
}

func checkText(text string, _ []string) *fault {
	if strings.TrimSpace(text) == "" {
		return &fault{"the text is empty", "leave it out"}
	}
	return nil
}

func checkHost(text string, _ []string) *fault {
	host := strings.TrimPrefix(text, "*.")
	if strings.ContainsAny(host, "/\\*?@#% ") || strings.Count(host, ":") == 1 || strings.Contains(host, "]:") || plainHost(host) == "" {
		return &fault{fmt.Sprintf("%q is not a host", text), "write a host alone, such as api.example.com or *.example.com"}
	}
	return nil
}

// MatchesHost tells whether a host is meant by a pattern of fetchHosts: the host itself,
// or with *. before it those below it, in any spelling of the same name.
func MatchesHost(pattern, host string) bool {
	domain, below := strings.CutPrefix(pattern, "*.")
	domain, host = plainHost(domain), plainHost(host)
	if below {
		return domain != "" && strings.HasSuffix(host, "."+domain)
	}
	return domain != "" && host == domain
}

// plainHost is a host in the one spelling that is compared; empty when it is none.
func plainHost(host string) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]" // IPv6, as URLs write it
	}
	return strings.Trim(skills.Hostname(host), "[]")
}

func checkOperation(text string, operations []string) *fault {
	for _, name := range operations {
		if Matches(text, name) {
			return nil
		}
	}
	f := &fault{
		message: fmt.Sprintf("there is no operation %q to deny", text),
		hint:    "the operations are those of rpc.discover, fs.* for node:fs, and watch.* for page.waitForEvent and the like",
	}
	if near := nearest(text, operations); near != "" {
		f.hint = fmt.Sprintf("did you mean %q? %s", near, f.hint)
	}
	return f
}

// Matches tells whether a name is meant by a pattern: the name itself, or one with *
// for any text.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// Schema is the JSON Schema (2020-12) of a policy file, indented.
func Schema() json.RawMessage {
	rules := properties(ruleFields())
	top := properties(append(ruleFields(), topFields()...))
	top["$schema"] = map[string]any{"type": "string", "description": "where this schema is, for editors"}
	top["packs"] = map[string]any{
		"type": "object", "description": "what differs for single packs, by id; * stands for packs that are not named",
		"additionalProperties": map[string]any{"$ref": "#/$defs/pack"},
	}
	schema := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "egod policy file",
		"type": "object", "properties": top, "additionalProperties": false,
		"$defs": map[string]any{"pack": map[string]any{"type": "object", "properties": rules, "additionalProperties": false}},
	}
	out, _ := json.MarshalIndent(schema, "", "  ") // maps of strings always marshal
	return append(out, '\n')
}

func properties(fields []field) map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		s := map[string]any{"type": "boolean", "description": f.doc}
		if f.list != nil {
			s["type"], s["items"] = "array", map[string]any{"type": "string", "pattern": `\S`}
		}
		all[f.name] = s
	}
	return all
}
