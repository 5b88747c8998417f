package skills

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// manifestName is the file that makes a directory a pack.
const manifestName = "manifest.json"

// manifest is a decoded manifest.json, before the files it names are looked at.
type manifest struct {
	doc     *textFile
	root    *jsonNode
	id      string // empty when it cannot be read
	idAt    Range
	name    string
	domains []declared
	notes   []declared
	node    []*toolSpec
	browser []*toolSpec

	rawNode, rawBrowser json.RawMessage
}

// declared is a string of the manifest with its place.
type declared struct {
	text string
	at   Range
}

// toolSpec is a tool as declared.
type toolSpec struct {
	Tool
	// path is the declared path; its text is empty when there is none.
	path declared
	// key is the place of the tool's name.
	key Range
	// shorthand says that the tool was declared by its path alone.
	shorthand bool
}

// manifestDecoder turns a parsed manifest into a manifest, reporting what is
// wrong with it. Nothing stops it: what can be used is used.
type manifestDecoder struct {
	dir      string // the pack's directory name, which id must equal
	doc      *textFile
	findings *findings
}

func (d *manifestDecoder) at(n *jsonNode) Range    { return d.doc.span(n.start, n.end) }
func (d *manifestDecoder) key(m *jsonMember) Range { return d.doc.span(m.keyStart, m.keyEnd) }

func (d *manifestDecoder) report(code Code, at Range, hint, format string, args ...any) {
	d.findings.add(code, manifestName, at, fmt.Sprintf(format, args...), hint)
}

// parseManifest reads the bytes of a manifest. Without a usable JSON object it
// returns nil and has reported why.
func parseManifest(dir string, raw []byte, f *findings) *manifest {
	text := decodeText(raw)
	d := &manifestDecoder{dir: dir, doc: &textFile{text: text.text}, findings: f}
	if text.problem != "" {
		d.report(codeManifestEncoding, d.doc.span(text.at, text.at+1), "", "%s", text.problem)
	} else if text.bom {
		d.report(codeManifestBOM, Range{}, "", "byte order mark at the start of the file")
	}
	root, err := parseJSON(text.text)
	if err != nil {
		d.report(codeManifestJSONSyntax, d.doc.span(err.start, err.end), err.hint, "%s", err.message)
		return nil
	}
	if root.kind != jsonObject {
		d.report(codeManifestNotObject, d.at(root), "", "the manifest is %s, not an object", root.kind)
		return nil
	}
	return d.manifest(root)
}

func (d *manifestDecoder) manifest(root *jsonNode) *manifest {
	m := &manifest{doc: d.doc, root: root}
	d.duplicates(root)
	d.unknown(root, manifestFields(), "the manifest")
	m.id = d.id(root)
	if id := root.get("id"); id != nil {
		m.idAt = d.at(id.value)
	}
	m.name = d.requiredString(root, "name", codeManifestName, "name")
	m.domains = d.domains(root)
	m.notes = d.notes(root)
	m.node, m.rawNode = d.tools(root, "nodeTools", NodeTool)
	m.browser, m.rawBrowser = d.tools(root, "browserTools", BrowserTool)
	return m
}

// missingIn is where a missing field is reported: at the key of the object that
// lacks it, or the brace of one that has none.
func (d *manifestDecoder) missingIn(n *jsonNode) Range {
	if n.keyEnd > 0 {
		return d.doc.span(n.keyStart, n.keyEnd)
	}
	return d.doc.span(n.start, n.start+1)
}

func (d *manifestDecoder) id(root *jsonNode) string {
	member := root.get("id")
	if member == nil {
		d.report(codeManifestID, d.missingIn(root), fmt.Sprintf("add \"id\": %q", d.dir), "id is missing")
		return ""
	}
	v := member.value
	if v.kind != jsonString || isBlank(v.str) {
		d.report(codeManifestID, d.at(v), fmt.Sprintf("write \"id\": %q", d.dir), "id must be a non-blank string, not %s", describe(v))
		return ""
	}
	if v.str != d.dir {
		d.report(codeManifestIDMismatch, d.at(v), fmt.Sprintf("write %q, or rename the directory to %q", d.dir, v.str),
			"id %q is not the directory's name %q", v.str, d.dir)
	}
	return v.str
}

// requiredString reads a string field that must be there and not be blank.
func (d *manifestDecoder) requiredString(n *jsonNode, field string, code Code, what string) string {
	member := n.get(field)
	switch {
	case member == nil:
		d.report(code, d.missingIn(n), "", "%s is missing", what)
	case member.value.kind != jsonString || isBlank(member.value.str):
		d.report(code, d.at(member.value), "", "%s must be a non-blank string, not %s", what, describe(member.value))
	default:
		return member.value.str
	}
	return ""
}

func (d *manifestDecoder) domains(root *jsonNode) []declared {
	member := root.get("domains")
	if member == nil {
		if short := root.get("domain"); short != nil {
			return d.shorthandDomain(short)
		}
		d.report(codeManifestDomains, d.missingIn(root), "", "domains is missing")
		return nil
	}
	list := d.strings(member, codeManifestDomains, "domains")
	if len(list) == 0 && (member.value.falsy(d.doc.text) || member.value.kind == jsonArray && len(member.value.items) == 0) {
		d.report(codeManifestDomains, d.at(member.value), "", "domains must not be empty")
	}
	return list
}

func (d *manifestDecoder) shorthandDomain(member *jsonMember) []declared {
	v := member.value
	if v.kind != jsonString || isBlank(v.str) {
		d.report(codeManifestDomains, d.at(v), "", "domain must be a non-blank string, not %s", describe(v))
		return nil
	}
	d.report(codeShorthandDomain, d.key(member), fmt.Sprintf("write \"domains\": [%q]", v.str), "domain is a shorthand for domains")
	return []declared{{v.str, d.at(v)}}
}

func (d *manifestDecoder) notes(root *jsonNode) []declared {
	member := root.get("notes")
	if member == nil {
		return nil
	}
	return d.strings(member, codeManifestNotes, "notes")
}

// strings reads a list of non-blank strings and keeps those that are.
func (d *manifestDecoder) strings(member *jsonMember, code Code, what string) []declared {
	v := member.value
	if v.kind != jsonArray {
		if !v.falsy(d.doc.text) {
			hint := ""
			if v.kind == jsonString {
				hint = fmt.Sprintf("write [%q]", v.str)
			}
			d.report(code, d.at(v), hint, "%s must be a list of non-blank strings, not %s", what, describe(v))
		}
		return nil
	}
	var list []declared
	for i, item := range v.items {
		if item.kind != jsonString || isBlank(item.str) {
			d.report(code, d.at(item), "", "%s[%d] must be a non-blank string, not %s", what, i, describe(item))
			continue
		}
		list = append(list, declared{item.str, d.at(item)})
	}
	return list
}

// duplicates reports keys that occur twice, at any depth.
func (d *manifestDecoder) duplicates(n *jsonNode) {
	var there map[string]bool
	if len(n.members) > 1 {
		there = make(map[string]bool, len(n.members))
	}
	for i, m := range n.members {
		if there[m.key] {
			d.report(codeManifestDuplicateKey, d.key(&n.members[i]), "", "the key %q occurs twice; this one counts", m.key)
		} else if there != nil {
			there[m.key] = true
		}
		d.duplicates(m.value)
	}
	for _, item := range n.items {
		d.duplicates(item)
	}
}

// unknown reports fields that the format does not have.
func (d *manifestDecoder) unknown(n *jsonNode, known []field, where string) {
	for i := range n.members {
		m := &n.members[i]
		if slices.ContainsFunc(known, func(f field) bool { return f.name == m.key }) {
			continue
		}
		if d.findings.full(codeManifestUnknownField, manifestName) {
			return
		}
		names := fieldNames(known)
		hint := didYouMean(m.key, names)
		if hint == "" {
			hint = "known fields are " + strings.Join(names, ", ")
		}
		d.report(codeManifestUnknownField, d.key(m), hint, "unknown field %q in %s", m.key, where)
	}
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// describe names a value for a message.
func describe(n *jsonNode) string {
	if n.kind == jsonString {
		if n.str == "" {
			return "an empty one"
		}
		return "a blank one"
	}
	return n.kind.String()
}

// compactJSON returns JSON text without white space, and with U+FFFD for
// surrogates that stand alone: what egod writes is valid UTF-8 and UTF-16. The
// text must be valid.
func compactJSON(text string) json.RawMessage {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			var n int
			out, n = appendString(out, text[i:])
			i += n
		default:
			out = append(out, c)
			i++
		}
	}
	return slices.Clip(out)
}

// appendString copies one JSON string with its quotes and returns its length.
func appendString(out []byte, s string) ([]byte, int) {
	out = append(out, '"')
	for i := 1; ; {
		switch c := s[i]; c {
		case '"':
			return append(out, '"'), i + 1
		case '\\':
			r, size := unescape(s[i:])
			if size == 6 && r == utf8.RuneError {
				out = append(out, `\ufffd`...)
			} else {
				out = append(out, s[i:i+size]...)
			}
			i += size
		default:
			out = append(out, c)
			i++
		}
	}
}
