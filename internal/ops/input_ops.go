package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"egod/internal/browser"
)

func inputRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.keyboard.press", js: args(value("key"), options()),
			doc: "Press a key or a combination such as Control+A.",
		}, func(ctx context.Context, sc *Scope, p keyParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.KeyPress(ctx, p.Key, p.Delay.value()) })
		}),
		define(spec{
			name: "page.keyboard.down", js: args(value("key")),
			doc: "Hold a key down.",
		}, func(ctx context.Context, sc *Scope, p keyParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.KeyDown(ctx, p.Key) })
		}),
		define(spec{
			name: "page.keyboard.up", js: args(value("key")),
			doc: "Let a key go.",
		}, func(ctx context.Context, sc *Scope, p keyParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.KeyUp(ctx, p.Key) })
		}),
		define(spec{
			name: "page.keyboard.insertText", js: args(value("text")),
			doc: "Put text where the focus is, without key events.",
		}, func(ctx context.Context, sc *Scope, p typeParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.InsertText(ctx, p.Text) })
		}),
		define(spec{
			name: "page.keyboard.type", js: args(value("text"), options()),
			doc: "Type a text key by key.",
		}, func(ctx context.Context, sc *Scope, p typeParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.Type(ctx, p.Text, p.Delay.value()) })
		}),
		define(spec{
			name: "page.mouse.click", js: args(value("target"), options()),
			doc: "Click at a point of the viewport or on an element.",
		}, mouseClick(false)),
		define(spec{
			name: "page.mouse.dblclick", js: args(value("target"), options()),
			doc: "Click twice at a point of the viewport or on an element.",
		}, mouseClick(true)),
		define(spec{
			name: "page.mouse.move", js: args(value("x"), value("y")),
			doc: "Move the mouse to a point of the viewport.",
		}, mouseMove),
		define(spec{
			name: "page.mouse.down", js: args(options()),
			doc: "Press a mouse button where the mouse is.",
		}, func(ctx context.Context, sc *Scope, p buttonParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.MouseDown(ctx, p.options()) })
		}),
		define(spec{
			name: "page.mouse.up", js: args(options()),
			doc: "Release a mouse button where the mouse is.",
		}, func(ctx context.Context, sc *Scope, p buttonParams) (Nothing, error) {
			return withPage(ctx, sc, func(page *browser.Page) error { return page.MouseUp(ctx, p.options()) })
		}),
		define(spec{
			name: "page.mouse.wheel", js: args(value("dx"), value("dy"), options()),
			doc: "Turn the mouse wheel at a point of the viewport.",
		}, mouseWheel),
		define(spec{
			name: "page.mouse.drag", js: args(value("points"), options()),
			doc: "Press at the first point, move over the others, and release at the last.",
		}, mouseDrag),
		define(spec{
			name: "page.elementCenter", js: args(selector("selector")),
			doc: "Return the point that a click on the element would hit, and the DevTools session for cdp that it counts in, without waiting.",
		}, elementCenter),
	}
}

// withPage does something on the current page that has no result.
func withPage(ctx context.Context, sc *Scope, do func(*browser.Page) error) (Nothing, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, do(page)
}

type keyParams struct {
	Key string `json:"key" doc:"a key, or keys joined by + with the modifiers first"`
	inSpace
	Delay Milliseconds `json:"delay,omitempty" doc:"milliseconds between down and up"`
}

type typeParams struct {
	Text string `json:"text" doc:"the text"`
	inSpace
	Delay Milliseconds `json:"delay,omitempty" doc:"milliseconds between keys"`
}

type buttonParams struct {
	Button     string       `json:"button,omitempty" doc:"left (default), right or middle"`
	ClickCount int          `json:"clickCount,omitempty" doc:"the count the page sees; 1 when left out"`
	Delay      Milliseconds `json:"delay,omitempty" doc:"milliseconds between press and release"`
	Label      string       `json:"label,omitempty" doc:"taken for the original's sake; it has no effect"`
	inSpace
}

func (p buttonParams) options() browser.MouseOptions {
	return browser.MouseOptions{Button: p.Button, ClickCount: p.ClickCount, Delay: p.Delay.value()}
}

// mouseTarget is a point or an element: [x, y], {x, y}, {selector}, or
// {selector, x, y} with an offset from the element's top left corner. A drag
// also takes selectors as they are.
type mouseTarget struct {
	selector string
	point    *browser.Point
}

func parseMouseTarget(raw json.RawMessage, bareSelector bool) (mouseTarget, error) {
	bad := invalidParam("$.target", "[x, y], {x, y} or {selector}", jsonType(raw), fmt.Sprintf("invalid mouse target: %.100s", raw))
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if !bareSelector || text == "" {
			return mouseTarget{}, bad
		}
		return mouseTarget{selector: text}, nil
	}
	var pair []json.RawMessage
	if json.Unmarshal(raw, &pair) == nil {
		if len(pair) != 2 {
			return mouseTarget{}, bad
		}
		x, okX := looseNumber(pair[0])
		y, okY := looseNumber(pair[1])
		if !okX || !okY {
			return mouseTarget{}, bad
		}
		return mouseTarget{point: &browser.Point{X: x, Y: y}}, nil
	}
	var object struct {
		Selector string          `json:"selector"`
		X        json.RawMessage `json:"x"`
		Y        json.RawMessage `json:"y"`
	}
	if json.Unmarshal(raw, &object) != nil || object.Selector == "" && (object.X == nil || object.Y == nil) {
		return mouseTarget{}, bad
	}
	target := mouseTarget{selector: object.Selector}
	if object.X != nil && object.Y != nil {
		x, okX := looseNumber(object.X)
		y, okY := looseNumber(object.Y)
		if !okX || !okY {
			return mouseTarget{}, bad
		}
		target.point = &browser.Point{X: x, Y: y}
	}
	return target, nil
}

// looseNumber reads a number, or a string that holds one.
func looseNumber(raw json.RawMessage) (float64, bool) {
	var f float64
	if json.Unmarshal(raw, &f) == nil {
		return f, true
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

type mouseClickParams struct {
	Target json.RawMessage `json:"target" doc:"[x, y], {x, y}, {selector} or {selector, x, y}"`
	buttonParams
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the element; 10000 when left out"`
}

func mouseClick(double bool) func(context.Context, *Scope, mouseClickParams) (Nothing, error) {
	return func(ctx context.Context, sc *Scope, p mouseClickParams) (Nothing, error) {
		target, err := parseMouseTarget(p.Target, false)
		if err != nil {
			return Nothing{}, err
		}
		return withPage(ctx, sc, func(page *browser.Page) error {
			switch {
			case target.selector == "" && double:
				return page.MouseDblclick(ctx, *target.point, p.options())
			case target.selector == "":
				return page.MouseClick(ctx, *target.point, p.options())
			}
			o := browser.ClickOptions{
				Button: p.Button, ClickCount: p.ClickCount, Delay: p.Delay.value(), Position: target.point, Timeout: sc.timeout(p.Timeout),
			}
			if double {
				return page.Locator(target.selector).Dblclick(ctx, o)
			}
			return page.Locator(target.selector).Click(ctx, o)
		})
	}
}

type moveParams struct {
	pointParams
	inSpace
}

func mouseMove(ctx context.Context, sc *Scope, p moveParams) (Nothing, error) {
	return withPage(ctx, sc, func(page *browser.Page) error {
		return page.MouseMove(ctx, browser.Point{X: p.X, Y: p.Y})
	})
}

// offset is a number of CSS pixels. Its errors have the original's wording.
type offset float64

// UnmarshalJSON takes a number alone.
func (o *offset) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*float64)(o)) != nil {
		return invalidParam("", "a number of CSS pixels", jsonType(raw), fmt.Sprintf("invalid mouse offset: %.100s", raw))
	}
	return nil
}

type wheelParams struct {
	Dx *offset `json:"dx,omitempty" doc:"CSS pixels to the right"`
	Dy *offset `json:"dy,omitempty" doc:"CSS pixels down; 300 when left out"`
	X  offset  `json:"x,omitempty" doc:"where the pointer is, in CSS pixels from the left"`
	Y  offset  `json:"y,omitempty" doc:"where the pointer is, in CSS pixels from the top"`
	inSpace
}

func mouseWheel(ctx context.Context, sc *Scope, p wheelParams) (Nothing, error) {
	dx, dy := 0.0, 300.0
	if p.Dx != nil {
		dx = float64(*p.Dx)
	}
	if p.Dy != nil {
		dy = float64(*p.Dy)
	}
	return withPage(ctx, sc, func(page *browser.Page) error {
		return page.Wheel(ctx, dx, dy, float64(p.X), float64(p.Y))
	})
}

type dragParams struct {
	Points []json.RawMessage `json:"points" doc:"two points or more: [x, y], {x, y}, {selector} or a selector"`
	buttonParams
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for elements; 10000 when left out"`
}

func mouseDrag(ctx context.Context, sc *Scope, p dragParams) (Nothing, error) {
	if len(p.Points) < 2 {
		return Nothing{}, invalidParam("$.points", "two points or more", fmt.Sprintf("%d", len(p.Points)), "drag requires at least two points")
	}
	targets := make([]mouseTarget, len(p.Points))
	for i, raw := range p.Points {
		target, err := parseMouseTarget(raw, true)
		if err != nil {
			return Nothing{}, err
		}
		targets[i] = target
	}
	return withPage(ctx, sc, func(page *browser.Page) error {
		points := make([]browser.Point, len(targets))
		for i, target := range targets {
			at, err := sc.pointOf(ctx, page, target, p.Timeout)
			if err != nil {
				return err
			}
			points[i] = at
		}
		return page.MouseDrag(ctx, points, browser.DragOptions{Button: p.Button, Delay: p.Delay.value()})
	})
}

// pointOf finds where a target is: an element is waited for and scrolled to.
func (sc *Scope) pointOf(ctx context.Context, page *browser.Page, target mouseTarget, timeout *Milliseconds) (browser.Point, error) {
	if target.selector == "" {
		return *target.point, nil
	}
	locator := page.Locator(target.selector)
	if err := locator.ScrollIntoViewIfNeeded(ctx, sc.timeout(timeout)); err != nil {
		return browser.Point{}, err
	}
	if target.point == nil {
		return locator.Center(ctx)
	}
	box, err := locator.BoundingBox(ctx, sc.timeout(timeout))
	if err != nil {
		return browser.Point{}, err
	}
	if box == nil {
		return browser.Point{}, Errorf(KindPageError, "%s takes no space: no box model", target.selector)
	}
	return browser.Point{X: box.X + target.point.X, Y: box.Y + target.point.Y}, nil
}

// ElementPoint is a point of the viewport, in CSS pixels, and the DevTools session
// in which it counts: that of the page, for elements in frames too.
type ElementPoint struct {
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	SessionID string  `json:"sessionId"`
}

func elementCenter(ctx context.Context, sc *Scope, p selectorParams) (ElementPoint, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return ElementPoint{}, err
	}
	at, err := locator.Center(ctx)
	return ElementPoint{X: at.X, Y: at.Y, SessionID: locator.Page().SessionID()}, err
}
