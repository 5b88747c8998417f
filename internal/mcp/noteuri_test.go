package mcp

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"egod/internal/ops"
)

func TestNoteURI(t *testing.T) {
	for _, c := range []struct {
		site, path, want string
	}{
		{"google", "notes/search.md", "skill://google/notes/search.md"},
		{"x-com", "docs/prompt.md", "skill://x-com/docs/prompt.md"},
		{"my site", "notes/a b.md", "skill://my%20site/notes/a%20b.md"},
		{"münchen", "notes/größe 例え.md", "skill://m%C3%BCnchen/notes/gr%C3%B6%C3%9Fe%20%E4%BE%8B%E3%81%88.md"},
		{"a/b:c@d", "notes/100%.md", "skill://a%2Fb%3Ac%40d/notes/100%25.md"},
		{"q", "notes/what?#now.md", "skill://q/notes/what%3F%23now.md"},
		{"p", "notes/a%20b.md", "skill://p/notes/a%2520b.md"},
		{"..", "notes/+&=;.md", "skill://../notes/%2B%26%3D%3B.md"},
	} {
		ref := ops.NoteRef{SiteID: c.site, Path: c.path}
		got := noteURI(ref)
		if got != c.want {
			t.Errorf("%v is %s, want %s", ref, got, c.want)
		}
		if back, ok := parseNoteURI(got); !ok || back != ref {
			t.Errorf("%s is read as %v", got, back)
		}
	}
}

func TestParseNoteURITakesWhatClientsMake(t *testing.T) {
	for uri, want := range map[string]ops.NoteRef{
		"SKILL://q/notes/a.md":           {SiteID: "q", Path: "notes/a.md"},
		"skill://q/notes/a b.md":         {SiteID: "q", Path: "notes/a b.md"},
		"skill://q/notes/ä?x#y.md":       {SiteID: "q", Path: "notes/ä?x#y.md"},
		"skill://q/notes/100%.md":        {SiteID: "q", Path: "notes/100%.md"},
		"skill://q/notes%2Fa.md":         {SiteID: "q", Path: "notes/a.md"},
		"skill://q/notes/../../etc":      {SiteID: "q", Path: "notes/../../etc"},
		"skill://q/notes/%2e%2e/etc":     {SiteID: "q", Path: "notes/../etc"},
		"skill://q/notes/%FF.md":         {SiteID: "q", Path: "notes/%FF.md"},
		"skill://q//notes/a.md":          {SiteID: "q", Path: "/notes/a.md"},
		"skill://q/notes/a.md\x00.png":   {SiteID: "q", Path: "notes/a.md\x00.png"},
		"skill://[::1]:80/notes/a.md":    {SiteID: "[::1]:80", Path: "notes/a.md"},
		"skill://u:p@q/notes/a.md":       {SiteID: "u:p@q", Path: "notes/a.md"},
		"skill://q/notes/a.md?version=2": {SiteID: "q", Path: "notes/a.md?version=2"},
	} {
		if got, ok := parseNoteURI(uri); !ok || got != want {
			t.Errorf("%s is read as %v, %v", uri, got, ok)
		}
	}
	for _, uri := range []string{"", "skill", "skill:", "skill://", "skill://q", "skill://q/", "skill:///notes/a.md", "file:///etc/passwd", "https://q/notes/a.md"} {
		if got, ok := parseNoteURI(uri); ok {
			t.Errorf("%s is read as %v", uri, got)
		}
	}
}

func FuzzNoteURI(f *testing.F) {
	f.Add("google", "notes/a b.md")
	f.Add("a/b", "notes/%2e%2e/#?")
	f.Fuzz(func(t *testing.T, site, path string) {
		ref := ops.NoteRef{SiteID: site, Path: path}
		if site == "" || path == "" || !utf8.ValidString(site) || !utf8.ValidString(path) {
			return
		}
		uri := noteURI(ref)
		if back, ok := parseNoteURI(uri); !ok || back != ref {
			t.Errorf("%q is %s and back %v", ref, uri, back)
		}
		if strings.ContainsAny(uri, " ?#\"<>\\^`{|}") {
			t.Errorf("%s is no address", uri)
		}
		_, _ = url.Parse(uri)
	})
}
