package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// otherSite is the fixture server under a second site, so that its frames get a
// process of their own.
func otherSite() string {
	return strings.Replace(shared.server.URL, "127.0.0.1", "localhost", 1)
}

func TestOutOfProcessFrame(t *testing.T) {
	inner := otherSite() + html("<title>inner</title><p>framed</p><script>alert('from the frame')</script>")
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<title>outer</title><iframe src="%s"></iframe>`, inner)))
	space := shared.manager.Space(t.Name())
	id, err := space.IframeTarget(ctx, url.QueryEscape("framed"))
	if err != nil || id == "" {
		t.Fatalf("iframeTarget: %q, %v", id, err)
	}
	if none, err := space.IframeTarget(ctx, "nowhere"); err != nil || none != "" {
		t.Errorf("iframeTarget of nothing: %q, %v", none, err)
	}
	got, err := page.Evaluate(ctx, Script{Expression: "[document.title, {n: NaN}]", TargetID: id})
	if err != nil || string(got) != `["inner",{"n":{"$type":"number","value":"NaN"}}]` {
		t.Errorf("in the frame: %s, %v", got, err)
	}
	got, err = page.Evaluate(ctx, Script{Expression: "document.title"})
	if err != nil || string(got) != `"outer"` {
		t.Errorf("in the page: %s, %v", got, err)
	}
}

func TestSameProcessFrameIsNoTarget(t *testing.T) {
	_, ctx := newTestPage(t, html(`<iframe srcdoc="<p>x</p>"></iframe>`))
	if id, err := shared.manager.Space(t.Name()).IframeTarget(ctx, "srcdoc"); err != nil || id != "" {
		t.Errorf("%q, %v", id, err)
	}
}

// framedPage is a page with a frame of its own process and one of another site,
// each with a button that tells its document's title.
func framedPage() string {
	inner := func(name string) string {
		return html("<title>" + name + "</title><div style=height:1500px></div><button onclick=\"document.title='clicked ' + event.isTrusted\">" + name + "</button><input>")
	}
	return html(fmt.Sprintf(`<div style="height:1200px"></div><iframe id=same name=near src="%s" style="border:7px solid;padding:3px"></iframe>
		<iframe id=other name=far src="%s"></iframe>`, inner("same site"), otherSite()+inner("other site")))
}

func TestLocatorsInFrames(t *testing.T) {
	page, ctx := newTestPage(t, framedPage())
	for _, frame := range []struct {
		name, title string
		in          func(string) string
	}{
		{"same process", "same site", func(s string) string { return FrameSelector("#same", s) }},
		{"own process", "other site", func(s string) string { return FrameSelector("loc=css:#other", s) }},
		{"by name", "same site", func(s string) string { return NamedFrameSelector("near", s) }},
		{"by address", "other site", func(s string) string { return NamedFrameSelector("//localhost", s) }},
	} {
		t.Run(frame.name, func(t *testing.T) {
			on := func(s string) *Locator { return page.Locator(frame.in(s)) }
			if s, err := on("button").TextContent(ctx, 0); err != nil || *s != frame.title {
				t.Errorf("textContent: %v", err)
			}
			if n, err := on("loc=role:button[name=" + frame.title + "]").Count(ctx); err != nil || n != 1 {
				t.Errorf("role: %d, %v", n, err)
			}
			v, err := on("body").Locator("button").First().Evaluate(ctx, `(el) => el.ownerDocument.defaultView === window`, nil, 0)
			if err != nil || string(v) != "true" {
				t.Errorf("evaluate: %s, %v", v, err)
			}
			if err := on("button").Click(ctx, ClickOptions{}); err != nil {
				t.Errorf("click: %v", err)
			}
			if s, err := on("title").TextContent(ctx, 0); err != nil || *s != "clicked true" {
				t.Errorf("after the click: %v", err)
			}
			if err := on("input").Fill(ctx, "typed", FillOptions{}); err != nil {
				t.Errorf("fill: %v", err)
			}
			if err := on("input").Press(ctx, "!", 0, 0); err != nil {
				t.Errorf("press: %v", err)
			}
			if s, err := on("input").InputValue(ctx, 0); err != nil || s != "typed!" {
				t.Errorf("the field holds %q, %v", s, err)
			}
		})
	}
}

// Frames without a document of their own address have their worlds too.
func TestLocalFrames(t *testing.T) {
	page, ctx := newTestPage(t, html(`<iframe id=empty></iframe><iframe id=doc srcdoc="<p>x"></iframe><iframe id=js src="javascript:'<p>y'"></iframe>`))
	for _, id := range []string{"#empty", "#doc", "#js"} {
		l := page.Locator(FrameSelector(id, "body"))
		if n, err := l.Count(ctx); n != 1 || err != nil {
			t.Errorf("%s: count %d, %v", id, n, err)
		}
		if v, err := l.EvaluateAll(ctx, "(els) => els.length", nil); string(v) != "1" || err != nil {
			t.Errorf("%s: evaluateAll %s, %v", id, v, err)
		}
	}
}

func TestFrameErrors(t *testing.T) {
	page, ctx := newTestPage(t, framedPage())
	for selector, want := range map[string]string{
		FrameSelector("#none", "p"):           "matched 0 elements",
		FrameSelector("div", "p"):             "is not a frame",
		NamedFrameSelector("nowhere", "p"):    "no frame has the name or address nowhere",
		FrameSelector("iframe", "p"):          "matched 2 elements",
		FrameSelector("#same", "p["):          "Invalid selector",
		FrameSelector("#same", "button.none"): "matched 0 elements",
	} {
		if _, err := page.Locator(selector).TextContent(ctx, 100e6); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selector, err, want)
		}
	}
}

// Frames that were removed, or whose page navigated, are forgotten.
func TestRemovedFramesAreForgotten(t *testing.T) {
	page, ctx := newTestPage(t, framedPage())
	frames := func() int {
		page.mu.Lock()
		defer page.mu.Unlock()
		return len(page.frames)
	}
	if n := frames(); n != 3 {
		t.Fatalf("%d frames, want 3", n)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: "for (const f of document.querySelectorAll('iframe')) f.remove()"}); err != nil {
		t.Fatal(err)
	}
	if err := page.await(ctx, func() bool { return len(page.frames) == 1 }); err != nil {
		t.Errorf("after removing them: %d frames, %v", frames(), err)
	}
	mustGoto(t, ctx, page, shared.server.URL+framedPage())
	mustGoto(t, ctx, page, otherSite()+html("<p>x"))
	if err := page.await(ctx, func() bool { return len(page.frames) == 1 }); err != nil {
		t.Errorf("after a navigation: %d frames, %v", frames(), err)
	}
}

// TestCenterCountsInTheSessionOfThePage: a mouse event at the center of an element,
// through the session of the page, reaches the element, whatever frame it is in.
func TestCenterCountsInTheSessionOfThePage(t *testing.T) {
	page, ctx := newTestPage(t, framedPage())
	for _, frame := range []string{"same", "other"} {
		l := page.Locator(FrameSelector("#"+frame, "button"))
		if err := l.ScrollIntoViewIfNeeded(ctx, 0); err != nil {
			t.Fatal(err)
		}
		if err := l.Hover(ctx, ClickOptions{}); err != nil { // until the frame takes the mouse where it is now
			t.Fatal(err)
		}
		at, err := l.Center(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			event := fmt.Sprintf(`{"type":%q,"x":%g,"y":%g,"button":"left","clickCount":1}`, kind, at.X, at.Y)
			if _, err := page.CDP(ctx, "Input.dispatchMouseEvent", []byte(event), page.SessionID()); err != nil {
				t.Fatal(err)
			}
		}
		title, err := l.Evaluate(ctx, "() => document.title", nil, 0)
		if err != nil || string(title) != `"clicked true"` {
			t.Errorf("%s: %s, %v", frame, title, err)
		}
	}
}

// A frame whose process crashed fails its calls at once, and works again once it shows
// another document.
func TestFrameAfterItsCrash(t *testing.T) {
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<iframe id=f src="%s"></iframe>`, otherSite()+html("<p>framed"))))
	inner := page.Locator(FrameSelector("#f", "p"))
	if text, err := inner.InnerText(ctx, 0); err != nil || text != "framed" {
		t.Fatalf("%q, %v", text, err)
	}
	id, err := shared.manager.Space(t.Name()).IframeTarget(ctx, url.QueryEscape("framed"))
	if err != nil {
		t.Fatal(err)
	}
	page.mu.Lock()
	session := page.frames[id].session
	page.mu.Unlock()
	session.send(rawRequest{"Page.crash", []byte("{}")})
	if _, err := page.Evaluate(ctx, Script{Expression: "new Promise(() => {})", TargetID: id}); err == nil || !strings.Contains(err.Error(), "the frame's process crashed") {
		t.Errorf("a call at the crash: %v", err)
	}
	if _, err := inner.InnerText(ctx, 0); err == nil || ctx.Err() != nil {
		t.Errorf("a call after the crash: %v", err)
	}
	mustEvaluate(t, ctx, page, `new Promise((done) => { const f = document.getElementById("f"); f.onload = done; f.src += "again" }).then(() => 0)`)
	if text, err := inner.InnerText(ctx, 0); err != nil || text != "framedagain" {
		t.Errorf("the frame says %q, %v", text, err)
	}
	mustEvaluate(t, ctx, page, `document.getElementById("f").remove()`)
	if err := page.await(ctx, func() bool { return len(page.frames) == 1 }); err != nil {
		t.Errorf("frames: %v", err)
	}
}

// A script for a frame runs in its next document when the one it was for went away.
func TestFrameNavigatesBeforeTheScript(t *testing.T) {
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<iframe id=f src="%s"></iframe>`, otherSite()+html("<p>framed"))))
	id, err := shared.manager.Space(t.Name()).IframeTarget(ctx, url.QueryEscape("framed"))
	if err != nil {
		t.Fatal(err)
	}
	tries := 0
	err = page.retryStale(ctx, id, func(w *world) error {
		if tries++; tries == 1 {
			mustEvaluate(t, ctx, page, `new Promise((done) => { const f = document.getElementById("f"); f.onload = done; f.src += "again" }).then(() => 0)`)
		}
		v, err := page.runExpression(ctx, w, Script{Expression: "document.body.innerText"})
		if err == nil && string(v) != `"framedagain"` {
			t.Errorf("it runs where there is %s", v)
		}
		return err
	})
	if err != nil || tries != 2 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	err = page.retryStale(ctx, id, func(*world) error {
		mustEvaluate(t, ctx, page, `document.getElementById("f").remove()`)
		return errStale
	})
	if !errors.Is(err, errDetached) || ctx.Err() != nil {
		t.Errorf("in a frame that was removed: %v", err)
	}
}

// A loop in a frame of another process is ended, and the next call waits for that.
func TestLoopInAFrame(t *testing.T) {
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<iframe src="%s"></iframe>`, otherSite()+html("<p>framed"))))
	id, err := shared.manager.Space(t.Name()).IframeTarget(ctx, url.QueryEscape("framed"))
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := page.Evaluate(short, Script{Expression: "for (;;);", TargetID: id}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a loop: %v", err)
	}
	for _, target := range []string{id, ""} {
		if v, err := page.Evaluate(ctx, Script{Expression: "1 + 1", TargetID: target}); err != nil || string(v) != "2" {
			t.Errorf("after the loop %s, %v", v, err)
		}
	}
}
