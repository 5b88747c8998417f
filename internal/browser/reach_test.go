package browser

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// slowToShow is a page whose picture takes long to draw after a scroll, with a frame
// of a process of its own below the fold: for that long Chrome sends the mouse by
// the picture from before.
func slowToShow() string {
	inner := otherSite() + html(`<body style="margin:0">`+recorder+`<button id=in style="width:200px;height:60px">in</button><br>
		<input type=checkbox id=box><p id=drag>drag</p><p id=drop>drop</p>`)
	return html(recorder + fmt.Sprintf(`<body style="margin:0"><button id=top style="display:block;width:300px;height:700px">top</button>
		<div style="height:1500px"></div>
		<svg width=1200 height=900 style="position:absolute;left:0;top:2000px"><filter id=f x=0 y=0 width=1 height=1><feTurbulence id=noise baseFrequency=0.4 numOctaves=40 /></filter>
		<rect width=1200 height=900 filter="url(#f)" /></svg>
		<iframe src="%s" style="position:relative;width:300px;height:200px"></iframe><div style="height:1500px"></div>
		<script>let seed = 0; addEventListener("scroll", () => noise.setAttribute("seed", ++seed))</script>`, inner))
}

// showTop scrolls to the top and waits until that is what Chrome shows: a page draws
// the next frame but one only when this one is shown.
func showTop(t *testing.T, ctx context.Context, page *Page) {
	t.Helper()
	_, err := page.Evaluate(ctx, Script{Function: `async () => {
		scrollTo(0, 0);
		for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
	}`})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMouseReachesFramesThatShowLate(t *testing.T) {
	page, ctx := newTestPage(t, slowToShow())
	in := func(s string) *Locator { return page.Locator(FrameSelector("iframe", s)) }
	tests := []struct {
		name string
		do   func() error
		want string
	}{
		{"click", func() error { return in("#in").Click(ctx, ClickOptions{}) }, `"mousedown:1@in mouseup:1@in click:1@in"`},
		{"click at a position", func() error { return in("#in").Click(ctx, ClickOptions{Position: &Point{3, 4}}) }, `"mousedown:1@in mouseup:1@in click:1@in"`},
		{"forced click", func() error { return in("#in").Click(ctx, ClickOptions{Force: true}) }, `"mousedown:1@in mouseup:1@in click:1@in"`},
		{"dblclick", func() error { return in("#in").Dblclick(ctx, ClickOptions{}) },
			`"mousedown:1@in mouseup:1@in click:1@in mousedown:2@in mouseup:2@in click:2@in dblclick:2@in"`},
		{"check", func() error { return in("#box").SetChecked(ctx, true, ClickOptions{}) }, `"mousedown:1@box mouseup:1@box click:1@box input@box change@box"`},
		{"hover", func() error { return in("#in").Hover(ctx, ClickOptions{}) }, `"hovered"`},
		{"drag", func() error { return in("#drag").DragTo(ctx, in("#drop"), DragOptions{}, 0) }, `"mousedown:1@drag mouseup:1@drop click:1@BODY"`},
	}
	for _, tt := range tests {
		showTop(t, ctx, page)
		if err := tt.do(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		v, err := in("#in").Evaluate(ctx, `(el) => seen.splice(0).filter((s) => !s.startsWith("mouseover")).join(" ") || (el.matches(":hover") && "hovered")`, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if outside := seen(t, ctx, page, "mousedown", "mouseup", "click"); string(v) != tt.want || outside != "" {
			t.Errorf("%s:\n got  %s, outside of the frame %q\n want %s", tt.name, v, outside, tt.want)
		}
	}
}

// A frame may do anything when the mouse comes.
func TestMouseReachesUnrulyFrames(t *testing.T) {
	inner := otherSite() + html(`<script>for (const type of ["pointermove", "mousemove"]) addEventListener(type, (e) => e.stopImmediatePropagation(), true)</script>`+recorder+
		`<button id=a>a</button><button id=off disabled>off</button><p id=host></p><span id=out></span>
		<script>host.attachShadow({mode: "closed"}).innerHTML = "<button onclick='seen.push(\"shadow\")'>s</button>"</script>`)
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<button id=main onmouseenter="this.replaceWith(Object.assign(document.createElement('button'), {id: 'main', onclick() { document.title = 'new' }}))">m</button>
		<button id=gone onmouseenter="this.remove()">gone</button><iframe src="%s"></iframe>`, inner)))
	in := func(s string) *Locator { return page.Locator(FrameSelector("iframe", s)) }
	for range 2 {
		for _, do := range []func(context.Context, ClickOptions) error{in("#a").Click, in("#a").Click, in("#off").Hover, in("#a").Hover, page.Locator("iframe").Hover} {
			if err := do(ctx, ClickOptions{}); err != nil {
				t.Error(err)
			}
		}
	}
	if err := page.Locator("#main").Click(ctx, ClickOptions{}); err != nil {
		t.Error(err)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "document.title"}); err != nil || string(v) != `"new"` {
		t.Errorf("what took the place of the button was not clicked: %s, %v", v, err)
	}
	var missing *ElementError
	if err := page.Locator("#gone").Click(ctx, ClickOptions{Timeout: 300 * time.Millisecond}); !errors.As(err, &missing) {
		t.Errorf("a button that goes away: %v", err)
	}
}
