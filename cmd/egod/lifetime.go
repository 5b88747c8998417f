package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"egod/internal/process"
)

const (
	// signalGrace is how long a signalled daemon may take to answer what it
	// owes and end its children (docs/protocol.md, "Lifecycle").
	signalGrace = 10 * time.Second
	// parentInterval is how often a watched parent is looked at: often enough
	// to end within five seconds, seldom enough to cost nothing.
	parentInterval = time.Second
)

// watchSignals ends the returned context at the first SIGTERM, SIGINT or
// SIGHUP, and the process at the second or after signalGrace. Its goroutine
// ends with stop.
func watchSignals(parent context.Context, exit func(code int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endingSignals()...)
	done := make(chan struct{})
	go func() {
		var deadline <-chan time.Time
		for {
			select {
			case s := <-signals:
				if deadline != nil {
					exit(128 + signalNumber(s))
					return
				}
				cancel(&stoppedError{signal: s})
				timer := time.NewTimer(signalGrace)
				defer timer.Stop()
				deadline = timer.C
			case <-deadline:
				exit(exitFailure)
				return
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(context.Canceled)
	}
}

// stoppedError is the cause of a context that a signal ended.
type stoppedError struct{ signal os.Signal }

func (e *stoppedError) Error() string { return fmt.Sprintf("stopped by signal %v", e.signal) }

// endingSignals are the signals that end egod. One that was ignored when egod
// was started stays so: nohup, and shells that start jobs in the background,
// mean it.
func endingSignals() []os.Signal {
	var signals []os.Signal
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

func signalNumber(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return int(n)
	}
	return 0
}

// ignoreBrokenPipes keeps a closed stderr from ending the process: Go's default
// for a broken descriptor 2 is to die of SIGPIPE. Being notified, rather than
// ignoring the signal, leaves the default to children.
func ignoreBrokenPipes() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}

// watchParent calls gone once when the process with a pid has ended. It returns
// at once; its goroutine ends with the context.
func watchParent(ctx context.Context, pid int, gone func(pid int)) {
	parent, ok := process.Identify(pid)
	if !ok {
		gone(pid)
		return
	}
	go func() {
		ticker := time.NewTicker(parentInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if !parent.Alive() {
					gone(pid)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
}
