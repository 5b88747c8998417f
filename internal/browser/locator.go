package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// DefaultTimeout is how long reads and waits for elements retry when not told otherwise.
const DefaultTimeout = 10 * time.Second

// Locator finds elements anew on every use. Operations on a single element are
// strict: more than one match is an error at once.
type Locator struct {
	page     *Page
	selector string
}

// Page is where the locator looks.
func (l *Locator) Page() *Page { return l.page }

// Locator returns a locator for a selector; see parseSelector for the syntax.
// A bad selector is reported on first use.
func (p *Page) Locator(selector string) *Locator {
	return &Locator{page: p, selector: selector}
}

// Selector is the text that stands for the locator.
func (l *Locator) Selector() string { return l.selector }

// EvaluateAll calls the function source fn with (elements, arg) in the page's main
// world and returns its value as tagged JSON. No match is an empty array, no error.
func (l *Locator) EvaluateAll(ctx context.Context, fn string, arg json.RawMessage) (json.RawMessage, error) {
	return l.onElements(ctx, fn, arg, false)
}

// Evaluate calls fn with (element, arg) for the one element, retrying until
// timeout (0: DefaultTimeout) while there is none.
func (l *Locator) Evaluate(ctx context.Context, fn string, arg json.RawMessage, timeout time.Duration) (json.RawMessage, error) {
	var value json.RawMessage
	err := l.retry(ctx, "evaluate", timeout, func(ctx context.Context) error {
		var err error
		value, err = l.onElements(ctx, fn, arg, true)
		return err
	})
	return value, err
}

// elementsName names scripts that run on elements, in stack traces.
const elementsName = "egod-elements"

func (l *Locator) onElements(ctx context.Context, fn string, arg json.RawMessage, single bool) (json.RawMessage, error) {
	p := l.page
	if err := p.begin(ctx); err != nil {
		return nil, pageError("evaluate", "", err)
	}
	var value json.RawMessage
	from := origin{source: fn, name: elementsName, shift: 1}
	err := l.at(ctx, inMain, func(w *world, q *query) error {
		var err error
		value, err = p.callElements(ctx, w, p.wrapElements(q, fn, arg, single), from)
		var problem *queryProblemError
		if !errors.As(err, &problem) || problem.Kind != "deaf" { // document.open takes the listeners of a window away
			return err
		}
		isolated, err := p.frameWorld(ctx, w.frameID, inIsolatedWorld)
		if err != nil {
			return err
		}
		if err := p.askIn(ctx, isolated, nil, "void egod.listen()", nil); err != nil {
			return err
		}
		value, err = p.callElements(ctx, w, p.wrapElements(q, fn, arg, single), from)
		return err
	})
	return value, l.explain("", pageError("evaluate", p.url(), err))
}

// callElements runs what wrapElements made.
func (p *Page) callElements(ctx context.Context, w *world, script string, from origin) (json.RawMessage, error) {
	text, err := p.runWrapped(ctx, w, script)
	if err != nil {
		return nil, placeError(err, from)
	}
	o, err := decodeOutcome(text, from)
	return o.value, err
}

// wrapElements makes the script that has the query script send its elements over
// and calls the function on them.
func (p *Page) wrapElements(q *query, fn string, arg json.RawMessage, single bool) string {
	f := parseFunction(fn)
	strict := ""
	if f.strict {
		strict = `"use strict";`
	}
	ask, _ := json.Marshal(struct {
		Query  *query `json:"query"`
		Single bool   `json:"single"`
	}{q, single})
	return fmt.Sprintf("%s{const egodTool=\n%s\n;%s.onElements(egodTool,%s,%t,%s)}\n//# sourceURL=%s",
		strict, f.text, p.chrome.scripts.token, argLiteral(ask), single, argLiteral(arg), elementsName)
}

// at finds the frame a selector is about, resolves what only Chrome's own trees
// can (roles, refs) and runs fn in a world of that frame with a query the page can
// answer. It starts over when the frame's document was replaced before fn ran.
func (l *Locator) at(ctx context.Context, which func(*frame) *world, fn func(*world, *query) error) error {
	for {
		frameID, q, err := l.locate(ctx)
		if err != nil {
			return err
		}
		w, err := l.page.frameWorld(ctx, frameID, which)
		if err == nil {
			err = l.resolved(ctx, w, frameID, q, fn)
		}
		if !errors.Is(err, errStale) {
			return err
		}
		if w != nil {
			l.page.forgetWorld(w)
		}
	}
}

func (l *Locator) resolved(ctx context.Context, w *world, frameID string, q *query, fn func(*world, *query) error) error {
	if !q.needsResolving() {
		return fn(w, q)
	}
	isolated, err := l.page.frameWorld(ctx, frameID, inIsolatedWorld)
	if err != nil {
		return err
	}
	r := resolver{page: l.page, world: isolated}
	defer r.release()
	if err := r.resolve(ctx, q); err != nil {
		return err
	}
	return fn(w, q)
}

// ask evaluates an expression over egod (the query script), act (the action
// script) and query, and decodes its value.
func (l *Locator) ask(ctx context.Context, expression string, into any) error {
	return l.at(ctx, inIsolatedWorld, func(w *world, q *query) error {
		return l.page.askIn(ctx, w, q, expression, into)
	})
}

func (p *Page) askIn(ctx context.Context, w *world, q *query, expression string, into any) error {
	const frame = "%[1]s.answer(()=>{const egod=%[1]s,act=%[1]sact,query=%[2]s;return %[3]s})"
	text, err := p.runOwn(ctx, w, fmt.Sprintf(frame, p.chrome.scripts.token, encode(q), expression))
	if err != nil {
		return err
	}
	return decodeAnswer(text, into)
}

func decodeAnswer(text string, into any) error {
	var res struct {
		Value   json.RawMessage    `json:"value"`
		Problem *queryProblemError `json:"problem"`
	}
	if err := json.Unmarshal([]byte(text), &res); err != nil {
		return fmt.Errorf("decoding the page's answer: %w", err)
	}
	if res.Problem != nil {
		return res.Problem
	}
	if into == nil || len(res.Value) == 0 {
		return nil
	}
	return json.Unmarshal(res.Value, into)
}

// queryProblemError is what kept the query script from an answer.
type queryProblemError struct {
	Kind    string `json:"kind"` // none, many, invalid, stale, failed, and those of actions
	Message string `json:"message"`
	N       int    `json:"n"`
}

func (e *queryProblemError) Error() string { return e.Message }

func queryProblem(text string) error {
	var problem queryProblemError
	if err := json.Unmarshal([]byte(text), &problem); err != nil {
		return &queryProblemError{Kind: "failed", Message: text}
	}
	return &problem
}

// Count is the number of matching elements now.
func (l *Locator) Count(ctx context.Context) (int, error) {
	var n int
	return n, l.once(ctx, "count", "egod.count(query)", &n)
}

// once asks a single time, without waiting for elements.
func (l *Locator) once(ctx context.Context, op, expression string, into any) error {
	if err := l.page.begin(ctx); err != nil {
		return pageError(op, "", err)
	}
	return l.explain(op, pageError(op, l.page.url(), l.ask(ctx, expression, into)))
}

// read asks for something of the one element, retrying while there is none and
// when a navigation takes the document away under the question.
func (l *Locator) read(ctx context.Context, op string, timeout time.Duration, expression string, into any) error {
	return l.retryRead(ctx, op, timeout, func(ctx context.Context) error { return l.once(ctx, op, expression, into) })
}

func (l *Locator) retryRead(ctx context.Context, op string, timeout time.Duration, read func(context.Context) error) error {
	return l.retry(ctx, op, timeout, func(ctx context.Context) error {
		err := read(ctx)
		if transient(err) {
			return &ElementError{Op: op, Selector: l.selector, Reason: err.Error()}
		}
		return err
	})
}

// act is read for what changes the element: it is not done a second time when its
// answer was lost.
func (l *Locator) act(ctx context.Context, op string, timeout time.Duration, expression string, into any) error {
	return l.retry(ctx, op, timeout, func(ctx context.Context) error {
		err := l.once(ctx, op, expression, into)
		if into == nil && errors.Is(err, errDialogOpened) { // it did what opened the dialog
			return nil
		}
		return err
	})
}

// GetAttribute is the value of an attribute of the one element, nil when it has
// none. It retries until timeout (0: DefaultTimeout, negative: not at all).
func (l *Locator) GetAttribute(ctx context.Context, name string, timeout time.Duration) (*string, error) {
	var value *string
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return value, l.read(ctx, "getAttribute", timeout, "egod.its(egod.one(query)).getAttribute("+string(quoted)+")", &value)
}

// TextContent is the text of the one element, nil when it has none.
func (l *Locator) TextContent(ctx context.Context, timeout time.Duration) (*string, error) {
	var value *string
	return value, l.read(ctx, "textContent", timeout, "egod.its(egod.one(query)).textContent", &value)
}

// retryEvery is the pause between two tries for an element.
const retryEvery = 50 * time.Millisecond

// retry runs try until it succeeds, fails for good, or timeout ends: then the last
// failure is the error.
func (l *Locator) retry(ctx context.Context, op string, timeout time.Duration, try func(context.Context) error) error {
	until, cancel := deadline(ctx, timeout, DefaultTimeout)
	defer cancel()
	tries, stop := lastLook(ctx, timeout)
	defer stop()
	var last error
	for {
		err := try(tries)
		var missing *ElementError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return err
		case errors.As(err, &missing) && !missing.Permanent:
			last = err
		case errors.Is(err, errWaitEnded) && last != nil:
			return last
		case errors.Is(err, errWaitEnded):
			return &ElementError{Op: op, Selector: l.selector, Reason: "the page did not answer in time"}
		default:
			return err
		}
		if err := settle(until, retryEvery); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return last
		}
	}
}

// lastLook is the context of the tries of a wait: one that is under way when the
// timeout ends may still say what it finds.
func lastLook(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	const grace = 2 * time.Second
	return deadline(ctx, orDefault(max(timeout, 0), DefaultTimeout)+grace, 0)
}

// explain turns a query problem into the error that names the selector.
func (l *Locator) explain(op string, err error) error {
	var problem *queryProblemError
	if !errors.As(err, &problem) {
		return err
	}
	e := &ElementError{Op: op, Selector: l.selector, Matches: problem.N}
	switch problem.Kind {
	case "none":
		e.Reason = l.notFound()
		if strings.HasPrefix(problem.Message, "Unknown ref") {
			e.Reason = problem.Message
		}
		e.Hint = "look at page.snapshot() for what is there"
	case "many":
		e.Reason = fmt.Sprintf("Locator %s matched %d elements", l.selector, problem.N)
		e.Permanent = true
		e.Hint = "narrow the selector, or pick one with first(), nth(i) or last(); there are " + problem.Message
	case "wrong", "failed":
		e.Reason, e.Permanent = problem.Message, true
	case "invalid":
		return invalidSelector(l.selector, problem.Message)
	default:
		e.Reason = problem.Message
	}
	return e
}

// notFound keeps the original's two wordings: plain selectors and locators.
func (l *Locator) notFound() string {
	q, err := parseSelector(l.selector)
	if err == nil && (q.Kind == "css" || q.Kind == "xpath") && !isPrefixed(l.selector) {
		return "Element not found: " + l.selector
	}
	return fmt.Sprintf("Locator %s matched 0 elements", l.selector)
}

func isPrefixed(selector string) bool {
	return len(selector) > 4 && (selector[:4] == "loc=" || selector[:4] == "css:")
}
