package browser

import (
	"context"
	"errors"
	"time"
)

// LoadOptions bounds a wait for a load state.
type LoadOptions struct {
	Timeout time.Duration // 0: 15 s, for StateIdle 10 s
	Idle    time.Duration // StateIdle: how long nothing may happen; 0: 500 ms
}

// WaitForLoadState waits until the document in the main frame reached state and
// reports whether it did in time. A navigation that has begun counts: its document
// is the one waited for. about:blank is loaded at once.
func (p *Page) WaitForLoadState(ctx context.Context, state string, o LoadOptions) (bool, error) {
	if err := p.begin(ctx); err != nil {
		return false, pageError("waitForLoadState", "", err)
	}
	def := defaultLoadTimeout
	if state == StateIdle {
		def = defaultIdleTimeout
	}
	if o.Idle == 0 {
		o.Idle = defaultIdleSpan
	}
	until, cancel := deadline(ctx, o.Timeout, def)
	defer cancel()
	ok, err := p.reach(ctx, until, state, o.Idle, func() bool { return true })
	return ok, pageError("waitForLoadState", p.url(), err)
}

// reach waits until ready (called with mu held) and the load state hold. The end
// of until is no error, the end of ctx is.
func (p *Page) reach(ctx, until context.Context, state string, idle time.Duration, ready func() bool) (bool, error) {
	cond := func() bool { return ready() && !p.nav.pending() && p.doc.loaded }
	switch state {
	case StateInteractive:
		cond = func() bool { return ready() && !p.nav.pending() && p.doc.interactive }
	case StateCommit:
		cond = func() bool { return ready() && !p.nav.pending() }
	case StateIdle:
		return p.reachIdle(ctx, until, idle, ready)
	}
	return reached(ctx, p.await(until, cond))
}

// reachIdle waits until no request was open or ended for the idle span, which begins
// with the call at the earliest: what was done just before it may still cause requests.
func (p *Page) reachIdle(ctx, until context.Context, idle time.Duration, ready func() bool) (bool, error) {
	began := time.Now()
	for {
		var quiet time.Duration
		cond := func() bool {
			quiet = min(time.Since(p.net.last), time.Since(began))
			return ready() && !p.nav.pending() && p.doc.interactive && !p.net.busy()
		}
		if ok, err := reached(ctx, p.await(until, cond)); !ok {
			return false, err
		}
		if quiet >= idle {
			return true, nil
		}
		if err := settle(until, idle-quiet); err != nil {
			return reached(ctx, err)
		}
	}
}

// reached turns the end of a wait into its answer.
func reached(ctx context.Context, err error) (bool, error) {
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() == nil && errors.Is(err, errWaitEnded):
		return false, nil
	}
	return false, err
}
