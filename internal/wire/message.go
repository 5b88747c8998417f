package wire

import (
	"bytes"
	"encoding/json"

	"egod/internal/frame"
	"egod/internal/ops"
)

// MaxMethodLength is far beyond any method there is; a longer name is answered
// without being decoded or repeated in full.
const MaxMethodLength = 256

// Message is the envelope of one JSON-RPC message, as slices of its text. A
// member that is absent is nil; of a member given twice the last one counts.
type Message struct {
	Version, ID, Method, Params []byte
	// Outcome means the message has a result or an error: it is a response.
	Outcome bool
}

// ParseMessage takes apart text, which must be a valid JSON object.
func ParseMessage(text []byte) Message {
	var m Message
	EachMember(text, func(key, value []byte) {
		switch string(key) {
		case "jsonrpc":
			m.Version = value
		case "id":
			m.ID = idText(value)
		case "method":
			m.Method = value
		case "params":
			m.Params = value
		case "result", "error":
			m.Outcome = true
		}
	})
	return m
}

// IsResponse reports whether the message answers a request. A response
// is never answered, not even with an error.
func (m *Message) IsResponse() bool { return m.Method == nil && m.Outcome }

// Check returns what is wrong with the shape of a request or notification, in
// the order in which a reader of it would notice, or nil.
func (m *Message) Check() *ops.Error {
	switch {
	case m.ID != nil && !UsableID(m.ID):
		return InvalidRequest("the id must be a string or a number, got %s", Describe(m.ID)).
			WithHint("leave the id out to send a notification")
	case m.Version == nil:
		return InvalidRequest(`the member "jsonrpc" is missing`).WithHint(`add "jsonrpc":"2.0"`)
	case string(m.Version) != `"2.0"`:
		return InvalidRequest(`the member "jsonrpc" must be "2.0", got %s`, Describe(m.Version))
	case m.Method == nil:
		return InvalidRequest(`the member "method" is missing`)
	case m.Method[0] != '"':
		return InvalidRequest("the method must be a string, got %s", Describe(m.Method))
	case len(m.Method) == len(`""`):
		return InvalidRequest("the method is empty")
	case m.Params != nil && m.Params[0] != '{' && m.Params[0] != '[':
		return InvalidRequest("params must be an object or an array, got %s", Describe(m.Params)).
			WithHint("leave params out when there are none")
	}
	return nil
}

// Usable returns the id to answer a message with that was refused by Check.
func (m *Message) Usable() []byte {
	if m.ID == nil || !UsableID(m.ID) {
		return nil
	}
	return m.ID
}

// InvalidRequest makes an error about a message that is no request.
func InvalidRequest(format string, args ...any) *ops.Error {
	return ops.Errorf(ops.KindInvalidRequest, format, args...)
}

// Describe names a JSON value for an error message; short scalars are shown.
func Describe(raw []byte) string {
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

// EachMember calls f with the decoded key and the raw value of each member of
// object, which must be a valid JSON object.
func EachMember(object []byte, f func(key, value []byte)) {
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

// Member returns the value of one member of a valid JSON object, the last one
// if it is given more than once, or nil.
func Member(object []byte, name string) []byte {
	var found []byte
	EachMember(object, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	})
	return found
}

// NextItem splits the first item off rest, which is the inside of a valid JSON
// array from some item on, up to and including the closing bracket. It returns
// a nil item at the end.
func NextItem(rest []byte) (item, remaining []byte) {
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
