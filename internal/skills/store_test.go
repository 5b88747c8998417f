package skills

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOpenServesWhatIsThere(t *testing.T) {
	c := load(t, fullPack("x-com"))
	p := mustPack(t, c, "x-com")
	if p.Status != StatusOK || len(p.Diagnostics) != 0 {
		t.Fatalf("status %s, diagnostics %+v", p.Status, p.Diagnostics)
	}
	if c.Generation() != 1 {
		t.Errorf("generation %d, want 1", c.Generation())
	}
	tool := p.NodeTools[0]
	if tool.Name != "search" || tool.Callable != "search" || tool.Args[0].Name != "query" || !tool.Args[0].Required || tool.Returns.Type != "array" {
		t.Errorf("node tool %+v", tool)
	}
	if p.Files["tools/lib.js"] == "" || p.Files["tools/search.js"] != tool.Source {
		t.Errorf("files %v", p.Files)
	}
	if got := string(p.RawBrowserTools); got != `{"extract":{"description":"Extracts.","path":"browser-tools/extract.js","args":{},"returns":{"type":"object","description":"The page."}}}` {
		t.Errorf("raw browser tools %s", got)
	}
	if p.Notes[0].File != filepath.Join(p.Dir, "notes", "overview.md") {
		t.Errorf("note file %s", p.Notes[0].File)
	}
}

func TestSaveIsOneExactChange(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	write(t, dir, packOf("b", "b.com"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	atomicSave(t, filepath.Join(dir, "a/notes/overview.md"), "new")
	_, changes := w.until("the new note", noteIs("a", "new"))
	if len(changes) != 1 || !slices.Equal(changes[0].Updated, []string{"a"}) || changes[0].Generation != 2 ||
		len(changes[0].Added)+len(changes[0].Removed) != 0 {
		t.Errorf("changes %+v", changes)
	}
}

func TestPacksComeAndGo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	write(t, dir, packOf("b", "b.com"))
	_, changes := w.until("pack b", noteIs("b", "# b\n"))
	if !slices.Equal(changes[0].Added, []string{"b"}) {
		t.Errorf("changes %+v", changes)
	}
	if err := os.RemoveAll(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	w.until("no pack a", func(c *Catalog) bool { _, ok := c.Pack("a"); return !ok })
	if gen, ok := w.Catalog().RemovedIn("a"); !ok || gen != w.Catalog().Generation() {
		t.Errorf("removed in %d %v, generation %d", gen, ok, w.Catalog().Generation())
	}
	if _, m := w.Catalog().Lookup("a.com"); m != nil {
		t.Errorf("a.com still found: %v", m)
	}
}

func TestHalfWrittenManifestKeepsTheLastGoodVersion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	write(t, dir, files{"a/manifest.json": `{"id": "a", "doma`})
	w.until("degraded", func(c *Catalog) bool { return mustPack(t, c, "a").Status == StatusDegraded })
	p := mustPack(t, w.Catalog(), "a")
	if !p.Stale || !hasCode(p.Diagnostics, "manifest.json-syntax") || p.Diagnostics[0].SiteID != "a" {
		t.Errorf("pack %+v", p)
	}
	if _, m := w.Catalog().Lookup("https://a.com/"); len(m) != 1 || m[0].Pack.Notes[0].Content != "# a\n" {
		t.Errorf("lookup %v", m)
	}
	write(t, dir, files{"a/manifest.json": manifestOf("a", "a.com", "a.org")})
	_, changes := w.until("ok again", func(c *Catalog) bool { return mustPack(t, c, "a").Status == StatusOK })
	cleared := changes[len(changes)-1].Diagnostics
	if len(cleared) != 1 || len(cleared[0].Diagnostics) != 0 {
		t.Errorf("diagnostics not cleared: %+v", cleared)
	}
	if _, m := w.Catalog().Lookup("https://a.org/"); len(m) != 1 {
		t.Errorf("a.org not found")
	}
}

func TestRemovedManifestEndsThePackInTheEnd(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	must(t, os.Remove(filepath.Join(dir, "a/manifest.json")))
	w.until("a finding", func(c *Catalog) bool { return hasCode(mustPack(t, c, "a").Diagnostics, "manifest.missing") })
	if p := mustPack(t, w.Catalog(), "a"); !p.Stale || len(p.Notes) != 1 {
		t.Errorf("not served for a while: %+v", p)
	}
	w.until("broken", func(c *Catalog) bool { return mustPack(t, c, "a").Status == StatusBroken })
	if _, m := w.Catalog().Lookup("a.com"); m != nil {
		t.Errorf("a.com finds %v", m)
	}
	write(t, dir, files{"a/manifest.json": manifestOf("a", "a.com")})
	w.until("whole again", func(c *Catalog) bool { return mustPack(t, c, "a").Status == StatusOK })
}

func TestSavingTheSameAgainIsNoChange(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	w := openStore(t, Config{Roots: dirRoots(dir)})
	// Not written where they lie: there a file is empty for a moment, which may be
	// as long as the store's quiet time.
	for name, content := range packOf("a", "a.com") {
		atomicSave(t, filepath.Join(dir, name), content)
	}
	write(t, dir, files{"a/notes/.overview.md.swp": "swap"})
	if ch, err := w.Reload(context.Background()); err != nil || ch.Generation != 1 || !ch.empty() {
		t.Errorf("change %+v, %v", ch, err)
	}
	if len(w.changes) != 0 {
		t.Errorf("change %+v", <-w.changes)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	s, err := Open(context.Background(), Config{Roots: dirRoots(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reload(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("reload of a closed store: %v", err)
	}
	if s.Catalog() == nil {
		t.Error("no catalog after close")
	}
}
