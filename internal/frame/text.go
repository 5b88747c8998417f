package frame

import (
	"bytes"
	"unicode/utf8"
)

// Replacement is U+FFFD, as raw bytes and as a JSON escape.
const (
	Replacement       = "\uFFFD"
	replacementEscape = `\ufffd`
)

// ValidText returns the JSON text b with everything that is not Unicode text
// replaced by U+FFFD: bytes that are not UTF-8, and \uD800-\uDFFF escapes
// without their other half. Results made by a JS engine or read from a file
// hold both, and either one makes strict clients hang or refuse everything
// after it (DeusData/codebase-memory-mcp #511, microsoft/playwright-mcp #1410).
// b itself is returned when nothing has to change; it is never written to.
func ValidText(b []byte) []byte {
	if utf8.Valid(b) && !hasLoneSurrogate(b) {
		return b
	}
	return repairText(b)
}

// hasLoneSurrogate reports whether the JSON text b holds a surrogate escape
// that is not part of a pair.
func hasLoneSurrogate(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return false
		}
		n, lone := escapeAt(b[i:])
		if lone {
			return true
		}
		b = b[i+n:]
	}
}

// repairText is the slow half of ValidText.
func repairText(b []byte) []byte {
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		switch c := b[0]; {
		case c == '\\':
			n, lone := escapeAt(b)
			if lone {
				out = append(out, replacementEscape...)
			} else {
				out = append(out, b[:n]...)
			}
			b = b[n:]
		case c < utf8.RuneSelf:
			out = append(out, c)
			b = b[1:]
		default:
			r, n := utf8.DecodeRune(b)
			if r == utf8.RuneError && n == 1 {
				out = append(out, Replacement...)
			} else {
				out = append(out, b[:n]...)
			}
			b = b[n:]
		}
	}
	return out
}

// escapeAt returns the length of the escape sequence b starts with, a whole
// surrogate pair counting as one, and whether it is half of a pair alone.
func escapeAt(b []byte) (length int, lone bool) {
	r, ok := unicodeEscape(b)
	switch {
	case !ok:
		return min(2, len(b)), false
	case r < 0xD800 || r > 0xDFFF:
		return 6, false
	case r >= 0xDC00:
		return 6, true
	}
	if low, ok := unicodeEscape(b[6:]); ok && low >= 0xDC00 && low <= 0xDFFF {
		return 12, false
	}
	return 6, true
}

// unicodeEscape decodes the \uXXXX that b starts with.
func unicodeEscape(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
