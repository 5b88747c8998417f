package runtime

import (
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// A fresh runtime is made for every run, and most runs use little of what they
// could. So most of it is made when it is first asked for: a lazyObject stands in
// a prototype chain and makes members by name.
type lazyObject struct {
	make func(name string) goja.Value // nil when there is no such member
	has  func(name string) bool
}

// Get implements goja.DynamicObject.
func (l *lazyObject) Get(name string) goja.Value { return l.make(name) }

// Set implements goja.DynamicObject; members are set on the object in front.
func (l *lazyObject) Set(string, goja.Value) bool { return false }

// Has implements goja.DynamicObject.
func (l *lazyObject) Has(name string) bool { return l.has(name) }

// Delete implements goja.DynamicObject.
func (l *lazyObject) Delete(string) bool { return true }

// Keys implements goja.DynamicObject; lazy members are not enumerable.
func (l *lazyObject) Keys() []string { return nil }

// behind puts lazy members behind those that object has.
func (r *gojaRealm) behind(object *goja.Object, members *lazyObject) error {
	dynamic := r.vm.NewDynamicObject(members)
	if err := dynamic.SetPrototype(object.Prototype()); err != nil {
		return err
	}
	return object.SetPrototype(dynamic)
}

// memberTable is an object with members that a surface makes at their first use.
type memberTable struct {
	realm *gojaRealm
	names []string
	make  goja.Callable
	made  map[string]goja.Value
}

// lazyMembers is host.members(names, make): an object with these members, each
// made by make(name) when it is first read. Making a member for every operation in
// every runtime would cost more than most runs.
func (r *gojaRealm) lazyMembers(names []string, make goja.Callable) goja.Value {
	return r.vm.NewDynamicObject(&memberTable{realm: r, names: names, make: make, made: map[string]goja.Value{}})
}

// Get implements goja.DynamicObject.
func (m *memberTable) Get(name string) goja.Value {
	if v, ok := m.made[name]; ok {
		return v
	}
	if !slices.Contains(m.names, name) {
		return nil
	}
	v, err := m.make(goja.Undefined(), m.realm.vm.ToValue(name))
	if err != nil {
		m.realm.throwGo(err)
	}
	m.made[name] = v
	return v
}

// Set implements goja.DynamicObject.
func (m *memberTable) Set(name string, value goja.Value) bool {
	if !slices.Contains(m.names, name) {
		m.names = append(m.names, name)
	}
	m.made[name] = value
	return true
}

// Has implements goja.DynamicObject.
func (m *memberTable) Has(name string) bool { return slices.Contains(m.names, name) }

// Delete implements goja.DynamicObject.
func (m *memberTable) Delete(name string) bool {
	m.names = slices.DeleteFunc(m.names, func(n string) bool { return n == name })
	delete(m.made, name)
	return true
}

// Keys implements goja.DynamicObject.
func (m *memberTable) Keys() []string { return m.names }

// sharedFiles are the files that hang their functions on the shared object.
var sharedFiles = map[string]string{
	"parseTagged": "values.js", "adopt": "values.js", "hostError": "values.js", "isArray": "values.js", "entries": "values.js", "uncurry": "values.js",
	"classes": "values.js", "isMap": "values.js", "isSet": "values.js", "isPromise": "values.js", "isBuffer": "values.js", "dateValue": "values.js", "holdsDate": "values.js",
	"parseCarefully": "json.js", "parseArgs": "args.js", "DOMException": "dom_exception.js", "localeDates": "locale_dates.js", "table": "table.js", "isHostObject": "values.js",
	"classOf": "values.js", "unbox": "values.js", "listOf": "values.js", "numbersOf": "values.js",
	"inspect": "inspect.js", "received": "inspect.js", "inspectHead": "inspect_head.js",
	"format": "format.js", "formatWith": "format.js", "formatOutput": "format.js", "cleanStack": "inspect.js",
}

// sharedMember runs the file that provides a shared function.
func (r *gojaRealm) sharedMember(name string) goja.Value {
	file, ok := sharedFiles[name]
	if !ok || r.loaded[file] != nil {
		return nil
	}
	r.load(file)
	return r.shared.Get(name)
}

// load runs one of the runtime's own files, once per realm, and returns what it
// returns. It may be called only from JavaScript or within Try.
func (r *gojaRealm) load(file string) goja.Value {
	if v := r.loaded[file]; v != nil {
		return v
	}
	r.loaded[file] = goja.Undefined() // the file's own first use of itself must not loop
	v, err := r.runLibrary(file)
	if err != nil {
		r.throwGo(err)
	}
	r.loaded[file] = v
	return v
}

// runLibrary compiles a file of the runtime, once per worker, and runs it.
func (r *gojaRealm) runLibrary(file string) (goja.Value, error) {
	prog := r.engine.library[file]
	if prog == nil {
		var err error
		if prog, err = compileLibrary(file); err != nil {
			return nil, err
		}
		r.engine.library[file] = prog
	}
	return r.callProgram(prog, r.native, r.shared)
}

// throwGo throws a Go error into JavaScript; exceptions and interrupts go on as
// what they are.
func (r *gojaRealm) throwGo(err error) {
	var (
		thrown      *goja.Exception
		interrupted *goja.InterruptedError
		overflow    *goja.StackOverflowError
	)
	switch {
	case errors.As(err, &interrupted):
		panic(interrupted)
	case errors.As(err, &overflow):
		panic(overflow)
	case errors.As(err, &thrown):
		panic(thrown.Value())
	}
	panic(r.vm.NewGoError(err))
}

// globalFiles are the files that provide global names. A file returns an object
// with its globals, or the one global itself.
var globalFiles = map[string]string{
	"console": "console.js", "process": "process.js", "performance": "performance.js", "Iterator": "iterator.js",
	"setTimeout": "timers.js", "setInterval": "timers.js", "setImmediate": "timers.js", "clearTimeout": "timers.js", "clearInterval": "timers.js", "clearImmediate": "timers.js", "queueMicrotask": "timers.js",
	"URL": "mod_url.js", "URLSearchParams": "mod_url.js", "Buffer": "mod_buffer.js",
	"TextEncoder": "web.js", "TextDecoder": "web.js", "atob": "web.js", "btoa": "web.js", "structuredClone": "web.js",
	"AbortController": "event.js", "AbortSignal": "event.js", "Event": "event.js", "EventTarget": "event.js", "CustomEvent": "event.js", "DOMException": "dom_exception.js", "crypto": "web.js",
	"WeakRef": "weakref.js", "FinalizationRegistry": "weakref.js", "Intl": "locale.js",
}

// global makes a global at its first use and keeps it as an ordinary property.
func (r *gojaRealm) global(name string) goja.Value {
	file, ok := globalFiles[name]
	if !ok || r.deletedGlobals[name] {
		return nil
	}
	r.deletedGlobals[name] = true // from now on it is the property or nothing
	v := r.load(file)
	if !singleGlobal(file) {
		v = v.ToObject(r.vm).Get(name)
	}
	if err := r.vm.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		r.throwGo(err)
	}
	return v
}

func singleGlobal(file string) bool {
	return file == "console.js" || file == "process.js" || file == "performance.js" || file == "iterator.js" || file == "locale.js" || file == "dom_exception.js"
}

func (r *gojaRealm) hasGlobal(name string) bool {
	_, ok := globalFiles[name]
	return ok && !r.deletedGlobals[name]
}

// iteratorHelpers are the members of Iterator.prototype that iterator.js defines.
const iteratorHelpers = " map filter take drop flatMap reduce toArray forEach some every find "

// addLazyMembers sets up everything that is made at its first use.
func (r *gojaRealm) addLazyMembers() error {
	if err := r.behind(r.native, &lazyObject{make: r.nativeMember, has: func(string) bool { return true }}); err != nil {
		return err
	}
	if err := r.behind(r.shared, &lazyObject{make: r.sharedMember, has: func(name string) bool { return sharedFiles[name] != "" }}); err != nil {
		return err
	}
	if err := r.behind(r.vm.GlobalObject(), &lazyObject{make: r.global, has: r.hasGlobal}); err != nil {
		return err
	}
	return r.behind(r.iteratorPrototype(), &lazyObject{make: r.iteratorMember, has: isIteratorHelper})
}

func (r *gojaRealm) iteratorPrototype() *goja.Object {
	array := r.vm.NewArray()
	values, ok := goja.AssertFunction(array.GetSymbol(goja.SymIterator))
	if !ok {
		return array
	}
	iterator, err := values(array)
	if err != nil {
		return array
	}
	return iterator.ToObject(r.vm).Prototype().Prototype()
}

func isIteratorHelper(name string) bool { return strings.Contains(iteratorHelpers, " "+name+" ") }

func (r *gojaRealm) iteratorMember(name string) goja.Value {
	if !isIteratorHelper(name) || r.loaded["iterator.js"] != nil {
		return nil
	}
	r.load("iterator.js")
	return r.iteratorPrototype().Get(name)
}

// addSymbols defines the well-known symbols that the engine lacks; the code that
// esbuild makes for async iteration needs them too.
func (r *gojaRealm) addSymbols() error {
	global := r.vm.GlobalObject()
	symbol := global.Get("Symbol").ToObject(r.vm)
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		if err := symbol.DefineDataProperty(name, goja.NewSymbol("Symbol."+name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return global.DefineDataProperty("global", global, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}
