package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxResult bounds what a script or a tool gives back, in bytes of JSON. The page
// itself refuses to send more, so that it need not be read first.
const maxResult = 32 << 20

// TooLargeError says that a result passed the limit of its kind.
type TooLargeError struct {
	Subject string // what is too large
	Size    int    // bytes, or characters where the page counted
	Limit   int    // in the same
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is too large: %d bytes, and at most %d are taken", e.Subject, e.Size, e.Limit)
}

const resultSubject = "the result as JSON"

// fitting refuses a value that passes maxResult.
func fitting(value json.RawMessage) (json.RawMessage, error) {
	if len(value) > maxResult {
		return nil, &TooLargeError{Subject: resultSubject, Size: len(value), Limit: maxResult}
	}
	return value, nil
}

// readAnswer makes evaluated an answer that reads itself: a result of megabytes is
// found in it without a look at each of its bytes.
func (e *evaluated) readAnswer(raw json.RawMessage) error {
	if len(raw) < largeFrame {
		return json.Unmarshal(raw, e)
	}
	j := jsonText{text: string(raw)}
	plain := true // but for the value, all is read as usual
	j.object(func(key string) {
		if key != "result" {
			plain = false
			j.skip()
			return
		}
		j.object(func(key string) {
			switch key {
			case "type":
				e.Result.Type = j.str()
			case "value":
				j.next()
				start := j.at
				j.skip()
				e.Result.Value = raw[start:j.at]
			default:
				plain = false
				j.skip()
			}
		})
	})
	if !plain || j.err != nil || e.Result.Type != "string" {
		*e = evaluated{}
		return json.Unmarshal(raw, e)
	}
	return nil
}

// text is the value of a string object.
func (o *remoteObject) text() (string, error) {
	if len(o.Value) >= largeFrame && utf8.Valid(o.Value) {
		return readString(o.Value)
	}
	var s string
	err := json.Unmarshal(o.Value, &s)
	return s, err
}

// readString reads a JSON string of valid UTF-8, fast where escapes are few. Half a
// surrogate pair becomes U+FFFD, as with encoding/json.
func readString(quoted []byte) (string, error) {
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return "", errNoString
	}
	rest := quoted[1 : len(quoted)-1]
	var out strings.Builder
	out.Grow(len(rest))
	for {
		n := bytes.IndexByte(rest, '\\')
		if n < 0 {
			out.Write(rest)
			break
		}
		out.Write(rest[:n])
		if rest = rest[n+1:]; len(rest) == 0 {
			return "", errNoString
		}
		c := rest[0]
		rest = rest[1:]
		if c == 'u' {
			r, taken := escaped(rest)
			if taken == 0 {
				return "", errNoString
			}
			out.WriteRune(r)
			rest = rest[taken:]
			continue
		}
		at := strings.IndexByte(`"\/bfnrt`, c)
		if at < 0 {
			return "", errNoString
		}
		out.WriteByte("\"\\/\b\f\n\r\t"[at])
	}
	return out.String(), nil
}

var errNoString = errors.New("not a JSON string")

// escaped reads what follows \u: four digits, or a pair of surrogates. taken is how
// many bytes it takes; 0 when they are no digits.
func escaped(s []byte) (r rune, taken int) {
	first, ok := fourHex(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(first) {
		return first, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if second, ok := fourHex(s[6:]); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				return r, 10
			}
		}
	}
	return utf8.RuneError, 4
}

func fourHex(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n), err == nil
}

// largeOutcome reads the wrapper's JSON text as decodeOutcome does, when it is
// large and holds a value. ok is false for all others.
func largeOutcome(text string) (o outcome, ok bool) {
	if len(text) < largeFrame {
		return outcome{}, false
	}
	j := jsonText{text: text}
	ok = true
	j.object(func(key string) {
		switch key {
		case "v":
			j.next()
			start := j.at
			j.skip()
			o.value = []byte(text[start:j.at])
		case "u":
			o.url = j.str()
		case "t":
			o.title = j.str()
		default:
			ok = false
			j.skip()
		}
	})
	return o, ok && j.err == nil && o.value != nil
}
