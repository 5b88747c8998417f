package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// toolPack is a pack whose manifest names one note and one tool of each kind,
// none of which exist.
func toolPack() string {
	return fields(`"notes":["notes/a.md"],"nodeTools":{"t":{` + goodTool + `}},
		"browserTools":{"b":{"description":"d","path":"browser-tools/b.js","args":{},"returns":{"type":"object","description":"d"}}}`)
}

// findingsFor loads the pack "p" of a root and returns its finding codes by file
// of the message, with the pack.
func packOfRoot(t *testing.T, root string, limits Limits) (*Pack, []string) {
	t.Helper()
	c := openStore(t, Config{Roots: dirRoots(root), Poll: -1, Limits: limits}).Catalog()
	p := mustPack(t, c, "p")
	return p, findingsOf(p.Diagnostics)
}

func mustSymlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

const secret = "the secret outside"

// TestNothingOutsideTheRootIsRead is report K1 (modelcontextprotocol/servers
// #1845): links, prefix siblings and hard links.
func TestNothingOutsideTheRootIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, base, root string)
		code string
	}{
		"note is a link to a file outside": {func(t *testing.T, base, root string) {
			mustSymlink(t, filepath.Join(base, "outside", "a.md"), filepath.Join(root, "p/notes/a.md"))
		}, "file.outside-root"},
		"note is a relative link outside": {func(t *testing.T, base, root string) {
			mustSymlink(t, "../../../outside/a.md", filepath.Join(root, "p/notes/a.md"))
		}, "file.outside-root"},
		"link to a sibling with the root's prefix": {func(t *testing.T, base, root string) {
			write(t, base, files{"root-evil/a.md": secret})
			mustSymlink(t, "../../../root-evil/a.md", filepath.Join(root, "p/notes/a.md"))
		}, "file.outside-root"},
		"directory is a link outside": {func(t *testing.T, base, root string) {
			mustSymlink(t, filepath.Join(base, "outside"), filepath.Join(root, "p/notes"))
		}, "file.outside-root"},
		"link by way of a link": {func(t *testing.T, base, root string) {
			mustSymlink(t, filepath.Join(base, "outside"), filepath.Join(root, "p/x"))
			mustSymlink(t, "../x/a.md", filepath.Join(root, "p/notes/a.md"))
		}, "file.outside-root"},
		"tools is the system's root": {func(t *testing.T, base, root string) {
			mustSymlink(t, filepath.Join(base, "outside"), filepath.Join(root, "p/tools"))
		}, "file.outside-root"},
		"browser tool is a hard link": {func(t *testing.T, base, root string) {
			if err := os.MkdirAll(filepath.Join(root, "p/browser-tools"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(filepath.Join(base, "outside/b.js"), filepath.Join(root, "p/browser-tools/b.js")); err != nil {
				t.Fatal(err)
			}
		}, "file.hard-link"},
		"note is a directory": {func(t *testing.T, base, root string) {
			write(t, root, files{"p/notes/a.md/x": "y"})
		}, "file.not-regular"},
		"a link to itself": {func(t *testing.T, base, root string) {
			mustSymlink(t, "a.md", filepath.Join(root, "p/notes/a.md"))
		}, "file.unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			root := filepath.Join(base, "root")
			write(t, base, files{"outside/a.md": secret, "outside/t.js": secret, "outside/b.js": secret, "root/p/manifest.json": toolPack()})
			c.make(t, base, root)
			p, _ := packOfRoot(t, root, Limits{})
			if !hasCode(p.Diagnostics, c.code) {
				t.Errorf("no %s: %+v", c.code, findingsOf(p.Diagnostics))
			}
			assertNoSecret(t, p)
		})
	}
}

func assertNoSecret(t *testing.T, p *Pack) {
	t.Helper()
	for _, n := range p.Notes {
		if strings.Contains(n.Content, secret) {
			t.Errorf("note %s was read", n.Path)
		}
	}
	for file, text := range p.Files {
		if strings.Contains(text, secret) {
			t.Errorf("%s was read", file)
		}
	}
}

func TestLinksWithinTheRootAreFollowed(t *testing.T) {
	root := t.TempDir()
	write(t, root, files{"_store/p/manifest.json": toolPack(), "_store/p/notes/a.md": "a", "_shared/t.js": "export const run = 1", "_shared/b/b.js": "() => 1"})
	mustSymlink(t, "_store/p", filepath.Join(root, "p"))
	mustSymlink(t, "../../../_shared/t.js", filepath.Join(root, "_store/p/tools/t.js"))
	mustSymlink(t, filepath.Join(root, "_shared/b"), filepath.Join(root, "_store/p/browser-tools"))
	p, findings := packOfRoot(t, root, Limits{})
	if p.Status != StatusOK || p.Notes[0].Content != "a" || p.NodeTools[0].Source == "" || p.BrowserTools[0].Source != "() => 1" {
		t.Errorf("%s %q %+v", p.Status, findings, p.NodeTools[0])
	}
	if p.Dir != filepath.Join(root, "p") || p.ID != "p" {
		t.Errorf("dir %s id %s", p.Dir, p.ID)
	}
}

func TestPackDirectoryOutsideTheRootIsRefused(t *testing.T) {
	base := t.TempDir()
	write(t, base, merge(files{"root/q/manifest.json": manifestOf("q", "q.com"), "root/q/notes/overview.md": "q"}, files{"away/manifest.json": manifestOf("p", "p.com"), "away/notes/overview.md": secret}))
	mustSymlink(t, "../away", filepath.Join(base, "root", "p"))
	mustSymlink(t, "nowhere", filepath.Join(base, "root", "dangling"))
	c := openStore(t, Config{Roots: dirRoots(filepath.Join(base, "root")), Poll: -1}).Catalog()
	p := mustPack(t, c, "p")
	if p.Status != StatusBroken || !hasCode(p.Diagnostics, "pack.outside-root") {
		t.Errorf("%s %q", p.Status, findingsOf(p.Diagnostics))
	}
	assertNoSecret(t, p)
	if got := ids(c.Packs()); len(got) != 2 {
		t.Errorf("packs %v", got)
	}
}

func TestLimits(t *testing.T) {
	big := strings.Repeat("x", 2000)
	for name, c := range map[string]struct {
		files  files
		limits Limits
		code   string
	}{
		"note":          {files{"p/notes/a.md": big}, Limits{NoteBytes: 1999}, "note.too-large"},
		"tool":          {files{"p/tools/t.js": big}, Limits{SourceBytes: 1999}, "tool.too-large"},
		"import":        {files{"p/tools/lib.js": big}, Limits{SourceBytes: 1999}, "tool.too-large"},
		"data":          {files{"p/tools/data.json": big}, Limits{DataBytes: 1999}, "tool.too-large"},
		"manifest":      {files{"p/x": ""}, Limits{ManifestBytes: 10}, "manifest.too-large"},
		"all sources":   {files{"p/tools/a.js": big, "p/tools/b.js": big}, Limits{PackBytes: 3000}, "pack.too-large"},
		"many files":    {files{"p/x/1": "", "p/x/2": "", "p/x/3": "", "p/x/4": "", "p/x/5": ""}, Limits{PackEntries: 5}, "pack.too-many-files"},
		"deep":          {files{"p/1/2/3/4/5/x": ""}, Limits{PackDepth: 3}, "pack.too-deep"},
		"many in root":  {files{"a/x": "", "b/x": "", "q/x": ""}, Limits{RootEntries: 3}, "root.too-many-packs"},
		"at the limits": {files{"p/notes/a.md": big, "p/tools/t.js": big, "p/browser-tools/b.js": "() => 1"}, Limits{NoteBytes: 2000, SourceBytes: 2000, PackEntries: 7, PackDepth: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, merge(files{"p/manifest.json": toolPack()}, c.files))
			catalog := openStore(t, Config{Roots: dirRoots(root), Poll: -1, Limits: c.limits}).Catalog()
			list := catalog.Diagnostics()
			if c.code != "" && !hasCode(list, c.code) || c.code == "" && len(list) > 0 {
				t.Errorf("want %q, have %+v", c.code, list)
			}
		})
	}
}

// TestHugeThingsAreNotRead makes a 1 GB note and a directory of very many files
// cost nothing to speak of.
func TestHugeThingsAreNotRead(t *testing.T) {
	root := t.TempDir()
	write(t, root, files{"p/manifest.json": toolPack(), "p/notes/a.md": "", "p/tools/t.js": "export function run() {}", "p/browser-tools/b.js": "() => 1"})
	if err := os.Truncate(filepath.Join(root, "p/notes/a.md"), 1<<30); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		write(t, root, files{fmt.Sprintf("p/tools/data/%d.js", i): ""})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, findings := packOfRoot(t, root, Limits{PackEntries: 1000})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 {
		t.Errorf("%d bytes allocated", used)
	}
	if !hasCode(p.Diagnostics, "note.too-large") || !hasCode(p.Diagnostics, "pack.too-many-files") || len(p.Notes) != 0 {
		t.Errorf("%q", findings)
	}
	if p.NodeTools[0].Source == "" {
		t.Error("the declared tool was not read")
	}
}

func TestEmbeddedPacks(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, content := range merge(fullPack("google"), packOf("own", "own.com")) {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	dir := t.TempDir()
	write(t, dir, packOf("own", "mine.com"))
	w := openStore(t, Config{Roots: []Root{{Dir: dir}, {Dir: "/builtin", FS: fsys, Builtin: true}}})
	google, own := mustPack(t, w.Catalog(), "google"), mustPack(t, w.Catalog(), "own")
	if google.Status != StatusOK || google.Root != "/builtin" || google.NodeTools[0].Source == "" {
		t.Errorf("google %+v", google)
	}
	if own.Root != dir || own.Domains[0] != "mine.com" {
		t.Errorf("own is served from %s", own.Root)
	}
	list := w.Catalog().Diagnostics()
	if len(list) != 1 || list[0].Code != "pack.shadowed" || list[0].Severity != SeverityInfo || list[0].URI != "egod-builtin:///own/manifest.json" {
		t.Errorf("diagnostics %+v", list)
	}
	if err := os.RemoveAll(filepath.Join(dir, "own")); err != nil {
		t.Fatal(err)
	}
	_, changes := w.until("the builtin pack", func(c *Catalog) bool { return mustPack(t, c, "own").Root == "/builtin" })
	if last := changes[len(changes)-1]; len(last.Updated) != 1 || len(last.Removed) != 0 {
		t.Errorf("changes %+v", changes)
	}
}

func TestSameIDInTwoRootsAndInOne(t *testing.T) {
	high, low := t.TempDir(), t.TempDir()
	write(t, high, packOf("a", "high.com"))
	write(t, low, packOf("a", "low.com"))
	write(t, low, files{"b/manifest.json": manifestOf("b", "b.com"), "b/notes/overview.md": "b",
		"copy-of-b/manifest.json": manifestOf("b", "copy.com"), "copy-of-b/notes/overview.md": "b"})
	c := openStore(t, Config{Roots: dirRoots(high, low), Poll: -1}).Catalog()
	if p := mustPack(t, c, "a"); p.Root != high {
		t.Errorf("a from %s", p.Root)
	}
	if p := mustPack(t, c, "b"); p.Dir != filepath.Join(low, "b") {
		t.Errorf("b from %s", p.Dir)
	}
	if _, m := c.Lookup("low.com"); m != nil {
		t.Errorf("low.com finds %v", m)
	}
	list := c.Diagnostics()
	if !hasCode(list, "pack.shadowed") || !hasCode(list, "pack.duplicate-id") || len(c.Unserved()) != 2 {
		t.Errorf("diagnostics %q", findingsOf(list))
	}
}

// TestManifestsThatMultiply would read the same note, search the same tool or
// compare the same keys very often.
func TestManifestsThatMultiply(t *testing.T) {
	note := strings.Repeat("word @ref ", 100_000)
	notes := strings.Repeat(`"notes/a.md",`, 15_000) + `"notes/a.md"`
	keys := strings.Repeat(`"k":0,`, 30_000) + `"k":0`
	var tools []string
	for i := range 1500 {
		tools = append(tools, fmt.Sprintf(`"t%d":{%s}`, i, goodTool))
	}
	for name, manifest := range map[string]string{
		"notes": fields(`"notes":[` + notes + `]`), "keys": fields(keys), "tools": fields(`"nodeTools":{` + strings.Join(tools, ",") + `}`),
	} {
		root := t.TempDir()
		write(t, root, files{"p/manifest.json": manifest, "p/notes/a.md": note, "p/tools/t.js": "export function run() {}\n" + note[:100_000]})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, _ := packOfRoot(t, root, Limits{})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
			t.Errorf("%s: %d bytes allocated", name, used)
		}
		if p.Status == StatusBroken || len(p.Diagnostics) > 200 {
			t.Errorf("%s: %s with %d findings", name, p.Status, len(p.Diagnostics))
		}
	}
}

func TestAllNotesTogetherAreCapped(t *testing.T) {
	root := t.TempDir()
	write(t, root, files{"p/manifest.json": fields(`"notes":["notes/a.md","notes/b.md","notes/c.md"]`),
		"p/notes/a.md": strings.Repeat("a", 600), "p/notes/b.md": strings.Repeat("b", 600), "p/notes/c.md": "c"})
	p, findings := packOfRoot(t, root, Limits{PackBytes: 1000})
	if len(p.Notes) != 2 || p.Notes[1].Path != "notes/b.md" || !hasCode(p.Diagnostics, "pack.too-large") {
		t.Errorf("%d notes, %q", len(p.Notes), findings)
	}
}
