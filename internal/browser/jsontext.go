package browser

import (
	"encoding/json"
	"fmt"
	"strings"
)

// jsonText reads JSON from left to right and skips what nobody asked for. It is for
// the few answers of Chrome that come in megabytes, of which egod needs a tenth:
// encoding/json looks at each byte of them three times. Strings without escapes are
// parts of the text and keep all of it alive.
//
// The first error ends the reading: every method does nothing then.
type jsonText struct {
	text string
	at   int
	err  error
}

func (j *jsonText) fail(want string) {
	if j.err == nil {
		j.err = fmt.Errorf("JSON text: no %s at byte %d", want, j.at)
		j.at = len(j.text)
	}
}

// next skips white space and returns the byte after it without taking it; 0 at the end.
func (j *jsonText) next() byte {
	for j.at < len(j.text) {
		switch c := j.text[j.at]; c {
		case ' ', '\t', '\n', '\r':
			j.at++
		default:
			return c
		}
	}
	return 0
}

// take takes c if it comes next.
func (j *jsonText) take(c byte) bool {
	if j.next() != c || j.at >= len(j.text) {
		return false
	}
	j.at++
	return true
}

// object calls member for each member; member takes its value.
func (j *jsonText) object(member func(key string)) {
	j.list('{', '}', "object", func() {
		key := j.str()
		if !j.take(':') {
			j.fail("colon")
			return
		}
		member(key)
	})
}

// array calls element for each element; element takes its value.
func (j *jsonText) array(element func()) { j.list('[', ']', "array", element) }

func (j *jsonText) list(open, end byte, what string, item func()) {
	if !j.take(open) {
		j.fail(what)
		return
	}
	if j.take(end) {
		return
	}
	for j.err == nil {
		item()
		if j.take(end) {
			return
		}
		if !j.take(',') {
			j.fail("end of the " + what)
		}
	}
}

// str takes a string.
func (j *jsonText) str() string {
	raw := j.quoted()
	if raw == "" {
		return ""
	}
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		j.fail("valid string")
	}
	return s
}

// quoted takes a string as it is written.
func (j *jsonText) quoted() string {
	if j.next() != '"' {
		j.fail("string")
		return ""
	}
	start := j.at
	for i := start + 1; i < len(j.text); i++ {
		n := strings.IndexByte(j.text[i:], '"')
		if n < 0 {
			break
		}
		i += n
		escapes := 0
		for j.text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			j.at = i + 1
			return j.text[start:j.at]
		}
	}
	j.fail("end of the string")
	return ""
}

// skip takes a value of any kind, however deep.
func (j *jsonText) skip() {
	depth := 0
	for j.err == nil {
		c := j.next()
		switch {
		case c == '"':
			j.quoted()
		case c == '{' || c == '[':
			depth++
			j.at++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
			j.at++
		case depth > 0 && (c == ',' || c == ':'):
			j.at++
		default:
			j.scalar()
		}
		if depth == 0 {
			return
		}
	}
}

// scalar takes a number, true, false or null as it is written.
func (j *jsonText) scalar() string {
	j.next()
	rest := j.text[j.at:]
	n := strings.IndexAny(rest, ",:]}\"{[ \t\r\n")
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		j.fail("value")
		return ""
	}
	j.at += n
	return rest[:n]
}

// value takes a value as text: strings unquoted, others as they are written.
func (j *jsonText) value() string {
	switch j.next() {
	case '"':
		return j.str()
	case '{', '[':
		start := j.at
		j.skip()
		return j.text[start:j.at]
	}
	return j.scalar()
}
