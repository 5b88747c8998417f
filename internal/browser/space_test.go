package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSpaces runs each test with both kinds of isolation.
func TestSpaces(t *testing.T) {
	tests := []struct {
		name string
		run  func(t *testing.T, m *Manager, live bool)
	}{
		{"cookies", testSpaceCookies}, {"popups", testPopupsStayInTheirSpace}, {"downloads", testSpaceDownloads},
		{"names", testSpaceNames}, {"storm", testWindowStorm}, {"closes itself", testPageClosesItself}, {"commands", testCommandsStayInTheirSpace},
		{"forgotten", testSetsAreForgotten},
	}
	for _, isolation := range []Isolation{IsolationFull, IsolationShared} {
		t.Run(string(isolation), func(t *testing.T) {
			m := ownManager(t, Config{Isolation: isolation})
			for _, c := range tests {
				t.Run(c.name, func(t *testing.T) {
					c.run(t, m, isolation == IsolationShared)
					for _, s := range m.spaces {
						if err := s.Dispose(testContext(t)); err != nil {
							t.Error(err)
						}
					}
				})
			}
		})
	}
}

func pageOfSpace(t testing.TB, ctx context.Context, m *Manager, name, path string) *Page {
	t.Helper()
	page, err := m.Space(name).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, page, shared.server.URL+path)
	return page
}

func mustEvaluate(t testing.TB, ctx context.Context, p *Page, expression string) string {
	t.Helper()
	v, err := p.Evaluate(ctx, Script{Expression: expression})
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return string(v)
}

// A space begins with the default cookies. With isolation that was all it shares.
func testSpaceCookies(t *testing.T, m *Manager, live bool) {
	ctx := testContext(t)
	first := pageOfSpace(t, ctx, m, DefaultSpace, html("<p>a"))
	mustEvaluate(t, ctx, first, "document.cookie = 'before=1'; localStorage.x = 'default'")
	second := pageOfSpace(t, ctx, m, "second", html("<p>b"))
	if got := mustEvaluate(t, ctx, second, "document.cookie"); got != `"before=1"` {
		t.Errorf("the space began with %s", got)
	}
	mustEvaluate(t, ctx, first, "document.cookie = 'after=1'")
	mustEvaluate(t, ctx, second, "document.cookie = 'own=1'")
	third := pageOfSpace(t, ctx, m, "third", html("<p>c"))
	for _, c := range []struct {
		page             *Page
		isolated, shared string
	}{
		{first, "after=1 before=1", "after=1 before=1 own=1"},
		{second, "before=1 own=1", "after=1 before=1 own=1"},
		{third, "after=1 before=1", "after=1 before=1 own=1"},
	} {
		want := c.isolated
		if live {
			want = c.shared
		}
		if got := mustEvaluate(t, ctx, c.page, "document.cookie.split('; ').sort().join(' ')"); got != `"`+want+`"` {
			t.Errorf("space %s has %s, want %s", c.page.set.space, got, want)
		}
	}
	want := `null`
	if live {
		want = `"default"`
	}
	if got := mustEvaluate(t, ctx, second, "localStorage.getItem('x')"); got != want {
		t.Errorf("storage: %s, want %s", got, want)
	}
}

// Tabs stay in the space whose tab opened them, however they are opened, and one
// space ends without the others.
func testPopupsStayInTheirSpace(t *testing.T, m *Manager, _ bool) {
	ways := []string{
		"open('/html?body=%d')",
		"open('/html?body=%d', '', 'noopener')",
		"open('/html?body=%d', '', 'popup,width=300,height=200')",
		"open('/html?body=%d', '', 'popup,noopener')",
		"Object.assign(document.createElement('a'), { href: '/html?body=%d', target: '_blank', rel: 'noopener' }).click()",
	}
	ctx := testContext(t)
	pages := map[string]*Page{}
	want := map[string][]string{}
	for _, name := range []string{DefaultSpace, "left", "right"} {
		pages[name] = pageOfSpace(t, ctx, m, name, html("<p>"+name))
		want[name] = []string{shared.server.URL + html("<p>"+name)}
	}
	n := 0
	for i, way := range ways { // in turns, so that nothing but the opener tells whose they are
		for _, name := range []string{"right", DefaultSpace, "left"} {
			n++
			mustEvaluate(t, ctx, pages[name], fmt.Sprintf(way, n)+"; 0")
			want[name] = append(want[name], fmt.Sprintf("%s/html?body=%d", shared.server.URL, n))
		}
		for name := range pages {
			slices.Sort(want[name])
			settled := func() bool {
				got := urlsOf(t, ctx, m.Space(name))
				slices.Sort(got)
				return slices.Equal(got, want[name])
			}
			eventually(t, 10*time.Second, fmt.Sprintf("after way %d the tabs of %s", i, name), settled)
		}
	}
	if err := m.Space("left").Dispose(ctx); err != nil {
		t.Fatal(err)
	}
	for name, count := range map[string]int{"left": 0, "right": len(want["right"]), DefaultSpace: len(want[DefaultSpace])} {
		if got := urlsOf(t, ctx, m.Space(name)); len(got) != count {
			t.Errorf("%s has %q", name, got)
		}
	}
	if got := mustEvaluate(t, ctx, pages["right"], "1 + 1"); got != "2" {
		t.Errorf("right says %s", got)
	}
}

func testSpaceDownloads(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	for _, name := range []string{DefaultSpace, "named"} {
		page := pageOfSpace(t, ctx, m, name, html(`<a href=/download>get</a>`))
		w := page.Watch(EventDownload)
		if err := page.Locator("a").Click(ctx, ClickOptions{}); err != nil {
			t.Fatal(err)
		}
		e, err := w.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		path, err := e.Download.Path(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "sample content" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// Whatever a space is called, it is one of its own.
func testSpaceNames(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	names := []string{"", " ", "1", "01", "default ", "Default", "京都 😀", "a/../b", "\x00", strings.Repeat("n", 10_000)}
	for i, name := range names {
		pageOfSpace(t, ctx, m, name, fmt.Sprintf("/html?body=%d", i))
	}
	for i, name := range names {
		want := []string{fmt.Sprintf("%s/html?body=%d", shared.server.URL, i)}
		if got := urlsOf(t, ctx, m.Space(name)); !slices.Equal(got, want) {
			t.Errorf("space %.20q has %q, want %q", name, got, want)
		}
	}
	if got := urlsOf(t, ctx, m.Space(DefaultSpace)); len(got) != 0 {
		t.Errorf("the default space has %q", got)
	}
}

// A page that opens windows without end harms no other space, and its own can be ended.
func testWindowStorm(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	calm := pageOfSpace(t, ctx, m, "calm", html("<p>calm"))
	stormy := pageOfSpace(t, ctx, m, "stormy", html("<p>stormy"))
	mustEvaluate(t, ctx, stormy, `for (let i = 0; i < 15; i++) { const w = open("about:blank", "", i % 2 ? "noopener" : ""); if (i % 3 == 0 && w) w.close(); } 0`)
	if got := mustEvaluate(t, ctx, calm, "document.body.innerText"); got != `"calm"` {
		t.Errorf("calm says %s", got)
	}
	if err := m.Space("stormy").Dispose(ctx); err != nil {
		t.Fatal(err)
	}
	if got := urlsOf(t, ctx, m.Space("stormy")); len(got) != 0 {
		t.Errorf("%d windows are left", len(got))
	}
	if got := urlsOf(t, ctx, m.Space("calm")); len(got) != 1 {
		t.Errorf("calm has %q", got)
	}
	if got := urlsOf(t, ctx, m.Space(DefaultSpace)); len(got) != 0 {
		t.Errorf("the default space got %q", got)
	}
}

// A page that closes itself while a call on it runs ends the call, and the space goes on.
func testPageClosesItself(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	space := m.Space("x")
	page := pageOfSpace(t, ctx, m, "x", html("<p>first"))
	mustEvaluate(t, ctx, page, `open("/html?body=second"); 0`)
	eventually(t, 10*time.Second, "the second tab", func() bool { return len(urlsOf(t, ctx, space)) == 2 })
	tabs, err := space.Tabs(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := space.SwitchTab(ctx, tabs[1].TargetID); err != nil {
		t.Fatal(err)
	}
	second, err := space.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var closed *PageError
	if _, err := second.Evaluate(ctx, Script{Expression: "close(); new Promise(() => {})"}); !errors.As(err, &closed) {
		t.Errorf("the call ended with %v", err)
	}
	eventually(t, 10*time.Second, "one tab", func() bool { return len(urlsOf(t, ctx, space)) == 1 })
	if now, err := space.Page(ctx); err != nil || now != page {
		t.Errorf("the current page: %v", err)
	}
}

// TestNamesAreForgotten: spaces that were used and have nothing in Chrome leave
// nothing behind, and one whose turn is held, kept or waited for stays the same.
func TestNamesAreForgotten(t *testing.T) {
	m := New(Config{TempDir: t.TempDir()})
	for i := range 10_000 {
		m.Space(fmt.Sprint("name ", i)).Reserve().Release()
	}
	if n := len(m.spaces); n != 0 {
		t.Errorf("%d names are kept", n)
	}
	held := m.Space("held")
	m.Space("held").Reserve().Release() // forgets it
	first := held.Reserve()
	second := m.Space("held").Reserve()
	select {
	case <-second.ready:
		t.Error("two turns in one space at once")
	default:
	}
	first.Release()
	if err := second.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	m.Space("held").Keep(true)
	second.Release()
	if len(m.spaces) != 1 || len(m.kept) != 1 {
		t.Errorf("a space that a user has was forgotten: %d, %d", len(m.spaces), len(m.kept))
	}
	m.Space("held").Keep(false)
}
