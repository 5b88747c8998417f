package runtime

import (
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// textMember is the part of native that has to do with text and its bytes.
func (r *gojaRealm) textMember(name string) any {
	switch name {
	case "utf8Encode":
		return func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer([]byte(call.Argument(0).String())))
		}
	case "wellFormed": // lone surrogates do not survive the way into a Go string
		return func(s string) string { return s }
	case "decodeText":
		return decodeText
	case "encodingName":
		return encodingName
	case "validText":
		return validText
	case "incompleteTail":
		return incompleteTail
	case "halfCharacter":
		return func(call goja.FunctionCall) goja.Value {
			text, _ := call.Argument(0).(goja.String)
			return r.vm.ToValue(text != nil && (halfCharacter(text.String()) || hasLoneHalf(text)))
		}
	case "latin1Bytes":
		return func(call goja.FunctionCall) goja.Value {
			text, ok := call.Argument(0).(goja.String)
			if !ok {
				panic(r.vm.NewTypeError("bytes of something that is no text"))
			}
			return r.vm.ToValue(r.vm.NewArrayBuffer(latin1Bytes(text)))
		}
	case "latin1Text":
		return latin1Text
	case "base64Text":
		return func(data goja.ArrayBuffer) string { return base64.StdEncoding.EncodeToString(data.Bytes()) }
	case "base64Bytes":
		return r.base64Bytes
	}
	return nil
}

// latin1Bytes are the low bytes of the characters of a text.
func latin1Bytes(text goja.String) []byte {
	b := make([]byte, text.Length())
	for i := range b {
		b[i] = byte(text.CharAt(i)) //nolint:gosec // the low byte is asked for
	}
	return b
}

// latin1Text has a character for each byte.
func latin1Text(data goja.ArrayBuffer) string {
	b := data.Bytes()
	var text strings.Builder
	text.Grow(len(b))
	for _, c := range b {
		text.WriteRune(rune(c))
	}
	return text.String()
}

// base64Bytes decodes base64 without padding, in which nothing else stands.
func (r *gojaRealm) base64Bytes(text string) goja.ArrayBuffer {
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		r.throwGo(err)
	}
	return r.vm.NewArrayBuffer(b)
}

// decodeText decodes bytes; malformed parts become U+FFFD.
func decodeText(data goja.ArrayBuffer, name string) string {
	b := data.Bytes()
	switch name {
	case "utf-16le":
		units := utf16Units(b)
		if len(b)%2 == 1 {
			units = append(units, 0xFFFD)
		}
		return string(utf16.Decode(units))
	case "utf-8":
		return decodeUTF8(b)
	}
	text, _ := legacyDecoder(name).Bytes(b) // it replaces what is malformed
	return string(text)
}

// encodingName is the name that the Encoding standard has for a label, "" if none.
func encodingName(label string) string {
	enc, err := htmlindex.Get(strings.Trim(label, " \t\n\f\r"))
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" {
		return ""
	}
	return name
}

func legacyDecoder(name string) *encoding.Decoder {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return encoding.Replacement.NewDecoder()
	}
	return enc.NewDecoder()
}

func utf16Units(b []byte) []uint16 {
	units := make([]uint16, len(b)/2, len(b)/2+1)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return units
}

// decodeUTF8 replaces each maximal malformed part with one U+FFFD, as the
// Encoding standard says; Go would replace each byte.
func decodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out []byte
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			out = append(out, "\ufffd"...)
			i += malformedLength(b[i:])
			continue
		}
		out = append(out, b[i:i+size]...)
		i += size
	}
	return string(out)
}

// malformedLength is the length of the part at the start of b that begins a
// character but does not end one.
func malformedLength(b []byte) int {
	first := b[0]
	need, low, high := 0, byte(0x80), byte(0xBF)
	switch {
	case first >= 0xC2 && first <= 0xDF:
		need = 1
	case first >= 0xE0 && first <= 0xEF:
		need = 2
		switch first {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
	case first >= 0xF0 && first <= 0xF4:
		need = 3
		switch first {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}

func validText(data goja.ArrayBuffer, name string) bool {
	switch name {
	case "utf-8":
		return utf8.Valid(data.Bytes())
	case "utf-16le":
		return len(data.Bytes())%2 == 0 && wellFormed(utf16Units(data.Bytes()))
	}
	return !strings.ContainsRune(decodeText(data, name), utf8.RuneError)
}

// incompleteTail is how many bytes at the end begin a character that is not complete.
func incompleteTail(data goja.ArrayBuffer, name string) int {
	b := data.Bytes()
	switch name {
	case "utf-8":
		for n := 1; n <= 3 && n <= len(b); n++ {
			tail := b[len(b)-n:]
			if utf8.RuneStart(tail[0]) {
				if tail[0] >= utf8.RuneSelf && !utf8.FullRune(tail) && malformedLength(tail) == n {
					return n
				}
				return 0
			}
		}
	case "utf-16le":
		odd := len(b) % 2
		if units := utf16Units(b); len(units) > 0 && isHighSurrogate(units[len(units)-1]) {
			return odd + 2
		}
		return odd
	}
	// The longest character is four bytes, and text three times as long as it.
	_, used, err := legacyDecoder(name).Transform(make([]byte, 3*len(b)+8), b, false)
	if errors.Is(err, transform.ErrShortSrc) {
		return len(b) - used
	}
	return 0
}

func isHighSurrogate(u uint16) bool { return u >= 0xD800 && u < 0xDC00 }

// wellFormed tells whether every half of a surrogate pair has its other half.
func wellFormed(units []uint16) bool {
	for i := 0; i < len(units); i++ {
		switch {
		case isHighSurrogate(units[i]) && i+1 < len(units) && units[i+1] >= 0xDC00 && units[i+1] < 0xE000:
			i++
		case units[i] >= 0xD800 && units[i] < 0xE000:
			return false
		}
	}
	return true
}
