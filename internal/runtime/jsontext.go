package runtime

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

const hexDigits = "0123456789abcdef"

// appendJSONString writes s as a JSON string. Invalid UTF-8 becomes U+FFFD; the
// engine's strings give that for lone surrogates already.
func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, s[start:i]...)
			dst = append(dst, "\ufffd"...)
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// indentJSON writes compact JSON text over several lines, as JSON.stringify does.
func indentJSON(text, gap string) (string, error) {
	var lines bytes.Buffer
	if err := json.Indent(&lines, []byte(text), "", gap); err != nil {
		return "", err
	}
	return lines.String(), nil
}

// hasLoneHalf tells whether half a surrogate pair stands in a text as it is.
func hasLoneHalf(text goja.String) bool {
	if !strings.ContainsRune(text.String(), utf8.RuneError) {
		return false // where a Go string has the half character
	}
	units := make([]uint16, text.Length())
	for i := range units {
		units[i] = text.CharAt(i)
	}
	return !wellFormed(units)
}

// halfCharacter tells whether JSON text has an escape of half a surrogate pair. The
// engine's parser makes U+FFFD of it.
func halfCharacter(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], `\u`)
		if i < 0 {
			return false
		}
		at += i + 2
		switch surrogate(text[at:]) {
		case 0:
		case highSurrogate:
			if next, ok := strings.CutPrefix(text[min(at+4, len(text)):], `\u`); !ok || surrogate(next) != lowSurrogate {
				return true
			}
			at += 6
		default:
			return true
		}
	}
}

const (
	highSurrogate = 1 + iota
	lowSurrogate
)

// surrogate tells which half of a pair four hex digits are, 0 if none.
func surrogate(digits string) int {
	if len(digits) < 4 || digits[0]|0x20 != 'd' {
		return 0
	}
	switch c := digits[1] | 0x20; {
	case c == '8', c == '9', c == 'a', c == 'b':
		return highSurrogate
	case c >= 'c' && c <= 'f':
		return lowSurrogate
	}
	return 0
}
