package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"egod/internal/frame"
	"egod/internal/skills"
	"egod/internal/wire"
)

// face serves one client on stdin and stdout.
type face interface {
	// Run returns when the connection has ended.
	Run(ctx context.Context, in io.Reader, out io.Writer) (wire.Outcome, error)
	// Changed hears of every swap of the skill index while Run runs.
	Changed(change skills.Change)
}

// makeFace makes the face of a daemon. watch has egod end with a process; ctx ends
// with the connection.
type makeFace func(ctx context.Context, d *daemon, watch func(pid int)) (face, error)

// serveFace builds the parts and runs a face until its client is done or a signal
// comes. typing is what somebody is told who sits in front of stdin.
func (c *command) serveFace(cmd *cobra.Command, typing string, open makeFace) error {
	warnings, err := c.prepare(cmd)
	if err != nil {
		return err
	}
	ignoreBrokenPipes()
	ctx, stop := watchSignals(cmd.Context(), c.exit)
	defer stop()
	in, out, err := claimStdio()
	if err != nil {
		return err
	}
	if typed(in) {
		fmt.Fprintf(c.stderr, "egod: %s; Ctrl-D ends it, and egod help shows the other commands\n", typing)
	}
	var relay changeRelay
	d, err := c.start(ctx, relay.changed)
	if ctx.Err() != nil && err != nil {
		return nil // stopped before anything was read
	}
	if err != nil {
		return err
	}
	for _, w := range warnings {
		d.logger.Warn(w)
	}
	go d.sweep(ctx)
	outcome, runErr := c.runFace(ctx, d, open, &relay, in, out)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return c.ended(outcome, runErr, d.close(closing))
}

// sweep deletes what egods that were killed left behind. It ends with the last
// leftover, or with ctx.
func (d *daemon) sweep(ctx context.Context) {
	d.browser.Sweep(ctx)
	if err := d.service.Sweep(); err != nil {
		d.logger.Warn("could not remove what a killed egod left", "error", err)
	}
}

// runFace runs a face with what watches over it.
func (c *command) runFace(ctx context.Context, d *daemon, open makeFace, relay *changeRelay, in, out *os.File) (wire.Outcome, error) {
	ctx, orphaned := context.WithCancelCause(ctx)
	go giveMemoryBack(ctx)
	checked := make(chan struct{})
	go func() {
		defer close(checked)
		d.checkAll(ctx)
	}()
	defer func() {
		orphaned(nil)
		<-checked
	}()
	watch := func(pid int) {
		watchParent(ctx, pid, func(pid int) {
			d.logger.Warn("the watched process has ended, and egod with it", "pid", pid)
			orphaned(fmt.Errorf("process %d has ended: %w", pid, wire.ErrPeerGone))
		})
	}
	if err := watchPeer(ctx, out, func() {
		d.logger.Warn("the client does not read any more, and egod ends")
		orphaned(wire.ErrPeerGone)
	}); err != nil {
		d.logger.Warn("the client's end of stdout is not watched", "error", err.Error())
	}
	if c.settings.parentPID > 0 {
		watch(c.settings.parentPID)
	}
	server, err := open(ctx, d, watch)
	if err != nil {
		return wire.Outcome{}, err
	}
	relay.face.Store(&server)
	defer relay.face.Store(nil)
	return server.Run(ctx, in, out)
}

// wireConfig is what the flags say of the connection to the client.
func (c *command) wireConfig(d *daemon) wire.Config {
	return wire.Config{
		Framing:         framings[c.settings.framing],
		MaxMessageBytes: c.settings.maxMessageBytes,
		DrainTimeout:    drainLimit(c.settings),
		Logger:          d.logger,
	}
}

// firstCheck is how long the sources of all packs wait for their first check:
// what a client asks right after the start comes first.
const firstCheck = time.Second

// checkAll has every tool checked that was not yet, so that the client hears of
// what is wrong with packs that nobody edits, also when it names other folders
// later. It ends with ctx.
func (d *daemon) checkAll(ctx context.Context) {
	timer := time.NewTimer(firstCheck)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return
	}
	for {
		store := d.index.current()
		err := store.Settle(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, skills.ErrClosed) {
			d.logger.Warn("not every tool could be checked", "error", err.Error())
		}
		select {
		case <-d.index.replaced:
		case <-ctx.Done():
			return
		}
	}
}

// typed tells whether somebody sits in front of the input.
func typed(in *os.File) bool {
	info, err := in.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// framings are the values of --framing.
var framings = map[string]frame.Framing{"auto": frame.Auto, "line": frame.Line, "header": frame.Header}

// drainLimit translates a flag of 0, which means no time at all, to the
// server's way of saying so.
func drainLimit(s settings) time.Duration {
	if s.drainTimeout == 0 {
		return -1
	}
	return s.drainTimeout
}

// ended derives the exit code. What the client cannot hear any more goes to
// stderr in one line.
func (c *command) ended(outcome wire.Outcome, runErr, closeErr error) error {
	switch {
	case outcome.Reason == wire.InputBroken, outcome.Reason == wire.InputEnded && runErr != nil:
		return runErr // reading failed, or nothing was read because there was no face
	case outcome.ExitCode() != 0:
		return &exitError{code: outcome.ExitCode()}
	}
	return errors.Join(closeErr)
}

// changeRelay passes changes of the skill index on to the face once there is one.
type changeRelay struct {
	face atomic.Pointer[face]
}

func (r *changeRelay) changed(change skills.Change) {
	if face := r.face.Load(); face != nil {
		(*face).Changed(change)
	}
}
