package browser

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTabsNeverStartChrome(t *testing.T) {
	m := New(Config{TempDir: t.TempDir()})
	for _, name := range []string{DefaultSpace, "other"} {
		tabs, err := m.Space(name).Tabs(t.Context(), true)
		if err != nil || tabs != nil || m.Running() {
			t.Errorf("%s: %v, %v, running %v", name, tabs, err, m.Running())
		}
		if err := m.Space(name).Dispose(t.Context()); err != nil || m.Running() {
			t.Errorf("%s: dispose: %v, running %v", name, err, m.Running())
		}
	}
	if err := m.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOpenListSwitchClose(t *testing.T) {
	ctx := testContext(t)
	space := newTestSpace(t)
	url := func(title string) string { return shared.server.URL + html("<title>"+title+"</title>") }
	one, err := space.OpenOrReuse(ctx, url("one"), OpenOptions{})
	if err != nil || one.Reused || !one.Active || one.TargetID == "" {
		t.Fatalf("first open: %+v, %v", one, err)
	}
	two, err := space.OpenOrReuse(ctx, url("two"), OpenOptions{})
	if err != nil || two.Index != 1 {
		t.Fatalf("second open: %+v, %v", two, err)
	}
	tabs, err := space.Tabs(ctx, false)
	want := []Tab{
		{TargetID: one.TargetID, Title: "one", URL: url("one"), Index: 0},
		{TargetID: two.TargetID, Title: "two", URL: url("two"), Index: 1, Active: true},
	}
	if diff := cmp.Diff(want, tabs); diff != "" || err != nil {
		t.Errorf("tabs (-want +got): %s %v", diff, err)
	}
	again, err := space.OpenOrReuse(ctx, url("one"), OpenOptions{})
	if err != nil || !again.Reused || again.TargetID != one.TargetID || again.Title != "one" {
		t.Errorf("reuse: %+v, %v", again, err)
	}
	if tab, err := space.CurrentTab(ctx); err != nil || tab.TargetID != one.TargetID {
		t.Errorf("current: %+v, %v", tab, err)
	}
	if id, err := space.SwitchTab(ctx, two.TargetID); err != nil || id != two.TargetID {
		t.Errorf("switch: %s, %v", id, err)
	}
	page, err := space.Page(ctx)
	if err != nil || page.TargetID() != two.TargetID {
		t.Errorf("page after switch: %v", err)
	}
	if id, err := space.CloseTab(ctx, ""); err != nil || id != two.TargetID {
		t.Errorf("close: %s, %v", id, err)
	}
	if tab, err := space.CurrentTab(ctx); err != nil || tab.TargetID != one.TargetID {
		t.Errorf("current after close: %+v, %v", tab, err)
	}
	if _, err := page.Info(ctx); !errors.Is(err, errDetached) {
		t.Errorf("operation on a closed page: %v", err)
	}
}

// Chrome forgets that it shall close a tab when a document takes another's place.
func TestTabClosesWhileItNavigates(t *testing.T) {
	ctx := testContext(t)
	space := newTestSpace(t)
	stay, err := space.OpenOrReuse(ctx, shared.server.URL+html("stays"), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		for _, path := range []string{html("soon gone"), "/drip"} {
			tab, err := space.OpenOrReuse(ctx, shared.server.URL+path, OpenOptions{Wait: new(bool)})
			if err != nil {
				t.Fatal(err)
			}
			if tab.URL != shared.server.URL+path {
				t.Errorf("a tab that is open shows %s", tab.URL)
			}
			if _, err := space.CloseTab(ctx, tab.TargetID); err != nil {
				t.Error(err)
			}
		}
		tab, err := space.OpenOrReuse(ctx, shared.server.URL+html("leaves"), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		page, err := space.Page(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := page.Evaluate(ctx, Script{Expression: "location.href = " + strconv.Quote(html("next"))}); err != nil {
			t.Fatal(err)
		}
		if _, err := space.CloseTab(ctx, tab.TargetID); err != nil {
			t.Error(err)
		}
	}
	if tabs, err := space.Tabs(ctx, true); err != nil || len(tabs) != 1 || tabs[0].TargetID != stay.TargetID {
		t.Errorf("left: %v, %v", tabs, err)
	}
}

func TestTabErrors(t *testing.T) {
	ctx := testContext(t)
	space := newTestSpace(t)
	if _, err := space.Page(ctx); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		run        func() error
	}{
		{"switch to nothing", "switchTab requires a targetId", func() error { _, err := space.SwitchTab(ctx, ""); return err }},
		{"switch to a stranger", "switchTab target not found: nope. Available tabs: [", func() error { _, err := space.SwitchTab(ctx, "nope"); return err }},
		{"close a stranger", "closeTab target not found: nope", func() error { _, err := space.CloseTab(ctx, "nope"); return err }},
		{"open with a bad match", `unknown match "near"`, func() error {
			_, err := space.OpenOrReuse(ctx, "about:blank", OpenOptions{Match: "near"})
			return err
		}},
		{"open an invalid address", "Cannot navigate to invalid URL", func() error {
			_, err := space.OpenOrReuse(ctx, "http://", OpenOptions{})
			return err
		}},
	}
	for _, tt := range tests {
		if err := tt.run(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if tab, err := space.EnsureRealTab(ctx); tab != nil || err != nil {
		t.Errorf("ensureRealTab among blank tabs: %+v, %v", tab, err)
	}
}

func TestSameAddress(t *testing.T) {
	tests := []struct {
		have, want, match string
		ok                bool
	}{
		{"http://a.test/", "http://a.test", "exact", true},
		{"http://a.test/", "HTTP://A.test:80/", "exact", true},
		{"http://a.test/x?q=1#h", "http://a.test/x?q=1#h", "", true},
		{"http://a.test/x?q=1", "http://a.test/x?q=2", "", false},
		{"http://a.test/x#h", "http://a.test/x", "", false},
		{"http://a.test/x", "http://a.test/y?z", "origin", true},
		{"http://a.test:8080/x", "http://a.test/x", "origin", false},
		{"https://a.test/x", "http://a.test/x", "origin", false},
		{"http://a.test/x/?q", "http://a.test/x", "origin+path", true},
		{"http://a.test/x/y", "http://a.test/x", "origin+path", false},
		{"http://a.test/path", "test/pa", "includes", true},
		{"http://a.test/path", "a.test/path", "exact", false},
		{"%zz", "%zz", "exact", true},
	}
	for _, tt := range tests {
		if got := sameAddress(tt.have, tt.want, tt.match); got != tt.ok {
			t.Errorf("sameAddress(%q, %q, %q) = %v", tt.have, tt.want, tt.match, got)
		}
	}
}

func TestPopupsAreAdopted(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>opener</title>"))
	space := shared.manager.Space(t.Name())
	popup := html("<title>popup</title><script>alert('popup')</script>")
	if _, err := page.Evaluate(ctx, Script{Expression: `window.open("` + popup + `"); 0`}); err != nil {
		t.Fatal(err)
	}
	c, set, err := space.existing(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.await(ctx, func() bool { return len(set.pages) == 2 }); err != nil {
		t.Fatalf("the popup was not adopted: %v", err)
	}
	if current, err := space.Page(ctx); err != nil || current != page {
		t.Errorf("the opener is no longer current: %v", err)
	}
	second := set.pages[1]
	if err := second.await(ctx, func() bool { return second.doc.loaded && second.doc.url != "about:blank" }); err != nil {
		t.Fatal(err)
	}
	if title, err := second.Title(ctx); err != nil || title != "popup" {
		t.Errorf("popup title %q, %v", title, err)
	}
}

func TestSpacesAreApart(t *testing.T) {
	ctx := testContext(t)
	a, b := newTestSpace(t), shared.manager.Space(t.Name()+"/b")
	t.Cleanup(func() {
		if err := b.Dispose(context.Background()); err != nil {
			t.Error(err)
		}
	})
	for _, s := range []*Space{a, b} {
		if _, err := s.OpenOrReuse(ctx, shared.server.URL+html("<p>x"), OpenOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pageA, err := a.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pageA.Evaluate(ctx, Script{Expression: `document.cookie = "who=a"; localStorage.who = "a"`}); err != nil {
		t.Fatal(err)
	}
	pageB, err := b.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pageB.Evaluate(ctx, Script{Expression: `[document.cookie, localStorage.who]`})
	if err != nil || string(got) != `["",null]` {
		t.Errorf("space b sees %s, %v", got, err)
	}
	tabs, err := b.Tabs(ctx, true)
	if err != nil || len(tabs) != 1 || tabs[0].TargetID != pageB.TargetID() {
		t.Errorf("tabs of b: %+v, %v", tabs, err)
	}
}

func TestPageClosedMidCall(t *testing.T) {
	page, ctx := newTestPage(t, "")
	space := shared.manager.Space(t.Name())
	result := make(chan error, 1)
	entered := page.startCollecting(nil)
	go func() {
		_, err := page.Evaluate(ctx, Script{Function: `() => { console.log("in"); return new Promise(() => {}) }`})
		result <- err
	}()
	if err := page.await(ctx, func() bool { return len(entered.logs) > 0 }); err != nil {
		t.Fatal(err)
	}
	page.finishCollecting(entered)
	if _, err := space.CloseTab(ctx, ""); err != nil {
		t.Fatal(err)
	}
	var closed *PageError
	if err := <-result; !errors.As(err, &closed) || !strings.Contains(err.Error(), "closed") || errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that the page was closed", err)
	}
}

func TestCrashedTabFailsItsCallsAtOnce(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	space := shared.manager.Space(t.Name())
	result := make(chan error, 1)
	go func() {
		_, err := page.Evaluate(ctx, Script{Function: `() => new Promise(() => {})`})
		result <- err
	}()
	page.session.conn.start(page.session.id, "Page.crash", nil, nil)
	err := <-result
	var crashed *PageError
	if !errors.As(err, &crashed) || !strings.Contains(err.Error(), "the page crashed") || ctx.Err() != nil {
		t.Errorf("error = %v, want what Inspector.targetCrashed says", err)
	}
	fresh, err := space.Page(ctx)
	if err != nil || fresh == page {
		t.Fatalf("the next page: %v", err)
	}
	mustGoto(t, ctx, fresh, shared.server.URL+html("<p>y"))
}

func TestLaneKeepsOrder(t *testing.T) {
	m := New(Config{TempDir: t.TempDir()})
	defer m.Close(context.Background())
	space := m.Space("x")
	first, second, third := space.Reserve(), space.Reserve(), space.Reserve()
	if err := first.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.Wait(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled wait: %v", err)
	}
	second.Release()
	second.Release()
	waited := make(chan error, 1)
	go func() { waited <- third.Wait(t.Context()) }()
	select {
	case <-third.ready:
		t.Error("the third turn came before the first was released")
	default:
	}
	first.Release()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	other := m.Space("y").Reserve()
	if err := other.Wait(t.Context()); err != nil {
		t.Errorf("another space's lane: %v", err)
	}
	other.Release()
	third.Release()
	if m.Running() {
		t.Error("the lane started chrome")
	}
}

// A tab behind another draws, and believes to be in front: nobody brings it there.
func TestTabBehindAnother(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>behind"))
	space := shared.manager.Space(t.Name())
	if _, err := space.OpenOrReuse(ctx, shared.server.URL+html("<p>in front"), OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*Page{page, mustPage(t, ctx, space)} {
		got, err := p.Evaluate(ctx, Script{Expression: `new Promise((done) => requestAnimationFrame(() => done([document.visibilityState, document.hasFocus()])))`})
		if err != nil || string(got) != `["visible",true]` {
			t.Errorf("%s: %s, %v", p.url(), got, err)
		}
	}
}

func mustPage(t testing.TB, ctx context.Context, s *Space) *Page {
	t.Helper()
	page, err := s.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return page
}
