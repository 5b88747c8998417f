package runtime

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

const (
	// maxDepth is the deepest nesting a result may have.
	maxDepth = 1000
	// maxPathText cuts the path in errors about deep values.
	maxPathText = 200
)

// encoder writes a JavaScript value as tagged JSON ("value is JSON" in
// docs/protocol.md).
type encoder struct {
	r     *gojaRealm
	buf   []byte
	limit int64
	path  []pathStep
	open  map[*goja.Object]struct{} // objects being written, to find cycles
}

// pathStep is one step from the root of the value: a key or an index.
type pathStep struct {
	key   string
	index int // used when it is not -1
}

// encodeFailure carries an error out of the recursion.
type encodeFailure struct{ err error }

// encode returns the JSON of v, a *ResultError, a *LimitError, or what a getter
// or toJSON of the value threw.
func (r *gojaRealm) encode(v goja.Value) ([]byte, error) {
	e := &encoder{r: r, limit: r.task.head.Limits.OutputBytes, open: map[*goja.Object]struct{}{}}
	var failure error
	err := r.try(func() {
		defer func() {
			if x := recover(); x != nil {
				f, ok := x.(encodeFailure)
				if !ok {
					panic(x)
				}
				failure = f.err
			}
		}()
		if !e.value(v, "") {
			e.buf = append(e.buf, "null"...)
		}
		e.checkSize()
	})
	if cause := r.loop.stopCause(); cause != nil {
		return nil, cause
	}
	if failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, err
	}
	return e.buf, nil
}

// fail gives up with a *ResultError at the current path.
func (e *encoder) fail(format string, args ...any) {
	panic(encodeFailure{&ResultError{Path: pathText(e.path), Reason: fmt.Sprintf(format, args...), Hint: "return plain data: objects, arrays, strings, numbers"}})
}

var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func pathText(path []pathStep) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range path {
		if b.Len() > maxPathText {
			b.WriteString("...")
			break
		}
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case plainKey.MatchString(s.key):
			b.WriteString("." + s.key)
		default:
			fmt.Fprintf(&b, "[%s]", jsString(s.key))
		}
	}
	return b.String()
}

// value writes v; false means it is undefined and nothing was written. key is
// what toJSON gets.
func (e *encoder) value(v goja.Value, key string) bool {
	e.checkSize()
	switch v := v.(type) {
	case nil:
		return false
	case *goja.Object:
		return e.object(v, key)
	case goja.String:
		e.buf = appendJSONString(e.buf, v.String())
		return true
	case *goja.Symbol:
		e.fail("a symbol has no JSON form")
	}
	if goja.IsUndefined(v) {
		return false
	}
	if goja.IsNull(v) {
		e.buf = append(e.buf, "null"...)
		return true
	}
	e.primitive(v)
	return true
}

// checkSize gives up when more was written than the run may return.
func (e *encoder) checkSize() {
	if int64(len(e.buf)) > e.limit {
		panic(encodeFailure{&LimitError{Limit: "output", Detail: fmt.Sprintf("the result is larger than %d bytes", e.limit), Hint: "return less, for example only the fields that are needed"}})
	}
}

func (e *encoder) primitive(v goja.Value) {
	switch x := v.Export().(type) {
	case bool:
		e.buf = strconv.AppendBool(e.buf, x)
	case int64:
		e.buf = strconv.AppendInt(e.buf, x, 10)
	case float64:
		e.number(x, v)
	case *big.Int:
		e.tagged("bigint", x.String())
	default:
		e.fail("a value of type %T has no JSON form", x)
	}
}

func (e *encoder) number(x float64, v goja.Value) {
	switch {
	case math.IsNaN(x):
		e.tagged("number", "NaN")
	case math.IsInf(x, 1):
		e.tagged("number", "Infinity")
	case math.IsInf(x, -1):
		e.tagged("number", "-Infinity")
	case x == 0 && math.Signbit(x):
		e.tagged("number", "-0")
	default:
		e.buf = append(e.buf, v.String()...) // JavaScript's own text of a number is JSON
	}
}

// tagged writes what JSON does not have.
func (e *encoder) tagged(kind, value string) {
	e.buf = append(e.buf, `{"$type":"`...)
	e.buf = append(e.buf, kind...)
	e.buf = append(e.buf, `","value":`...)
	e.buf = appendJSONString(e.buf, value)
	e.buf = append(e.buf, '}')
}

// object writes anything that is no primitive.
func (e *encoder) object(o *goja.Object, key string) bool {
	if _, ok := e.open[o]; ok {
		e.fail("the value contains itself")
	}
	if len(e.path) >= maxDepth {
		e.fail("the value is nested deeper than %d", maxDepth)
	}
	if _, ok := goja.AssertFunction(o); ok {
		e.fail("a function has no JSON form")
	}
	e.open[o] = struct{}{}
	defer delete(e.open, o)
	if e.special(o) {
		return true
	}
	if toJSON, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		v, err := toJSON(o, e.r.vm.ToValue(key))
		if err != nil {
			panic(encodeFailure{err})
		}
		if v.SameAs(o) {
			e.plain(o)
			return true
		}
		return e.value(v, key)
	}
	e.plain(o)
	return true
}

// plain writes an array or an object by its own enumerable members.
func (e *encoder) plain(o *goja.Object) {
	if e.r.isArray(o) {
		e.array(o)
		return
	}
	e.members(o)
}

// special writes the classes that need more than their members; false if o is
// none of them.
func (e *encoder) special(o *goja.Object) bool {
	class := e.r.classOf(o)
	switch class {
	case "": // a plain object or array
		return false
	case "Promise":
		e.fail("a promise has no JSON form; is an await missing?")
	case "Symbol":
		e.fail("a symbol has no JSON form")
	case "WeakMap", "WeakSet", "WeakRef", "Generator", "Iterator", "URLSearchParams", "AbortSignal", "AbortController":
		e.fail("%s has no JSON form", indefinite(class))
	case "Date":
		return e.invalidDate(o)
	case "Map":
		e.entries(o, "map", true)
	case "Set":
		e.entries(o, "set", false)
	case "RegExp":
		e.tagged("regexp", o.String())
	case "Error":
		e.errorValue(o)
	case "Bytes":
		e.bytes(o)
	case "Boxed":
		v, err := e.r.callShared("unbox", o)
		if err != nil {
			panic(encodeFailure{err})
		}
		return e.value(v, "")
	default:
		return false
	}
	return true
}

// invalidDate writes a date that has no time; toJSON would make it null.
func (e *encoder) invalidDate(o *goja.Object) bool {
	v, err := e.r.callShared("dateValue", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	if !math.IsNaN(v.ToFloat()) {
		return false
	}
	e.tagged("date", "Invalid Date")
	return true
}

func (e *encoder) array(o *goja.Object) {
	length := int(o.Get("length").ToInteger())
	e.buf = append(e.buf, '[')
	for i := range length {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.step(pathStep{index: i}, func() {
			if !e.value(o.Get(strconv.Itoa(i)), strconv.Itoa(i)) {
				e.buf = append(e.buf, "null"...)
			}
		})
	}
	e.buf = append(e.buf, ']')
}

// step runs fn one step deeper.
func (e *encoder) step(s pathStep, fn func()) {
	e.path = append(e.path, s)
	fn()
	e.path = e.path[:len(e.path)-1]
}

func (e *encoder) members(o *goja.Object) {
	e.buf = append(e.buf, '{')
	first := true
	write := func(key string, get func() goja.Value) {
		if !first {
			e.buf = append(e.buf, ',')
		}
		first = false
		e.buf = appendJSONString(e.buf, key)
		e.buf = append(e.buf, ':')
		e.step(pathStep{key: key, index: -1}, func() {
			if !e.value(get(), key) {
				e.buf = append(e.buf, "null"...) // undefined is null wherever it stands
			}
		})
	}
	keys := o.Keys()
	if hasReplacement(keys) {
		e.lossyMembers(o, write)
	} else {
		for _, key := range keys {
			write(key, func() goja.Value { return o.Get(key) })
		}
	}
	e.buf = append(e.buf, '}')
}

// indefinite puts the article in front of a name.
func indefinite(name string) string {
	if strings.ContainsAny(name[:1], "AEIO") {
		return "an " + name
	}
	return "a " + name
}

// hasReplacement tells whether a key may hold a lone surrogate, which does not
// survive the way into a Go string, so that the member cannot be read by it.
func hasReplacement(keys []string) bool {
	for _, k := range keys {
		if strings.ContainsRune(k, utf8.RuneError) {
			return true
		}
	}
	return false
}

func (e *encoder) lossyMembers(o *goja.Object, write func(string, func() goja.Value)) {
	list, err := e.r.callShared("entries", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	pairs := list.ToObject(e.r.vm)
	for i := range int(pairs.Get("length").ToInteger()) {
		pair := pairs.Get(strconv.Itoa(i)).ToObject(e.r.vm)
		write(pair.Get("0").String(), func() goja.Value { return pair.Get("1") })
	}
}

// entries writes a Map or a Set.
func (e *encoder) entries(o *goja.Object, kind string, pairs bool) {
	list, err := e.r.callShared("listOf", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	e.buf = append(e.buf, `{"$type":"`+kind+`","value":`...)
	items := list.ToObject(e.r.vm)
	if !pairs {
		e.array(items)
	} else {
		e.buf = append(e.buf, '[')
		for i := range int(items.Get("length").ToInteger()) {
			if i > 0 {
				e.buf = append(e.buf, ',')
			}
			e.step(pathStep{index: i}, func() { e.array(items.Get(strconv.Itoa(i)).ToObject(e.r.vm)) })
		}
		e.buf = append(e.buf, ']')
	}
	e.buf = append(e.buf, '}')
}

func (e *encoder) errorValue(o *goja.Object) {
	e.r.reword(o)
	text := func(name string) string {
		if v := o.Get(name); v != nil && !goja.IsUndefined(v) {
			return v.String()
		}
		return ""
	}
	name, message := text("name"), text("message")
	raw, err := json.Marshal(struct {
		Type    string `json:"$type"`
		Name    string `json:"name"`
		Message string `json:"message"`
		Stack   string `json:"stack"`
	}{"error", name, message, cleanStack(name, message, text("stack")) + e.r.causes(o, 0)})
	if err != nil {
		panic(encodeFailure{err})
	}
	e.buf = append(e.buf, raw...)
}

// bytes writes typed arrays, buffers and views as arrays of numbers.
func (e *encoder) bytes(o *goja.Object) {
	list, err := e.r.callShared("numbersOf", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	e.array(list.ToObject(e.r.vm))
}
