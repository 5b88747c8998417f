package browser

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

// 100 evaluations, half of them given up, leave no goroutine, session, pending
// call or collector behind.
func TestEvaluationsLeaveNothing(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	c := page.chrome
	sessions := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.sessions)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: "({})"}); err != nil {
		t.Fatal(err)
	}
	goroutines, before := runtime.NumGoroutine(), sessions()
	for range 50 {
		if _, err := page.Call(ctx, Function{Source: "() => { console.log(1); return [1] }"}); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		_, err := page.Evaluate(short, Script{Function: "() => new Promise(() => {})"})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if err := page.begin(ctx); err != nil {
		t.Fatal(err)
	}
	eventually(t, 5*time.Second, "goroutines are back", func() bool { return runtime.NumGoroutine() <= goroutines })
	if n := sessions(); n != before {
		t.Errorf("%d sessions, before %d", n, before)
	}
	eventually(t, 5*time.Second, "no call is pending", func() bool { return c.conn.idleFor() > 0 })
	if len(page.collectors) != 0 {
		t.Errorf("%d collectors left", len(page.collectors))
	}
}

func TestTabsLeaveNothing(t *testing.T) {
	page, ctx := newTestPage(t, "")
	space := shared.manager.Space(t.Name())
	c := page.chrome
	goroutines := runtime.NumGoroutine()
	for range 10 {
		opened, err := space.OpenOrReuse(ctx, shared.server.URL+html("<iframe srcdoc=x></iframe>"), OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := space.CloseTab(ctx, opened.TargetID); err != nil {
			t.Fatal(err)
		}
	}
	c.mu.Lock()
	sessions := 0
	for _, a := range c.sessions {
		if a.page.set == page.set {
			sessions++
		}
	}
	c.mu.Unlock()
	if sessions != 1 {
		t.Errorf("%d sessions, want the first tab's alone", sessions)
	}
	eventually(t, 5*time.Second, "goroutines are back", func() bool { return runtime.NumGoroutine() <= goroutines+2 })
}
