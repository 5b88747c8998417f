//go:build unix

package ops

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"egod/internal/skills"
)

// example is a directory of packs in which one code is found.
type example struct {
	// replace is applied to the manifest of a pack without faults: old, new, ...
	replace []string
	files   map[string]string
	// make does what files cannot say, in the pack's directory.
	make   func(t *testing.T, dir string)
	limits skills.Limits
	// whole says that the finding is about a file or directory as a whole, so that
	// it has no place in it.
	whole bool
}

const exampleManifest = `{
  "id": "p",
  "name": "P",
  "domains": ["p.example"],
  "notes": ["notes/a.md"],
  "nodeTools": {
    "t": {
      "description": "d", "path": "tools/t.js", "callable": "run", "args": {},
      "returns": { "type": "object", "description": "d" }
    }
  },
  "browserTools": {
    "b": { "description": "d", "path": "browser-tools/b.js", "args": {}, "returns": { "type": "object", "description": "d" } }
  }
}
`

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, name))) }
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// examples has one for each code.
func examples() map[string]example {
	node := func(source string) map[string]string { return map[string]string{"tools/t.js": source} }
	return map[string]example{
		"browser-tool.not-a-function": {files: map[string]string{"browser-tools/b.js": "document.title"}},
		"domain.duplicate":            {replace: []string{`"p.example"]`, `"p.example", "P.example"]`}},
		"domain.idn":                  {replace: []string{"p.example", "xn--a.example"}},
		"domain.invalid":              {replace: []string{"p.example", "https://p.example/"}},
		"domain.never-matches":        {replace: []string{"p.example", "p.example:80"}},
		"domain.public-suffix":        {replace: []string{"p.example", "*.com"}},
		"file.case-mismatch":          {replace: []string{"notes/a.md", "notes/A.md"}},
		"file.hard-link":              {make: func(t *testing.T, dir string) { must(t, os.Link(dir+"/notes/a.md", dir+"/notes/b.md")) }},
		"file.not-regular": {make: func(t *testing.T, dir string) {
			remove("notes/a.md")(t, dir)
			must(t, syscall.Mkfifo(dir+"/notes/a.md", 0o600))
		}},
		"file.outside-root": {make: func(t *testing.T, dir string) {
			remove("notes/a.md")(t, dir)
			must(t, os.Symlink("/etc/hostname", dir+"/notes/a.md"))
		}},
		"file.unreadable": {make: func(t *testing.T, dir string) {
			remove("notes/a.md")(t, dir)
			must(t, os.Symlink("a.md", dir+"/notes/a.md"))
		}},
		"manifest.bom":              {replace: []string{"{\n  \"id\"", "\ufeff{\n  \"id\""}, whole: true},
		"manifest.domains":          {replace: []string{`["p.example"]`, `"p.example"`}},
		"manifest.duplicate-key":    {replace: []string{`"name": "P"`, `"name": "Q", "name": "P"`}},
		"manifest.encoding":         {replace: []string{`"P"`, "\"P\xff\""}},
		"manifest.id":               {replace: []string{`"id": "p"`, `"id": 5`}},
		"manifest.id-mismatch":      {replace: []string{`"id": "p"`, `"id": "q"`}},
		"manifest.json-syntax":      {replace: []string{`"name": "P",`, `"name": "P"`}},
		"manifest.missing":          {make: remove("manifest.json"), whole: true},
		"manifest.name":             {replace: []string{`"name": "P"`, `"name": " "`}},
		"manifest.not-object":       {files: map[string]string{"manifest.json": "[]"}},
		"manifest.notes":            {replace: []string{`["notes/a.md"]`, `"notes/a.md"`}},
		"manifest.shorthand-domain": {replace: []string{`"domains": ["p.example"]`, `"domain": "p.example"`}},
		"manifest.shorthand-tools":  {replace: []string{exampleManifest[strings.Index(exampleManifest, `"nodeTools"`):strings.Index(exampleManifest, `  "browserTools"`)], "\"nodeTools\": [\"tools/t.js\"],\n"}},
		"manifest.too-large":        {limits: skills.Limits{ManifestBytes: 10}, whole: true},
		"manifest.tools":            {replace: []string{"\"browserTools\": {\n    \"b\"", "\"browserTools\": 5, \"c\": {\n    \"b\""}},
		"manifest.unknown-field":    {replace: []string{`"name": "P"`, `"name": "P", "nmae": 1`}},
		"manifest.unreadable": {whole: true, make: func(t *testing.T, dir string) {
			remove("manifest.json")(t, dir)
			must(t, os.Symlink("manifest.json", dir+"/manifest.json"))
		}},
		"note.duplicate":        {replace: []string{`["notes/a.md"]`, `["notes/a.md", "notes/a.md"]`}},
		"note.encoding":         {files: map[string]string{"notes/a.md": "a\n\xff\n"}},
		"note.missing":          {make: remove("notes/a.md")},
		"note.path":             {replace: []string{`"notes/a.md"`, `"../a.md"`}},
		"note.temporary-ref":    {files: map[string]string{"notes/a.md": "a\npress @21\n"}},
		"note.too-large":        {limits: skills.Limits{NoteBytes: 1}, files: map[string]string{"notes/a.md": "ab"}},
		"pack.duplicate-id":     {make: func(t *testing.T, dir string) { must(t, os.CopyFS(filepath.Dir(dir)+"/q", os.DirFS(dir))) }},
		"pack.outside-root":     {make: func(t *testing.T, dir string) { must(t, os.Symlink(t.TempDir(), filepath.Dir(dir)+"/q")) }, whole: true},
		"pack.too-deep":         {limits: skills.Limits{PackDepth: 1}, files: map[string]string{"lib/a/b/c.js": ""}, whole: true},
		"pack.too-large":        {limits: skills.Limits{PackBytes: 50}, whole: true},
		"pack.too-many-files":   {limits: skills.Limits{PackEntries: 2}, whole: true},
		"root.too-many-packs":   {limits: skills.Limits{RootEntries: 1}, make: func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Dir(dir)+"/q", 0o700)) }, whole: true},
		"tool.arg":              {replace: []string{`"args": {},`, `"args": {"a": {"type": "string", "description": "d"}},`}},
		"tool.args":             {replace: []string{`"args": {},`, `"args": [],`}},
		"tool.callable":         {replace: []string{`"callable": "run", `, ""}},
		"tool.description":      {replace: []string{`"description": "d", "path": "tools/t.js"`, `"path": "tools/t.js"`}},
		"tool.duplicate":        {replace: []string{exampleManifest[strings.Index(exampleManifest, `"nodeTools"`):strings.Index(exampleManifest, `  "browserTools"`)], "\"nodeTools\": [\"tools/t.js\", \"tools/t.js\"],\n"}},
		"tool.encoding":         {files: node("export const run = () => 1; // \xff")},
		"tool.import":           {files: node("import './a.js';\nexport const run = () => 1;")},
		"tool.missing-callable": {files: node("export const walk = () => 1;")},
		"tool.missing-file":     {make: remove("tools/t.js")},
		"tool.name":             {replace: []string{`"t": {`, `"../t": {`}},
		"tool.name-portability": {replace: []string{`"t": {`, `"t t": {`}},
		"tool.path":             {replace: []string{"tools/t.js", `C:\\tools\\t.js`}},
		"tool.path-extension":   {replace: []string{"tools/t.js", "tools/t.ts"}, files: map[string]string{"tools/t.ts": "export const run = () => 1;"}},
		"tool.returns":          {replace: []string{`"type": "object", "description": "d" }` + "\n    }", `"type": "thing", "description": "d" }` + "\n    }"}},
		"tool.returns-missing":  {replace: []string{",\n      \"returns\": { \"type\": \"object\", \"description\": \"d\" }", ""}},
		"tool.schema":           {replace: []string{`"b": {`, `"c": 5, "b": {`}},
		"tool.selector":         {files: node("export const run = (ctx) => ctx.page.click('a:first');")},
		"tool.syntax":           {files: node("export const run = (;")},
		"tool.temporary-ref":    {files: node("export const run = (ctx) => ctx.page.click('@21');")},
		"tool.too-deep":         {files: node("export const run = " + strings.Repeat("[", 100_000)), whole: true},
		"tool.too-large":        {files: node("export const run = () => 1;//" + strings.Repeat("x", 130<<10))},
		"tool.unchecked":        {files: node("export const run = () => 1; // " + endsWorkers), whole: true},
		"tool.unknown-member":   {files: node("export const run = (ctx) => ctx.pages;")},
		"tool.unsupported":      {files: node("export const run = () => /\\p{Nothing}/u;")},
	}
}

// notHere are codes that a test cannot bring about everywhere: pack.unreadable
// needs another user than root, and pack.shadowed a second root.
var notHere = map[string]bool{"pack.unreadable": true, "pack.shadowed": true}

// TestEveryCode: each finding says where it is and what the next step is.
func TestEveryCode(t *testing.T) {
	pool := newTestPool(t)
	all := examples()
	for _, code := range skills.Codes() {
		e, there := all[code.Name]
		if !there {
			if !notHere[code.Name] {
				t.Errorf("%s has no example", code.Name)
			}
			continue
		}
		t.Run(code.Name, func(t *testing.T) {
			d := e.find(t, SourceCheck(pool), code.Name)
			if d.Severity != code.Severity && code.Name != "tool.unknown-member" {
				t.Errorf("severity %s, listed as %s", d.Severity, code.Severity)
			}
			if d.Hint == "" {
				t.Errorf("no next step: %s", d.Message)
			}
			if empty := d.Range == (skills.Range{}); empty != e.whole {
				t.Errorf("range %+v in %s: %s", d.Range, d.File, d.Message)
			}
		})
	}
}

func (e example) find(t *testing.T, check skills.Check, code string) skills.Diagnostic {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "p")
	manifest := exampleManifest
	if e.replace != nil {
		if manifest = strings.NewReplacer(e.replace...).Replace(manifest); manifest == exampleManifest {
			t.Fatal("the example replaces nothing")
		}
	}
	files := map[string]string{
		"manifest.json": manifest, "notes/a.md": "# A\n", "tools/t.js": "export const run = () => 1;\n", "browser-tools/b.js": "() => 1\n",
	}
	for name, text := range e.files {
		files[name] = text
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	if e.make != nil {
		e.make(t, dir)
	}
	report, err := skills.Validate(t.Context(), root, check, e.limits)
	must(t, err)
	for _, d := range report.Diagnostics {
		if d.Code == code {
			return d
		}
	}
	t.Fatalf("not found; found %+v", report.Diagnostics)
	return skills.Diagnostic{}
}
