package browser

import (
	"context"
	"errors"
	"time"
)

// aimOptions is what the action script needs to know to find a point.
type aimOptions struct {
	Enabled      bool   `json:"enabled,omitempty"`
	ThroughLabel bool   `json:"throughLabel,omitempty"`
	Control      bool   `json:"control,omitempty"`
	Force        bool   `json:"force,omitempty"`
	Position     *Point `json:"position,omitempty"`
	Attempt      int    `json:"attempt"`
	Watch        bool   `json:"watch,omitempty"` // the document is to look out for the mouse
	Press        bool   `json:"-"`               // a button is pressed once the mouse is there
}

// aimed is where to act on an element, in the viewport of the page.
type aimed struct {
	Point
	Watched bool   `json:"watched"` // the element's document looks out for the mouse
	world   *world // where it does
}

// point waits until the one element is attached, visible, stable, enabled if asked
// and not covered, and returns where to act on it.
func (l *Locator) point(ctx context.Context, op string, timeout time.Duration, o aimOptions) (Point, error) {
	var at aimed
	err := l.aiming(ctx, op, timeout, func(ctx context.Context) error {
		var err error
		at, err = l.aim(ctx, o)
		o.Attempt++
		return again(err)
	})
	return at.Point, err
}

// reach waits as point does and moves the mouse there.
//
// Chrome finds the process that gets an input event by the picture it showed last,
// which lags behind a scroll that the pages know of already. So on a page with
// frames of other processes the mouse goes first, and is sent again until it is
// where it should be; nothing was pressed by then.
func (l *Locator) reach(ctx context.Context, op string, timeout time.Duration, o aimOptions) error {
	return l.aiming(ctx, op, timeout, func(tries context.Context) error {
		o.Watch = l.page.mouseMayStray()
		at, err := l.aim(tries, o)
		o.Attempt++
		if err != nil {
			return again(err)
		}
		if err := l.page.moveTo(ctx, at.Point); err != nil { // as long as the page takes to handle it
			return err
		}
		if !at.Watched || l.page.openDialog() != nil {
			return nil
		}
		return again(l.page.askIn(tries, at.world, nil, "act.arrived("+encode(o.Press)+")", nil))
	})
}

func (l *Locator) aiming(ctx context.Context, op string, timeout time.Duration, try func(context.Context) error) error {
	return l.retry(ctx, op, timeout, func(ctx context.Context) error {
		if err := l.page.begin(ctx); err != nil {
			return pageError(op, "", err)
		}
		return l.explain(op, pageError(op, l.page.url(), try(ctx)))
	})
}

// again makes a reason to wait of a document that went away.
func again(err error) error {
	if transient(err) || errors.Is(err, errStale) {
		return &queryProblemError{Kind: "wait", Message: err.Error()}
	}
	return err
}

// mouseMayStray reports whether Chrome chooses between processes for the mouse. A
// button that is held binds it to the frame of the press.
func (p *Page) mouseMayStray() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.input.buttons != 0 {
		return false
	}
	for _, f := range p.frames {
		if f.session != p.session {
			return true
		}
	}
	return false
}

// aim finds the point of the one element to act on.
func (l *Locator) aim(ctx context.Context, o aimOptions) (aimed, error) {
	var at aimed
	err := l.at(ctx, inIsolatedWorld, func(w *world, q *query) error {
		if err := l.page.revealFrame(ctx, w.frameID, nil); err != nil {
			return err
		}
		if err := l.page.askIn(ctx, w, q, "act.point(query,"+encode(o)+")", &at); err != nil {
			return err
		}
		at.world = w
		return l.page.revealFrame(ctx, w.frameID, &at.Point)
	})
	return at, err
}
