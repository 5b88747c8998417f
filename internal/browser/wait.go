package browser

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The four states WaitForSelector can wait for.
const (
	Attached = "attached"
	Detached = "detached"
	Visible  = "visible"
	Hidden   = "hidden" // detached or not visible
)

// SelectorOptions bounds a wait for an element.
type SelectorOptions struct {
	State   string        // empty: Attached
	Timeout time.Duration // 0: DefaultTimeout; negative: a single look
}

// WaitForSelector waits until the selector's element is in the asked state and
// reports whether it was in time. A bad or ambiguous selector is an error at once.
func (p *Page) WaitForSelector(ctx context.Context, selector string, o SelectorOptions) (bool, error) {
	return p.Locator(selector).WaitFor(ctx, o)
}

// elementState is what the query script says about a selector now.
type elementState struct {
	N       int  `json:"n"`
	Visible bool `json:"visible"`
}

func (s elementState) is(state string) bool {
	switch state {
	case Visible:
		return s.Visible
	case Hidden:
		return !s.Visible
	case Detached:
		return s.N == 0
	}
	return s.N > 0
}

// WaitFor is WaitForSelector of the locator.
func (l *Locator) WaitFor(ctx context.Context, o SelectorOptions) (bool, error) {
	const op = "waitForSelector"
	switch o.State {
	case "":
		o.State = Attached
	case Attached, Detached, Visible, Hidden:
	default:
		return false, &ElementError{
			Op: op, Selector: l.selector, Permanent: true, Reason: fmt.Sprintf("unknown state %q", o.State),
			Hint: "use attached, detached, visible or hidden",
		}
	}
	if err := l.page.begin(ctx); err != nil {
		return false, pageError(op, "", err)
	}
	until, cancel := deadline(ctx, max(o.Timeout, 0), DefaultTimeout)
	defer cancel()
	looks, stop := lastLook(ctx, o.Timeout)
	defer stop()
	for {
		ok, err := l.inState(looks, o.State)
		if ok || (err != nil && !transient(err)) {
			return reachedOr(ctx, ok, l.explain(op, pageError(op, l.page.url(), err)))
		}
		if o.Timeout < 0 {
			return false, nil
		}
		if err := settle(until, retryEvery); err != nil {
			return reached(ctx, err)
		}
	}
}

func (l *Locator) inState(ctx context.Context, state string) (bool, error) {
	var s elementState
	err := l.ask(ctx, "egod.state(query)", &s)
	var problem *queryProblemError
	if errors.As(err, &problem) && problem.Kind == "none" {
		return elementState{}.is(state), nil
	}
	return err == nil && s.is(state), err
}

// transient reports whether looking again may give an answer: the document went
// away under the question.
func transient(err error) bool {
	var page *PageError
	if errors.As(err, &page) {
		return page.Cause != nil && !errors.Is(err, errDetached) && !errors.Is(err, errReplaced) && isRefusal(err)
	}
	return isRefusal(err)
}

func isRefusal(err error) bool {
	var refused *protocolError
	return errors.As(err, &refused)
}

// reachedOr gives false without an error when only our own timeout ended the wait.
func reachedOr(ctx context.Context, ok bool, err error) (bool, error) {
	if err == nil {
		return ok, nil
	}
	return reached(ctx, err)
}
