package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A tab may end before the answer to the request for it comes: nobody waits for it
// any more, and nothing is kept.
func TestTabThatEndsAsItOpens(t *testing.T) {
	page, ctx := newTestPage(t, "")
	c := page.chrome
	tell := func(method, params string) { c.onEvent(event{Method: method, Params: json.RawMessage(params)}) }
	c.mu.Lock()
	c.arrivals.asking++
	page.set.asking++
	c.mu.Unlock()
	tell("Target.attachedToTarget", `{"sessionId":"S","targetInfo":{"targetId":"T","type":"page"}}`)
	tell("Target.detachedFromTarget", `{"sessionId":"S"}`)
	c.tabAsked("T", page.set)
	if _, err := c.arrived(ctx, page.set, "T"); !errors.Is(err, errDetached) {
		t.Errorf("waiting for it: %v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.arrivals; len(a.claimed)+len(a.waiting)+len(a.gone) != 0 {
		t.Errorf("kept: %+v", a)
	}
}

// A tab that failed leaves no other in its place, also when another one is closed.
func TestNoTabTakesThePlaceOfALostOne(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>first"))
	space := shared.manager.Space(t.Name())
	for _, body := range []string{"second", "third"} {
		if _, err := space.OpenOrReuse(ctx, shared.server.URL+html(body), OpenOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	third := mustPage(t, ctx, space)
	third.session.send(rawRequest{"Page.crash", []byte("{}")})
	if err := page.chrome.await(ctx, func() bool { return len(page.set.pages) == 2 }); err != nil {
		t.Fatal(err)
	}
	if _, err := space.CloseTab(ctx, page.TargetID()); err != nil {
		t.Fatal(err)
	}
	if now := mustPage(t, ctx, space); now.url() != "about:blank" {
		t.Errorf("the next call works on %s", now.url())
	}
}

// testSetsAreForgotten: looking at spaces leaves nothing of them.
func testSetsAreForgotten(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	page := pageOfSpace(t, ctx, m, "stays", html("<p>stays"))
	for i := range 1000 {
		space := m.Space(fmt.Sprint("looked at ", i))
		turn := space.Reserve()
		if _, err := space.Tabs(ctx, true); err != nil {
			t.Fatal(err)
		}
		turn.Release()
	}
	m.Space("stays").Reserve().Release()
	page.chrome.mu.Lock()
	defer page.chrome.mu.Unlock()
	for name := range page.chrome.sets {
		if strings.HasPrefix(name, "looked at ") {
			t.Fatalf("%d sets are kept", len(page.chrome.sets))
		}
	}
	if set := page.chrome.sets["stays"]; set == nil || set.current != page {
		t.Errorf("the space that has a tab is %+v", set)
	}
}

// TestSpaceIsMadeWholly: a call that ends while its space is made leaves nothing in
// Chrome, and the next one makes a space that has the cookies.
func TestSpaceIsMadeWholly(t *testing.T) {
	for _, method := range []string{"Target.createBrowserContext", "Storage.getCookies"} {
		t.Run(method, func(t *testing.T) {
			m := ownManager(t, Config{})
			gaveUp := make(chan struct{})
			calling, cancel := context.WithCancel(testContext(t))
			m.trace = func(dir string, frame []byte) {
				if dir == "->" && strings.Contains(string(frame), `"method":"`+method+`"`) {
					cancel()
					<-gaveUp
				}
			}
			ctx := testContext(t)
			first := pageOfSpace(t, ctx, m, DefaultSpace, html("<p>a"))
			mustEvaluate(t, ctx, first, "document.cookie = 'login=1'; 0")
			if _, err := m.Space("second").Page(calling); !errors.Is(err, context.Canceled) {
				t.Errorf("a call that is given up: %v", err)
			}
			close(gaveUp)
			second := pageOfSpace(t, ctx, m, "second", html("<p>b"))
			if got := mustEvaluate(t, ctx, second, "document.cookie"); got != `"login=1"` {
				t.Errorf("the space begins with %s", got)
			}
			contexts := func() int {
				var res struct{ BrowserContextIDs []string }
				if err := first.chrome.call(ctx, rawRequest{"Target.getBrowserContexts", []byte("{}")}, &res); err != nil {
					t.Fatal(err)
				}
				return len(res.BrowserContextIDs)
			}
			if n := contexts(); n != 1 {
				t.Errorf("%d browser contexts", n)
			}
		})
	}
}
