package skills

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files maps slash paths to contents.
type files map[string]string

// write puts files below dir, making directories.
func write(t testing.TB, dir string, fs files) {
	t.Helper()
	for name, content := range fs {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// manifestOf is a manifest without faults and without tools.
func manifestOf(id string, domains ...string) string {
	list, _ := json.Marshal(domains)
	return fmt.Sprintf(`{"id": %q, "name": "The %s site", "domains": %s, "notes": ["notes/overview.md"]}`, id, id, list)
}

// packOf is a pack without faults that has one note.
func packOf(id string, domains ...string) files {
	return files{
		id + "/manifest.json":     manifestOf(id, domains...),
		id + "/notes/overview.md": "# " + id + "\n",
	}
}

// fullPack is a pack without faults that has everything.
func fullPack(id string) files {
	return files{
		id + "/manifest.json": strings.ReplaceAll(`{
  "id": "ID",
  "name": "Site",
  "domains": ["ID.example.com", "*.ID.example.com"],
  "notes": ["notes/overview.md"],
  "nodeTools": {
    "search": {
      "description": "Searches.",
      "path": "tools/search.js",
      "callable": "search",
      "args": {"query": {"type": "string", "required": true, "description": "What to look for."}},
      "returns": {"type": "array", "description": "The hits."}
    }
  },
  "browserTools": {
    "extract": {
      "description": "Extracts.",
      "path": "browser-tools/extract.js",
      "args": {},
      "returns": {"type": "object", "description": "The page."}
    }
  }
}
`, "ID", id),
		id + "/notes/overview.md":        "# Notes\n",
		id + "/tools/search.js":          "import { one } from \"./lib.js\";\nexport async function search(ctx, args) { return [one]; }\n",
		id + "/tools/lib.js":             "export const one = 1;\n",
		id + "/browser-tools/extract.js": "async function (args) { return {}; }\n",
	}
}

// watched is a store under test and the changes it published.
type watched struct {
	*Store
	t       testing.TB
	changes chan Change
	told    uint64 // generation of the last change that until saw
}

// openStore opens a store on roots and closes it with the test.
func openStore(t testing.TB, cfg Config) *watched {
	t.Helper()
	return openStoreWith(t, cfg, newFSNotifier)
}

func openStoreWith(t testing.TB, cfg Config, n func() (notifier, error)) *watched {
	t.Helper()
	w := &watched{t: t, changes: make(chan Change, 10_000)}
	cfg.OnChange = func(ch Change) { w.changes <- ch }
	s, err := open(context.Background(), cfg, n)
	if err != nil {
		t.Fatal(err)
	}
	w.Store, w.told = s, s.Catalog().Generation()
	t.Cleanup(func() { s.Close() })
	return w
}

func dirRoots(dirs ...string) []Root {
	roots := make([]Root, len(dirs))
	for i, d := range dirs {
		roots[i] = Root{Dir: d}
	}
	return roots
}

// until waits for the catalog that satisfies ok, following the changes, and
// returns how long that took and the changes on the way: a catalog is there before
// its change is told.
func (w *watched) until(what string, ok func(*Catalog) bool) (time.Duration, []Change) {
	w.t.Helper()
	start := time.Now()
	var seen []Change
	deadline := time.After(10 * time.Second)
	next := func() {
		select {
		case ch := <-w.changes:
			seen, w.told = append(seen, ch), max(w.told, ch.Generation)
		case <-deadline:
			w.t.Fatalf("never: %s; changes %+v; packs %v", what, seen, ids(w.Catalog().Packs()))
		}
	}
	for !ok(w.Catalog()) {
		next()
	}
	took := time.Since(start)
	for reached := w.Catalog().Generation(); w.told < reached || len(w.changes) > 0; {
		next()
	}
	return took, seen
}

func ids(packs []*Pack) []string {
	out := make([]string, len(packs))
	for i, p := range packs {
		out[i] = p.ID
	}
	return out
}

func mustPack(t testing.TB, c *Catalog, id string) *Pack {
	t.Helper()
	p, ok := c.Pack(id)
	if !ok {
		t.Fatalf("no pack %q among %v", id, ids(c.Packs()))
	}
	return p
}

// load loads the packs of a directory of files once.
func load(t testing.TB, fs files) *Catalog {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, fs)
	return openStore(t, Config{Roots: dirRoots(dir), Poll: -1}).Catalog()
}

// findingsOf are "severity code file:line:char" of a pack, one-based as editors
// show them.
func findingsOf(list []Diagnostic) []string {
	out := make([]string, len(list))
	for i, d := range list {
		out[i] = fmt.Sprintf("%s %s %s:%d:%d", d.Severity, d.Code, d.File, d.Range.Start.Line+1, d.Range.Start.Character+1)
	}
	return out
}

func hasCode(list []Diagnostic, code string) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Code == code })
}

// noteIs says whether a pack's first note has that content.
func noteIs(id, content string) func(*Catalog) bool {
	return func(c *Catalog) bool {
		p, ok := c.Pack(id)
		return ok && len(p.Notes) > 0 && p.Notes[0].Content == content
	}
}
