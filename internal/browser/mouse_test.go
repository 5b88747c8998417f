package browser

import (
	"strings"
	"testing"
)

func TestMouseDrag(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`<div id=a style="width:100px;height:100px;background:red"></div><div id=b style="width:100px;height:100px;background:blue"></div>
		<script>window.path = 0; addEventListener("mousemove", (e) => { if (e.buttons === 1) path++ })</script>`))
	a, err := page.Locator("#a").Center(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := page.Locator("#b").Center(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := page.MouseDrag(ctx, []Point{a, b}, DragOptions{Steps: 3}); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, ctx, page, "mousedown", "mouseup"); got != "mousedown:1@a mouseup:1@b" {
		t.Errorf("events %q", got)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "path"}); err != nil || string(v) != "3" {
		t.Errorf("%s moves, %v", v, err)
	}
	if err := page.MouseDrag(ctx, []Point{a}, DragOptions{}); err == nil || !strings.Contains(err.Error(), "at least two points") {
		t.Errorf("one point: %v", err)
	}
	if err := page.MouseClick(ctx, a, MouseOptions{Button: "thumb"}); err == nil || !strings.Contains(err.Error(), "unsupported mouse button") {
		t.Errorf("bad button: %v", err)
	}
}

func TestNativeDragAndDrop(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`<div id=a draggable=true style="width:100px;height:100px;background:red">drag me</div>
		<div id=b style="width:100px;height:100px;background:blue"></div><script>
		a.ondragstart = (e) => e.dataTransfer.setData("text/plain", "cargo");
		b.ondragover = (e) => e.preventDefault();
		b.ondrop = (e) => { e.preventDefault(); b.textContent = e.dataTransfer.getData("text/plain") };</script>`))
	if err := page.Locator("#a").DragTo(ctx, page.Locator("#b"), DragOptions{}, 0); err != nil {
		t.Fatal(err)
	}
	if s, err := page.Locator("#b").TextContent(ctx, 0); err != nil || *s != "cargo" {
		t.Errorf("dropped %q, %v", *s, err)
	}
	if got := seen(t, ctx, page, "dragstart", "drop"); got != "dragstart@a drop@b" {
		t.Errorf("events %q", got)
	}
	if err := page.Locator("#a").Click(ctx, ClickOptions{}); err != nil {
		t.Errorf("a click after the drop: %v", err)
	}
}

func TestMouseState(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`<button id=a style="position:absolute;left:50px;top:50px">A</button>`))
	at, err := page.Locator("#a").Center(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{
		func() error { return page.MouseMove(ctx, at) },
		func() error { return page.MouseDown(ctx, MouseOptions{}) },
		func() error { return page.MouseUp(ctx, MouseOptions{}) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	if got := seen(t, ctx, page, "mousedown", "mouseup", "click"); got != "mousedown:1@a mouseup:1@a click:1@a" {
		t.Errorf("events %q", got)
	}
	if err := page.MouseDblclick(ctx, at, MouseOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, ctx, page, "dblclick"); got != "dblclick:2@a" {
		t.Errorf("events %q", got)
	}
}
