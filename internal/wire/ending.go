package wire

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
	// Stopped: the context of Finish ended.
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

// ErrPeerGone is the cause to end the context of Finish with when the client is
// known to be gone: nothing is waited for then.
var ErrPeerGone = errors.New("the client is gone")

// Outcome is how a connection ended.
type Outcome struct {
	Reason Reason
	// Shutdown says that a shutdown request was answered before; faces set it.
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

// Exit ends the connection because the client said so: nothing more is read.
func (c *Conn) Exit() { c.end(ending{reason: Exited}) }

// end asks for the end. Only the first reason counts.
func (c *Conn) end(e ending) {
	select {
	case c.ends <- e:
	default:
	}
}

// InputEnded is called by the reading goroutine with the error of Next when nothing
// more can be read. It returns when the connection is done with.
func (c *Conn) InputEnded(err error) {
	switch {
	case errors.Is(err, ErrStopped):
	case errors.Is(err, io.EOF):
		c.end(ending{reason: InputEnded})
	default:
		c.end(ending{reason: InputBroken, err: fmt.Errorf("reading requests: %w", err)})
	}
	c.inflight.endReader()
	<-c.closed
}

// wait returns the first reason to end.
func (c *Conn) wait(ctx context.Context) ending {
	select {
	case e := <-c.ends:
		return e
	case <-c.out.Failed():
		return c.peerGone()
	case <-ctx.Done():
		if errors.Is(context.Cause(ctx), ErrPeerGone) {
			return ending{reason: PeerGone}
		}
		return ending{reason: Stopped}
	}
}

func (c *Conn) peerGone() ending {
	return ending{reason: PeerGone, err: fmt.Errorf("writing answers: %w", c.out.Err())}
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

// Finish serves until the input ends, the client says exit, the output fails, or ctx
// ends. Then nothing more is read; every request that was read is answered, bounded
// by Config.DrainTimeout, and Finish returns. The end of ctx bounds that by
// Config.StopTimeout; with the cause ErrPeerGone nothing is waited for. What is still
// open then is answered by answer.
//
// A read or write that never returns cannot be interrupted: Finish does not wait for
// it, and its goroutine ends when the caller closes in and out, or with the process.
// The error is what went wrong with the input or output, if anything.
func (c *Conn) Finish(ctx context.Context, answer func(*Request, *ops.Error)) (Outcome, error) {
	defer c.abandon(nil)
	e := c.wait(ctx)
	close(c.stop)
	outcome, err := c.finish(ctx, e, answer)
	close(c.closed)
	return outcome, err
}

// finish gets everything answered and written, as far as the reason and the
// limits allow, and ends all work.
func (c *Conn) finish(ctx context.Context, e ending, answer func(*Request, *ops.Error)) (Outcome, error) {
	hard, stop := c.hardDeadline(ctx)
	defer stop()
	drained := c.inflight.drain()
	if e.reason == InputEnded || e.reason == InputBroken || e.reason == Stopped {
		c.waitFor(drained, c.cfg.drainTimeout(), hard)
	}
	cancelled := c.cancelAll(answer)
	c.abandon(ErrEnding)
	if e.reason != PeerGone {
		c.waitFor(drained, settleTime, hard)
		c.inflight.conclude()
		c.out.Close()
		c.flush(e, hard)
	}
	c.inflight.conclude()
	c.out.Close()
	c.waitWork()
	select {
	case <-c.out.Failed():
		e = c.peerGone() // whatever ended the connection, it did not end well
	default:
	}
	return c.outcome(e, cancelled), e.err
}

// hardDeadline returns a channel that is closed Config.StopTimeout after ctx
// has ended. stop frees what it takes.
func (c *Conn) hardDeadline(ctx context.Context) (hard <-chan struct{}, stop func()) {
	limit, cancel := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, func() { time.AfterFunc(c.cfg.stopTimeout(), cancel) })
	return limit.Done(), func() { detach(); cancel() }
}

// waitWork gives the work that was told to end a moment to do so.
func (c *Conn) waitWork() {
	timer := time.NewTimer(workTime)
	defer timer.Stop()
	select {
	case <-c.inflight.rest():
	case <-timer.C:
	}
}

// waitFor waits until done, for at most limit, or until hard or the output
// ends.
func (c *Conn) waitFor(done <-chan struct{}, limit time.Duration, hard <-chan struct{}) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-hard:
	case <-c.out.Failed():
	}
}

// flush waits until the output is written. A client that reads slowly gets the
// time it needs, one that stopped reading does not; one that has closed its end
// of the input may be busy before it reads.
func (c *Conn) flush(e ending, hard <-chan struct{}) {
	patience := flushTime
	if e.reason == InputEnded {
		patience = max(flushTime, c.cfg.drainTimeout())
	}
	// Patience is spent in parts, so that a client which was not scheduled all that
	// time, because the machine was busy or asleep, gets its turn before it is over.
	const parts = 8
	for idle := 0; idle < parts; idle++ {
		before, _, _ := c.out.Counts()
		c.waitFor(c.out.Done(), patience/parts, hard)
		select {
		case <-c.out.Done():
			return
		case <-hard:
			return
		default:
		}
		if after, _, _ := c.out.Counts(); after != before {
			idle = -1
		}
	}
}

// cancelAll answers and ends every request that is still open.
func (c *Conn) cancelAll(answer func(*Request, *ops.Error)) int {
	open := c.inflight.unanswered()
	for _, r := range open {
		answer(r, ops.Errorf(ops.KindCancelled, "%s was cancelled because egod is ending", r.Method))
		c.StopWork(r, ErrEnding)
	}
	return len(open)
}

func (c *Conn) outcome(e ending, cancelled int) Outcome {
	_, unsent, dropped := c.out.Counts()
	o := Outcome{
		Reason: e.reason, Cancelled: cancelled,
		Unsent: unsent, Dropped: dropped, Abandoned: c.inflight.atWork(),
	}
	level := slog.LevelDebug
	if o.Cancelled > 0 || o.Unsent > 0 || o.Dropped > 0 || o.Abandoned > 0 {
		level = slog.LevelWarn // somebody may miss something
	}
	c.Log.Log(c.Base, level, "the connection has ended", "reason", o.Reason.String(), "cancelledRequests", o.Cancelled,
		"unsentBytes", o.Unsent, "droppedNotifications", o.Dropped, "abandonedRequests", o.Abandoned)
	return o
}
