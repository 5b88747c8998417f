package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestUploads(t *testing.T) {
	page, ctx := newTestPage(t, html(`<input type=file id=one><input type=file id=many multiple><input type=file id=dir webkitdirectory>`))
	root := t.TempDir()
	dir, linked := filepath.Join(root, "dir"), filepath.Join(root, "linked")
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "sub", "b.txt")
	for _, path := range []string{a, b, filepath.Join(linked, "c.txt")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		selector string
		paths    []string
		want     string // names of files, or a part of the error
	}{
		{"#many", []string{a, b}, `["a.txt","b.txt"]`},
		{"#one", []string{a, b}, "takes one file, not 2"},
		{"#one", []string{dir}, "is a directory"},
		{"#many", []string{dir, a}, "is a directory"},
		{"#dir", []string{a}, "takes a directory"},
		{"#dir", []string{dir}, `["dir/a.txt","dir/sub/b.txt"]`},
		{"#dir", nil, "[]"},
	}
	if err := os.Symlink(root, filepath.Join(linked, "out")); err == nil { // Windows may not allow it
		tests = append(tests, struct {
			selector string
			paths    []string
			want     string
		}{"#dir", []string{linked}, "is no regular file"})
	}
	for _, tt := range tests {
		err := page.Locator(tt.selector).SetInputFiles(ctx, tt.paths, 5*time.Second)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s %v: %v, want %s", tt.selector, tt.paths, err, tt.want)
			}
			continue
		}
		got, err := page.Locator(tt.selector).Evaluate(ctx, "(el) => Array.from(el.files, (f) => f.webkitRelativePath || f.name).sort()", nil, 0)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s %v: %s, %v, want %s", tt.selector, tt.paths, got, err, tt.want)
		}
	}
}
