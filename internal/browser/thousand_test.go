package browser

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"
	"time"
)

// footprint is what operations could leave behind, here and in Chrome.
type footprint struct {
	sessions, watches, collectors, frames int // egod's, for one page
	goroutines                            int
	heap                                  uint64 // egod's, after a collection, in bytes
	targets                               int    // in Chrome
	documents, nodes, listeners           int    // of the page's renderer
	pageHeap                              float64
}

func footprintOf(t *testing.T, ctx context.Context, p *Page) footprint {
	t.Helper()
	var f footprint
	ask := func(method string, res any) {
		if err := p.session.call(ctx, rawRequest{method, json.RawMessage("{}")}, res); err != nil {
			t.Fatal(err)
		}
	}
	ask("HeapProfiler.collectGarbage", nil)
	var counters struct{ Documents, Nodes, JSEventListeners int }
	ask("Memory.getDOMCounters", &counters)
	f.documents, f.nodes, f.listeners = counters.Documents, counters.Nodes, counters.JSEventListeners
	var heap struct{ UsedSize float64 }
	ask("Runtime.getHeapUsage", &heap)
	f.pageHeap = heap.UsedSize
	var targets struct{ TargetInfos []struct{} }
	if err := p.chrome.call(ctx, rawRequest{"Target.getTargets", json.RawMessage("{}")}, &targets); err != nil {
		t.Fatal(err)
	}
	f.targets = len(targets.TargetInfos)
	p.chrome.mu.Lock()
	f.sessions = len(p.chrome.sessions)
	p.chrome.mu.Unlock()
	p.mu.Lock()
	f.watches, f.collectors, f.frames = len(p.watches), len(p.collectors), len(p.frames)
	p.mu.Unlock()
	p.DrainEvents()
	f.goroutines = runtime.NumGoroutine()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.heap = m.HeapAlloc
	return f
}

// tenOperations are ten of the most different kinds.
func tenOperations(ctx context.Context, p *Page) error {
	steps := []func() error{
		func() error {
			_, err := p.Evaluate(ctx, Script{Function: "(a) => ({ got: a, rows: [1, 2, 3] })", Arg: json.RawMessage(`{"b":1}`)})
			return err
		},
		func() error {
			_, err := p.Call(ctx, Function{Source: "() => { console.log('x'); return document.title }"})
			return err
		},
		func() error { return p.Locator("#field").Fill(ctx, "text", FillOptions{}) },
		func() error { return p.GetByRole("button", RoleOptions{}).Click(ctx, ClickOptions{}) },
		func() error {
			_, err := p.Locator("li").EvaluateAll(ctx, "(els) => els.map((el) => el.textContent)", nil)
			return err
		},
		func() error {
			_, err := p.Locator("#field").Evaluate(ctx, "(el) => el.value", nil, 0)
			return err
		},
		func() error {
			_, err := p.Snapshot(ctx, SnapshotOptions{})
			return err
		},
		func() error {
			w := p.Watch(EventConsole, EventDialog)
			defer w.Close()
			_, err := p.Locator("li").First().InnerText(ctx, 0)
			return err
		},
		func() error {
			_, err := p.Locator("iframe").First().Screenshot(ctx, ScreenshotOptions{}, 0)
			return err
		},
		func() error {
			_, err := p.WaitForFunction(ctx, Script{Expression: "document.title"}, 0, 0)
			return err
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// A thousand operations leave sessions, listeners and memory as they were.
func TestThousandOperations(t *testing.T) {
	page, _ := newTestPage(t, html(`<title>flat</title><input id=field><button>Press</button><ul><li>a<li>b</ul><iframe srcdoc="<p>in" width=50 height=50></iframe>`))
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	round := func(n int) {
		for i := range n {
			if err := tenOperations(ctx, page); err != nil {
				t.Fatal(err)
			}
			if i%10 != 0 {
				continue
			}
			if _, err := page.Reload(ctx, ReloadOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	round(10) // caches fill
	before := footprintOf(t, ctx, page)
	began := time.Now()
	round(100)
	took := time.Since(began)
	var after footprint
	eventually(t, 20*time.Second, "goroutines and documents are as before", func() bool {
		after = footprintOf(t, ctx, page)
		return after.goroutines <= before.goroutines && after.documents <= before.documents && after.listeners <= before.listeners
	})
	t.Logf("1,000 operations in %s\nbefore %+v\nafter  %+v", took, before, after)
	if after.sessions != before.sessions || after.targets != before.targets || after.watches != 0 || after.collectors != 0 || after.frames != before.frames {
		t.Errorf("something was left behind")
	}
	if after.nodes > before.nodes+50 {
		t.Errorf("%d DOM nodes, before %d", after.nodes, before.nodes)
	}
	if grown := int64(after.heap) - int64(before.heap); grown > 2<<20 {
		t.Errorf("egod's heap grew by %d bytes", grown)
	}
	if grown := after.pageHeap - before.pageHeap; grown > 1<<20 {
		t.Errorf("the page's heap grew by %.0f bytes", grown)
	}
}
