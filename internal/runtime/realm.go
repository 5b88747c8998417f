package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// gojaRealm implements realm. Everything but settle and interrupt belongs to the
// executor's goroutine.
type gojaRealm struct {
	vm     *goja.Runtime
	engine *gojaEngine
	loop   *loop
	task   *task

	// shared is the object the runtime's own scripts hang their functions on.
	// They are taken before any code of a program can touch the globals.
	shared  *goja.Object
	native  *goja.Object          // what those scripts reach Go with
	surface *goja.Object          // {ctx, globals}
	loaded  map[string]goja.Value // files of the runtime that have run, with what they returned

	objectPrototype *goja.Object
	deletedGlobals  map[string]bool // lazy globals that were made or overwritten
	began           time.Time

	calls     map[uint64]*hostCall
	lastCall  uint64
	unhandled []*goja.Promise // rejected and without a handler, oldest first
	throws    throwLog

	showsStacks bool // the program looks at the stacks of errors
	modules     map[string]goja.Value
	patterns    map[string]string // regular expressions that were rewritten, with what was written
}

// realm implements engine.
func (e *gojaEngine) realm() (realm, error) {
	if err := e.load(); err != nil {
		return nil, err
	}
	r := &gojaRealm{
		vm: goja.New(), engine: e, loop: newLoop(), calls: map[uint64]*hostCall{}, modules: map[string]goja.Value{},
		loaded: map[string]goja.Value{}, deletedGlobals: map[string]bool{}, began: time.Now(),
	}
	r.vm.SetMaxCallStackSize(defaultLimits.CallStack)
	r.vm.SetPromiseRejectionTracker(r.trackRejection)
	if err := r.furnish(); err != nil {
		return nil, fmt.Errorf("preparing the runtime: %w", err)
	}
	surface, err := r.runSurface()
	if err != nil {
		return nil, fmt.Errorf("running the surface: %w", err)
	}
	r.surface = surface
	return r, nil
}

// furnish puts globals, polyfills and the host object into the runtime.
func (r *gojaRealm) furnish() error {
	r.native, r.shared = r.vm.NewObject(), r.vm.NewObject()
	if err := r.addLazyMembers(); err != nil {
		return err
	}
	if err := r.addSymbols(); err != nil {
		return err
	}
	r.objectPrototype = r.vm.NewObject().Prototype()
	members, err := r.runLibrary("core.js")
	if err != nil {
		return err
	}
	return r.replaceMembers("JSON", members.ToObject(r.vm))
}

// replaceMembers gives a global object other members of the same names.
func (r *gojaRealm) replaceMembers(name string, members *goja.Object) error {
	object := r.vm.GlobalObject().Get(name).ToObject(r.vm)
	for _, key := range members.Keys() {
		if err := object.DefineDataProperty(key, members.Get(key), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

// runSurface makes what the program will see.
func (r *gojaRealm) runSurface() (*goja.Object, error) {
	table := goja.Value(goja.Null())
	if len(r.engine.table) > 0 {
		var err error
		if table, err = r.parseJSON(r.engine.table, false); err != nil {
			return nil, fmt.Errorf("reading its table: %w", err)
		}
	}
	v, err := r.callProgram(r.engine.surface, r.shared.Get("host"), table)
	if err != nil {
		return nil, err
	}
	object, ok := v.(*goja.Object)
	if !ok {
		return nil, errors.New("it returned no object")
	}
	return object, nil
}

// callProgram runs a program that is a function expression and calls it.
func (r *gojaRealm) callProgram(prog *goja.Program, args ...goja.Value) (goja.Value, error) {
	v, err := r.vm.RunProgram(prog)
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errors.New("program is no function")
	}
	return fn(goja.Undefined(), args...)
}

// try runs fn, which touches values of the program, and returns what it throws.
// The engine's own Try lets interrupts and stack overflows pass as panics.
func (r *gojaRealm) try(fn func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *goja.InterruptedError:
			err = x
		case *goja.StackOverflowError:
			err = x
		default:
			panic(x)
		}
	}()
	if ex := r.vm.Try(fn); ex != nil {
		return ex
	}
	return nil
}

// callShared calls a function of the runtime's own scripts.
func (r *gojaRealm) callShared(name string, args ...goja.Value) (goja.Value, error) {
	var member goja.Value
	if err := r.try(func() { member = r.shared.Get(name) }); err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(member)
	if !ok {
		return nil, fmt.Errorf("internal function %s is missing", name)
	}
	return fn(goja.Undefined(), args...)
}

// parseJSON makes a value of JSON text; revive turns tagged values back.
func (r *gojaRealm) parseJSON(text []byte, revive bool) (goja.Value, error) {
	name := "parse"
	if revive {
		name = "parseTagged"
	}
	return r.callShared(name, r.vm.ToValue(string(text)))
}

// interrupt implements realm.
func (r *gojaRealm) interrupt(cause error) {
	r.loop.stop(cause)
	r.vm.Interrupt(cause)
}

// run implements realm.
func (r *gojaRealm) run(t *task) outcome {
	r.task = t
	r.began = time.Now()
	r.vm.SetMaxCallStackSize(t.head.Limits.CallStack)
	value, err := r.main()
	if err == nil {
		err = r.leftover()
	}
	if err != nil {
		return r.failure(err)
	}
	encoded, err := r.encode(value)
	if err != nil {
		return r.failure(err)
	}
	return outcome{value: encoded}
}

// main enters the program and follows it until its promise is settled.
func (r *gojaRealm) main() (goja.Value, error) {
	prog, ok := r.task.program.(*gojaProgram)
	if !ok {
		return nil, errors.New("program of another engine")
	}
	if err := r.setGlobals(); err != nil {
		return nil, err
	}
	for _, file := range prog.patches {
		if err := r.try(func() { r.load(file) }); err != nil {
			return nil, err
		}
	}
	r.showsStacks = prog.showsStacks
	if err := r.try(func() {
		for pattern, written := range prog.patterns {
			r.showPattern(pattern, written)
		}
	}); err != nil {
		return nil, err
	}
	v, err := r.callProgram(prog.main, r.vm.ToValue(r.builtin), r.vm.ToValue(r.thrown), r.vm.ToValue(r.caught), r.vm.ToValue(r.require))
	if err != nil {
		return nil, err
	}
	box, err := r.await(v)
	if err != nil {
		return nil, err
	}
	fn, err := r.entryPoint(prog, box.ToObject(r.vm).Get("ns").ToObject(r.vm))
	if err != nil {
		return nil, err
	}
	args, err := r.parseJSON(r.task.args, false)
	if err != nil {
		return nil, err
	}
	if v, err = fn(goja.Undefined(), r.surface.Get(cmp.Or(r.task.head.Context, "ctx")), args); err != nil {
		return nil, err
	}
	if v, err = r.await(v); err != nil {
		return nil, err
	}
	if r.task.head.Kind == Script {
		// As in Node, a script ends when nothing is left to wait for.
		err = r.loop.run(false, func() bool { return false })
	}
	return v, err
}

// setGlobals gives a script the surface's globals by name.
func (r *gojaRealm) setGlobals() error {
	if r.task.head.Kind != Script {
		return nil
	}
	globals, ok := r.surface.Get(cmp.Or(r.task.head.Context, "globals")).(*goja.Object)
	if !ok {
		return nil
	}
	for _, name := range globals.Keys() {
		if err := r.vm.GlobalObject().DefineDataProperty(name, globals.Get(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

// entryPoint finds the function to call among the exports.
func (r *gojaRealm) entryPoint(prog *gojaProgram, ns *goja.Object) (goja.Callable, error) {
	name := r.task.head.Export
	if r.task.head.Kind == Script {
		name = "default"
	}
	var value goja.Value
	err := r.try(func() {
		names := prog.exports
		if object, ok := ns.Get("default").(*goja.Object); ok && prog.commonJS && name != "default" {
			if _, function := goja.AssertFunction(object); !function || name != "" {
				ns, names = object, object.Keys()
			}
		}
		if name != "" {
			value = ns.Get(name)
		} else {
			value = onlyFunction(names, ns)
		}
	})
	if err != nil {
		return nil, err
	}
	if fn, ok := goja.AssertFunction(value); ok {
		return fn, nil
	}
	p := Problem{File: prog.entry, Code: "tool.missing-callable", Message: fmt.Sprintf("export %q of %s is not a function", name, prog.entry)}
	if name == "" {
		p.Message = fmt.Sprintf("file %s has no default export and not exactly one exported function", prog.entry)
		p.Hint = "name the function to call; it exports " + strings.Join(prog.exports, ", ")
	}
	return nil, &CompileError{Problems: []Problem{p}}
}

// onlyFunction is the fallback when no export is named: the default export, or
// the one function that is exported.
func onlyFunction(names []string, ns *goja.Object) goja.Value {
	if v := ns.Get("default"); v != nil {
		return v
	}
	var found goja.Value
	for _, name := range names {
		v := ns.Get(name)
		if _, ok := goja.AssertFunction(v); !ok {
			continue
		}
		if found != nil {
			return nil
		}
		found = v
	}
	return found
}
