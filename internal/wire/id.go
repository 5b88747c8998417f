package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"egod/internal/frame"
)

// maxExactInteger is 2^53: below it a float64 holds every integer, so that two
// spellings of one number can be told to be one.
const maxExactInteger = 1 << 53

// UsableID reports whether raw, a JSON value, may be the id of a request: a
// string or a number.
func UsableID(raw []byte) bool {
	c := raw[0]
	return c == '"' || c == '-' || c >= '0' && c <= '9'
}

// idText returns the text an id is echoed with: its own, byte for byte, unless
// there are bytes in it that are no UTF-8 and must not go out again.
func idText(raw []byte) []byte {
	if utf8.Valid(raw) {
		return raw
	}
	return bytes.ToValidUTF8(raw, []byte(frame.Replacement))
}

// IDKey returns what ids are compared by. Ids are echoed as they were written,
// but a client may write the same id in another way when it cancels: "\u0061"
// is "a" and 1e3 is 1000. raw must be a usable id.
func IDKey(raw []byte) string {
	if raw[0] == '"' {
		if bytes.IndexByte(raw, '\\') < 0 {
			return string(raw)
		}
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return string(raw)
		}
		return `"` + s + `"`
	}
	if plainInteger(raw) {
		return string(raw)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.Abs(f) >= maxExactInteger {
		return string(raw)
	}
	if f == 0 {
		return "0" // also for -0
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// plainInteger reports whether raw, a JSON number, is an integer in the one
// spelling it has without fraction and exponent.
func plainInteger(raw []byte) bool {
	if raw[0] == '-' {
		raw = raw[1:]
		if len(raw) == 1 && raw[0] == '0' {
			return false
		}
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
