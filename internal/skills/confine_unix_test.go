//go:build unix

package skills

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesAndDevicesAreNotOpened would wait for ever for a writer of the pipe.
func TestPipesAndDevicesAreNotOpened(t *testing.T) {
	root := t.TempDir()
	write(t, root, files{"p/manifest.json": toolPack(), "p/tools/x": ""})
	if err := os.MkdirAll(filepath.Join(root, "p/notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, pipe := range []string{"p/notes/a.md", "p/tools/t.js", "q/manifest.json"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, pipe)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(root, pipe), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustSymlink(t, "/dev/zero", filepath.Join(root, "p/browser-tools/b.js"))
	c := openStore(t, Config{Roots: dirRoots(root), Poll: -1}).Catalog()
	p, q := mustPack(t, c, "p"), mustPack(t, c, "q")
	if q.Status != StatusBroken || !hasCode(q.Diagnostics, "file.not-regular") {
		t.Errorf("q: %q", findingsOf(q.Diagnostics))
	}
	if len(p.Notes) != 0 || p.NodeTools[0].Source != "" || p.BrowserTools[0].Source != "" {
		t.Errorf("p was read: %+v", p)
	}
	if !hasCode(p.Diagnostics, "file.not-regular") || !hasCode(p.Diagnostics, "file.outside-root") {
		t.Errorf("p: %q", findingsOf(p.Diagnostics))
	}
}

// TestUnreadableFilesAreReported uses links in a circle, which not even the
// superuser can read.
func TestUnreadableFilesAreReported(t *testing.T) {
	root := t.TempDir()
	write(t, root, files{"p/manifest.json": toolPack()})
	mustSymlink(t, "a.md", filepath.Join(root, "p/notes/a.md"))
	mustSymlink(t, "manifest.json", filepath.Join(root, "q/manifest.json"))
	c := openStore(t, Config{Roots: dirRoots(root), Poll: -1}).Catalog()
	if !hasCode(mustPack(t, c, "p").Diagnostics, "file.unreadable") || !hasCode(mustPack(t, c, "q").Diagnostics, "manifest.unreadable") {
		t.Errorf("%q", findingsOf(c.Diagnostics()))
	}
}
