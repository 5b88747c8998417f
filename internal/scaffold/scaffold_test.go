package scaffold

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"egod/internal/skills"
)

func TestWrite(t *testing.T) {
	root := filepath.Join(t.TempDir(), "new", "root")
	files, err := Write(root, Pack{ID: "hacker-news", Domains: []string{"*.bücher.example", "x.com"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"hacker-news/browser-tools/page-outline.js", "hacker-news/manifest.json", "hacker-news/notes/overview.md",
		"hacker-news/tools/page-url.js", "manifest.schema.json",
	}
	if !slices.Equal(files, want) {
		t.Errorf("files %q", files)
	}
	// Without a finding, not even an information.
	report, err := skills.Validate(t.Context(), root, nil, skills.Limits{})
	if err != nil || report.Packs != 1 || len(report.Diagnostics) > 0 {
		t.Errorf("%+v %v", report, err)
	}
	tool, err := os.ReadFile(filepath.Join(root, "hacker-news", "tools", "page-url.js"))
	if err != nil || !strings.Contains(string(tool), `"https://xn--bcher-kva.example"`) {
		t.Errorf("%s %v", tool, err)
	}
	manifest, err := os.ReadFile(filepath.Join(root, "hacker-news", "manifest.json"))
	if err != nil || !strings.Contains(string(manifest), `"name": "Hacker News"`) || !strings.Contains(string(manifest), `["*.bücher.example", "x.com"]`) {
		t.Errorf("%s %v", manifest, err)
	}
}

func TestWriteChangesNothing(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a/manifest.json": "mine", SchemaName: "mine too"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Write(root, Pack{ID: "a", Domains: []string{"a.example"}}); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("an existing pack: %v", err)
	}
	files, err := Write(root, Pack{ID: "b", Domains: []string{"b.example"}})
	if err != nil || slices.Contains(files, SchemaName) {
		t.Errorf("%q %v", files, err)
	}
	for name, want := range map[string]string{"a/manifest.json": "mine", SchemaName: "mine too"} {
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err != nil || string(got) != want {
			t.Errorf("%s is %q now (%v)", name, got, err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	root := t.TempDir()
	for _, p := range []Pack{
		{"", []string{"a.example"}}, {"../a", []string{"a.example"}}, {"a/b", []string{"a.example"}}, {".git", []string{"a.example"}},
		{"_a", []string{"a.example"}}, {"a b", []string{"a.example"}}, {"node_modules", []string{"a.example"}},
		{"a", nil}, {"a", []string{"https://a.example/"}}, {"a", []string{"a.example:8080"}}, {"a", []string{"*.com"}}, {"a", []string{"a.example", ""}},
	} {
		_, err := Write(root, p)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Hint == "" {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
