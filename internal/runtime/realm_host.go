package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"
)

// hostCall is a host call that waits for its answer.
type hostCall struct {
	name            string
	resolve, reject goja.Callable
	from            []goja.StackFrame // where the program made it
}

// callStackDepth is how much of the stack is kept with a host call, for its error.
const callStackDepth = 24

// causeSymbol marks errors made for failed host calls with the number of the call.
var causeSymbol = goja.NewSymbol("egod.cause")

// hostCall is host.call below its promise: (name, argsJSON, resolve, reject).
func (r *gojaRealm) hostCall(call goja.FunctionCall) goja.Value {
	if r.task == nil {
		panic(r.vm.NewTypeError("host calls can be made only while a program runs"))
	}
	if len(r.calls) >= r.task.head.Limits.PendingCalls {
		r.exceed(&LimitError{Limit: "calls", Detail: fmt.Sprintf("more than %d host calls wait for their answer", r.task.head.Limits.PendingCalls), Hint: "await host calls in smaller groups"})
		return goja.Undefined()
	}
	resolve, ok1 := goja.AssertFunction(call.Argument(2))
	reject, ok2 := goja.AssertFunction(call.Argument(3))
	if !ok1 || !ok2 {
		panic(r.vm.NewTypeError("host call without a promise"))
	}
	r.lastCall++
	c := &hostCall{name: call.Argument(0).String(), resolve: resolve, reject: reject, from: r.vm.CaptureCallStack(callStackDepth, nil)}
	r.calls[r.lastCall] = c
	r.loop.waiting++
	if err := r.task.port.call(r.lastCall, c.name, []byte(call.Argument(1).String())); err != nil {
		r.exceed(fmt.Errorf("sending a host call: %w", err))
	}
	return goja.Undefined()
}

// exceed ends the run from within.
func (r *gojaRealm) exceed(cause error) { r.interrupt(cause) }

// settle implements realm.
func (r *gojaRealm) settle(id uint64, value []byte, failure *wireError) {
	r.loop.post(func() {
		c := r.calls[id]
		if c == nil {
			return
		}
		delete(r.calls, id)
		r.loop.waiting--
		if err := r.answer(id, c, value, failure); err != nil {
			r.exceed(err)
		}
	})
}

func (r *gojaRealm) answer(id uint64, c *hostCall, value []byte, failure *wireError) error {
	if failure != nil {
		object, err := r.hostErrorObject(id, c, failure)
		if err != nil {
			return err
		}
		_, err = c.reject(goja.Undefined(), object)
		return err
	}
	if len(bytes.TrimSpace(value)) == 0 {
		_, err := c.resolve(goja.Undefined(), goja.Undefined())
		return err
	}
	v, err := r.parseJSON(value, bytes.Contains(value, []byte(`"$type"`)))
	if err != nil {
		return fmt.Errorf("answer of host call %s: %w", c.name, err)
	}
	_, err = c.resolve(goja.Undefined(), v)
	return err
}

// hostErrorObject makes the Error of a failed host call. Its stack is where the
// program made the call.
func (r *gojaRealm) hostErrorObject(id uint64, c *hostCall, failure *wireError) (*goja.Object, error) {
	data := goja.Undefined()
	if len(failure.Data) > 0 {
		parsed, err := r.parseJSON(failure.Data, true)
		if err != nil {
			return nil, err
		}
		data = parsed
	}
	v, err := r.callShared("hostError", r.vm.ToValue(hostErrorName(c.name, failure.Kind)), r.vm.ToValue(failure.Message), r.vm.ToValue(failure.Kind), data, r.vm.ToValue(formatFrames(c.from)))
	if err != nil {
		return nil, err
	}
	object := v.ToObject(r.vm)
	r.throws.note(object, c.from)
	return object, object.DefineDataPropertySymbol(causeSymbol, r.vm.ToValue(id), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}

// hostErrorName is the name of the Error of a failed host call. Programs know a fetch
// that took too long by it.
func hostErrorName(call, kind string) string {
	if kind == "timeout" && strings.HasPrefix(call, "fetch.") {
		return "TimeoutError"
	}
	return "Error"
}

func (r *gojaRealm) hostArgs(goja.FunctionCall) goja.Value {
	if r.task == nil {
		return goja.Undefined()
	}
	v, err := r.parseJSON(r.task.args, false)
	if err != nil {
		panic(r.vm.NewGoError(err))
	}
	return v
}

func (r *gojaRealm) hostLog(level, message string) {
	if r.task != nil {
		r.task.port.log(level, message)
	}
}

func (r *gojaRealm) hostPrint(text string) {
	if r.task != nil {
		r.task.port.print(text)
	}
}

// startTimer is (fn, ms, repeat) => id; fn takes its arguments from a closure.
func (r *gojaRealm) startTimer(fn goja.Callable, ms float64, repeat bool) int64 {
	if r.task != nil && len(r.loop.byID) >= r.task.head.Limits.Timers {
		r.exceed(tooManyTimers(r.task.head.Limits.Timers))
		return 0
	}
	if !(ms >= 1 && ms < 1<<31) { // as in Node, NaN and overflow included
		ms = 1
	}
	return r.loop.addTimer(time.Duration(ms*float64(time.Millisecond)), repeat, callback(fn))
}

// startImmediate is (fn) => id.
func (r *gojaRealm) startImmediate(fn goja.Callable) int64 {
	if r.task != nil && len(r.loop.byID) >= r.task.head.Limits.Timers {
		r.exceed(tooManyTimers(r.task.head.Limits.Timers))
		return 0
	}
	return r.loop.addImmediate(callback(fn))
}

// callback makes a call of the loop of a function.
func callback(fn goja.Callable) func() error {
	return func() error {
		_, err := fn(goja.Undefined())
		return err
	}
}

// nextTick is process.nextTick(fn) below its arguments. It gets a function of a
// script that calls runTicks, too.
func (r *gojaRealm) nextTick(fn, drain goja.Callable) {
	r.loop.enter = callback(drain)
	r.loop.addTick(callback(fn))
}

// runTicks is called at the end of a callback: what it asked for with nextTick
// comes before the jobs of promises, which run when the outermost call returns.
func (r *gojaRealm) runTicks() {
	if err := r.loop.runTicks(); err != nil {
		r.throwGo(err)
	}
}

func tooManyTimers(most int) *LimitError {
	return &LimitError{Limit: "timers", Detail: fmt.Sprintf("more than %d timers are active", most), Hint: "clear timers that are not needed"}
}

func (r *gojaRealm) clearTimer(id int64) { r.loop.clearTimer(id) }

func (r *gojaRealm) refTimer(id int64, ref bool) {
	if t := r.loop.byID[id]; t != nil {
		t.unref = !ref
	}
}

// uncaught ends the run with a thrown value that has no promise to reject.
func (r *gojaRealm) uncaught(call goja.FunctionCall) goja.Value {
	r.exceed(&rejection{reason: call.Argument(0)})
	return goja.Undefined()
}

// thrown notes where a value is thrown and returns it.
func (r *gojaRealm) thrown(call goja.FunctionCall) goja.Value {
	v := call.Argument(0)
	r.throws.note(v, r.vm.CaptureCallStack(2, nil))
	return v
}

// require serves require() and import() of names that are not known when the
// program is bundled, and those of a script that cannot be had.
func (r *gojaRealm) require(name string) goja.Value {
	resolved, err := resolveBare(name)
	if err != nil {
		panic(r.vm.NewGoError(err))
	}
	if len(resolved.Errors) > 0 {
		panic(r.importError(name, resolved.Errors[0]))
	}
	return r.builtin(resolved.Path)
}

// importError is what the import of a module that is not there throws. One that
// the policy refuses says so and names the rule.
func (r *gojaRealm) importError(name string, refused api.Message) *goja.Object {
	object := r.vm.NewTypeError(refused.Text)
	members := map[string]any{"code": "ERR_MODULE_NOT_FOUND"}
	if why, ok := deniedModule(name); ok && why.rule != "" {
		members["code"], members["kind"] = "ERR_ACCESS_DENIED", "policy_denied"
		members["data"] = map[string]any{"rule": why.rule}
	}
	if p, ok := refused.Detail.(Problem); ok {
		members["hint"] = p.Hint
	}
	for name, value := range members {
		if err := object.Set(name, value); err != nil {
			panic(r.vm.NewGoError(err))
		}
	}
	return object
}

// builtin returns a module of the runtime, made at its first use.
func (r *gojaRealm) builtin(name string) goja.Value {
	if v, ok := r.modules[name]; ok {
		return v
	}
	v, err := r.makeModule(name)
	if err != nil {
		if ex := (*goja.Exception)(nil); errors.As(err, &ex) {
			panic(ex.Value())
		}
		panic(r.vm.NewGoError(err))
	}
	r.modules[name] = v
	return v
}
