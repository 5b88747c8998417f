package runtime

import (
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // programs may ask for it by name
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // programs may ask for it by name
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	goruntime "runtime"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/encoding/charmap"
)

// nativeMember makes one member of native, what the runtime's own scripts reach
// Go with.
func (r *gojaRealm) nativeMember(name string) goja.Value {
	var member any
	switch name {
	case "call":
		member = r.hostCall
	case "args":
		member = r.hostArgs
	case "source":
		member = r.hostSource
	case "log":
		member = r.hostLog
	case "print":
		member = r.hostPrint
	case "isScript":
		member = func() bool { return r.task != nil && r.task.head.Kind == Script }
	case "startTimer":
		member = r.startTimer
	case "startImmediate":
		member = r.startImmediate
	case "nextTick":
		member = r.nextTick
	case "runTicks":
		member = r.runTicks
	case "clearTimer":
		member = r.clearTimer
	case "refTimer":
		member = r.refTimer
	case "timerHasRef":
		member = func(id int64) bool { t := r.loop.byID[id]; return t != nil && !t.unref }
	case "uncaught":
		member = r.uncaught
	case "module":
		member = r.builtin
	case "members":
		member = r.lazyMembers
	default:
		member = r.nativeLibrary(name)
	}
	if member == nil {
		return nil
	}
	v := r.vm.ToValue(member)
	if err := r.native.Set(name, v); err != nil {
		r.throwGo(err)
	}
	return v
}

// nativeLibrary is the part of native that has nothing to do with the run.
func (r *gojaRealm) nativeLibrary(name string) any {
	switch name {
	case "now":
		return func() float64 { return float64(time.Since(r.began).Microseconds()) / 1000 }
	case "files":
		return r.engine.files
	case "platform":
		return nodePlatform()
	case "arch":
		return nodeArch()
	case "cleanStack":
		return cleanStack
	case "utf8Encode":
		return func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer([]byte(call.Argument(0).String())))
		}
	case "wellFormed": // lone surrogates do not survive the way into a Go string
		return func(s string) string { return s }
	case "decodeText":
		return decodeText
	case "validText":
		return validText
	case "incompleteTail":
		return incompleteTail
	case "randomBytes":
		return r.randomBytes
	case "randomUUID":
		return randomUUID
	case "detach":
		return func(b goja.ArrayBuffer) { b.Detach() }
	case "digest":
		return r.digest
	case "digests":
		return digestNames()
	case "nodejs":
		return r.nodejs
	case "halfCharacter":
		return func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(halfCharacter(call.Argument(0).String())) }
	case "expand":
		return r.expandPattern
	}
	if member := r.urlMember(name); member != nil {
		return member
	}
	return r.localeMember(name)
}

// nodejs is native.nodejs(name).
func (r *gojaRealm) nodejs(name string) goja.Value {
	v, err := r.nodejsModule(name)
	if err != nil {
		panic(r.vm.NewGoError(err))
	}
	return v
}

// expandPattern serves the RegExp constructor: (pattern, flags) => pattern.
func (r *gojaRealm) expandPattern(pattern, flags string) string {
	expanded, err := expandProperties(pattern, flags)
	if err != nil {
		panic(r.newError("SyntaxError", "Invalid regular expression: "+err.Error()))
	}
	return expanded
}

func nodePlatform() string {
	if goruntime.GOOS == "windows" {
		return "win32"
	}
	return goruntime.GOOS
}

func nodeArch() string {
	switch goruntime.GOARCH {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	}
	return goruntime.GOARCH
}

// decodeText decodes bytes; malformed parts become U+FFFD.
func decodeText(data goja.ArrayBuffer, encoding string) string {
	b := data.Bytes()
	switch encoding {
	case "utf-16le":
		units := utf16Units(b)
		if len(b)%2 == 1 {
			units = append(units, 0xFFFD)
		}
		return string(utf16.Decode(units))
	case "windows-1252":
		text, err := charmap.Windows1252.NewDecoder().Bytes(b)
		if err != nil {
			return ""
		}
		return string(text)
	}
	return decodeUTF8(b)
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

func validText(data goja.ArrayBuffer, encoding string) bool {
	switch encoding {
	case "utf-8":
		return utf8.Valid(data.Bytes())
	case "utf-16le":
		return len(data.Bytes())%2 == 0 && wellFormed(utf16Units(data.Bytes()))
	}
	return true
}

// incompleteTail is how many bytes at the end begin a character that is not complete.
func incompleteTail(data goja.ArrayBuffer, encoding string) int {
	b := data.Bytes()
	switch encoding {
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

func (r *gojaRealm) randomBytes(n int) goja.ArrayBuffer {
	if n < 0 || n > 1<<30 {
		panic(r.vm.NewTypeError("size of random bytes is out of range"))
	}
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return r.vm.NewArrayBuffer(b)
}

func randomUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0F | 0x40
	b[8] = b[8]&0x3F | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func digestNames() []string { return []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"} }

func newDigest(name string) func() hash.Hash {
	switch name {
	case "md5":
		return md5.New
	case "sha1":
		return sha1.New
	case "sha224":
		return sha256.New224
	case "sha256":
		return sha256.New
	case "sha384":
		return sha512.New384
	case "sha512":
		return sha512.New
	}
	return nil
}

// digest is native.digest(name, key, data): the hex digest of data, or its HMAC
// when there is a key.
func (r *gojaRealm) digest(name string, key goja.Value, data goja.ArrayBuffer) string {
	fn := newDigest(name)
	if fn == nil {
		panic(r.vm.NewTypeError("Digest method not supported: %s", name))
	}
	h := fn()
	if k, ok := key.Export().(goja.ArrayBuffer); ok {
		h = hmac.New(fn, k.Bytes())
	}
	h.Write(data.Bytes())
	return hex.EncodeToString(h.Sum(nil))
}
