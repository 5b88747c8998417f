package runtime

// engine is what a worker needs of a JavaScript engine. It is one small
// interface so that another engine can be tried without touching the rest.
type engine interface {
	// compile turns a program into something realms can run; the error is a
	// *CompileError when the program is to blame.
	compile(head *runHead) (compiled, error)
	// realm makes a fresh runtime with the globals and the surface in it. It
	// belongs to the goroutine that calls its run method.
	realm() (realm, error)
}

// compiled is a program of one engine.
type compiled interface {
	// missing says why the export cannot be called, judged by the text alone; nil
	// if nothing speaks against it.
	missing(export string) *Problem
	// readsIn is what the export reads of its first parameter, as far as its text
	// tells. It may be nothing when the program was compiled for another export.
	readsIn(export string) []Read
}

// realm is one fresh runtime; it runs one program and is thrown away.
type realm interface {
	// run runs the program to its end.
	run(task *task) outcome
	// settle hands over the answer of a host call; from any goroutine.
	settle(id uint64, value []byte, err *wireError)
	// interrupt ends run with cause as soon as the engine can; from any goroutine.
	interrupt(cause error)
}

// task is what a realm needs to know about one run.
type task struct {
	program compiled
	head    *runHead
	args    []byte
	port    port
}

// port is how a realm reaches the pool.
type port interface {
	// call sends a host call; the answer comes back through realm.settle.
	call(id uint64, name string, args []byte) error
	// log and print queue console output; they are cheap.
	log(level, message string)
	print(text string)
}

// outcome is how a run ended: err is nil, *ScriptError, *CompileError,
// *ResultError, *LimitError, or the cause given to interrupt.
type outcome struct {
	value   []byte
	err     error
	causeID uint64 // the host call whose rejection err is
	reads   []Read // of a program that was only checked
}
