package skills

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// TestManyFindingsAreFewSwaps: the first check of a root in which everything is
// wrong is no storm of changes.
func TestManyFindingsAreFewSwaps(t *testing.T) {
	dir, packs := t.TempDir(), files{}
	const n = 300
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
