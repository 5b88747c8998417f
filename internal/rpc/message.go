package rpc

import (
	"bytes"
	"encoding/json"

	"egod/internal/frame"
	"egod/internal/ops"
)

// maxMethodLength is far beyond any method there is; a longer name is answered
// without being decoded or repeated in full.
const maxMethodLength = 256

// message is the envelope of one JSON-RPC message, as slices of its text. A
// member that is absent is nil; of a member given twice the last one counts.
type message struct {
	version, id, method, params []byte
	// outcome means the message has a result or an error: it is a response.
	outcome bool
}

// parseMessage takes apart text, which must be a valid JSON object.
func parseMessage(text []byte) message {
	var m message
	eachMember(text, func(key, value []byte) {
		switch string(key) {
		case "jsonrpc":
			m.version = value
		case "id":
			m.id = idText(value)
		case "method":
			m.method = value
		case "params":
			m.params = value
		case "result", "error":
			m.outcome = true
		}
	})
	return m
}

// isResponse reports whether the message answers a request. This server sends
// none, and a response is never answered, not even with an error.
func (m *message) isResponse() bool { return m.method == nil && m.outcome }

// check returns what is wrong with the shape of a request or notification, in
// the order in which a reader of it would notice, or nil.
func (m *message) check() *ops.Error {
	switch {
	case m.id != nil && !usableID(m.id):
		return invalidRequest("the id must be a string or a number, got %s", describe(m.id)).
			WithHint("leave the id out to send a notification")
	case m.version == nil:
		return invalidRequest(`the member "jsonrpc" is missing`).WithHint(`add "jsonrpc":"2.0"`)
	case string(m.version) != `"2.0"`:
		return invalidRequest(`the member "jsonrpc" must be "2.0", got %s`, describe(m.version))
	case m.method == nil:
		return invalidRequest(`the member "method" is missing`)
	case m.method[0] != '"':
		return invalidRequest("the method must be a string, got %s", describe(m.method))
	case len(m.method) == len(`""`):
		return invalidRequest("the method is empty")
	case m.params != nil && m.params[0] != '{' && m.params[0] != '[':
		return invalidRequest("params must be an object or an array, got %s", describe(m.params)).
			WithHint("leave params out when there are none")
	}
	return nil
}

// usable returns the id to answer a message with that was refused by check.
func (m *message) usable() []byte {
	if m.id == nil || !usableID(m.id) {
		return nil
	}
	return m.id
}

func invalidRequest(format string, args ...any) *ops.Error {
	return ops.Errorf(ops.KindInvalidRequest, format, args...)
}

// describe names a JSON value for an error message; short scalars are shown.
func describe(raw []byte) string {
	const shown = 40
	switch c := raw[0]; {
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case len(raw) <= shown:
		return string(bytes.ToValidUTF8(raw, []byte(frame.Replacement)))
	case c == '"':
		return "a long string"
	}
	return "a long number"
}

// eachMember calls f with the decoded key and the raw value of each member of
// object, which must be a valid JSON object.
func eachMember(object []byte, f func(key, value []byte)) {
	i := skipBlank(object, 1)
	for object[i] != '}' {
		end := skipString(object, i)
		key := object[i+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			key = unquote(object[i:end])
		}
		i = skipBlank(object, end) // at the colon
		i = skipBlank(object, i+1) // at the value
		end = skipValue(object, i) // behind it
		f(key, object[i:end])
		if i = skipBlank(object, end); object[i] == ',' {
			i = skipBlank(object, i+1)
		}
	}
}

// member returns the value of one member of a valid JSON object, the last one
// if it is given more than once, or nil.
func member(object []byte, name string) []byte {
	var found []byte
	eachMember(object, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	})
	return found
}

// nextItem splits the first item off rest, which is the inside of a valid JSON
// array from some item on, up to and including the closing bracket. It returns
// a nil item at the end.
func nextItem(rest []byte) (item, remaining []byte) {
	i := skipBlank(rest, 0)
	if rest[i] == ']' {
		return nil, nil
	}
	end := skipValue(rest, i)
	item = rest[i:end]
	if i = skipBlank(rest, end); rest[i] == ',' {
		i++
	}
	return item, rest[i:]
}

// skipValue returns the index behind the valid JSON value at i. It keeps a
// count instead of a stack, so that no nesting can be too deep for it.
func skipValue(b []byte, i int) int {
	depth := 0
	for {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++
		default:
			for i < len(b) && !delimiter(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// skipString returns the index behind the valid JSON string that starts at i.
func skipString(b []byte, i int) int {
	for i++; ; i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
}

func skipBlank(b []byte, i int) int {
	for frame.Blank(b[i]) {
		i++
	}
	return i
}

func delimiter(c byte) bool { return frame.Blank(c) || c == ',' || c == '}' || c == ']' || c == ':' }

// unquote decodes a valid JSON string.
func unquote(raw []byte) []byte {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil
	}
	return []byte(s)
}
