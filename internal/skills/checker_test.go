package skills

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
)

// TestManyFindingsAreFewSwaps: the first check of a root in which everything is
// wrong is no storm of changes.
func TestManyFindingsAreFewSwaps(t *testing.T) {
	dir, packs := t.TempDir(), files{}
	const n = 120
	for i := range n {
		id := fmt.Sprintf("p%03d", i)
		packs = merge(packs, fullPack(id), files{id + "/tools/search.js": "bug " + id})
	}
	write(t, dir, packs)
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), CheckAll: true, Check: fakeCheck(&calls)})
	must(t, w.Settle(t.Context()))
	report, _ := w.Catalog().Validate("")
	if report.Errors != n {
		t.Errorf("%d errors once settled, want %d", report.Errors, n)
	}
	if g := w.Catalog().Generation(); g > n/10 {
		t.Errorf("%d generations for one round of checks", g)
	}
}

// TestEmptyFilesAreChecked: a file without a byte has a source all the same.
func TestEmptyFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), files{"a/tools/search.js": "", "a/browser-tools/extract.js": ""}))
	var seen atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: func(_ context.Context, _ *Pack, tool *Tool) ([]Diagnostic, error) {
		if tool.Source == "" {
			seen.Add(1)
		}
		return nil, nil
	}})
	must(t, w.Settle(t.Context()))
	if seen.Load() != 2 {
		t.Errorf("%d of 2 empty files were checked", seen.Load())
	}
}

// TestEditThatMendsNothingClearsNothing: the findings of a tool change when the new
// ones are known, and not on the way there.
func TestEditThatMendsNothingClearsNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), files{"a/tools/search.js": "bug"}))
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: fakeCheck(&calls)})
	must(t, w.Settle(t.Context()))
	file := filepath.Join(dir, "a", "tools", "search.js")
	line := func(n int) func(*Catalog) bool {
		return func(c *Catalog) bool {
			list := mustPack(t, c, "a").Diagnostics
			return len(list) == 1 && list[0].Range.Start.Line == n
		}
	}
	atomicSave(t, file, "\nbug")
	_, changes := w.until("the finding in its new line", line(1))
	for _, ch := range changes {
		for _, f := range ch.Diagnostics {
			if len(f.Diagnostics) == 0 {
				t.Errorf("cleared on the way: %+v", changes)
			}
		}
	}
	atomicSave(t, file, "mended")
	_, changes = w.until("no finding", func(c *Catalog) bool { return len(mustPack(t, c, "a").Diagnostics) == 0 })
	last := changes[len(changes)-1]
	if len(last.Diagnostics) != 1 || len(last.Diagnostics[0].Diagnostics) != 0 || mustPack(t, w.Catalog(), "a").Status != StatusOK {
		t.Errorf("not cleared: %+v", changes)
	}
}

// TestHurry: a pack that is waited for comes right after the one under way, and
// whoever waits for it does not wait for the others, nor hears of their failures.
func TestHurry(t *testing.T) {
	c := newChecks(func(context.Context, *Pack, *Tool) ([]Diagnostic, error) { return nil, nil })
	key := func(dir string) slotKey { return slotKey{dir: dir} }
	for _, dir := range []string{"a", "b", "c", "d"} {
		c.enqueue(key(dir))
	}
	c.begin(checkJob{key: key("a")})
	one, all := make(chan answer, 1), make(chan answer, 1)
	c.hurry([]slotKey{key("c"), key("new")})
	c.waiting = []waiter{{packs: []slotKey{key("c"), key("new")}, reply: one}, {reply: all, failed: errors.New("of a")}}
	if want := []slotKey{key("c"), key("new"), key("b"), key("d")}; !slices.Equal(c.queue, want) {
		t.Errorf("queue %v, want %v", c.queue, want)
	}
	for range 2 { // c and new are done
		c.settle()
		if len(one) > 0 {
			t.Errorf("answered with %v still to do", c.queue)
		}
		c.dequeue(0)
	}
	c.settle()
	if len(one) != 1 || (<-one).err != nil || len(all) != 0 {
		t.Error("the packs that were waited for are checked, and the wait is not over")
	}
	c.queue, c.queued = nil, map[slotKey]bool{}
	clear(c.running)
	c.settle()
	if len(all) != 1 || (<-all).err == nil || len(c.waiting) != 0 {
		t.Error("all is checked, and the wait for it is not over")
	}
}

// TestChecksAtOnce: as many packs as were asked for are checked at the same time,
// and a source that several have is checked once.
func TestChecksAtOnce(t *testing.T) {
	const atOnce, packs = 3, 12
	dir, all := t.TempDir(), files{}
	for i := range packs {
		id := fmt.Sprintf("p%02d", i)
		all = merge(all, fullPack(id), files{id + "/tools/search.js": "own " + id, id + "/browser-tools/extract.js": "bug of all"})
	}
	write(t, dir, all)
	var now, most, shared atomic.Int64
	full := make(chan struct{})
	w := openStore(t, Config{Roots: dirRoots(dir), CheckAll: true, ChecksAtOnce: atOnce, Check: func(ctx context.Context, _ *Pack, tool *Tool) ([]Diagnostic, error) {
		n := now.Add(1)
		defer now.Add(-1)
		most.Store(max(most.Load(), n))
		if n == atOnce && most.Load() == atOnce {
			select {
			case <-full:
			default:
				close(full)
			}
		}
		if tool.Kind == BrowserTool {
			shared.Add(1)
			return []Diagnostic{{Severity: SeverityError, Code: "tool.syntax", File: tool.Path, Message: "bug"}}, nil
		}
		select {
		case <-full:
		case <-ctx.Done():
		}
		return nil, nil
	}})
	must(t, w.Settle(t.Context()))
	if most.Load() != atOnce {
		t.Errorf("%d packs at once, want %d", most.Load(), atOnce)
	}
	if shared.Load() != 1 {
		t.Errorf("one source was checked %d times", shared.Load())
	}
	if report, _ := w.Catalog().Validate(""); report.Errors != packs {
		t.Errorf("%d errors, want one in each of %d packs", report.Errors, packs)
	}
}

func TestSettlePack(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), fullPack("b"), files{"b/tools/search.js": "bug"}))
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: fakeCheck(&calls)})
	must(t, w.SettlePack(t.Context(), "b"))
	if !hasCode(mustPack(t, w.Catalog(), "b").Diagnostics, "tool.syntax") || calls.Load() != 2 {
		t.Errorf("after %d checks: %q", calls.Load(), findingsOf(w.Catalog().Diagnostics()))
	}
	must(t, w.SettlePack(t.Context(), "b"))
	must(t, w.SettlePack(t.Context(), "nobody"))
	if calls.Load() != 2 {
		t.Errorf("%d checks for nothing", calls.Load()-2)
	}
}

func TestSettleWithoutACheck(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, fullPack("a"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	must(t, w.SettlePack(t.Context(), "a"))
	must(t, w.Settle(t.Context()))
}
