package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// DragOptions says how MouseDrag moves.
type DragOptions struct {
	Button       string
	Delay        time.Duration // after each point
	Steps        int           // mouse moves from one point to the next; 0: 1
	Source       *Point        // of DragTo: from the element's corner; nil: its middle
	Target       *Point        // of DragTo: from the target's corner; nil: its middle
	Force, Trial bool          // of DragTo: without waiting for readiness; nothing is done
}

// MouseDrag presses a button at the first point, moves over the others and releases
// at the last. A drag of a draggable element becomes a native drag and drop.
func (p *Page) MouseDrag(ctx context.Context, points []Point, o DragOptions) error {
	return p.mouse(ctx, "mouse.drag", func() error { return p.drag(ctx, points, o) })
}

func (p *Page) drag(ctx context.Context, points []Point, o DragOptions) error {
	if len(points) < 2 {
		return &PageError{Permanent: true, Reason: "drag requires at least two points", Hint: "give the start and the end"}
	}
	if _, _, err := buttonBit(o.Button); err != nil {
		return err
	}
	if err := p.moveTo(ctx, points[0]); err != nil {
		return err
	}
	return p.dragFromHere(ctx, points[1:], o)
}

// dragFromHere presses where the mouse is, moves over the points and releases.
func (p *Page) dragFromHere(ctx context.Context, points []Point, o DragOptions) error {
	d := p.interceptDrags()
	defer p.stopIntercepting()
	if err := p.pressButton(ctx, o.Button, 1, true); err != nil {
		return err
	}
	return p.dragOn(ctx, d, points, o)
}

// dragOn goes on with a drag whose button is pressed: over the points, and releases.
func (p *Page) dragOn(ctx context.Context, d *nativeDrag, points []Point, o DragOptions) error {
	from := p.pointer()
	for _, to := range points {
		for i := 1; i <= max(o.Steps, 1); i++ {
			f := float64(i) / float64(max(o.Steps, 1))
			if err := p.dragTo(ctx, d, Point{from.X + (to.X-from.X)*f, from.Y + (to.Y-from.Y)*f}); err != nil {
				return err
			}
		}
		if err := settle(ctx, o.Delay); err != nil {
			return err
		}
		from = to
	}
	if dropped, err := p.drop(ctx, d, from); err != nil || dropped {
		return errors.Join(err, p.forgetButton(o.Button), p.afterInput(ctx))
	}
	if err := p.pressButton(ctx, o.Button, 1, false); err != nil {
		return err
	}
	return p.afterInput(ctx)
}

// nativeDrag is a drag and drop that Chrome handed to us; data is nil until it did.
type nativeDrag struct {
	data    json.RawMessage
	entered bool
}

func (p *Page) interceptDrags() *nativeDrag {
	d := &nativeDrag{}
	p.mu.Lock()
	p.dragging = d
	p.mu.Unlock()
	p.session.send(proto.InputSetInterceptDrags{Enabled: true})
	return d
}

// dragUnderWay is set while a button is held that could drag; nil otherwise.
func (p *Page) dragUnderWay() *nativeDrag {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dragging
}

func (p *Page) stopIntercepting() {
	p.mu.Lock()
	p.dragging = nil
	p.mu.Unlock()
	p.session.send(proto.InputSetInterceptDrags{Enabled: false})
}

func (p *Page) dragIntercepted(_ *session, e *struct {
	Data json.RawMessage `json:"data"`
}) {
	if p.dragging != nil {
		p.dragging.data = e.Data
	}
}

// dragEvent is Input.dispatchDragEvent.
type dragEvent struct {
	Type      string          `json:"type"`
	X         float64         `json:"x"`
	Y         float64         `json:"y"`
	Data      json.RawMessage `json:"data"`
	Modifiers int             `json:"modifiers"`
}

func (dragEvent) ProtoReq() string { return "Input.dispatchDragEvent" }

// dragTo moves with the button held: a mouse move, or the drag's own events once
// the page turned the press into a drag and drop.
func (p *Page) dragTo(ctx context.Context, d *nativeDrag, to Point) error {
	if p.dragData(d) == nil {
		if err := p.moveTo(ctx, to); err != nil {
			return err
		}
		_ = p.afterInput(ctx) // a drag that this move started is told by now
		if p.dragData(d) == nil {
			return nil
		}
	}
	return p.dragOver(ctx, d, to)
}

func (p *Page) dragOver(ctx context.Context, d *nativeDrag, to Point) error {
	p.mu.Lock()
	p.input.at = to
	p.mu.Unlock()
	data := p.dragData(d)
	if !d.entered {
		d.entered = true
		if err := p.dispatch(ctx, dragEvent{Type: "dragEnter", X: to.X, Y: to.Y, Data: data}); err != nil {
			return err
		}
	}
	return p.dispatch(ctx, dragEvent{Type: "dragOver", X: to.X, Y: to.Y, Data: data})
}

// drop ends a native drag, if it is one; then no button is let go of: pages see no
// mouseup after a drop.
func (p *Page) drop(ctx context.Context, d *nativeDrag, at Point) (bool, error) {
	data := p.dragData(d)
	if data == nil {
		return false, nil
	}
	if err := p.dispatch(ctx, dragEvent{Type: "drop", X: at.X, Y: at.Y, Data: data}); err != nil {
		return true, fmt.Errorf("dropping: %w", err)
	}
	return true, nil
}

// forgetButton takes a button out of egod's books that a drop let go of.
func (p *Page) forgetButton(button string) error {
	_, bit, err := buttonBit(button)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.input.buttons &^= bit
	return err
}

func (p *Page) dragData(d *nativeDrag) json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return d.data
}

// DragTo drags the element onto another. The target is looked for again once the
// drag began: it is scrolled to then, and the press belongs to the source.
func (l *Locator) DragTo(ctx context.Context, target *Locator, o DragOptions, timeout time.Duration) error {
	const op = "dragTo"
	if _, _, err := buttonBit(o.Button); err != nil {
		return pageError(op, "", err)
	}
	source, onto := aimOptions{Force: o.Force, Position: o.Source}, aimOptions{Force: o.Force, Position: o.Target}
	if _, err := l.point(ctx, op, timeout, source); err != nil {
		return err
	}
	if _, err := target.point(ctx, op, timeout, onto); err != nil || o.Trial {
		return err
	}
	source.Press = true
	if err := l.reach(ctx, op, timeout, source); err != nil { // the target may have scrolled it
		return err
	}
	if o.Steps == 0 {
		o.Steps = 4
	}
	return l.pullTo(ctx, target, onto, o, timeout)
}

// pullTo presses where the mouse is, pulls a little, so that a native drag begins
// where it should, and goes on to the target.
func (l *Locator) pullTo(ctx context.Context, target *Locator, onto aimOptions, o DragOptions, timeout time.Duration) error {
	const op = "dragTo"
	p := l.page
	d := p.interceptDrags()
	defer p.stopIntercepting()
	if err := p.pressButton(ctx, o.Button, 1, true); err != nil {
		return pageError(op, p.url(), err)
	}
	for range pulls {
		from := p.pointer()
		if err := p.dragTo(ctx, d, Point{from.X + pull, from.Y + pull}); err != nil {
			return pageError(op, p.url(), err)
		}
	}
	to, err := target.point(ctx, op, timeout, onto)
	if err != nil {
		return errors.Join(err, p.letGo(ctx, d, o.Button))
	}
	return pageError(op, p.url(), p.dragOn(ctx, d, []Point{to}, o))
}

// A drag begins some pixels from the press (Chrome's drag threshold is 5 at most).
const (
	pulls = 2
	pull  = 3.0 // CSS px to the right and down
)

// letGo ends a drag that has no place to go.
func (p *Page) letGo(ctx context.Context, d *nativeDrag, button string) error {
	if data := p.dragData(d); data != nil {
		at := p.pointer()
		err := p.dispatch(ctx, dragEvent{Type: "dragCancel", X: at.X, Y: at.Y, Data: data})
		return errors.Join(err, p.forgetButton(button))
	}
	return p.pressButton(ctx, button, 1, false)
}
