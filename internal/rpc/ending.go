package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"egod/internal/ops"
)

// Reason says why a server stopped.
type Reason int

// The reasons to stop.
const (
	// InputEnded: the client closed its end; the regular end.
	InputEnded Reason = iota
	// InputBroken: reading failed, or the input ended inside a message.
	InputBroken
	// Exited: the client said exit.
	Exited
	// Stopped: the context of Run ended.
	Stopped
	// PeerGone: the client does not read any more.
	PeerGone
)

// String names the reason for a log.
func (r Reason) String() string {
	switch r {
	case InputBroken:
		return "input broken"
	case Exited:
		return "exit"
	case Stopped:
		return "stopped"
	case PeerGone:
		return "peer gone"
	}
	return "end of input"
}

// ErrPeerGone is the cause to end the context of Run with when the client is
// known to be gone: nothing is waited for then.
var ErrPeerGone = errors.New("the client is gone")

// Outcome is how a connection ended.
type Outcome struct {
	Reason Reason
	// Shutdown says that a shutdown request was answered before.
	Shutdown bool
	// Cancelled is how many requests were ended because their time was over.
	Cancelled int
	// Unsent is how many bytes of answers the client did not take.
	Unsent int64
	// Dropped is how many notifications a slow client missed.
	Dropped uint64
	// Abandoned is how many requests were still at work.
	Abandoned int
}

// ExitCode is the exit code of a process that served nothing but this
// connection.
func (o Outcome) ExitCode() int {
	switch o.Reason {
	case InputEnded, Stopped:
		return 0
	case Exited:
		if o.Shutdown {
			return 0
		}
	}
	return 1
}

// ending is the first thing that ends a connection.
type ending struct {
	reason Reason
	err    error
}

// end asks for the end. Only the first reason counts.
func (s *Server) end(e ending) {
	select {
	case s.ends <- e:
	default:
	}
}

// inputEnded is called by the reading goroutine when nothing more can be read.
// It returns when the connection is done with.
func (s *Server) inputEnded(err error) {
	switch {
	case errors.Is(err, errStopped):
	case errors.Is(err, io.EOF):
		s.end(ending{reason: InputEnded})
	default:
		s.end(ending{reason: InputBroken, err: fmt.Errorf("reading requests: %w", err)})
	}
	s.inflight.endReader()
	<-s.closed
}

// wait returns the first reason to end.
func (s *Server) wait(ctx context.Context) ending {
	select {
	case e := <-s.ends:
		return e
	case <-s.out.Failed():
		return s.peerGone()
	case <-ctx.Done():
		if errors.Is(context.Cause(ctx), ErrPeerGone) {
			return ending{reason: PeerGone}
		}
		return ending{reason: Stopped}
	}
}

func (s *Server) peerGone() ending {
	return ending{reason: PeerGone, err: fmt.Errorf("writing answers: %w", s.out.Err())}
}

const (
	// settleTime is how long the answers to cancelled requests may take to be
	// queued. It takes microseconds, unless an inline operation is being run.
	settleTime = time.Second
	// flushTime is how long a client that reads nothing is waited for when the
	// answers to what it asked are all there.
	flushTime = time.Second
	// workTime is how long work that was told to end is waited for.
	workTime = 500 * time.Millisecond
)

// finish gets everything answered and written, as far as the reason and the
// limits allow, and ends all work.
func (s *Server) finish(ctx context.Context, e ending) (Outcome, error) {
	hard, stop := s.hardDeadline(ctx)
	defer stop()
	drained := s.inflight.drain()
	if e.reason == InputEnded || e.reason == InputBroken || e.reason == Stopped {
		s.waitFor(drained, s.cfg.drainTimeout(), hard)
	}
	cancelled := s.cancelAll()
	s.abandon(errEnding)
	if e.reason != PeerGone {
		s.waitFor(drained, settleTime, hard)
		s.inflight.conclude()
		s.out.Close()
		s.flush(e, hard)
	}
	s.inflight.conclude()
	s.out.Close()
	s.waitWork()
	select {
	case <-s.out.Failed():
		e = s.peerGone() // whatever ended the connection, it did not end well
	default:
	}
	return s.outcome(e, cancelled), e.err
}

// hardDeadline returns a channel that is closed Config.StopTimeout after ctx
// has ended. stop frees what it takes.
func (s *Server) hardDeadline(ctx context.Context) (hard <-chan struct{}, stop func()) {
	limit, cancel := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, func() { time.AfterFunc(s.cfg.stopTimeout(), cancel) })
	return limit.Done(), func() { detach(); cancel() }
}

// waitWork gives the work that was told to end a moment to do so.
func (s *Server) waitWork() {
	timer := time.NewTimer(workTime)
	defer timer.Stop()
	select {
	case <-s.inflight.rest():
	case <-timer.C:
	}
}

// waitFor waits until done, for at most limit, or until hard or the output
// ends.
func (s *Server) waitFor(done <-chan struct{}, limit time.Duration, hard <-chan struct{}) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-hard:
	case <-s.out.Failed():
	}
}

// flush waits until the output is written. A client that reads slowly gets the
// time it needs, one that stopped reading does not; one that has closed its end
// of the input may be busy before it reads.
func (s *Server) flush(e ending, hard <-chan struct{}) {
	patience := flushTime
	if e.reason == InputEnded {
		patience = max(flushTime, s.cfg.drainTimeout())
	}
	// Patience is spent in parts, so that a client which was not scheduled all that
	// time, because the machine was busy or asleep, gets its turn before it is over.
	const parts = 8
	for idle := 0; idle < parts; idle++ {
		before, _, _ := s.out.Counts()
		s.waitFor(s.out.Done(), patience/parts, hard)
		select {
		case <-s.out.Done():
			return
		case <-hard:
			return
		default:
		}
		if after, _, _ := s.out.Counts(); after != before {
			idle = -1
		}
	}
}

// cancelAll answers and ends every request that is still open.
func (s *Server) cancelAll() int {
	open := s.inflight.unanswered()
	for _, r := range open {
		s.cancel(r, errEnding, ops.Errorf(ops.KindCancelled, "%s was cancelled because egod is ending", r.method))
	}
	return len(open)
}

func (s *Server) outcome(e ending, cancelled int) Outcome {
	_, unsent, dropped := s.out.Counts()
	o := Outcome{
		Reason: e.reason, Shutdown: s.down.Load(), Cancelled: cancelled,
		Unsent: unsent, Dropped: dropped, Abandoned: s.inflight.atWork(),
	}
	level := slog.LevelDebug
	if o.Cancelled > 0 || o.Unsent > 0 || o.Dropped > 0 || o.Abandoned > 0 {
		level = slog.LevelWarn // somebody may miss something
	}
	s.log.Log(s.base, level, "the connection has ended", "reason", o.Reason.String(), "cancelledRequests", o.Cancelled,
		"unsentBytes", o.Unsent, "droppedNotifications", o.Dropped, "abandonedRequests", o.Abandoned)
	return o
}
