package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// Wheel turns the mouse wheel by (dx, dy) CSS px with the pointer at (x, y); a
// positive dy scrolls down.
func (p *Page) Wheel(ctx context.Context, dx, dy, x, y float64) error {
	if err := p.begin(ctx); err != nil {
		return pageError("mouse.wheel", "", err)
	}
	err := p.session.call(ctx, proto.InputDispatchMouseEvent{
		Type: proto.InputDispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: dx, DeltaY: dy,
	}, nil)
	return pageError("mouse.wheel", p.url(), err)
}
