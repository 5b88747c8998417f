package runtime

import (
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

// engineTexts are messages of the engine, and what people know them as: the words
// of Node as far as the engine tells what they need.
var engineTexts = []struct {
	engine *regexp.Regexp
	plain  string
}{
	{regexp.MustCompile(`^Cannot read property '(.*)' of undefined(?: or null)?$`), "Cannot read properties of undefined or null (reading '$1')"},
	{regexp.MustCompile(`^Object has no member 'Symbol\.(?:iterator|asyncIterator)'$`), "value is not iterable"},
	{regexp.MustCompile(`^Object has no member '(.*)'$`), "$1 is not a function"},
	{regexp.MustCompile(`^Not a function: (.*)$`), "$1 is not a function"},
	{regexp.MustCompile(`^Value is not an object: (.*)$`), "$1 is not a function or an object"},
	{regexp.MustCompile(`^Value is not object coercible$`), "Cannot destructure or use undefined or null as an object"},
	{regexp.MustCompile(`^No initial value$`), "Reduce of empty array with no initial value"},
	{regexp.MustCompile(`^Malformed URI$`), "URI malformed"},
}

// engineErrors are the names of errors that the engine makes.
const engineErrors = "TypeError ReferenceError RangeError SyntaxError URIError"

var notDefined = regexp.MustCompile(`^([\p{L}_$][\p{L}\p{N}_$]*) is not defined$`)

// plainText is the message that an error of the engine should have.
func plainText(message string) string {
	for _, t := range engineTexts {
		if t.engine.MatchString(message) {
			return t.engine.ReplaceAllString(message, t.plain)
		}
	}
	if m := notDefined.FindStringSubmatch(message); m != nil && missingGlobals[m[1]] != "" {
		return m[1] + " is not available in node tools"
	}
	return message
}

// reword gives an error that the engine made the message that people know. Others
// stay as they are. It may be called only from JavaScript or within Try.
func (r *gojaRealm) reword(v goja.Value) {
	object, ok := v.(*goja.Object)
	if !ok || object.ClassName() != "Error" {
		return
	}
	message, ok := object.Get("message").(goja.String)
	if !ok {
		return
	}
	// What a program says of itself is its own, as long as it is a plain Error.
	if name := object.Get("name"); name == nil || !hasWord(engineErrors, name.String()) {
		return
	}
	before := message.String()
	after := plainText(before)
	if after == before {
		return
	}
	r.setText(object, "message", after)
	if stack, ok := object.Get("stack").(goja.String); ok {
		r.setText(object, "stack", strings.Replace(stack.String(), before, after, 1))
	}
}

func (r *gojaRealm) setText(object *goja.Object, name, text string) {
	if err := object.DefineDataProperty(name, r.vm.ToValue(text), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		r.throwGo(err)
	}
}

// caught is what every catch clause tells of its error first. A program that looks
// at stacks finds the error's as Node writes it.
func (r *gojaRealm) caught(call goja.FunctionCall) goja.Value {
	object, ok := call.Argument(0).(*goja.Object)
	if !ok || object.ClassName() != "Error" {
		return goja.Undefined()
	}
	// An error may have members that throw; the clause must not notice.
	_ = r.vm.Try(func() {
		r.reword(object)
		if !r.showsStacks {
			return
		}
		if stack, ok := object.Get("stack").(goja.String); ok && strings.Contains(stack.String(), "\n\tat ") {
			r.setText(object, "stack", cleanStack(object.Get("name").String(), object.Get("message").String(), stack.String()))
		}
	})
	return goja.Undefined()
}
