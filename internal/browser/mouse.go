package browser

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Point is a place in CSS px of the viewport.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// inputState is what the page's mouse and keyboard hold between operations; Page.mu guards it.
type inputState struct {
	at        Point
	buttons   int // bits of the buttons held down
	modifiers int // bits of the modifier keys held down
}

// ResetInput lets go of held keys and buttons in egod's books and puts the mouse
// at 0,0, as it is for a run that begins.
func (p *Page) ResetInput() {
	if p.dragUnderWay() != nil {
		p.stopIntercepting()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.input = inputState{}
}

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4}

func buttonBit(button string) (string, int, error) {
	if button == "" {
		button = "left"
	}
	bit, ok := buttonBits[button]
	if !ok {
		return "", 0, &PageError{Permanent: true, Reason: "unsupported mouse button: " + button, Hint: "use left, right or middle"}
	}
	return button, bit, nil
}

// mouseEvent is Input.dispatchMouseEvent; zero coordinates must be sent.
type mouseEvent struct {
	Type       string  `json:"type"`
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
	Modifiers  int     `json:"modifiers"`
	Button     string  `json:"button,omitempty"`
	Buttons    int     `json:"buttons"`
	ClickCount int     `json:"clickCount,omitempty"`
	Force      float64 `json:"force,omitempty"`
	DeltaX     float64 `json:"deltaX"`
	DeltaY     float64 `json:"deltaY"`
}

func (mouseEvent) ProtoReq() string { return "Input.dispatchMouseEvent" }

// dispatch sends an input event and waits until the page took it. A dialog that
// the event opened ends it as done: the page answers only after the dialog.
func (p *Page) dispatch(ctx context.Context, req request) error {
	answered := make(chan error, 1)
	p.session.then(req, func(_ json.RawMessage, err error) { answered <- err })
	for {
		p.mu.Lock()
		dialog, changed := p.dialog, p.changed
		p.mu.Unlock()
		if dialog != nil {
			return nil
		}
		select {
		case err := <-answered:
			return err
		case <-changed:
		case <-ctx.Done():
			return p.abandon(p.session, context.Cause(ctx), busyWithin)
		case <-p.session.done:
			return p.session.err
		}
	}
}

// moveTo moves the mouse.
func (p *Page) moveTo(ctx context.Context, to Point) error {
	p.mu.Lock()
	p.input.at = to
	e := mouseEvent{
		Type: "mouseMoved", X: to.X, Y: to.Y, Modifiers: p.input.modifiers,
		Buttons: p.input.buttons, Button: heldButton(p.input.buttons), Force: pressure(p.input.buttons),
	}
	p.mu.Unlock()
	return p.dispatch(ctx, e)
}

func heldButton(bits int) string {
	for _, name := range []string{"left", "right", "middle"} {
		if bits&buttonBits[name] != 0 {
			return name
		}
	}
	return "none"
}

// press holds a button down where the mouse is, or lets it go.
func (p *Page) pressButton(ctx context.Context, button string, count int, down bool) error {
	name, bit, err := buttonBit(button)
	if err != nil {
		return err
	}
	p.mu.Lock()
	e := mouseEvent{Type: "mousePressed", X: p.input.at.X, Y: p.input.at.Y, Modifiers: p.input.modifiers, Button: name, ClickCount: max(count, 1)}
	if down {
		p.input.buttons |= bit
	} else {
		e.Type = "mouseReleased"
		p.input.buttons &^= bit
	}
	e.Buttons, e.Force = p.input.buttons, pressure(p.input.buttons)
	p.mu.Unlock()
	return p.dispatch(ctx, e)
}

// pressure is what pages see of a mouse: half while a button is held (Pointer
// Events, "pressure").
func pressure(buttons int) float64 {
	if buttons == 0 {
		return 0
	}
	return 0.5
}

// MouseOptions says how a mouse button is used.
type MouseOptions struct {
	Button     string        // "left" (default), "right" or "middle"
	ClickCount int           // the count the page sees; 0: 1
	Delay      time.Duration // between press and release
}

// MouseMove moves the mouse to a point. With a button held it may begin, or go on
// with, a native drag and drop.
func (p *Page) MouseMove(ctx context.Context, to Point) error {
	return p.mouse(ctx, "mouse.move", func() error {
		if d := p.dragUnderWay(); d != nil {
			return p.dragTo(ctx, d, to)
		}
		return p.moveTo(ctx, to)
	})
}

// MouseDown presses a button where the mouse is.
func (p *Page) MouseDown(ctx context.Context, o MouseOptions) error {
	return p.mouse(ctx, "mouse.down", func() error {
		if p.dragUnderWay() == nil {
			p.interceptDrags()
		}
		return p.pressButton(ctx, o.Button, o.ClickCount, true)
	})
}

// MouseUp releases a button where the mouse is, and drops what is dragged.
func (p *Page) MouseUp(ctx context.Context, o MouseOptions) error {
	return p.mouse(ctx, "mouse.up", func() error {
		if d := p.dragUnderWay(); d != nil {
			defer p.stopIntercepting()
			if dropped, err := p.drop(ctx, d, p.pointer()); err != nil || dropped {
				return errors.Join(err, p.forgetButton(o.Button))
			}
		}
		return p.pressButton(ctx, o.Button, o.ClickCount, false)
	})
}

// pointer is where the mouse is.
func (p *Page) pointer() Point {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.input.at
}

// MouseClick moves the mouse to a point and clicks there, without looking at what is there.
func (p *Page) MouseClick(ctx context.Context, at Point, o MouseOptions) error {
	return p.mouse(ctx, "mouse.click", func() error { return p.clickAt(ctx, at, o) })
}

// MouseDblclick clicks twice at a point.
func (p *Page) MouseDblclick(ctx context.Context, at Point, o MouseOptions) error {
	return p.mouse(ctx, "mouse.dblclick", func() error { return p.dblclickAt(ctx, at, o) })
}

func (p *Page) mouse(ctx context.Context, op string, do func() error) error {
	if err := p.begin(ctx); err != nil {
		return pageError(op, "", err)
	}
	if err := p.barred(); err != nil { // the dialog takes it, or it waits
		return pageError(op, p.url(), err)
	}
	return pageError(op, p.url(), do())
}

func (p *Page) clickAt(ctx context.Context, at Point, o MouseOptions) error {
	if _, _, err := buttonBit(o.Button); err != nil {
		return err
	}
	if err := p.moveTo(ctx, at); err != nil {
		return err
	}
	return p.pressAndRelease(ctx, o)
}

func (p *Page) dblclickAt(ctx context.Context, at Point, o MouseOptions) error {
	if _, _, err := buttonBit(o.Button); err != nil {
		return err
	}
	if err := p.moveTo(ctx, at); err != nil {
		return err
	}
	return p.pressTwice(ctx, o)
}

func (p *Page) pressTwice(ctx context.Context, o MouseOptions) error {
	o.ClickCount = 1
	if err := p.pressAndRelease(ctx, o); err != nil {
		return err
	}
	o.ClickCount = 2
	return p.pressAndRelease(ctx, o)
}

func (p *Page) pressAndRelease(ctx context.Context, o MouseOptions) error {
	err := p.pressButton(ctx, o.Button, o.ClickCount, true)
	if err == nil {
		err = settle(ctx, o.Delay)
	}
	// The button is let go whatever came of it: no later move is to drag.
	if err = errors.Join(err, p.pressButton(ctx, o.Button, o.ClickCount, false)); err != nil {
		return err
	}
	return p.afterInput(ctx)
}

// afterInput lets what the input set off begin: the page runs one more task, so
// that a navigation it started is known when the operation returns.
func (p *Page) afterInput(ctx context.Context) error {
	if p.openDialog() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, aliveWithin)
	defer cancel()
	// Whatever the answer, the input is done; a page that left or hangs shows in the next call.
	_ = p.session.call(ctx, evaluateParams{Expression: "0"}, nil)
	return nil
}

// Wheel turns the mouse wheel by (dx, dy) CSS px with the pointer at (x, y); a
// positive dy scrolls down.
func (p *Page) Wheel(ctx context.Context, dx, dy, x, y float64) error {
	return p.mouse(ctx, "mouse.wheel", func() error {
		return p.dispatch(ctx, mouseEvent{Type: "mouseWheel", X: x, Y: y, DeltaX: dx, DeltaY: dy})
	})
}
