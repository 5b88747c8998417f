package skills

import (
	"context"
	"fmt"
	"path/filepath"
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
