package runtime

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// logFlush is how long console output may wait for more of it before it is sent.
const logFlush = 20 * time.Millisecond

// job is one run in its worker. It is the run's port to the pool.
type job struct {
	id    uint64
	check bool
	head  runHead
	args  []byte
	out   *frameWriter
	start time.Time

	mu      sync.Mutex // guards the fields below
	realm   realm      // set while it runs
	cause   error      // why it was stopped
	pending logHead    // console output not sent yet
	flusher *time.Timer
	logged  int64 // bytes of log text so far
	printed int64
	ended   bool
}

// execute serves jobs one after the other; it owns the engine.
func (s *server) execute() {
	for j := range s.jobs {
		s.serveJob(j)
		s.mu.Lock()
		if s.current == j {
			s.current = nil
		}
		s.mu.Unlock()
		if s.next == nil {
			s.next, _ = s.engine.realm() // an error shows again when it is needed
		}
	}
}

func (s *server) serveJob(j *job) {
	j.start = time.Now()
	program := s.programs.get(j.head.Key)
	if program == nil {
		if j.head.Files == nil {
			_ = s.out.write(frameNeed, j.id, nil, nil)
			return
		}
		var err error
		if program, err = s.engine.compile(&j.head); err != nil {
			j.done(outcome{err: err}, false)
			return
		}
		s.programs.put(j.head.Key, program)
		_ = s.out.write(frameBegin, j.id, nil, nil)
	}
	if j.check || j.head.Kind == Module {
		if problem := program.missing(j.head.Export); problem != nil {
			j.done(outcome{err: &CompileError{Problems: []Problem{*problem}}}, false)
			return
		}
	}
	if j.check {
		j.done(outcome{reads: program.readsIn(j.head.Export)}, false)
		return
	}
	s.runJob(j, program)
}

// runJob runs the program in the prepared realm under the memory watchdog.
func (s *server) runJob(j *job, program compiled) {
	rt := s.next
	s.next = nil
	if rt == nil {
		var err error
		if rt, err = s.engine.realm(); err != nil {
			j.done(outcome{err: err}, true)
			return
		}
	}
	if !j.attach(rt) {
		j.done(outcome{err: j.cause}, false)
		return
	}
	watch := s.memory.watch(j.head.Limits.MemoryBytes, func(used int64) {
		j.exceeded(&LimitError{
			Limit:  "memory",
			Detail: fmt.Sprintf("the run used %d MB of %d MB", used>>20, j.head.Limits.MemoryBytes>>20),
			Hint:   "work in smaller pieces, or raise the memory limit of tools",
		})
	})
	result := runRecovered(rt, &task{program: program, head: &j.head, args: j.args, port: j})
	j.done(result, watch.stop())
}

// runRecovered keeps a Go panic of the engine or of a binding to its run.
func runRecovered(rt realm, t *task) (result outcome) {
	defer func() {
		if r := recover(); r != nil {
			result = outcome{err: fmt.Errorf("internal error in the runtime: %v\n%s", r, debug.Stack())}
		}
	}()
	return rt.run(t)
}

// attach makes the realm reachable for cancel; false if the job is stopped already.
func (j *job) attach(rt realm) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cause != nil {
		return false
	}
	j.realm = rt
	return true
}

// stop ends the run with cause; the first cause stays.
func (j *job) stop(cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cause != nil || j.ended {
		return
	}
	j.cause = cause
	if j.realm != nil {
		j.realm.interrupt(cause)
	}
}

// exceeded tells the pool about a passed limit before trying to stop, so that it
// can kill this process when stopping does not work.
func (j *job) exceeded(limit *LimitError) {
	_ = j.out.write(frameLimit, j.id, limitHead{Limit: limit.Limit, Detail: limit.Detail}, nil)
	j.stop(limit)
}

func (j *job) settle(id uint64, value []byte, err *wireError) {
	j.mu.Lock()
	rt := j.realm
	j.mu.Unlock()
	if rt != nil {
		rt.settle(id, value, err)
	}
}

// done sends the last frame of the run.
func (j *job) done(result outcome, retire bool) {
	j.mu.Lock()
	j.ended = true
	j.realm = nil
	j.mu.Unlock()
	j.flush()
	head := doneHead{Retire: retire, CauseID: result.causeID, Reads: result.reads}
	var compile *CompileError
	switch {
	case result.err == nil:
	case errors.Is(result.err, errStopped):
		head.Stopped = true
	case errors.As(result.err, &head.Script), errors.As(result.err, &head.Limit), errors.As(result.err, &head.Result):
	case errors.As(result.err, &compile):
		head.Problems = compile.Problems
	default:
		head.Internal = result.err.Error()
		head.Retire = true
	}
	_ = j.out.write(frameDone, j.id, head, result.value)
}

// call sends a host call, behind what was printed before it.
func (j *job) call(id uint64, name string, args []byte) error {
	j.flush()
	return j.out.write(frameCall, j.id, callHead{ID: id, Name: name}, args)
}

// maxLogMessage cuts a single console message, in bytes.
const maxLogMessage = 64 << 10

func (j *job) log(level, message string) {
	if len(message) > maxLogMessage {
		message = cutText(message, maxLogMessage)
	}
	entry := LogEntry{Level: level, Message: message, TimeMs: time.Since(j.start).Milliseconds()}
	j.mu.Lock()
	j.logged += int64(len(message)) + 16
	over := j.logged > j.head.Limits.LogBytes
	if !over {
		j.pending.Logs = append(j.pending.Logs, entry)
		j.flushLaterLocked()
	}
	j.mu.Unlock()
	if over {
		j.stop(&LimitError{Limit: "log", Detail: fmt.Sprintf("console output passed %d bytes", j.head.Limits.LogBytes), Hint: "log less, or return the data"})
	}
}

func (j *job) print(text string) {
	j.mu.Lock()
	j.printed += int64(len(text))
	over := j.printed > j.head.Limits.OutputBytes
	if !over {
		j.pending.Output += text
		j.flushLaterLocked()
	}
	j.mu.Unlock()
	if over {
		j.stop(&LimitError{Limit: "output", Detail: fmt.Sprintf("printed output passed %d bytes", j.head.Limits.OutputBytes), Hint: "print less, or return the data"})
	}
}

// flushLaterLocked sends what was printed soon, however long the program runs on.
func (j *job) flushLaterLocked() {
	if j.flusher == nil && !j.ended {
		j.flusher = time.AfterFunc(logFlush, j.flush)
	}
	if len(j.pending.Logs) >= 256 || len(j.pending.Output) > 64<<10 {
		j.flushLocked()
	}
}

// flush sends pending console output. Frames of one run keep their order because
// it holds the lock while it writes.
func (j *job) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.flushLocked()
}

func (j *job) flushLocked() {
	if j.flusher != nil {
		j.flusher.Stop()
		j.flusher = nil
	}
	if len(j.pending.Logs) == 0 && j.pending.Output == "" {
		return
	}
	_ = j.out.write(frameLog, j.id, j.pending, nil)
	j.pending = logHead{}
}

// cutText shortens text to about n bytes at a rune and says how much is gone.
func cutText(text string, n int) string {
	cut := n
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return fmt.Sprintf("%s... (%d more bytes)", text[:cut], len(text)-cut)
}
