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
	"reflect"
	goruntime "runtime"
	"time"

	"github.com/dop251/goja"
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
	case "env":
		return r.engine.env
	case "arch":
		return nodeArch()
	case "cleanStack":
		return cleanStack
	case "randomBytes":
		return r.randomBytes
	case "randomUUID":
		return randomUUID
	case "isProxy":
		return func(call goja.FunctionCall) goja.Value {
			object, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && object.ExportType() == reflect.TypeFor[goja.Proxy]())
		}
	case "promiseState":
		return r.promiseState
	case "proxyParts":
		return r.proxyParts
	case "detach":
		return func(b goja.ArrayBuffer) { b.Detach() }
	case "digest":
		return r.digest
	case "bytesOfHex":
		return r.bytesOfHex
	case "digests":
		return digestNames()
	case "nodejs":
		return r.nodejs
	case "indentJSON":
		return indentJSON
	case "rewritePattern":
		return r.rewritePattern
	case "showPattern":
		return r.showPattern
	}
	if member := r.textMember(name); member != nil {
		return member
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

// rewritePattern serves the RegExp constructor: (pattern, flags) => pattern.
func (r *gojaRealm) rewritePattern(pattern, flags string) string {
	rewritten, err := rewritePattern(pattern, flags)
	if err != nil {
		panic(r.newError("SyntaxError", "Invalid regular expression: "+err.Error()))
	}
	return rewritten
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

func (r *gojaRealm) bytesOfHex(text string) goja.ArrayBuffer {
	b, err := hex.DecodeString(text)
	if err != nil {
		r.throwGo(err)
	}
	return r.vm.NewArrayBuffer(b)
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
