package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// maxGoStack bounds the stack of one goroutine of a worker. Deep recursion in
// native code of the engine then ends the worker early, with a message that says
// so, and not after gigabytes.
const maxGoStack = 64 << 20

// errStopped is the cause given to a run that the pool wants ended.
var errStopped = errors.New("stopped by the pool")

// Serve is the body of a worker process: it reads frames from in, runs one
// program at a time and writes frames to out, until in ends. It sets the limits
// of its own process. When out is the process's stdout, it is moved to another
// descriptor and stdout is pointed to stderr, so that nothing else can write
// into the frames.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if f, ok := out.(*os.File); ok {
		claimed, err := claimStream(f)
		if err != nil {
			return fmt.Errorf("claiming the frame stream: %w", err)
		}
		out = claimed
	}
	fr := newFrameReader(in)
	first, err := fr.read()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	var head initHead
	if first.kind != frameInit {
		return fmt.Errorf("first frame is %q, not the init frame", first.kind)
	}
	if err := json.Unmarshal(first.head, &head); err != nil {
		return err
	}
	limitProcess(head.AddressSpace)
	w := &server{out: &frameWriter{w: out}, engine: newGojaEngine(&head), programs: newProgramCache(), jobs: make(chan *job, 1)}
	return w.serve(ctx, fr)
}

// limitProcess bounds what this process may take. A limit that cannot be set is
// no reason to refuse work: the watchdog is still there.
func limitProcess(addressSpace int64) {
	debug.SetMaxStack(maxGoStack)
	// Collect rarely: a run leaves some 100 KB behind, and the heap is small.
	// The memory limit set per run makes it collect often when that matters.
	debug.SetGCPercent(400)
	if addressSpace > 0 && !raceDetector {
		_ = limitAddressSpace(addressSpace)
	}
}

// server is the worker's side. The goroutine of Serve reads frames; one executor
// goroutine owns the engine and its realms.
type server struct {
	out      *frameWriter
	engine   engine
	programs *programCache // owned by the executor
	memory   memoryGuard   // owned by the executor
	next     realm         // prepared while idle; owned by the executor
	jobs     chan *job     // from the reader to the executor

	mu      sync.Mutex // guards current
	current *job
}

func (s *server) serve(ctx context.Context, fr *frameReader) error {
	var err error
	if s.next, err = s.engine.realm(); err != nil {
		return fmt.Errorf("preparing a runtime: %w", err)
	}
	if err := s.out.write(frameReady, 0, nil, nil); err != nil {
		return err
	}
	executor := make(chan struct{})
	go func() {
		defer close(executor)
		s.execute()
	}()
	stop := context.AfterFunc(ctx, func() { s.stopCurrent() })
	defer stop()
	err = s.readFrames(ctx, fr)
	// The executor may be in a native loop that nothing can stop: it is not
	// waited for, the process ends with Serve.
	s.stopCurrent()
	close(s.jobs)
	return err
}

// readFrames routes frames until the parent closes the stream.
func (s *server) readFrames(ctx context.Context, fr *frameReader) error {
	for ctx.Err() == nil {
		f, err := fr.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch f.kind {
		case frameRun, frameCheck:
			j, err := s.accept(f)
			if err != nil {
				return err
			}
			s.jobs <- j
		case frameReply:
			var head replyHead
			if err := json.Unmarshal(f.head, &head); err != nil {
				return err
			}
			if j := s.job(f.run); j != nil {
				j.settle(head.ID, f.body, head.Error)
			}
		case frameCancel:
			if j := s.job(f.run); j != nil {
				j.stop(errStopped)
			}
		default:
			return fmt.Errorf("unexpected frame %q from the pool", f.kind)
		}
	}
	return context.Cause(ctx)
}

// accept makes a run current, from when on it can be cancelled.
func (s *server) accept(f frame) (*job, error) {
	j := &job{id: f.run, check: f.kind == frameCheck, args: f.body, out: s.out}
	if err := json.Unmarshal(f.head, &j.head); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.current = j
	s.mu.Unlock()
	return j, nil
}

// job returns the current job if it has that number.
func (s *server) job(id uint64) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.id != id {
		return nil
	}
	return s.current
}

func (s *server) stopCurrent() {
	s.mu.Lock()
	j := s.current
	s.mu.Unlock()
	if j != nil {
		j.stop(errStopped)
	}
}
