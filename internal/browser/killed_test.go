package browser

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// Chrome is killed in the middle of every kind of operation that takes its time: each
// says so at once, and the next call has a fresh one.
func TestKilledInTheMiddle(t *testing.T) {
	m := ownManager(t, Config{})
	never := Script{Expression: "new Promise(() => {})"}
	slow := shared.server.URL + "/slow?d=1m"
	long := time.Minute
	operations := map[string]func(ctx context.Context, p *Page) error{
		"evaluate": func(ctx context.Context, p *Page) error { _, err := p.Evaluate(ctx, never); return err },
		"browserTool": func(ctx context.Context, p *Page) error {
			_, err := p.Call(ctx, Function{Source: "() => new Promise(() => {})"})
			return err
		},
		"loop": func(ctx context.Context, p *Page) error {
			_, err := p.Evaluate(ctx, Script{Expression: "for (;;);"})
			return err
		},
		"cdp": func(ctx context.Context, p *Page) error {
			_, err := p.CDP(ctx, "Runtime.evaluate", json.RawMessage(`{"expression":"new Promise(() => {})","awaitPromise":true}`), "")
			return err
		},
		"goto": func(ctx context.Context, p *Page) error {
			_, err := p.Goto(ctx, slow, GotoOptions{Timeout: long})
			return err
		},
		"open": func(ctx context.Context, p *Page) error {
			_, err := m.Space("open").OpenOrReuse(ctx, slow, OpenOptions{Timeout: long})
			return err
		},
		"click": func(ctx context.Context, p *Page) error {
			return p.Locator("#covered").Click(ctx, ClickOptions{Timeout: long})
		},
		"fill": func(ctx context.Context, p *Page) error {
			return p.Locator("#off").Fill(ctx, "x", FillOptions{Timeout: long})
		},
		"role": func(ctx context.Context, p *Page) error {
			return p.GetByRole("dialog", RoleOptions{}).Click(ctx, ClickOptions{Timeout: long})
		},
		"text": func(ctx context.Context, p *Page) error {
			_, err := p.Locator("#none").InnerText(ctx, long)
			return err
		},
		"type": func(ctx context.Context, p *Page) error {
			return p.Locator("#field").PressSequentially(ctx, "text", long, long)
		},
		"drag": func(ctx context.Context, p *Page) error {
			return p.MouseDrag(ctx, []Point{{1, 1}, {9, 9}, {20, 20}}, DragOptions{Delay: long})
		},
		"waitForSelector": func(ctx context.Context, p *Page) error {
			_, err := p.WaitForSelector(ctx, "#none", SelectorOptions{Timeout: long})
			return err
		},
		"waitForFunction": func(ctx context.Context, p *Page) error {
			_, err := p.WaitForFunction(ctx, Script{Expression: "false"}, 0, long)
			return err
		},
		"waitForURL": func(ctx context.Context, p *Page) error {
			_, err := p.WaitForURL(ctx, func(string) (bool, error) { return false, nil }, "", long)
			return err
		},
		"waitForLoadState": func(ctx context.Context, p *Page) error {
			if _, err := p.Evaluate(ctx, Script{Expression: "setInterval(() => fetch('/empty'), 50); 0"}); err != nil {
				return err
			}
			_, err := p.WaitForLoadState(ctx, StateIdle, LoadOptions{Timeout: long})
			return err
		},
		"waitForRequest": func(ctx context.Context, p *Page) error {
			w := p.Watch(EventRequest)
			defer w.Close()
			_, err := w.WaitForRequest(ctx, func(*Request) bool { return false }, long)
			return err
		},
		"snapshot": func(ctx context.Context, p *Page) error {
			keepBusy(p)
			_, err := p.Snapshot(ctx, SnapshotOptions{})
			return err
		},
		"screenshot": func(ctx context.Context, p *Page) error {
			keepBusy(p)
			_, err := p.Screenshot(ctx, ScreenshotOptions{})
			return err
		},
		"count": func(ctx context.Context, p *Page) error { keepBusy(p); _, err := p.Locator("p").Count(ctx); return err },
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	pages := make(map[string]*Page)
	for name := range operations {
		pages[name] = pageOfSpace(t, ctx, m, name, html(`<input id=field><input id=off disabled><button id=covered>x</button>
			<div style="position:fixed;inset:0"></div><p>text`))
	}
	type ending struct {
		name string
		err  error
		when time.Time
	}
	endings := make(chan ending, len(operations))
	begun := make(chan struct{}, len(operations))
	for name, run := range operations {
		go func() {
			begun <- struct{}{}
			err := run(ctx, pages[name])
			endings <- ending{name, err, time.Now()}
		}()
	}
	for range operations {
		<-begun
	}
	c := m.running()
	eventually(t, 20*time.Second, "most operations are under way", func() bool {
		c.conn.mu.Lock()
		defer c.conn.mu.Unlock()
		return len(c.conn.pending) >= len(operations)/2
	})
	killed := time.Now()
	c.proc.Kill()
	for range operations {
		e := <-endings
		var gone *GoneError
		if !errors.As(e.err, &gone) {
			t.Errorf("%s ended with %v", e.name, e.err)
		}
		if e.when.Before(killed) || e.when.Sub(killed) > 5*time.Second {
			t.Errorf("%s ended %s after the kill", e.name, e.when.Sub(killed))
		}
	}
	page := pageOfSpace(t, ctx, m, "evaluate", html("<p>fresh"))
	if got := mustEvaluate(t, ctx, page, "document.body.innerText"); got != `"fresh"` {
		t.Errorf("the next call got %s", got)
	}
	for name := range operations {
		if tabs := urlsOf(t, ctx, m.Space(name)); name != "evaluate" && len(tabs) != 0 {
			t.Errorf("space %s has %q", name, tabs)
		}
	}
}

// keepBusy has a page answer nothing.
func keepBusy(p *Page) { p.session.send(evaluateParams{Expression: "for (;;);"}) }
