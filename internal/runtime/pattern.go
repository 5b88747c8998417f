package runtime

import (
	"errors"
	"strings"

	"github.com/dop251/goja"
)

// rewritePattern writes a regular expression so that the engine takes it as the
// language does:
//
//   - with flag u it reads \p{..} and \P{..} as literal text, so that they are
//     written out as character classes (without the flag they are literal text in
//     JavaScript too);
//   - with flag m it knows the line feed alone as an end of line, so that ^ and $
//     are written out as what may stand around them.
func rewritePattern(pattern, flags string) (string, error) {
	properties := strings.ContainsAny(flags, "uv") && (strings.Contains(pattern, `\p{`) || strings.Contains(pattern, `\P{`))
	lines := strings.Contains(flags, "m") && strings.ContainsAny(pattern, "^$")
	if !properties && !lines {
		return pattern, nil
	}
	var out strings.Builder
	inClass := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			size := 2
			if properties {
				written, n, err := property(pattern[i:], inClass)
				if err != nil {
					return "", err
				}
				if n > 0 {
					out.WriteString(written)
					i += n - 1
					continue
				}
			}
			out.WriteString(pattern[i : i+size])
			i++
		case lines && !inClass && c == '^':
			out.WriteString(lineStart)
		case lines && !inClass && c == '$':
			out.WriteString(lineEnd)
		default:
			inClass = c == '[' || inClass && c != ']'
			out.WriteByte(c)
		}
	}
	return out.String(), nil
}

const (
	lineStart = `(?<![^\n\r\u2028\u2029])`
	lineEnd   = `(?![^\n\r\u2028\u2029])`
)

// property writes out the \p{..} or \P{..} that text begins with; n is its length,
// 0 if it begins with something else.
func property(text string, inClass bool) (written string, n int, err error) {
	end := strings.IndexByte(text, '}')
	if text[1] != 'p' && text[1] != 'P' || !strings.HasPrefix(text[2:], "{") || end < 0 {
		return "", 0, nil
	}
	table, err := propertyRanges(text[3:end])
	if err != nil {
		return "", 0, err
	}
	if text[1] == 'P' {
		table = table.complement()
	}
	var out strings.Builder
	table.write(&out)
	if inClass {
		return out.String(), end + 1, nil
	}
	return "[" + out.String() + "]", end + 1, nil
}

// showPattern makes the source of expressions with a pattern another one: what the
// program wrote.
func (r *gojaRealm) showPattern(pattern, written string) {
	if r.patterns == nil {
		r.patterns = map[string]string{}
		r.replaceSource()
	}
	r.patterns[pattern] = written
}

// replaceSource puts functions that know of showPattern in the place of the
// engine's. It may be called only from JavaScript or within Try.
func (r *gojaRealm) replaceSource() {
	object := r.vm.Get("Object").ToObject(r.vm)
	descriptorOf, ok := goja.AssertFunction(object.Get("getOwnPropertyDescriptor"))
	if !ok {
		return // the program has taken it away
	}
	proto := r.vm.Get("RegExp").ToObject(r.vm).Get("prototype").ToObject(r.vm)
	descriptor, err := descriptorOf(object, proto, r.vm.ToValue("source"))
	if err != nil {
		r.throwGo(err)
	}
	source, ok := goja.AssertFunction(descriptor.ToObject(r.vm).Get("get"))
	if !ok {
		return
	}
	getter := r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		v, err := source(call.This)
		if err != nil {
			r.throwGo(err)
		}
		if written, ok := r.patterns[v.String()]; ok {
			return r.vm.ToValue(written)
		}
		return v
	})
	toString := r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		object := call.This.ToObject(r.vm)
		return r.vm.ToValue("/" + object.Get("source").String() + "/" + object.Get("flags").String())
	})
	err = errors.Join(
		toString.ToObject(r.vm).DefineDataProperty("name", r.vm.ToValue("toString"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE),
		proto.DefineDataProperty("toString", toString, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE),
		proto.DefineAccessorProperty("source", getter, nil, goja.FLAG_TRUE, goja.FLAG_FALSE),
	)
	if err != nil {
		r.throwGo(err)
	}
}
