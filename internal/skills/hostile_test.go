package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestSwapsWhileReading is report K1 once more: what is looked at is replaced by a
// link out of the root while it is read - a file, a directory, the pack.
func TestSwapsWhileReading(t *testing.T) {
	for name, place := range map[string]string{"file": "p/notes/a.md", "directory": "p/notes", "pack": "p"} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			root := filepath.Join(base, "root")
			mine := merge(packOf("p", "p.com"), files{"p/manifest.json": manifestWith("p", `"notes":["notes/a.md"]`), "p/notes/a.md": "mine"})
			write(t, root, mine)
			write(t, base, files{"p/manifest.json": manifestWith("p", `"notes":["notes/a.md"]`), "p/notes/a.md": secret})
			at, outside := filepath.Join(root, place), filepath.Join(base, place)
			spare, link := filepath.Join(base, "spare"), filepath.Join(base, "link")
			mustSymlink(t, outside, link)
			var stop atomic.Bool
			done := make(chan struct{})
			go func() {
				defer close(done)
				for !stop.Load() {
					_ = os.Rename(at, spare)
					_ = os.Rename(link, at)
					_ = os.Rename(at, link)
					_ = os.Rename(spare, at)
				}
			}()
			l := &loader{limits: Limits{}.withDefaults()}
			seen := map[string]int{}
			for range 400 {
				opened, err := openRoot(Root{Dir: root}, 0)
				must(t, err)
				for _, n := range l.load(opened, "p").pack.Notes {
					seen[n.Content]++
				}
				opened.close()
			}
			stop.Store(true)
			<-done
			if seen[secret] > 0 || len(seen) > 1 {
				t.Errorf("read %v", seen)
			}
		})
	}
}

// manifestWith is a manifest with more fields.
func manifestWith(id, more string) string {
	return fmt.Sprintf(`{"id":%q,"name":"X","domains":["%s.example"],%s}`, id, id, more)
}

// TestPathsOfOtherSystems is report J10: what is a path on Windows, or to a shell,
// is no path of the format; case is that of the file on every system.
func TestPathsOfOtherSystems(t *testing.T) {
	for path, want := range map[string]string{
		`notes\a.md`: "note.path", `.\notes\a.md`: "note.path", `C:\notes\a.md`: "note.path", `C:/notes/a.md`: "note.path",
		`c:notes/a.md`: "note.path", `\\host\share\a.md`: "note.path", `//host/share/a.md`: "note.path", `\\?\C:\a.md`: "note.path",
		`~/a.md`: "note.path", `~root/a.md`: "note.path", `/notes/a.md`: "note.path", `%USERPROFILE%\a.md`: "note.path",
		`file:///notes/a.md`: "note.path", `notes/../../p/notes/a.md`: "note.path", "notes/a.md\x00.md": "note.path",
		`Notes/A.md`: "file.case-mismatch", `notes/A.md`: "file.case-mismatch", `NOTES/a.md`: "file.case-mismatch",
		`notes/a.MD`: "note.path", `notes/ａ.md`: "note.missing", `notes/a.md `: "note.path", "notes/" + strings.Repeat("x", 5000) + ".md": "",
	} {
		quoted := fmt.Sprintf("%q", path)
		quoted = strings.ReplaceAll(quoted, `\x00`, `\u0000`)
		c := load(t, files{"p/manifest.json": manifestWith("p", `"notes":[`+quoted+`]`), "p/notes/a.md": "a"})
		list := mustPack(t, c, "p").Diagnostics
		if len(list) == 0 || want != "" && !hasCode(list, want) {
			t.Errorf("%q: %q, want %s", path, findingsOf(list), want)
			continue
		}
		if d := list[0]; d.Hint == "" || d.Range == (Range{}) || len(d.Message) > 2*maxMessage {
			t.Errorf("%q: no place or next step: %+v", path, d)
		}
	}
}

// TestHostileManifests: what a manifest holds is looked at in time of its size, and
// said once, where it is.
func TestHostileManifests(t *testing.T) {
	many := func(n int, one func(int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = one(i)
		}
		return strings.Join(parts, ",")
	}
	for name, tt := range map[string]struct {
		manifest string
		want     []string // codes, each at least once
		most     int      // findings in all
	}{
		"tools that lack all":  {manifestWith("p", `"nodeTools":{`+many(4500, func(i int) string { return fmt.Sprintf(`"t%d":{"path":"tools/t.js"}`, i) })+"}"), []string{"tool.callable"}, 20_000},
		"notes that are not":   {manifestWith("p", `"notes":[`+many(9000, func(i int) string { return fmt.Sprintf(`"notes/%d.md"`, i) })+"]"), []string{"note.missing"}, maxFindingsPerCode},
		"one note many times":  {manifestWith("p", `"notes":[`+many(9000, func(int) string { return `"notes/a.md"` })+"]"), []string{"note.duplicate"}, maxFindingsPerCode},
		"keys again and again": {manifestWith("p", many(9000, func(int) string { return `"version":"1"` })), []string{"manifest.duplicate-key"}, maxFindingsPerCode},
		"keys nobody knows":    {manifestWith("p", many(9000, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) })), []string{"manifest.unknown-field"}, maxFindingsPerCode},
		"a long name":          {manifestWith("p", `"notes":["`+strings.Repeat("x", 200_000)+`"]`), []string{"note.path"}, 1},
		"a long number":        {manifestWith("p", `"version":1`+strings.Repeat("e", 200_000)), []string{"manifest.json-syntax"}, 1},
		"deep":                 {manifestWith("p", `"version":`+strings.Repeat("[", 100_000)), []string{"manifest.json-syntax"}, 1},
		"UTF-16 with a mark":   {"\xff\xfe{\x00}\x00", []string{"manifest.encoding"}, 6},
		"UTF-16 without":       {"{\x00}\x00", []string{"manifest.json-syntax"}, 1},
		"what stood first":     {manifestWith("p", `"nodeTools":{"t":5,"t":{"description":"d","path":"tools/t.js","callable":"run","args":{"a":7,"a":{"type":"string","required":true,"description":"d"}},"returns":{"type":"object","description":"d"}}}`), []string{"manifest.duplicate-key"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, files{"p/manifest.json": tt.manifest, "p/notes/a.md": "a", "p/tools/t.js": "export const run = () => 1;"})
			start := time.Now()
			w := openStore(t, Config{Roots: dirRoots(dir), Poll: -1})
			if took := time.Since(start); took > time.Minute {
				t.Errorf("loading took %s", took)
			}
			list := mustPack(t, w.Catalog(), "p").Diagnostics
			if len(list) > tt.most {
				t.Errorf("%d findings, the last %+v", len(list), list[len(list)-1])
			}
			for _, code := range tt.want {
				if !hasCode(list, code) {
					t.Errorf("no %s among %.500q", code, findingsOf(list))
				}
			}
			for _, d := range list {
				if len(d.Message) > 2*maxMessage || len(d.Hint) > 2*maxMessage || d.Hint == "" {
					t.Errorf("%s: message of %d bytes, hint %.50q", d.Code, len(d.Message), d.Hint)
				}
				if d.Code == "tool.encoding" && d.File == manifestName {
					t.Errorf("said twice: %+v", d)
				}
			}
		})
	}
}
