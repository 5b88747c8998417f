package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ClickOptions says how an element is clicked.
type ClickOptions struct {
	Button     string
	ClickCount int // the count the page sees; 0: 1
	Delay      time.Duration
	Position   *Point        // from the element's top left corner; nil: its middle
	Force      bool          // without waiting for the element to be ready
	Trial      bool          // wait for the element to be ready, and do nothing
	Modifiers  []string      // keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta
	Timeout    time.Duration // 0: DefaultTimeout
}

func (o ClickOptions) mouse() MouseOptions {
	return MouseOptions{Button: o.Button, ClickCount: o.ClickCount, Delay: o.Delay}
}

// Click clicks the element once it can be clicked.
func (l *Locator) Click(ctx context.Context, o ClickOptions) error {
	return l.clickWith(ctx, "click", o, l.page.pressAndRelease)
}

// Dblclick clicks the element twice.
func (l *Locator) Dblclick(ctx context.Context, o ClickOptions) error {
	return l.clickWith(ctx, "dblclick", o, l.page.pressTwice)
}

// Hover moves the mouse over the element.
func (l *Locator) Hover(ctx context.Context, o ClickOptions) error {
	return l.pointed(ctx, "hover", o, aimOptions{}, func(context.Context, MouseOptions) error { return nil })
}

func (l *Locator) clickWith(ctx context.Context, op string, o ClickOptions, press func(context.Context, MouseOptions) error) error {
	if _, _, err := buttonBit(o.Button); err != nil {
		return pageError(op, "", err)
	}
	return l.pointed(ctx, op, o, aimOptions{Press: true, Enabled: true}, press)
}

// pointed waits for the element, moves the mouse there and does something with it,
// while the modifiers are held.
func (l *Locator) pointed(ctx context.Context, op string, o ClickOptions, aim aimOptions, do func(context.Context, MouseOptions) error) error {
	aim.Force, aim.Position = o.Force, o.Position
	keys := make([]usKey, len(o.Modifiers))
	for i, name := range o.Modifiers {
		if name == "ControlOrMeta" {
			name = controlOrMeta()
		}
		if modifierBits[name] == 0 {
			return &PageError{Op: op, Permanent: true, Reason: "unknown key modifier " + name, Hint: "modifiers are Alt, Control, Meta, Shift and ControlOrMeta"}
		}
		keys[i] = usKeys[name]
	}
	if o.Trial {
		_, err := l.point(ctx, op, o.Timeout, aim)
		return err
	}
	if len(keys) == 0 {
		if err := l.reach(ctx, op, o.Timeout, aim); err != nil {
			return err
		}
		return pageError(op, l.page.url(), do(ctx, o.mouse()))
	}
	if _, err := l.point(ctx, op, o.Timeout, aim); err != nil { // no key is held for a wait
		return err
	}
	err := l.page.holding(ctx, keys, func() error {
		if err := l.reach(ctx, op, o.Timeout, aim); err != nil {
			return err
		}
		return do(ctx, o.mouse())
	})
	return pageError(op, l.page.url(), err)
}

// Center is the point that a click on the element would hit, without waiting.
func (l *Locator) Center(ctx context.Context) (Point, error) {
	const op = "elementCenter"
	if err := l.page.begin(ctx); err != nil {
		return Point{}, pageError(op, "", err)
	}
	at, err := l.aim(ctx, aimOptions{Force: true})
	return at.Point, l.explain(op, pageError(op, l.page.url(), err))
}

// ScrollIntoViewIfNeeded scrolls the element into view.
func (l *Locator) ScrollIntoViewIfNeeded(ctx context.Context, timeout time.Duration) error {
	return l.act(ctx, "scrollIntoViewIfNeeded", timeout, "act.scroll(query)", nil)
}

// Focus gives the element the keyboard focus.
func (l *Locator) Focus(ctx context.Context, timeout time.Duration) error {
	return l.act(ctx, "focus", timeout, "act.focus(query)", nil)
}

// FillOptions says how text is put in.
type FillOptions struct {
	Append  bool          // insert at the caret instead of replacing what is there
	Timeout time.Duration // 0: DefaultTimeout
}

// Fill puts text into an input, textarea or contenteditable element and tells the
// page with input and change events.
func (l *Locator) Fill(ctx context.Context, value string, o FillOptions) error {
	var rest string
	err := l.act(ctx, "fill", o.Timeout, fmt.Sprintf("act.fill(query,%s,%t)", quote(value), !o.Append), &rest)
	if err != nil || rest == "" {
		return fillError(l, err)
	}
	switch {
	case rest == "delete":
		err = l.page.deleteSelection(ctx)
	case value != "":
		err = l.page.insertText(ctx, value)
	}
	if err != nil {
		return pageError("fill", l.page.url(), err)
	}
	err = l.once(ctx, "fill", "act.typed(query)", nil)
	var missing *ElementError
	if errors.As(err, &missing) && !missing.Permanent {
		return nil // the page took the element away when it heard of the text
	}
	if errors.Is(err, errDialogOpened) {
		return nil // the page heard of the text
	}
	return err
}

// fillError keeps the original's wording for an element that is not there.
func fillError(l *Locator, err error) error {
	var missing *ElementError
	if !errors.As(err, &missing) || missing.Reason != l.notFound() {
		return err
	}
	named := *missing
	named.Reason = fmt.Sprintf("element not found: %q", l.selector)
	return &named
}

// Press focuses the element and presses a key.
func (l *Locator) Press(ctx context.Context, combo string, delay, timeout time.Duration) error {
	if err := l.Focus(ctx, timeout); err != nil {
		return fillError(l, err)
	}
	return pageError("press", l.page.url(), l.page.pressCombo(ctx, combo, delay))
}

// PressSequentially focuses the element and types text key by key.
func (l *Locator) PressSequentially(ctx context.Context, text string, delay, timeout time.Duration) error {
	if err := l.Focus(ctx, timeout); err != nil {
		return fillError(l, err)
	}
	return pageError("pressSequentially", l.page.url(), l.page.typeText(ctx, text, delay))
}

// SetChecked makes a checkbox or radio button checked or not, with a click when it
// is not so already. A radio button cannot be unchecked.
func (l *Locator) SetChecked(ctx context.Context, checked bool, o ClickOptions) error {
	op := "check"
	if !checked {
		op = "uncheck"
	}
	var needed bool
	err := l.act(ctx, op, o.Timeout, fmt.Sprintf("act.toggle(query,%t)", checked), &needed)
	if err != nil || !needed {
		return err
	}
	aim := aimOptions{Press: true, Enabled: true, Control: true, ThroughLabel: true}
	if err := l.pointed(ctx, op, o, aim, l.page.pressAndRelease); err != nil || o.Trial {
		return err
	}
	if now, err := l.IsChecked(ctx, o.Timeout); err != nil || now == checked {
		return renamed(err, op)
	}
	return &ElementError{
		Op: op, Selector: l.selector, Permanent: true, Reason: "the click did not change " + l.selector,
		Hint: "a radio button is unchecked by checking another one",
	}
}

func renamed(err error, op string) error {
	var missing *ElementError
	if !errors.As(err, &missing) {
		return err
	}
	named := *missing
	named.Op = op
	return &named
}

// SelectOption chooses options of a select and returns the chosen values. Each
// wanted one is JSON: a string (a value, else a label), or {value}, {label}, {index}.
// When one is missing nothing changes.
func (l *Locator) SelectOption(ctx context.Context, wanted []json.RawMessage, timeout time.Duration) ([]string, error) {
	if wanted == nil {
		wanted = []json.RawMessage{}
	}
	chosen := []string{}
	return chosen, l.act(ctx, "selectOption", timeout, "act.select(query,"+encode(wanted)+")", &chosen)
}

// withHandle runs fn with a remote object of the one element.
func (l *Locator) withHandle(ctx context.Context, op string, fn func(*world, string) error) error {
	err := l.at(ctx, inIsolatedWorld, func(w *world, q *query) error {
		object, err := l.page.handleOf(ctx, w, q)
		if err != nil {
			return err
		}
		defer releaseObject(w.session, object)
		return fn(w, object)
	})
	return l.explain(op, pageError(op, l.page.url(), err))
}

// handleOf gives the one element of a query a remote object.
func (p *Page) handleOf(ctx context.Context, w *world, q *query) (string, error) {
	res, err := p.evaluateOwn(ctx, w, fmt.Sprintf("%sact.handle(%s)", p.chrome.scripts.token, encode(q)))
	if err != nil {
		return "", err
	}
	if res.Result.ObjectID != "" {
		return res.Result.ObjectID, nil
	}
	var text string
	if err := json.Unmarshal(res.Result.Value, &text); err != nil {
		return "", fmt.Errorf("decoding the page's answer: %w", err)
	}
	return "", queryProblem(text)
}

const dispatchFunction = `(el, {type, init}) => {
  const families = [[/^(mouse|click|dblclick|auxclick|contextmenu)/, MouseEvent], [/^key/, KeyboardEvent], [/^(pointer|gotpointer|lostpointer)/, PointerEvent],
    [/^(focus|blur)/, FocusEvent], [/^(drag|drop)/, DragEvent], [/^wheel/, WheelEvent], [/^touch/, TouchEvent]];
  const family = families.find(([name]) => name.test(type));
  EventTarget.prototype.dispatchEvent.call(el, new (family ? family[1] : Event)(type, {bubbles: true, cancelable: true, composed: true, ...init}));
}`

// DispatchEvent sends a made-up event to the element; init is a JSON object or nil.
func (l *Locator) DispatchEvent(ctx context.Context, kind string, init json.RawMessage, timeout time.Duration) error {
	if kind == "" {
		return &ElementError{Op: "dispatchEvent", Selector: l.selector, Permanent: true, Reason: "the event type is empty"}
	}
	arg := struct {
		Type string          `json:"type"`
		Init json.RawMessage `json:"init,omitempty"`
	}{kind, init}
	_, err := l.Evaluate(ctx, dispatchFunction, json.RawMessage(encode(arg)), timeout)
	return renamed(err, "dispatchEvent")
}
