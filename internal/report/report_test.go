package report

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"egod/internal/skills"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 200) + "HERE" + strings.Repeat("y", 300)
	tests := []struct {
		name, line, word string
		text, mark       string
	}{
		{"plain", "const a = 1 zwei;", "zwei", "const a = 1 zwei;", "            ^~~~"},
		{"tabs", "\t\tx = 1 zwei;", "zwei", "\t\tx = 1 zwei;", "\t\t      ^~~~"},
		{"tab within", "a\tb", "b", "a\tb", " \t^"},
		{"wide", "漢字 = 1 zwei", "zwei", "漢字 = 1 zwei", "         ^~~~"},
		{"wide and marked", "x = 漢字", "漢字", "x = 漢字", "    ^~~~"},
		{"emoji", "\"😀\" zwei", "zwei", "\"😀\" zwei", "     ^~~~"},
		{"combining", "e\u0301 zwei", "zwei", "e\u0301 zwei", "  ^~~~"},
		{"at the end", "const a =", "", "const a =", "         ^"},
		{"escape sequence", "\x1b[31m zwei", "zwei", "\ufffd[31m zwei", "      ^~~~"},
		{"order of text", "\u202e zwei", "zwei", "\ufffd zwei", "  ^~~~"},
		{"long", long, "HERE", "..." + strings.Repeat("x", 60) + "HERE" + strings.Repeat("y", 96) + "...", strings.Repeat(" ", 63) + "^~~~"},
	}
	for _, tt := range tests {
		start := len(tt.line)
		if tt.word != "" {
			start = strings.Index(tt.line, tt.word)
		}
		text, mark := excerpt(tt.line, start, start+len(tt.word))
		if text != tt.text || mark != tt.mark {
			t.Errorf("%s:\n%q\n%q\nwant\n%q\n%q", tt.name, text, mark, tt.text, tt.mark)
		}
	}
}

func TestSpanCountsAsEditorsDo(t *testing.T) {
	at := func(l1, c1, l2, c2 int) skills.Range {
		return skills.Range{Start: skills.Position{Line: l1, Character: c1}, End: skills.Position{Line: l2, Character: c2}}
	}
	tests := []struct {
		line string
		r    skills.Range
		want string
	}{
		{"a = 1", at(0, 0, 0, 1), "a"},
		{"😀 = b", at(0, 5, 0, 6), "b"},
		{"ü = b", at(0, 4, 0, 5), "b"},
		{"a = 1", at(0, 2, 0, 2), "="},
		{"a = 1", at(0, 2, 3, 1), "= 1"},
		{"a", at(0, 9, 0, 12), ""},
	}
	for _, tt := range tests {
		if start, end := span(tt.line, tt.r); tt.line[start:end] != tt.want {
			t.Errorf("%q %+v: %q, want %q", tt.line, tt.r, tt.line[start:end], tt.want)
		}
	}
}

// someFindings are of a file that exists, of one that does not, and of a pack that
// is in the binary.
func someFindings(t *testing.T) (dir string, list []skills.Diagnostic) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, "my packs", "a,b", "tools", "t.js")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("\ufeffconst x = 1;\r\n\tconst y = 1 zwei;\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	at := skills.Range{Start: skills.Position{Line: 1, Character: 13}, End: skills.Position{Line: 1, Character: 17}}
	return dir, []skills.Diagnostic{
		{Severity: skills.SeverityError, Code: "tool.syntax", Message: "expected 100%: found \"zwei\"", Hint: "add ;", SiteID: "a,b", File: "tools/t.js", URI: uri, Range: at},
		{Severity: skills.SeverityWarning, Code: "note.encoding", Message: "no", SiteID: "x", File: "notes/a.md", URI: "file:///nowhere/x/notes/a.md"},
		{Severity: skills.SeverityInfo, Code: "pack.shadowed", Message: "info", SiteID: "g", File: "manifest.json", URI: "egod-builtin:///g/manifest.json"},
	}
}

func TestText(t *testing.T) {
	dir, list := someFindings(t)
	var out bytes.Buffer
	if err := Text(&out, list, Style{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	want := `my packs/a,b/tools/t.js:2:14: error: expected 100%: found "zwei" [tool.syntax]
  2 | 	const y = 1 zwei;
    | 	            ^~~~
    hint: add ;
/nowhere/x/notes/a.md:1:1: warning: no [note.encoding]
egod-builtin:///g/manifest.json:1:1: info: info [pack.shadowed]
`
	if d := cmp.Diff(want, filepath.ToSlash(out.String())); d != "" {
		t.Error(d)
	}
	var colored bytes.Buffer
	if err := Text(&colored, list, Style{Dir: dir, Color: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(colored.String(), "\x1b[1;31merror\x1b[0m") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("colours: %q", colored.String())
	}
}

// TestTextReadsNoForeignFile: a finding is also about what must not be read.
func TestTextReadsNoForeignFile(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("a secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.js")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Text(&out, []skills.Diagnostic{{Code: "file.outside-root", Message: "m", URI: "file://" + filepath.ToSlash(link)}}, Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "secret\n") {
		t.Errorf("%s", out.String())
	}
}

func TestGitHub(t *testing.T) {
	dir, list := someFindings(t)
	var out bytes.Buffer
	if err := GitHub(&out, list, dir); err != nil {
		t.Fatal(err)
	}
	want := `::error file=my packs/a%2Cb/tools/t.js,line=2,endLine=2,col=14,endColumn=17,title=tool.syntax::expected 100%25: found "zwei"%0Ahint: add ;
::warning file=/nowhere/x/notes/a.md,line=1,endLine=1,col=1,endColumn=1,title=note.encoding::no
::notice file=egod-builtin%3A///g/manifest.json,line=1,endLine=1,col=1,endColumn=1,title=pack.shadowed::info
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	dir, list := someFindings(t)
	list = append(list, list[0])
	var out bytes.Buffer
	if err := SARIF(&out, list, dir, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	read, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Validate(); err != nil {
		t.Error(err)
	}
	run := read.Runs[0]
	if len(run.Results) != 4 || len(run.Tool.Driver.Rules) != 3 || *run.ColumnKind != "utf16CodeUnits" {
		t.Fatalf("%s", out.String())
	}
	first := run.Results[0].Locations[0].PhysicalLocation
	if *first.ArtifactLocation.URI != "my%20packs/a,b/tools/t.js" || *first.ArtifactLocation.URIBaseID != sourceRoot ||
		*first.Region.StartLine != 2 || *first.Region.StartColumn != 14 || *first.Region.EndColumn != 18 || run.Results[0].Level != "error" {
		t.Errorf("%s", out.String())
	}
	if uri := *run.Results[1].Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "file:///nowhere/x/notes/a.md" {
		t.Errorf("uri %s", uri)
	}
	if run.Results[2].Level != "note" {
		t.Errorf("level %s", run.Results[2].Level)
	}
	out.Reset()
	if err := SARIF(&out, nil, dir, "1.2.3"); err != nil || !strings.Contains(out.String(), `"results": []`) {
		t.Errorf("no findings: %v\n%s", err, out.String())
	}
}

func TestCount(t *testing.T) {
	if got := Count(skills.Report{Errors: 2, Warnings: 1, Packs: 0}); got != "2 errors, 1 warning in no packs" {
		t.Error(got)
	}
}

// TestForeignNames: no name of a pack reaches the terminal as it is.
func TestForeignNames(t *testing.T) {
	var out strings.Builder
	d := skills.Diagnostic{
		Severity: skills.SeverityError, Code: "c", Message: "m\x1b[2J\n", Hint: "h\u202e", File: "manifest.json",
		URI: "file:///packs/a%1B%5B31mb%0Ac/manifest.json",
	}
	if err := Text(&out, []skills.Diagnostic{d}, Style{Dir: "/packs"}); err != nil {
		t.Fatal(err)
	}
	if err := Cleared(&out, d, Style{Dir: "/packs"}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.ContainsAny(got, "\x1b\u202e") || strings.Count(got, "\n") != 3 {
		t.Errorf("%q", got)
	}
}
