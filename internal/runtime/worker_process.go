package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// workerProcess is the parent's side of one worker.
//
// It has two goroutines: own, which starts the process and waits for its end,
// and readFrames, which hands its frames to whoever holds the worker. Both end
// when the process ends.
type workerProcess struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *frameWriter
	stderr *tailBuffer

	frames chan frame    // from readFrames to the holder
	exited chan struct{} // closed after the process was waited for
	status string        // how it ended; read after exited

	// The fields below belong to the holder: the pool while idle, else one run.
	known    map[string]bool // program keys the worker was sent
	runs     int
	idleFrom time.Time

	dismissed bool // no longer counted as live; guarded by Pool.mu
}

// startWorker starts a worker and waits until it is ready.
func startWorker(ctx context.Context, cfg *Config, addressSpace int64) (*workerProcess, error) {
	w := &workerProcess{
		cmd:    exec.Command(cfg.Command[0], cfg.Command[1:]...),
		stderr: &tailBuffer{},
		frames: make(chan frame, 64),
		exited: make(chan struct{}),
		known:  map[string]bool{},
	}
	w.cmd.Env = cfg.Env
	if w.cmd.Env == nil {
		w.cmd.Env = []string{}
	}
	w.cmd.Stderr = w.stderr
	w.cmd.WaitDelay = time.Second // a worker has no children, but be sure that Wait ends
	setProcessAttributes(w.cmd)
	var err error
	if w.stdin, err = w.cmd.StdinPipe(); err != nil {
		return nil, &WorkerError{Reason: err.Error()}
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, &WorkerError{Reason: err.Error()}
	}
	w.out = &frameWriter{w: w.stdin}
	started := make(chan error, 1)
	go w.own(stdout, started)
	if err := <-started; err != nil {
		return nil, &WorkerError{Reason: err.Error(), Hint: "check that the egod binary can be executed and that processes and memory are left"}
	}
	if err := w.handshake(ctx, cfg, addressSpace); err != nil {
		w.kill()
		return nil, err
	}
	return w, nil
}

// own starts the process and waits for its end, on one thread: the parent-death
// signal of Linux is sent when the thread that started the child ends
// (golang/go #27505), so that thread is kept as long as the child.
func (w *workerProcess) own(stdout io.Reader, started chan<- error) {
	keepThread()
	if err := w.cmd.Start(); err != nil {
		started <- err
		close(w.exited)
		return
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		w.readFrames(stdout)
	}()
	started <- nil
	<-read // Wait closes the pipe, so everything must have been read
	err := w.cmd.Wait()
	w.status = "exit status 0"
	if err != nil {
		w.status = err.Error()
	}
	close(w.exited)
}

// readFrames hands over what the worker sends until its stdout ends.
func (w *workerProcess) readFrames(stdout io.Reader) {
	defer close(w.frames)
	fr := newFrameReader(stdout)
	for {
		f, err := fr.read()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintf(w.stderr, "reading frames: %v\n", err)
			}
			// Drain, so that a worker that went wrong cannot block on a full pipe.
			_, _ = io.Copy(io.Discard, stdout)
			return
		}
		w.frames <- f
	}
}

// handshake sends the surface and waits for the ready frame.
func (w *workerProcess) handshake(ctx context.Context, cfg *Config, addressSpace int64) error {
	head := initHead{Surface: cfg.Surface.Source, Table: cfg.Surface.Table, Files: cfg.Files, Env: cfg.ProgramEnv, AddressSpace: addressSpace}
	if err := w.out.write(frameInit, 0, head, nil); err != nil {
		return w.died(err)
	}
	select {
	case f, ok := <-w.frames:
		if !ok {
			return w.died(io.ErrUnexpectedEOF)
		}
		if f.kind != frameReady {
			return &WorkerError{Reason: fmt.Sprintf("unexpected first frame %q: %s", f.kind, f.head)}
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// kill ends the process at once. It does not wait.
func (w *workerProcess) kill() {
	_ = w.stdin.Close()
	killProcess(w.cmd)
	go drain(w.frames) // so that readFrames, and own behind it, can end
}

// end lets an idle worker leave by itself: it ends when its stdin does.
func (w *workerProcess) end() {
	_ = w.stdin.Close()
	go drain(w.frames)
}

func drain(frames <-chan frame) {
	for range frames {
	}
}

// died waits for the process and says how it ended.
func (w *workerProcess) died(cause error) *WorkerError {
	killProcess(w.cmd)
	<-w.exited
	reason := w.status
	if cause != nil && w.status == "exit status 0" {
		reason = cause.Error()
	}
	return &WorkerError{Reason: reason, Stderr: w.stderr.String(), Hint: "the next run uses a new worker"}
}

// fatalLimit tells which limit ended a worker, judged by what the Go runtime
// printed when it gave up; nil if it was none.
func (e *WorkerError) fatalLimit() *LimitError {
	printed := func(any ...string) bool {
		return slices.ContainsFunc(any, func(text string) bool { return strings.Contains(e.Stderr, text) })
	}
	switch {
	case printed("stack overflow", "goroutine stack exceeds"):
		return &LimitError{Limit: "stack", Detail: "the run needed more stack than its worker may have", Hint: "nest less deeply"}
	case printed("out of memory", "cannot allocate memory", "len out of range", "errno=12", "address space collisions", "ThreadSanitizer failed to allocate"):
		return &LimitError{Limit: "memory", Detail: "the run needed more memory than its worker may have", Hint: "work in smaller pieces, or raise the memory limit of tools"}
	}
	return nil
}

// inParser tells that the stack overflowed while source was read.
func (e *WorkerError) inParser() bool {
	return strings.Contains(e.Stderr, "esbuild/internal/") || strings.Contains(e.Stderr, "goja/parser") ||
		strings.Contains(e.Stderr, "goja.(*compiler)")
}

// tailBuffer keeps the head and the tail of what a worker printed. The first
// line of a fatal error names the cause; a stack trace of any length follows.
type tailBuffer struct {
	mu   sync.Mutex // guards head and tail
	head bytes.Buffer
	tail []byte
}

const (
	tailHeadBytes = 4 << 10
	tailTailBytes = 4 << 10
)

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if room := tailHeadBytes - t.head.Len(); room > 0 {
		k := min(room, len(p))
		t.head.Write(p[:k])
		p = p[k:]
	}
	t.tail = append(t.tail, p...)
	if extra := len(t.tail) - tailTailBytes; extra > 0 {
		t.tail = append(t.tail[:0], t.tail[extra:]...)
	}
	return n, nil
}

func (t *tailBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.tail) == 0 {
		return t.head.String()
	}
	return t.head.String() + "\n...\n" + string(t.tail)
}
