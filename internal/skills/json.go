package skills

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonKind is the type of a JSON value.
type jsonKind byte

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

func (k jsonKind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// jsonNode is a JSON value that knows where it stands, so that a finding can
// point at it. It lives only while its manifest is loaded.
type jsonNode struct {
	kind       jsonKind
	start, end int // offsets in the text; end is exclusive
	// keyStart and keyEnd are those of the key that it stands under, zero in arrays
	// and at the top.
	keyStart, keyEnd int
	str              string
	truth            bool
	members          []jsonMember // of an object, in order
	items            []*jsonNode  // of an array
}

// jsonMember is one key of an object.
type jsonMember struct {
	key              string
	keyStart, keyEnd int
	value            *jsonNode
}

// get returns the last member of that name, as JSON.parse does.
func (n *jsonNode) get(key string) *jsonMember {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	return nil
}

// distinct returns the members as JSON.parse leaves them: each key once, in the
// place where it stood first, with its last value.
func (n *jsonNode) distinct() []*jsonMember {
	out := make([]*jsonMember, 0, len(n.members))
	place := make(map[string]int, len(n.members))
	for i := range n.members {
		m := &n.members[i]
		if at, ok := place[m.key]; ok {
			out[at] = m
			continue
		}
		place[m.key] = len(out)
		out = append(out, m)
	}
	return out
}

// falsy says whether JavaScript takes the value for false.
func (n *jsonNode) falsy(text string) bool {
	switch n.kind {
	case jsonNull:
		return true
	case jsonBool:
		return !n.truth
	case jsonString:
		return n.str == ""
	case jsonNumber:
		f, err := strconv.ParseFloat(text[n.start:n.end], 64)
		return err == nil && f == 0
	}
	return false
}

// jsonError is a syntax error with what an author needs to find and mend it.
type jsonError struct {
	start, end int
	message    string
	hint       string
}

func (e *jsonError) Error() string { return e.message }

// maxJSONDepth bounds nesting: a manifest needs six levels, and the parser's
// stack must not be the author's to choose.
const maxJSONDepth = 200

// parseJSON reads one strict JSON text (RFC 8259).
func parseJSON(text string) (*jsonNode, *jsonError) {
	p := &jsonParser{text: text}
	node := p.value(0)
	if p.err == nil {
		p.space()
		if p.pos < len(text) {
			p.fail(p.pos, p.pos+1, "text after the end of the JSON value", "keep one object in the file")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return node, nil
}

type jsonParser struct {
	text string
	pos  int
	err  *jsonError
}

// fail keeps the first error; every loop of the parser ends when there is one.
func (p *jsonParser) fail(start, end int, message, hint string) *jsonNode {
	if p.err == nil {
		p.err = &jsonError{start: start, end: min(end, len(p.text)), message: message, hint: hint}
	}
	return nil
}

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		case '/':
			if strings.HasPrefix(p.text[p.pos:], "//") || strings.HasPrefix(p.text[p.pos:], "/*") {
				p.fail(p.pos, p.pos+2, "comments are not allowed in JSON", "remove the comment")
			}
			return
		case '#':
			p.fail(p.pos, p.pos+1, "comments are not allowed in JSON", "remove the comment")
			return
		default:
			return
		}
	}
}

func (p *jsonParser) value(depth int) *jsonNode {
	p.space()
	if p.err != nil {
		return nil
	}
	if depth > maxJSONDepth {
		return p.fail(p.pos, p.pos+1, fmt.Sprintf("nested deeper than %d levels", maxJSONDepth), "a manifest needs six levels")
	}
	if p.pos >= len(p.text) {
		return p.fail(p.pos, p.pos, "the file ends before the JSON does", "the file may be half written, or a bracket is not closed")
	}
	switch c := p.text[p.pos]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return p.word()
}

func (p *jsonParser) word() *jsonNode {
	start := p.pos
	end := start
	for end < len(p.text) && isWordByte(p.text[end]) {
		end++
	}
	node := &jsonNode{start: start, end: end}
	switch p.text[start:end] {
	case "null":
	case "true", "false":
		node.kind, node.truth = jsonBool, p.text[start] == 't'
	case "":
		return p.unexpected()
	default:
		return p.fail(start, end, fmt.Sprintf("unknown word %s", shortened(p.text[start:end])), "put text in double quotes")
	}
	p.pos = end
	return node
}

func (p *jsonParser) unexpected() *jsonNode {
	r, size := utf8.DecodeRuneInString(p.text[p.pos:])
	hint := ""
	switch r {
	case '\'', '“', '”', '‘', '’', '`':
		hint = "put text in straight double quotes"
	case ',':
		hint = "remove the comma"
	case 0:
		hint = "the file looks like UTF-16: save it as UTF-8"
	}
	return p.fail(p.pos, p.pos+size, fmt.Sprintf("unexpected character %q", r), hint)
}

func (p *jsonParser) object(depth int) *jsonNode {
	node := &jsonNode{kind: jsonObject, start: p.pos}
	return p.list(node, "}", func() bool {
		member, ok := p.member(depth)
		node.members = append(node.members, member)
		return ok
	})
}

func (p *jsonParser) member(depth int) (jsonMember, bool) {
	if p.pos >= len(p.text) {
		p.fail(p.pos, p.pos, "the file ends before the JSON does", "the file may be half written, or a bracket is not closed")
		return jsonMember{}, false
	}
	if p.text[p.pos] != '"' {
		if isWordByte(p.text[p.pos]) {
			p.fail(p.pos, p.pos+1, "a key without double quotes", "put keys in double quotes")
		} else {
			p.unexpected()
		}
		return jsonMember{}, false
	}
	key := p.string()
	if key == nil {
		return jsonMember{}, false
	}
	p.space()
	if p.err == nil && (p.pos >= len(p.text) || p.text[p.pos] != ':') {
		p.fail(key.start, key.end, fmt.Sprintf("no colon after the key %q", key.str), "write \"key\": value")
	}
	if p.err != nil {
		return jsonMember{}, false
	}
	p.pos++
	value := p.value(depth + 1)
	if value != nil {
		value.keyStart, value.keyEnd = key.start, key.end
	}
	return jsonMember{key: key.str, keyStart: key.start, keyEnd: key.end, value: value}, value != nil
}

func (p *jsonParser) array(depth int) *jsonNode {
	node := &jsonNode{kind: jsonArray, start: p.pos}
	return p.list(node, "]", func() bool {
		item := p.value(depth + 1)
		node.items = append(node.items, item)
		return item != nil
	})
}

// list reads what stands between brackets: elements with commas between them, up
// to the closing bracket. element reads one and says whether it could.
func (p *jsonParser) list(node *jsonNode, closing string, element func() bool) *jsonNode {
	p.pos++
	comma := -1
	for n := 0; ; n++ {
		p.space()
		switch {
		case p.err != nil:
			return nil
		case p.pos < len(p.text) && p.text[p.pos] == closing[0]:
			if comma >= 0 {
				return p.fail(comma, comma+1, "a comma before "+closing, "remove the comma")
			}
			p.pos++
			node.end = p.pos
			return node
		case n > 0 && comma < 0:
			return p.missing(closing, node.start)
		}
		if !element() {
			return nil
		}
		if comma = p.comma(); p.err != nil {
			return nil
		}
	}
}

// comma eats a comma and returns its offset, or -1 when there is none.
func (p *jsonParser) comma() int {
	p.space()
	if p.err == nil && p.pos < len(p.text) && p.text[p.pos] == ',' {
		p.pos++
		return p.pos - 1
	}
	return -1
}

func (p *jsonParser) missing(closer string, opened int) *jsonNode {
	if p.pos >= len(p.text) {
		t := textFile{text: p.text}
		return p.fail(p.pos, p.pos, fmt.Sprintf("the file ends before the %s of line %d", closer, t.position(opened).Line+1),
			"the file may be half written, or a bracket is not closed")
	}
	return p.fail(p.pos, p.pos+1, fmt.Sprintf("no comma or %s here", closer), "put a comma between two entries")
}

func (p *jsonParser) number() *jsonNode {
	start := p.pos
	end := start
	for end < len(p.text) && (isWordByte(p.text[end]) || strings.IndexByte("+-.", p.text[end]) >= 0) {
		end++
	}
	if !validNumber(p.text[start:end]) {
		return p.fail(start, end, fmt.Sprintf("%s is not a JSON number", shortened(p.text[start:end])), "write digits such as 5 or 0.5, or put text in double quotes")
	}
	p.pos = end
	return &jsonNode{kind: jsonNumber, start: start, end: end}
}

// validNumber is the number grammar of RFC 8259: no leading zeros, a digit on
// both sides of the point.
func validNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, rest := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if strings.HasPrefix(rest, ".") {
		n, after := digits(rest[1:])
		if n == 0 {
			return false
		}
		rest = after
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		n, after := digits(rest)
		if n == 0 {
			return false
		}
		rest = after
	}
	return rest == ""
}

func digits(s string) (n int, rest string) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n, s[n:]
}

func (p *jsonParser) string() *jsonNode {
	start := p.pos
	i := start + 1
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			return &jsonNode{kind: jsonString, start: start, end: p.pos, str: p.text[start+1 : i]}
		case c == '\\':
			return p.escapedString(start, i)
		case c < 0x20:
			return p.control(start, i)
		default:
			i++
		}
	}
	return p.fail(start, i, "a string that is not closed", "add the closing double quote")
}

func (p *jsonParser) control(start, at int) *jsonNode {
	if p.text[at] == '\n' || p.text[at] == '\r' {
		return p.fail(start, at, "a string that is not closed on its line", "add the closing double quote, or write \\n")
	}
	return p.fail(at, at+1, fmt.Sprintf("control character U+%04X in a string", p.text[at]), "write it as an escape such as \\t")
}

// escapedString goes on from the first backslash, building the text.
func (p *jsonParser) escapedString(start, i int) *jsonNode {
	var b strings.Builder
	b.WriteString(p.text[start+1 : i])
	for i < len(p.text) {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			return &jsonNode{kind: jsonString, start: start, end: p.pos, str: b.String()}
		case c == '\\':
			r, size := unescape(p.text[i:])
			if size == 0 {
				return p.fail(i, i+2, "an escape that JSON does not have", "write a backslash as \\\\")
			}
			b.WriteRune(r)
			i += size
		case c < 0x20:
			return p.control(start, i)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return p.fail(start, i, "a string that is not closed", "add the closing double quote")
}

// unescape reads one escape; a lone surrogate becomes U+FFFD. Size 0 means that
// it is none.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r = hex4(s)
	if r < 0 {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low := hex4(s[6:]); low >= 0 {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// hex4 reads \uXXXX at the start of s, or returns -1.
func hex4(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// shortened cuts a word of a message.
func shortened(word string) string {
	if len(word) > 40 {
		return word[:40] + "..."
	}
	return word
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
