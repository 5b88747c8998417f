package skills

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeCheck finds the word "bug" in a tool's source.
func fakeCheck(calls *atomic.Int64) Check {
	return func(_ context.Context, p *Pack, t *Tool) ([]Diagnostic, error) {
		calls.Add(1)
		line := strings.Count(t.Source[:max(strings.Index(t.Source, "bug"), 0)], "\n")
		switch {
		case strings.Contains(t.Source, "crash"):
			return nil, errors.New("worker died")
		case strings.Contains(t.Source, "bug"):
			return []Diagnostic{{Severity: SeverityError, Code: "tool.syntax", Message: "a bug", File: t.Path, Range: Range{Start: Position{Line: line}}}}, nil
		}
		return nil, nil
	}
}

func TestCheckRunsForWhatChanged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), fullPack("b")))
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: fakeCheck(&calls)})
	if n := calls.Load(); n != 0 {
		t.Errorf("%d checks at start", n)
	}
	write(t, dir, files{"a/tools/search.js": "export function search() {}\nbug"})
	_, changes := w.until("the finding", func(c *Catalog) bool { return hasCode(mustPack(t, c, "a").Diagnostics, "tool.syntax") })
	p := mustPack(t, w.Catalog(), "a")
	search, _ := p.Tool(NodeTool, "search")
	want := []Diagnostic{{Severity: SeverityError, Code: "tool.syntax", Message: "a bug", SiteID: "a", File: "tools/search.js",
		URI: fileURI(filepath.Join(dir, "a", "tools", "search.js")), Range: Range{Start: Position{Line: 1}}}}
	if d := cmp.Diff(want, search.Problems); d != "" || p.Status != StatusDegraded {
		t.Errorf("status %s, problems %s", p.Status, d)
	}
	last := changes[len(changes)-1]
	if last.Reason != "checked" || !slices.Equal(last.Updated, []string{"a"}) || len(last.Diagnostics) != 1 {
		t.Errorf("change %+v", last)
	}
	// A note's edit keeps what is known, without another check.
	must(t, w.Settle(t.Context()))
	before := calls.Load()
	atomicSave(t, filepath.Join(dir, "a/notes/overview.md"), "new")
	_, changes = w.until("the note", noteIs("a", "new"))
	if !hasCode(mustPack(t, w.Catalog(), "a").Diagnostics, "tool.syntax") {
		t.Error("the finding is gone")
	}
	for _, ch := range changes {
		if len(ch.Diagnostics) > 0 {
			t.Errorf("diagnostics %+v", ch.Diagnostics)
		}
	}
	must(t, w.Settle(t.Context()))
	if calls.Load() != before {
		t.Errorf("%d checks for a note", calls.Load()-before)
	}
	write(t, dir, files{"a/tools/search.js": "export function search() {}\n"})
	w.until("no finding", func(c *Catalog) bool { return mustPack(t, c, "a").Status == StatusOK })
}

func TestSettleChecksEverything(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), fullPack("b"), files{"b/browser-tools/extract.js": "bug"}))
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: fakeCheck(&calls)})
	must(t, w.Settle(t.Context()))
	if !hasCode(mustPack(t, w.Catalog(), "b").Diagnostics, "tool.syntax") || calls.Load() != 3 { // both search tools are the same text
		t.Errorf("after %d checks: %q", calls.Load(), findingsOf(w.Catalog().Diagnostics()))
	}
}

func TestCheckThatFailsHarmsNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("a"), files{"a/tools/search.js": "crash"}))
	var calls atomic.Int64
	w := openStore(t, Config{Roots: dirRoots(dir), Check: fakeCheck(&calls)})
	if err := w.Settle(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot check tool search of a: worker died") {
		t.Errorf("settle: %v", err)
	}
	if p := mustPack(t, w.Catalog(), "a"); p.Status != StatusOK {
		t.Errorf("status %s", p.Status)
	}
	write(t, dir, files{"a/tools/search.js": "fine"})
	w.until("the edit", func(c *Catalog) bool { return mustPack(t, c, "a").NodeTools[0].Source == "fine" })
	must(t, w.Settle(t.Context()))
}

// TestSlowCheckBlocksNobody has a check that ends with the store.
func TestSlowCheckBlocksNobody(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, fullPack("a"))
	started := make(chan struct{}, 10)
	w := openStore(t, Config{Roots: dirRoots(dir), CheckAll: true, Check: func(ctx context.Context, _ *Pack, _ *Tool) ([]Diagnostic, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	<-started
	write(t, dir, files{"a/notes/overview.md": "new"})
	w.until("the note", noteIs("a", "new"))
	if _, err := w.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	must(t, w.Close())
}

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, merge(fullPack("good"), files{"bad/manifest.json": "{"}, files{"good/notes/extra.md": "unnamed @12", "README.md": "x"}))
	var calls atomic.Int64
	for _, c := range []struct {
		path     string
		ok       bool
		packs    int
		findings string
	}{
		{"", false, 2, "manifest.json-syntax"}, {"good", true, 1, ""}, {"good/manifest.json", true, 1, ""},
		{"bad", false, 1, "manifest.json-syntax"}, {"good/notes", true, 0, ""},
	} {
		r, err := Validate(t.Context(), filepath.Join(dir, filepath.FromSlash(c.path)), fakeCheck(&calls), Limits{})
		var codes []string
		for _, d := range r.Diagnostics {
			codes = append(codes, d.Code)
		}
		if err != nil || r.OK != c.ok || r.Packs != c.packs || strings.Join(codes, " ") != c.findings {
			t.Errorf("%s: %+v, %v", c.path, r, err)
		}
	}
	if calls.Load() == 0 {
		t.Error("no tool was checked")
	}
	for _, path := range []string{"nowhere", "README.md"} {
		if _, err := Validate(t.Context(), filepath.Join(dir, path), nil, Limits{}); err == nil || !strings.HasPrefix(err.Error(), "cannot validate ") {
			t.Errorf("%s: %v", path, err)
		}
	}
	must(t, os.Remove(filepath.Join(dir, "good/manifest.json")))
	if r, err := Validate(t.Context(), filepath.Join(dir, "good"), nil, Limits{}); err != nil || !hasCode(r.Diagnostics, "manifest.missing") {
		t.Errorf("a pack without manifest: %+v %v", r, err)
	}
}

func TestCatalogValidate(t *testing.T) {
	c := load(t, merge(fullPack("good"), files{"bad/manifest.json": "{"}))
	if r, ok := c.Validate("bad"); !ok || r.OK || r.Errors != 1 {
		t.Errorf("bad: %+v %v", r, ok)
	}
	if r, ok := c.Validate("good"); !ok || !r.OK || r.Diagnostics == nil {
		t.Errorf("good: %+v %v", r, ok)
	}
	if r, ok := c.Validate(""); !ok || r.Packs != 2 || r.Errors != 1 {
		t.Errorf("all: %+v %v", r, ok)
	}
	if _, ok := c.Validate("nobody"); ok {
		t.Error("a pack that is not there")
	}
}

func TestExplain(t *testing.T) {
	c := load(t, merge(packOf("apex", "x.com"), packOf("subs", "*.x.com", "x.org"), packOf("other", "y.com"), files{"broken/manifest.json": "{"}))
	reasons := func(e Explanation) map[string]string {
		out := map[string]string{}
		for _, p := range e.Packs {
			out[p.ID] = p.Reason
			if len(p.Patterns) > 0 {
				out[p.ID] = p.Patterns[0].Reason
			}
		}
		return out
	}
	e := c.Explain("https://www.x.com/")
	want := map[string]string{"apex": "a subdomain, which only *.x.com would match", "subs": "a host below x.com", "other": "another host", "broken": "the pack did not load"}
	if d := cmp.Diff(want, reasons(e)); d != "" {
		t.Error(d)
	}
	if e.Packs[0].ID != "subs" || !e.Packs[0].Matched || e.Packs[1].Matched {
		t.Errorf("order %+v", e.Packs)
	}
	if got := reasons(c.Explain("x.com"))["subs"]; got != "*. stands for subdomains and not for x.com itself" {
		t.Error(got)
	}
	if e := c.Explain("ftp://x.com"); e.Note != "only http and https have packs" || e.Packs[0].Matched {
		t.Errorf("%+v", e)
	}
	if e := c.Explain("about:blank"); e.Note != "there is no host in it" {
		t.Errorf("%+v", e)
	}
}

// TestSchemaKnowsEveryField holds the schema to the tables it is made from.
func TestSchemaKnowsEveryField(t *testing.T) {
	var schema struct {
		Properties map[string]any
		Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	must(t, json.Unmarshal(ManifestSchema(), &schema))
	for _, f := range manifestFields() {
		if _, ok := schema.Properties[f.name]; ok == (f.name == "domain") {
			t.Errorf("manifest field %s: in the schema %v", f.name, ok)
		}
	}
	for def, fields := range map[string][]field{"nodeTool": toolFields(NodeTool), "browserTool": toolFields(BrowserTool), "argument": valueFields(true), "value": valueFields(false)} {
		for _, f := range fields {
			if _, ok := schema.Defs[def].Properties[f.name]; !ok {
				t.Errorf("%s has no %s", def, f.name)
			}
		}
	}
}

func TestCodesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Codes() {
		if seen[c.Name] || strings.Count(c.Name, ".") != 1 || c.Doc == "" || c.Severity == "" {
			t.Errorf("code %+v", c)
		}
		seen[c.Name] = true
	}
	for _, name := range []string{"manifest.json-syntax", "manifest.id-mismatch", "domain.invalid", "note.missing", "note.temporary-ref", "tool.path", "tool.missing-callable"} {
		if !seen[name] {
			t.Errorf("no code %s, which the protocol names", name)
		}
	}
}

func TestDiagnosticsHaveTheirWireShape(t *testing.T) {
	c := load(t, files{"p/manifest.json": `{"id":"p","name":"P","domains":["p.com"],"notes":["notes/ä b.md"]}`})
	out, err := json.Marshal(c.Diagnostics()[0])
	must(t, err)
	var got map[string]any
	must(t, json.Unmarshal(out, &got))
	if uri := got["uri"].(string); !strings.HasPrefix(uri, "file:///") || !strings.HasSuffix(uri, "/p/manifest.json") {
		t.Errorf("uri %s", uri)
	}
	delete(got, "uri")
	want := map[string]any{"severity": "error", "code": "note.missing", "message": "notes/ä b.md does not exist", "hint": "add the file or remove it from notes", "siteId": "p", "file": "manifest.json",
		"range": map[string]any{"start": map[string]any{"line": 0.0, "character": 50.0}, "end": map[string]any{"line": 0.0, "character": 64.0}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFileURI(t *testing.T) {
	for in, want := range map[string]string{
		"/a/b c/ä#?.md":  "file:///a/b%20c/%C3%A4%23%3F.md",
		"C:/x/y.md":      "file:///C:/x/y.md",
		"//host/share/x": "file://host/share/x",
	} {
		if got := fileURI(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestLegacyEncodings is report A12 (DeusData/codebase-memory-mcp #511): what is
// served is UTF-8, and the author is told where it was not.
func TestLegacyEncodings(t *testing.T) {
	c := load(t, files{
		"p/manifest.json":      toolPack(),
		"p/notes/a.md":         "one\nIt\x92s",
		"p/tools/t.js":         "export function run() { return 'caf\xe9' }",
		"p/browser-tools/b.js": "\xef\xbb\xbf() => 1",
	})
	p := mustPack(t, c, "p")
	if p.Notes[0].Content != "one\nIt\ufffds" || p.BrowserTools[0].Source != "() => 1" || !strings.Contains(p.NodeTools[0].Source, "caf\ufffd") {
		t.Errorf("%q %q %q", p.Notes[0].Content, p.NodeTools[0].Source, p.BrowserTools[0].Source)
	}
	got := findingsOf(p.Diagnostics)
	want := []string{"warning note.encoding notes/a.md:2:3", "warning tool.encoding tools/t.js:1:36"}
	if !slices.Equal(got, want) || !strings.Contains(p.Diagnostics[0].Message, "offset 6") {
		t.Errorf("%q %+v", got, p.Diagnostics)
	}
}
