package browser

import (
	"context"
	"time"
)

// Box is a rectangle in CSS px of the viewport.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// The reads below work on the one matching element. They retry until timeout (0:
// DefaultTimeout, negative: a single look) while there is none.

// InnerText is the text as rendered; the element must be an HTML element.
func (l *Locator) InnerText(ctx context.Context, timeout time.Duration) (string, error) {
	var v string
	return v, l.read(ctx, "innerText", timeout, "egod.read.innerText(egod.one(query))", &v)
}

// InnerHTML is the markup inside the element.
func (l *Locator) InnerHTML(ctx context.Context, timeout time.Duration) (string, error) {
	var v string
	return v, l.read(ctx, "innerHTML", timeout, "egod.its(egod.one(query)).innerHTML", &v)
}

// InputValue is the value of an input, textarea or select, also through its label.
func (l *Locator) InputValue(ctx context.Context, timeout time.Duration) (string, error) {
	var v string
	return v, l.read(ctx, "inputValue", timeout, "egod.read.inputValue(egod.one(query))", &v)
}

// IsChecked reports whether a checkbox or radio button is checked.
func (l *Locator) IsChecked(ctx context.Context, timeout time.Duration) (bool, error) {
	var v bool
	return v, l.read(ctx, "isChecked", timeout, "egod.read.checked(egod.one(query))", &v)
}

// BoundingBox is where the element is in the viewport of the page, also for one in
// a frame; nil when it is not rendered.
func (l *Locator) BoundingBox(ctx context.Context, timeout time.Duration) (*Box, error) {
	return l.box(ctx, "boundingBox", timeout)
}

func (l *Locator) box(ctx context.Context, op string, timeout time.Duration) (*Box, error) {
	var box *Box
	err := l.retryRead(ctx, op, timeout, func(ctx context.Context) error {
		if err := l.page.begin(ctx); err != nil {
			return pageError(op, "", err)
		}
		var err error
		box, err = l.boxNow(ctx)
		return l.explain(op, pageError(op, l.page.url(), err))
	})
	return box, err
}

func (l *Locator) boxNow(ctx context.Context) (*Box, error) {
	var box *Box
	err := l.at(ctx, inIsolatedWorld, func(w *world, q *query) error {
		box = nil
		if err := l.page.askIn(ctx, w, q, "egod.read.box(egod.one(query))", &box); err != nil || box == nil {
			return err
		}
		corners := []Point{{box.X, box.Y}, {box.X + box.Width, box.Y}, {box.X, box.Y + box.Height}, {box.X + box.Width, box.Y + box.Height}}
		err := l.page.leaveFrame(ctx, w.frameID, &corners)
		*box = around(corners)
		return err
	})
	return box, err
}

// around is the box around points.
func around(points []Point) Box {
	low, high := points[0], points[0]
	for _, p := range points[1:] {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	return Box{X: low.X, Y: low.Y, Width: high.X - low.X, Height: high.Y - low.Y}
}

// Blur takes the focus off the element.
func (l *Locator) Blur(ctx context.Context, timeout time.Duration) error {
	return l.act(ctx, "blur", timeout, "egod.its(egod.one(query)).blur()", nil)
}

// The questions below are answered at once; no element is "not visible", "not
// enabled", "not editable".

// IsVisible reports whether the element takes space and is not hidden by style.
func (l *Locator) IsVisible(ctx context.Context) (bool, error) {
	var v bool
	return v, l.once(ctx, "isVisible", "egod.ask(query, egod.seen)", &v)
}

// IsHidden is the opposite of IsVisible.
func (l *Locator) IsHidden(ctx context.Context) (bool, error) {
	v, err := l.IsVisible(ctx)
	return !v && err == nil, err
}

// IsEnabled reports whether the element is not disabled, by itself, a fieldset or ARIA.
func (l *Locator) IsEnabled(ctx context.Context) (bool, error) {
	var v bool
	return v, l.once(ctx, "isEnabled", "egod.ask(query, egod.read.enabled)", &v)
}

// IsDisabled is the opposite of IsEnabled.
func (l *Locator) IsDisabled(ctx context.Context) (bool, error) {
	v, err := l.IsEnabled(ctx)
	return !v && err == nil, err
}

// IsEditable reports whether text can be typed into the element.
func (l *Locator) IsEditable(ctx context.Context) (bool, error) {
	var v bool
	return v, l.once(ctx, "isEditable", "egod.ask(query, egod.read.editable)", &v)
}

// AllInnerTexts is the rendered text of every match; all must be HTML elements.
func (l *Locator) AllInnerTexts(ctx context.Context) ([]string, error) {
	v := []string{}
	return v, l.once(ctx, "allInnerTexts", "egod.find(document, query).map(egod.read.innerText)", &v)
}

// AllTextContents is the text of every match.
func (l *Locator) AllTextContents(ctx context.Context) ([]string, error) {
	v := []string{}
	return v, l.once(ctx, "allTextContents", `egod.find(document, query).map((el) => egod.its(el).textContent || "")`, &v)
}
