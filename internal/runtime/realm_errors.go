package runtime

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
)

// throwLog remembers where values were first thrown.
type throwLog struct {
	entries []thrownValue // the last maxThrows
	next    int
}

type thrownValue struct {
	value goja.Value
	from  []goja.StackFrame
}

// maxThrows bounds the log: the value that ends a program was thrown recently.
const maxThrows = 64

// note remembers a throw; an object keeps the first place it was thrown at.
func (t *throwLog) note(v goja.Value, from []goja.StackFrame) {
	if _, object := v.(*goja.Object); object && t.find(v) != nil {
		return
	}
	entry := thrownValue{value: v, from: from}
	if len(t.entries) < maxThrows {
		t.entries = append(t.entries, entry)
		return
	}
	t.entries[t.next] = entry
	t.next = (t.next + 1) % maxThrows
}

// find returns where v was thrown; for primitive values the last place.
func (t *throwLog) find(v goja.Value) []goja.StackFrame {
	for i := len(t.entries) - 1; i >= 0; i-- {
		if v != nil && t.entries[i].value.SameAs(v) {
			return t.entries[i].from
		}
	}
	return nil
}

// failure turns what ended the program into an outcome.
func (r *gojaRealm) failure(err error) outcome {
	if cause := r.loop.stopCause(); cause != nil {
		err = cause
	}
	// What runs from here on is the program's own getters; it must not be
	// stopped by the interrupt that brought us here, nor run for long.
	r.vm.ClearInterrupt()
	var (
		exception *goja.Exception
		overflow  *goja.StackOverflowError
		rejected  *rejection
	)
	switch {
	case errors.As(err, &overflow):
		return outcome{err: &LimitError{Limit: "stack", Detail: fmt.Sprintf("more than %d nested calls", r.task.head.Limits.CallStack), Hint: "is there a recursion without an end?"}}
	case errors.As(err, &rejected):
		se, causeID := r.scriptError(rejected.reason, nil)
		if rejected.unhandled {
			se.Hint = "a promise was rejected and nothing handled it; is an await missing?"
			se.Message = "unhandled rejection: " + se.Message
		}
		return outcome{err: se, causeID: causeID}
	case errors.As(err, &exception):
		se, causeID := r.scriptError(exception.Value(), exception.Stack())
		return outcome{err: se, causeID: causeID}
	case errors.Is(err, errNeverSettled):
		message := "the tool " + err.Error()
		if r.task.head.Kind == Script {
			message = "the script " + err.Error()
		}
		return outcome{err: &ScriptError{Name: "Error", Message: message, Stack: "Error: " + message, File: r.task.head.Entry,
			Hint: "a promise in it is never resolved; a host call, a timer or a resolve() is missing"}}
	}
	return outcome{err: err}
}

// scriptError describes a thrown value. frames are where it was thrown, if known.
func (r *gojaRealm) scriptError(v goja.Value, frames []goja.StackFrame) (*ScriptError, uint64) {
	se := &ScriptError{Name: "Error"}
	var causeID uint64
	if err := r.try(func() { causeID = r.describe(se, v) }); err != nil {
		se.Message = "the thrown value cannot be read: it throws when it is touched"
	}
	if at := r.throws.find(v); at != nil {
		frames = at
	}
	if se.Stack == "" {
		se.Stack = strings.TrimRight(se.Name+": "+se.Message+"\n"+formatFrames(frames), "\n")
	}
	if p, ok := firstPosition(frames); ok {
		se.File, se.Line, se.Column = packFile(p.Filename), p.Line, p.Column
	} else if m := stackLine.FindStringSubmatch(se.Stack); m != nil {
		se.File = m[1]
		_, _ = fmt.Sscan(m[2], &se.Line)
		_, _ = fmt.Sscan(m[3], &se.Column)
	}
	return se, causeID
}

var (
	// engineFrame is a frame as the engine prints it, with the program counter.
	engineFrame = regexp.MustCompile(`^\tat (.*?)(?:\(\d+\))?(\)?)$`)
	stackLine   = regexp.MustCompile(`(?m)^    at (?:.*? \()?([^()\n]+?):(\d+):(\d+)\)?$`)
)

// describe reads name, message, stack and kind of a thrown value.
func (r *gojaRealm) describe(se *ScriptError, v goja.Value) (causeID uint64) {
	object, ok := v.(*goja.Object)
	if !ok || object.ClassName() != "Error" {
		se.Message = r.inspect(v)
		return 0
	}
	r.reword(v)
	if name := object.Get("name"); name != nil {
		se.Name = name.String()
	}
	if message := object.Get("message"); message != nil {
		se.Message = message.String()
	}
	if stack, ok := object.Get("stack").(goja.String); ok {
		se.Stack = cleanStack(se.Name, se.Message, stack.String()) + r.causes(object, 0)
	}
	if kind, ok := object.Get("kind").(goja.String); ok {
		se.Kind = kind.String()
	}
	if data, ok := object.Get("data").(*goja.Object); ok {
		if rule, ok := data.Get("rule").(goja.String); ok {
			se.Rule = rule.String()
		}
	}
	if hint, ok := object.Get("hint").(goja.String); ok {
		se.Hint = hint.String()
	}
	if se.Name == "ReferenceError" {
		explainMissing(se)
	}
	if cause := object.GetSymbol(causeSymbol); cause != nil {
		causeID = uint64(cause.ToInteger())
	}
	return causeID
}

const (
	maxCauses     = 4 // of causes
	maxJoinErrors = 8 // of an AggregateError that are shown
)

// causes is what stands behind an error, for the end of its stack: its cause, and
// the errors that it stands for.
func (r *gojaRealm) causes(object *goja.Object, depth int) string {
	if depth == maxCauses {
		return ""
	}
	var b strings.Builder
	show := func(label string, v goja.Value) {
		text := r.inspect(v)
		if inner, ok := v.(*goja.Object); ok && inner.ClassName() == "Error" {
			r.reword(v)
			text = cleanStack(inner.Get("name").String(), inner.Get("message").String(), inner.Get("stack").String()) + r.causes(inner, depth+1)
		}
		b.WriteString("\n  [" + label + "]: " + strings.ReplaceAll(text, "\n", "\n  "))
	}
	if cause := object.Get("cause"); cause != nil && !goja.IsUndefined(cause) {
		show("cause", cause)
	}
	list, ok := object.Get("errors").(*goja.Object)
	if !ok || !r.isArray(list) {
		return b.String()
	}
	length := int(list.Get("length").ToInteger())
	for i := range min(length, maxJoinErrors) {
		show("errors", list.Get(strconv.Itoa(i)))
	}
	if length > maxJoinErrors {
		fmt.Fprintf(&b, "\n  ... %d more errors", length-maxJoinErrors)
	}
	return b.String()
}

// inspect is the text of any value, as console.log shows it.
func (r *gojaRealm) inspect(v goja.Value) string {
	if s, ok := v.(goja.String); ok {
		return s.String()
	}
	text, err := r.callShared("inspect", v)
	if err != nil {
		return "[value that cannot be shown]"
	}
	return text.String()
}

// cleanStack writes a stack as Node does and leaves the runtime's own frames out.
func cleanStack(name, message, stack string) string {
	head := name
	if message != "" {
		head += ": " + message
	}
	var lines []string
	for _, line := range strings.Split(stack, "\n") {
		if m := engineFrame.FindStringSubmatch(line); m != nil {
			if !strings.Contains(m[1], internalPrefix) && !strings.HasSuffix(m[1], " (native") && !strings.HasPrefix(m[1], "bundle.js:") && !strings.Contains(m[1], "(bundle.js:") {
				lines = append(lines, "    at "+plainFrame(packFile(m[1])+m[2]))
			}
		} else if strings.HasPrefix(line, "    at ") && !strings.Contains(line, internalPrefix) {
			lines = append(lines, line)
		}
	}
	return strings.Join(append([]string{head}, lines...), "\n")
}

var namedFrame = regexp.MustCompile(`^(\w+)_default \(((?:.*/)?([^/]+?)\.\w+:\d+:\d+)\)$`)

// plainFrame takes off the name that the bundler gives to a default export that
// has none, after its file.
func plainFrame(frame string) string {
	if m := namedFrame.FindStringSubmatch(frame); m != nil && m[1] == notWord.ReplaceAllString(m[3], "_") {
		return m[2]
	}
	return frame
}

var notWord = regexp.MustCompile(`\W+`)

// formatFrames prints frames as lines of a stack, the runtime's own left out.
func formatFrames(frames []goja.StackFrame) string {
	var b strings.Builder
	for i := range frames {
		p := frames[i].Position()
		if !inPack(p) {
			continue
		}
		if name := frames[i].FuncName(); name != "<anonymous>" && name != "<native>" {
			fmt.Fprintf(&b, "    at %s\n", plainFrame(fmt.Sprintf("%s (%s:%d:%d)", name, packFile(p.Filename), p.Line, p.Column)))
		} else {
			fmt.Fprintf(&b, "    at %s:%d:%d\n", packFile(p.Filename), p.Line, p.Column)
		}
	}
	return b.String()
}

// firstPosition is the innermost position in a file of the pack.
func firstPosition(frames []goja.StackFrame) (file.Position, bool) {
	for i := range frames {
		if p := frames[i].Position(); inPack(p) {
			return p, true
		}
	}
	return file.Position{}, false
}

func inPack(p file.Position) bool {
	return p.Line > 0 && p.Filename != "" && p.Filename != "bundle.js" && !strings.HasPrefix(p.Filename, internalPrefix)
}

// notAvailable is what reword makes of the message about a global that is missing.
var notAvailable = regexp.MustCompile(`^(\w+) is not available in node tools$`)

// missingGlobals are names that people expect, and what to use instead.
var missingGlobals = map[string]string{
	"fetch": "use ctx.fetch.server or ctx.fetch.browser", "XMLHttpRequest": "use ctx.fetch.server or ctx.fetch.browser",
	"Request": "use ctx.fetch.server", "Response": "use ctx.fetch.server", "Headers": "use a plain object", "FormData": "use URLSearchParams or a plain object",
	"WebSocket": "open it in the page with ctx.page.evaluate", "EventSource": "open it in the page with ctx.page.evaluate",
	"document": "use ctx.page.evaluate to run code in the page", "window": "use ctx.page.evaluate to run code in the page", "location": "use ctx.page.url()",
	"navigator": "use ctx.page.evaluate to run code in the page", "localStorage": "use ctx.page.evaluate to run code in the page", "sessionStorage": "use ctx.page.evaluate to run code in the page",
	"alert": "use console.log", "print": "use console.log", "prompt": "take an argument instead", "confirm": "take an argument instead",
	"Worker": "tools run on one thread", "SharedArrayBuffer": "use ArrayBuffer", "Atomics": "tools run on one thread", "WebAssembly": "it is not supported",
	"__dirname": "import files by relative path", "__filename": "import files by relative path", "module": "use export", "exports": "use export",
	"Blob": "use Uint8Array or a string", "File": "use Uint8Array or a string", "ReadableStream": "read the whole value", "Deno": "tools are written for Node", "Bun": "tools are written for Node",
	"page": "it is a member of the tool's first argument: ctx.page", "browser": "it is a member of the tool's first argument: ctx.browser",
	"site": "it is a member of the tool's first argument: ctx.site", "cdp": "it is a member of the tool's first argument: ctx.cdp", "taskSpaces": "it is a member of the tool's first argument: ctx.taskSpaces",
}

// explainMissing says of a global that tools do not have what to use instead.
func explainMissing(se *ScriptError) {
	if m := notAvailable.FindStringSubmatch(se.Message); m != nil && se.Hint == "" {
		se.Hint = missingGlobals[m[1]]
	}
}
