package browser

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestGotoAboutBlankLoadsAtOnce(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	began := time.Now()
	res, err := page.Goto(ctx, "about:blank", GotoOptions{})
	if err != nil || !res.Loaded || time.Since(began) > 2*time.Second {
		t.Errorf("%+v, %v after %s", res, err, time.Since(began))
	}
	if ok, err := page.WaitForLoadState(ctx, StateLoad, LoadOptions{}); !ok || err != nil {
		t.Errorf("waitForLoadState: %v, %v", ok, err)
	}
}

func TestGotoNetworkErrorIsNoError(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	page, ctx := newTestPage(t, "")
	res, err := page.Goto(ctx, closed.URL, GotoOptions{})
	if err != nil || res.Navigation.ErrorText != "net::ERR_CONNECTION_REFUSED" || !res.Loaded {
		t.Errorf("%+v, %v", res, err)
	}
	mustGoto(t, ctx, page, shared.server.URL+html("<title>back</title>"))
}

func TestGotoInvalidURL(t *testing.T) {
	page, ctx := newTestPage(t, "")
	for _, bad := range []string{"not a url", "http://", ""} {
		var refused *PageError
		if _, err := page.Goto(ctx, bad, GotoOptions{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "Cannot navigate to invalid URL") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestGotoWithoutNewDocument(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>stays</title>"))
	for _, target := range []string{"/html?body=" + url.QueryEscape("<title>stays</title>") + "#part", "/empty"} {
		began := time.Now()
		res, err := page.Goto(ctx, shared.server.URL+target, GotoOptions{})
		if err != nil || !res.Loaded || time.Since(began) > 2*time.Second {
			t.Errorf("%s: %+v, %v after %s", target, res, err, time.Since(began))
		}
	}
	if title, err := page.Title(ctx); err != nil || title != "stays" {
		t.Errorf("title %q, %v", title, err)
	}
}

func TestGotoTimeoutIsNoError(t *testing.T) {
	page, ctx := newTestPage(t, "")
	began := time.Now()
	res, err := page.Goto(ctx, shared.server.URL+"/slow?d=20s", GotoOptions{Timeout: 150 * time.Millisecond})
	if err != nil || res.Loaded || time.Since(began) > 2*time.Second {
		t.Errorf("%+v, %v after %s", res, err, time.Since(began))
	}
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if _, err := page.Goto(short, shared.server.URL+"/slow?d=20s", GotoOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's own deadline: %v", err)
	}
	mustGoto(t, ctx, page, shared.server.URL+html("<p>after"))
}

func TestGotoStates(t *testing.T) {
	page, ctx := newTestPage(t, "")
	res, err := page.Goto(ctx, shared.server.URL+"/drip", GotoOptions{WaitUntil: StateCommit})
	if err != nil || res.Loaded {
		t.Fatalf("commit: %+v, %v", res, err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateInteractive, LoadOptions{}); !ok || err != nil {
		t.Errorf("domcontentloaded: %v, %v", ok, err)
	}
	if n, err := page.Locator("#second").Count(ctx); n != 1 || err != nil {
		t.Errorf("the second part: %d, %v", n, err)
	}
}

func TestReload(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	if _, err := page.Evaluate(ctx, Script{Expression: "window.mark = 1"}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.Reload(ctx, ReloadOptions{}); !ok || err != nil {
		t.Fatalf("reload: %v, %v", ok, err)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "typeof mark"}); string(v) != `"undefined"` || err != nil {
		t.Errorf("the old document is still there: %s, %v", v, err)
	}
}

func TestWaitForNetworkIdle(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	start := `window.got = ""; fetch("/slow?d=300ms").then(r => r.text()).then(t => { window.got = t }); 0`
	if _, err := page.Evaluate(ctx, Script{Expression: start}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateIdle, LoadOptions{Idle: 600 * time.Millisecond}); !ok || err != nil {
		t.Errorf("networkidle: %v, %v", ok, err)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "got"}); string(v) != `"slow"` || err != nil {
		t.Errorf("the fetch had not ended: %s, %v", v, err)
	}
	later := `got = ""; setTimeout(() => fetch("/slow?d=200ms").then(() => { got = "later" }), 100); 0`
	if _, err := page.Evaluate(ctx, Script{Expression: later}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateIdle, LoadOptions{Idle: 600 * time.Millisecond}); !ok || err != nil {
		t.Errorf("networkidle after a click: %v, %v", ok, err)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "got"}); string(v) != `"later"` || err != nil {
		t.Errorf("what an action caused a little later was not waited for: %s, %v", v, err)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: `fetch("/slow?d=10s"); 0`}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateIdle, LoadOptions{Timeout: 300 * time.Millisecond}); ok || err != nil {
		t.Errorf("networkidle with an open request: %v, %v", ok, err)
	}
}

func TestWaitForLoadStateAfterScriptedNavigation(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>first</title>"))
	if _, err := page.Evaluate(ctx, Script{Expression: `location.href = "` + html("<title>second</title>") + `"; 0`}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateLoad, LoadOptions{}); !ok || err != nil {
		t.Fatalf("load: %v, %v", ok, err)
	}
	if title, err := page.Title(ctx); err != nil || title != "second" {
		t.Errorf("title %q, %v", title, err)
	}
}

func TestWaitForSelectorStates(t *testing.T) {
	page, ctx := newTestPage(t, html(`<p id=shown>x</p><p id=hidden style="display:none">x</p><p id=clear style="opacity:0">x</p><b class=two>1</b><b class=two>2</b>`))
	const short = 120 * time.Millisecond
	tests := []struct {
		selector, state string
		want            bool
	}{
		{"#shown", "", true}, {"#shown", Visible, true}, {"#shown", Hidden, false}, {"#shown", Detached, false},
		{"#hidden", Attached, true}, {"#hidden", Visible, false}, {"#hidden", Hidden, true}, {"#hidden", Detached, false},
		{"#clear", Visible, false}, {"#clear", Hidden, true},
		{"#none", Attached, false}, {"#none", Visible, false}, {"#none", Hidden, true}, {"#none", Detached, true},
		{"xpath=//p[@id='shown']", Attached, true}, {"@999999", Attached, false}, {"@999999", Detached, true},
	}
	for _, tt := range tests {
		o := SelectorOptions{State: tt.state}
		if !tt.want {
			o.Timeout = short
		}
		got, err := page.WaitForSelector(ctx, tt.selector, o)
		if err != nil || got != tt.want {
			t.Errorf("%s %q: %v, %v; want %v", tt.selector, tt.state, got, err, tt.want)
		}
	}
	for _, bad := range []string{".two", "p[", "xpath=//[", "xpath=//p"} {
		var refused *ElementError
		began := time.Now()
		_, err := page.WaitForSelector(ctx, bad, SelectorOptions{Timeout: 10 * time.Second})
		if !errors.As(err, &refused) || !refused.Permanent || time.Since(began) > 2*time.Second {
			t.Errorf("%s: %v after %s", bad, err, time.Since(began))
		}
	}
	if _, err := page.WaitForSelector(ctx, "p", SelectorOptions{State: "there"}); err == nil {
		t.Error("an unknown state was accepted")
	}
}

func TestWaitForSelectorThatAppears(t *testing.T) {
	page, ctx := newTestPage(t, html(`<script>setTimeout(() => document.body.append(Object.assign(document.createElement("i"), {id: "late"})), 200)</script>`))
	if ok, err := page.WaitForSelector(ctx, "#late", SelectorOptions{}); !ok || err != nil {
		t.Errorf("late element: %v, %v", ok, err)
	}
}

// The wait goes on in the next document when a navigation replaces the first.
func TestWaitForSelectorAcrossNavigation(t *testing.T) {
	page, ctx := newTestPage(t, html(`<p>first</p>`))
	if _, err := page.Evaluate(ctx, Script{Expression: `setTimeout(() => { location.href = "` + html("<i id=next>x</i>") + `" }, 100); 0`}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForSelector(ctx, "#next", SelectorOptions{State: Visible}); !ok || err != nil {
		t.Errorf("element of the next document: %v, %v", ok, err)
	}
}

func TestWheelScrolls(t *testing.T) {
	page, ctx := newTestPage(t, html(`<div style="height:5000px">tall</div>`))
	if err := page.Wheel(ctx, 0, 300, 100, 100); err != nil {
		t.Fatal(err)
	}
	v, err := page.Evaluate(ctx, Script{Function: `() => new Promise((done) => { const look = () => scrollY > 0 ? done(true) : setTimeout(look, 10); look() })`})
	if err != nil || string(v) != "true" {
		t.Errorf("%s, %v", v, err)
	}
}

// A document that goes on at once is there all the same.
func TestGotoCommitDoesNotFollow(t *testing.T) {
	page, ctx := newTestPage(t, "")
	away := html("<script>location.href = '/slow?d=1m'</script>")
	limited, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	res, err := page.Goto(limited, shared.server.URL+away, GotoOptions{WaitUntil: StateCommit})
	if err != nil || res.Loaded || page.url() != shared.server.URL+away {
		t.Errorf("%+v, %v at %s", res, err, page.url())
	}
}
