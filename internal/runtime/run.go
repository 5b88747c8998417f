package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// stopGrace is how long an interrupted run gets to stop before its worker is
	// killed. A cancel has to be answered within 200 ms, and interrupting plain
	// JavaScript takes well under 1 ms.
	stopGrace = 80 * time.Millisecond
	// limitGrace is the same for a run that passed a limit, seen by its worker.
	limitGrace = 200 * time.Millisecond
	// maxAttempts is how many workers a run is given to when they die unused.
	maxAttempts = 3
	// hostCallsAtOnce bounds the host calls of one run that are being answered.
	hostCallsAtOnce = 64
)

// Run runs a program and returns when it has ended, one way or the other.
//
// Errors are *ScriptError, *CompileError, *TimeoutError, *LimitError,
// *ResultError, *WorkerError, ErrClosed, or context.Cause(ctx) when ctx ended.
func (p *Pool) Run(ctx context.Context, req Request) (*Result, error) {
	start := time.Now()
	if req.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, req.Timeout, &TimeoutError{Timeout: req.Timeout, Stopped: true})
		defer cancel()
	}
	ex, err := p.execute(ctx, frameRun, &req)
	if err != nil {
		return nil, err
	}
	return &Result{Value: ex.value, Logs: ex.logs, Output: ex.output.String(), Duration: time.Since(start)}, nil
}

// Checked is what is known of a program that was compiled and not run.
type Checked struct {
	// Problems are what keeps it from running.
	Problems []Problem
	// Reads are what it reads of its first parameter, as far as its text tells.
	Reads []Read
}

// Check compiles a program and looks for its export without running anything.
// The error is about the worker or ctx; what is wrong with the program is in the
// problems.
func (p *Pool) Check(ctx context.Context, prog *Program) (Checked, error) {
	ex, err := p.execute(ctx, frameCheck, &Request{Program: prog})
	if ce := (*CompileError)(nil); errors.As(err, &ce) {
		return Checked{Problems: ce.Problems}, nil
	}
	if err != nil {
		return Checked{}, err
	}
	return Checked{Reads: ex.reads}, nil
}

// execute acquires a worker and serves one run in it.
func (p *Pool) execute(ctx context.Context, kind frameKind, req *Request) (*execution, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.tasks.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(context.Canceled)
	for attempt := 1; ; attempt++ {
		w, err := p.acquire(ctx)
		if err != nil {
			return nil, err
		}
		ex := &execution{pool: p, w: w, req: req, ctx: ctx, id: p.runSeq.Add(1), failures: map[uint64]error{}, slots: make(chan struct{}, hostCallsAtOnce)}
		err = ex.serve(kind)
		if attempt < maxAttempts && ex.diedUnused(err) {
			continue
		}
		if before := PrintedBefore(err); before != nil {
			before.Output = ex.output.String()
		}
		return ex, err
	}
}

// diedUnused tells that the worker was gone before the run could do anything that
// shows, most likely killed from outside while it was idle: the run can be given
// to another one.
func (ex *execution) diedUnused(err error) bool {
	var we *WorkerError
	return errors.As(err, &we) && !ex.heard && ex.ctx.Err() == nil
}

// enter counts a run in, so that Close waits for it.
func (p *Pool) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.tasks.Add(1)
	return nil
}

// execution is one run in one worker, served by the goroutine that called Run.
type execution struct {
	pool  *Pool
	w     *workerProcess
	req   *Request
	ctx   context.Context //nolint:containedctx // ends with the run
	id    uint64
	heard bool // a frame of this run came

	value  json.RawMessage
	logs   []LogEntry
	reads  []Read
	output strings.Builder

	compiling bool        // the files were sent and no begin frame came yet
	limit     *LimitError // the worker reported it
	slots     chan struct{}

	mu       sync.Mutex       // guards failures
	failures map[uint64]error // of host calls, by call
}

// serve sends the run and follows it to its end, and gives the worker back.
func (ex *execution) serve(kind frameKind) error {
	ex.w.runs++
	if err := ex.send(kind, false); err != nil {
		return ex.fail(err)
	}
	stop := ex.ctx.Done()
	closing := ex.pool.ctx.Done()
	var killAt <-chan time.Time
	for {
		select {
		case f, ok := <-ex.w.frames:
			if !ok {
				return ex.fail(nil)
			}
			if f.run != ex.id {
				continue
			}
			ex.heard = true
			if f.kind == frameDone {
				return ex.done(f)
			}
			if err := ex.handle(kind, f); err != nil {
				return ex.fail(err)
			}
			if ex.limit != nil && killAt == nil {
				killAt = time.After(limitGrace)
			}
		case <-stop:
			stop = nil
			killAt = time.After(stopGrace)
			_ = ex.w.out.write(frameCancel, ex.id, nil, nil)
		case <-killAt:
			ex.pool.discard(ex.w)
			if ex.limit != nil {
				return ex.limit
			}
			return context.Cause(ex.ctx)
		case <-closing:
			ex.pool.discard(ex.w)
			return ErrClosed
		}
	}
}

// handle does what a frame in the middle of a run asks for.
func (ex *execution) handle(kind frameKind, f frame) error {
	switch f.kind {
	case frameNeed:
		return ex.send(kind, true)
	case frameBegin:
		ex.compiling = false
	case frameLog:
		var head logHead
		if err := json.Unmarshal(f.head, &head); err != nil {
			return err
		}
		ex.printed(head)
	case frameCall:
		var head callHead
		if err := json.Unmarshal(f.head, &head); err != nil {
			return err
		}
		ex.pool.tasks.Add(1)
		go ex.call(head, f.body)
	case frameLimit:
		var head limitHead
		if err := json.Unmarshal(f.head, &head); err != nil {
			return err
		}
		ex.limit = &LimitError{Limit: head.Limit, Detail: head.Detail}
	default:
		return fmt.Errorf("unexpected frame %q from the worker", f.kind)
	}
	return nil
}

// send sends the run, with the files when the worker does not have them.
func (ex *execution) send(kind frameKind, withFiles bool) error {
	prog := ex.req.Program
	head := runHead{
		Key: prog.key(), Kind: prog.Kind, Site: prog.Site, Entry: prog.Entry, Export: prog.Export, Context: prog.Context,
		Limits: ex.req.Limits.over(ex.pool.limits),
	}
	if withFiles || !ex.w.known[head.Key] {
		head.Files = prog.Files
		ex.w.known[head.Key] = true
		ex.compiling = true
	}
	args := ex.req.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	return ex.w.out.write(kind, ex.id, head, args)
}

func (ex *execution) printed(head logHead) {
	ex.output.WriteString(head.Output)
	ex.logs = append(ex.logs, head.Logs...)
	if ex.req.OnLog != nil {
		for _, entry := range head.Logs {
			ex.req.OnLog(entry)
		}
	}
}

// call answers one host call on its own goroutine. The reply names the run, so
// one that comes too late is ignored by the worker.
func (ex *execution) call(head callHead, args json.RawMessage) {
	defer ex.pool.tasks.Done()
	reply := replyHead{ID: head.ID}
	value, err := ex.askHost(head.Name, args)
	if err != nil {
		ex.mu.Lock()
		ex.failures[head.ID] = err
		ex.mu.Unlock()
		reply.Error = toWireError(err)
		value = nil
	}
	_ = ex.w.out.write(frameReply, ex.id, reply, value)
}

func (ex *execution) askHost(name string, args json.RawMessage) (value json.RawMessage, err error) {
	select {
	case ex.slots <- struct{}{}:
		defer func() { <-ex.slots }()
	case <-ex.ctx.Done():
		return nil, context.Cause(ex.ctx)
	}
	defer func() {
		if r := recover(); r != nil {
			ex.pool.log.Error("host call panicked", "call", name, "panic", r)
			err = fmt.Errorf("host call %s failed: internal error", name)
		}
	}()
	if ex.req.Host == nil {
		return nil, fmt.Errorf("host call %s is not available here", name)
	}
	return ex.req.Host.Call(ex.ctx, name, args)
}

func toWireError(err error) *wireError {
	we := &wireError{Message: err.Error()}
	var he hostError
	if errors.As(err, &he) {
		kind, data := he.HostError()
		we.Kind = kind
		if data != nil {
			if raw, err := json.Marshal(data); err == nil {
				we.Data = raw
			}
		}
	}
	return we
}

// done takes the last frame of a run apart and gives the worker back.
func (ex *execution) done(f frame) error {
	var head doneHead
	if err := json.Unmarshal(f.head, &head); err != nil {
		return ex.fail(err)
	}
	if head.Internal != "" {
		ex.pool.log.Error("worker reported an internal error", "site", ex.req.Program.Site, "entry", ex.req.Program.Entry, "error", head.Internal)
	}
	ex.pool.release(ex.w, head.Retire || ex.limit != nil)
	switch {
	case ex.limit != nil:
		return ex.limit
	case ex.ctx.Err() != nil:
		return context.Cause(ex.ctx)
	case len(head.Problems) > 0:
		return &CompileError{Problems: head.Problems}
	case head.Limit != nil:
		return head.Limit
	case head.Result != nil:
		return head.Result
	case head.Script != nil:
		ex.mu.Lock()
		head.Script.Cause = ex.failures[head.CauseID]
		ex.mu.Unlock()
		return head.Script
	case head.Internal != "":
		return &WorkerError{Reason: head.Internal, Ran: true}
	}
	ex.value, ex.reads = f.body, head.Reads
	return nil
}

// fail ends a run whose worker died or spoke nonsense.
func (ex *execution) fail(cause error) error {
	ex.pool.discard(ex.w)
	we := ex.w.died(cause)
	we.Ran = true
	if ex.limit != nil {
		return ex.limit
	}
	if ex.ctx.Err() != nil {
		return context.Cause(ex.ctx)
	}
	if limit := we.fatalLimit(); limit != nil {
		if ex.compiling && we.inParser() {
			return &CompileError{Problems: []Problem{{
				File: ex.req.Program.Entry, Code: "tool.too-deep",
				Message: "the file, or one it imports, is nested too deeply to be read",
				Hint:    "nest brackets, operators and blocks less deeply",
			}}}
		}
		return limit
	}
	ex.pool.log.Warn("worker died", "site", ex.req.Program.Site, "entry", ex.req.Program.Entry, "status", we.Reason, "stderr", we.Stderr)
	return we
}
