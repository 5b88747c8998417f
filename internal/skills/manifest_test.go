package skills

import (
	"slices"
	"strings"
	"testing"
)

// withManifest is a pack "p" with a manifest and the files that a manifest of
// the tables below may name.
func withManifest(manifest string) files {
	return files{
		"p/manifest.json":      manifest,
		"p/notes/a.md":         "A note.\n",
		"p/tools/t.js":         "export async function run(ctx) {}\n",
		"p/browser-tools/b.js": "() => 1\n",
	}
}

// fields wraps members into a manifest whose other fields are without fault, on
// one line.
func fields(members string) string {
	return `{"id":"p","name":"P","domains":["p.com"],` + members + `}`
}

const goodTool = `"description":"d","path":"tools/t.js","callable":"run","args":{},"returns":{"type":"object","description":"d"}`

func nodeTool(members string) string { return fields(`"nodeTools":{"t":{` + members + `}}`) }

func replaced(old, with string) string { return nodeTool(strings.Replace(goodTool, old, with, 1)) }

// TestManifestFindings holds the six layers of the format's checks: each rule of
// the original, and what egod finds on top.
func TestManifestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		manifest string
		want     []string // "severity code" of the manifest, in order
		status   Status
	}{
		"all right":          {nodeTool(goodTool), nil, StatusOK},
		"1 not JSON":         {`{`, []string{"error manifest.json-syntax"}, StatusBroken},
		"1 empty":            {``, []string{"error manifest.json-syntax"}, StatusBroken},
		"1 comment":          {`{"id":"p", // x` + "\n" + `"name":"P"}`, []string{"error manifest.json-syntax"}, StatusBroken},
		"1 BOM":              {"\ufeff" + nodeTool(goodTool), []string{"error manifest.bom"}, StatusDegraded},
		"2 null":             {`null`, []string{"error manifest.not-object"}, StatusBroken},
		"2 array":            {`[]`, []string{"error manifest.not-object"}, StatusBroken},
		"2 string":           {`"x"`, []string{"error manifest.not-object"}, StatusBroken},
		"3 other id":         {`{"id":"q","name":"P","domains":["p.com"]}`, []string{"error manifest.id-mismatch"}, StatusDegraded},
		"3 no id":            {`{"name":"P","domains":["p.com"]}`, []string{"error manifest.id"}, StatusDegraded},
		"3 number id":        {`{"id":5,"name":"P","domains":["p.com"]}`, []string{"error manifest.id"}, StatusDegraded},
		"4 no name":          {`{"id":"p","domains":["p.com"]}`, []string{"error manifest.name"}, StatusDegraded},
		"4 blank name":       {`{"id":"p","name":" ","domains":["p.com"]}`, []string{"error manifest.name"}, StatusDegraded},
		"5 string domains":   {`{"id":"p","name":"P","domains":"p.com"}`, []string{"error manifest.domains"}, StatusDegraded},
		"5 number in list":   {`{"id":"p","name":"P","domains":["p.com",5]}`, []string{"error manifest.domains"}, StatusDegraded},
		"6 no domains":       {`{"id":"p","name":"P"}`, []string{"error manifest.domains"}, StatusDegraded},
		"6 empty domains":    {`{"id":"p","name":"P","domains":[]}`, []string{"error manifest.domains"}, StatusDegraded},
		"6 false domains":    {`{"id":"p","name":"P","domains":false}`, []string{"error manifest.domains"}, StatusDegraded},
		"6 zero domains":     {`{"id":"p","name":"P","domains":0}`, []string{"error manifest.domains"}, StatusDegraded},
		"7 URL":              {`{"id":"p","name":"P","domains":["https://p.com"]}`, []string{"error domain.invalid"}, StatusDegraded},
		"8 string notes":     {fields(`"notes":"notes/a.md"`), []string{"error manifest.notes"}, StatusDegraded},
		"8 number note":      {fields(`"notes":[5]`), []string{"error manifest.notes"}, StatusDegraded},
		"8 false notes":      {fields(`"notes":null`), nil, StatusOK},
		"9 twice":            {fields(`"notes":["notes/a.md","notes/a.md"]`), []string{"warning note.duplicate"}, StatusOK},
		"9 elsewhere":        {fields(`"notes":["docs/a.md"]`), []string{"error note.path", "error note.missing"}, StatusDegraded},
		"9 not md":           {fields(`"notes":["notes/a.txt"]`), []string{"error note.path"}, StatusDegraded},
		"9 outside":          {fields(`"notes":["../q/notes/a.md"]`), []string{"error note.path"}, StatusDegraded},
		"9 absolute":         {fields(`"notes":["/etc/a.md"]`), []string{"error note.path"}, StatusDegraded},
		"9 backslash":        {fields(`"notes":["notes\\a.md"]`), []string{"error note.path"}, StatusDegraded},
		"9 detour":           {fields(`"notes":["notes/../notes/a.md"]`), []string{"error note.path"}, StatusDegraded},
		"9 drive":            {fields(`"notes":["C:/a.md"]`), []string{"error note.path"}, StatusDegraded},
		"10 missing":         {fields(`"notes":["notes/b.md"]`), []string{"error note.missing"}, StatusDegraded},
		"12 list of numbers": {fields(`"nodeTools":[5]`), []string{"error manifest.tools"}, StatusDegraded},
		"12 empty list":      {fields(`"nodeTools":[]`), []string{"error manifest.tools"}, StatusDegraded},
		"12 string":          {fields(`"nodeTools":"x"`), []string{"error manifest.tools"}, StatusDegraded},
		"12 false":           {fields(`"nodeTools":false`), nil, StatusOK},
		"13 null tool":       {fields(`"nodeTools":{"t":null}`), []string{"error tool.schema"}, StatusDegraded},
		"13 array tool":      {fields(`"nodeTools":{"t":[]}`), []string{"error tool.schema"}, StatusDegraded},
		"13 slash name":      {fields(`"nodeTools":{"a/b":{` + goodTool + `}}`), []string{"error tool.name"}, StatusDegraded},
		"13 dots name":       {fields(`"nodeTools":{"a..b":{` + goodTool + `}}`), []string{"error tool.name"}, StatusDegraded},
		"13 empty name":      {fields(`"nodeTools":{"":{` + goodTool + `}}`), []string{"error tool.name"}, StatusDegraded},
		"13 space in name":   {fields(`"nodeTools":{"a b":{` + goodTool + `}}`), []string{"info tool.name-portability"}, StatusOK},
		"13 no description":  {replaced(`"description":"d",`, ``), []string{"error tool.description"}, StatusDegraded},
		"13 no path":         {replaced(`"path":"tools/t.js",`, ``), []string{"error tool.path"}, StatusDegraded},
		"13 blank path":      {replaced(`"tools/t.js"`, `" "`), []string{"error tool.path"}, StatusDegraded},
		"13 path .. part":    {replaced(`"tools/t.js"`, `"tools/../tools/t.js"`), []string{"error tool.path"}, StatusDegraded},
		"13 path elsewhere":  {replaced(`"tools/t.js"`, `"browser-tools/b.js"`), []string{"error tool.path"}, StatusDegraded},
		"13 path dot":        {replaced(`"tools/t.js"`, `"./tools/t.js"`), []string{"error tool.path"}, StatusDegraded},
		"13 no callable":     {replaced(`"callable":"run",`, ``), []string{"error tool.callable"}, StatusDegraded},
		"13 blank callable":  {replaced(`"run"`, `""`), []string{"error tool.callable"}, StatusDegraded},
		"13 no args":         {replaced(`"args":{},`, ``), []string{"error tool.args"}, StatusDegraded},
		"13 null args":       {replaced(`"args":{}`, `"args":null`), []string{"error tool.args"}, StatusDegraded},
		"13 null arg":        {replaced(`"args":{}`, `"args":{"a":null}`), []string{"error tool.arg"}, StatusDegraded},
		"13 blank arg":       {replaced(`"args":{}`, `"args":{" ":{}}`), []string{"error tool.arg"}, StatusDegraded},
		"13 bare arg":        {replaced(`"args":{}`, `"args":{"a":{}}`), []string{"error tool.arg", "error tool.arg", "error tool.arg"}, StatusDegraded},
		"13 arg type":        {replaced(`"args":{}`, `"args":{"a":{"type":"strin","required":true,"description":"d"}}`), []string{"error tool.arg"}, StatusDegraded},
		"13 arg required":    {replaced(`"args":{}`, `"args":{"a":{"type":"string","required":"yes","description":"d"}}`), []string{"error tool.arg"}, StatusDegraded},
		"13 returns type":    {replaced(`"type":"object"`, `"type":"any"`), []string{"error tool.returns"}, StatusDegraded},
		"13 returns list":    {replaced(`"returns":{"type":"object","description":"d"}`, `"returns":[]`), []string{"error tool.returns"}, StatusDegraded},
		"13 no returns":      {replaced(`,"returns":{"type":"object","description":"d"}`, ``), []string{"warning tool.returns-missing"}, StatusOK},
		"14 missing":         {replaced(`"tools/t.js"`, `"tools/u.js"`), []string{"error tool.missing-file"}, StatusDegraded},
		"14 directory":       {replaced(`"tools/t.js"`, `"tools"`), []string{"error tool.path", "error file.not-regular"}, StatusDegraded},
		"18 browser list":    {fields(`"browserTools":7`), []string{"error manifest.tools"}, StatusDegraded},
		"18 browser missing": {fields(`"browserTools":{"b":{"description":"d","path":"browser-tools/c.js","args":{},"returns":{"type":"null","description":"d"}}}`), []string{"error tool.missing-file", "error tool.returns"}, StatusDegraded},
		"unknown field":      {fields(`"noteTools":{}`), []string{"warning manifest.unknown-field"}, StatusOK},
		"unknown in tool":    {replaced(`"path"`, `"desc":"","path"`), []string{"warning manifest.unknown-field"}, StatusOK},
		"$schema":            {fields(`"$schema":"x"`), nil, StatusOK},
		"same key twice":     {fields(`"name":"Q"`), []string{"warning manifest.duplicate-key"}, StatusOK},
		"same domain twice":  {`{"id":"p","name":"P","domains":["p.com","P.COM"]}`, []string{"warning domain.duplicate"}, StatusOK},
		"typescript":         {replaced(`"tools/t.js"`, `"tools/t.ts"`), []string{"warning tool.path-extension", "error tool.missing-file"}, StatusDegraded},
		"other case":         {replaced(`"tools/t.js"`, `"tools/T.js"`), []string{"error file.case-mismatch"}, StatusDegraded},
		"domain":             {`{"id":"p","name":"P","domain":"p.com"}`, []string{"warning manifest.shorthand-domain"}, StatusOK},
		"too deep":           {strings.Repeat("[", 100_000), []string{"error manifest.json-syntax"}, StatusBroken},
	} {
		t.Run(name, func(t *testing.T) {
			p := load(t, withManifest(c.manifest)).Packs()[0]
			var got []string
			for _, d := range p.Diagnostics {
				got = append(got, string(d.Severity)+" "+d.Code)
			}
			slices.Sort(got)
			want := slices.Clone(c.want)
			slices.Sort(want)
			if !slices.Equal(got, want) || p.Status != c.status {
				t.Errorf("%s %q, want %s %q\n%+v", p.Status, got, c.status, want, p.Diagnostics)
			}
		})
	}
}

// TestBrokenPartsServeTheRest is cases J1 and J2: no field of one pack keeps
// another pack, or another part of the same one, from being served.
func TestBrokenPartsServeTheRest(t *testing.T) {
	for _, broken := range []string{
		`{`, `"notes":[5]`, `"notes":"x"`, `"domains":"x"`, `"nodeTools":[]`, `"nodeTools":{"t":null}`,
		`"nodeTools":{"t":{"args":null}}`, `"browserTools":{"t":7}`, `"domains":[{}]`, `"id":{}`,
	} {
		fs := merge(withManifest(fields(broken)), packOf("z", "z.com"))
		fs[".git/config"] = "x"
		fs["node_modules/left-pad/index.js"] = "x"
		fs["_drafts/x/manifest.json"] = "{"
		fs["README.md"] = "x"
		c := load(t, fs)
		if got := ids(c.Packs()); !slices.Equal(got, []string{"p", "z"}) {
			t.Errorf("%s: packs %v", broken, got)
		}
		if _, m := c.Lookup("z.com"); len(m) != 1 || m[0].Pack.Status != StatusOK {
			t.Errorf("%s: z.com finds %v", broken, m)
		}
		if p := mustPack(t, c, "p"); len(p.Diagnostics) == 0 {
			t.Errorf("%s: no finding", broken)
		}
	}
}

func TestToolProblemsStopThatToolAlone(t *testing.T) {
	c := load(t, withManifest(fields(`"nodeTools":{
		"good":{`+goodTool+`},
		"nofile":{`+strings.Replace(goodTool, "t.js", "u.js", 1)+`},
		"nocallable":{`+strings.Replace(goodTool, `"callable":"run",`, "", 1)+`},
		"nodescription":{`+strings.Replace(goodTool, `"description":"d",`, "", 1)+`},
		"null":null}`)))
	p := mustPack(t, c, "p")
	want := map[string]int{"good": 0, "nofile": 1, "nocallable": 1, "nodescription": 0, "null": 1}
	for _, tool := range p.NodeTools {
		if len(tool.Problems) != want[tool.Name] {
			t.Errorf("%s: %+v", tool.Name, tool.Problems)
		}
		for _, d := range tool.Problems {
			if d.SiteID != "p" || d.URI == "" {
				t.Errorf("%s: problem without address %+v", tool.Name, d)
			}
		}
	}
}

func TestPositionsAreThoseOfTheJSON(t *testing.T) {
	c := load(t, withManifest(`{
  "id": "q",
  "name": "😀 P", "domains": ["p.com", "a/b"],
  "nodetools": {},
  "browserTools": {
    "b": {
      "description": "d",
      "path": "browser-tools/c.js",
      "args": {}
    }
  }
}`))
	got := findingsOf(c.Packs()[0].Diagnostics)
	want := []string{
		"error manifest.id-mismatch manifest.json:2:9",
		"error domain.invalid manifest.json:3:40",
		"warning manifest.unknown-field manifest.json:4:3",
		"warning tool.returns-missing manifest.json:6:5",
		"error tool.missing-file manifest.json:8:15",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	hints := map[string]string{}
	for _, d := range c.Packs()[0].Diagnostics {
		hints[d.Code] = d.Hint
	}
	if hints["manifest.unknown-field"] != `did you mean "nodeTools"?` || hints["tool.missing-file"] != `did you mean "browser-tools/b.js"?` {
		t.Errorf("hints %q", hints)
	}
}

func TestRawJSONIsEchoedAsDeclared(t *testing.T) {
	c := load(t, withManifest(fields(`"nodeTools": { "t" : { "x" : [ 1 , 2.50, "a \u0041 \ud83d \ud83d\ude00" ] } }`)))
	want := `{"t":{"x":[1,2.50,"a \u0041 \ufffd \ud83d\ude00"]}}`
	if got := string(c.Packs()[0].RawNodeTools); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDialects is issue J9 of the reports: the forms of the format in the wild.
func TestDialects(t *testing.T) {
	c := load(t, files{
		"short/manifest.json":            `{"id":"short","name":"S","domain":"s.com","nodeTools":["tools/search-users.js","tools/one.js","tools/def.js","tools/two.js"],"browserTools":["browser-tools/extract.js"]}`,
		"short/tools/search-users.js":    "// export const no = 1\nexport const limit = 3;\nexport async function searchUsers(ctx) {}\n",
		"short/tools/one.js":             "async function other(ctx) {}\nexport { other as theOne };\n",
		"short/tools/def.js":             "export const a = 'export const b = 1';\nexport default async (ctx) => {};\n",
		"short/tools/two.js":             "export const a = 1, b = 2;\nexport function c() {}\n",
		"short/browser-tools/extract.js": "() => 1\n",
		"later/manifest.json":            `{"id":"later","name":"L","domains":["l.com"],"notes":["docs/prompt.md"],"nodeTools":{"a":{"description":"d","path":"docs/functions.js","callable":"a","args":{}},"b":{"description":"d","path":"docs/functions.js","callable":"b","args":{}}}}`,
		"later/docs/prompt.md":           "Prompt\n",
		"later/docs/functions.js":        "export const a = () => {};\nexport const b = () => {};\n",
	})
	short := mustPack(t, c, "short")
	callables := map[string]string{}
	for _, tool := range short.NodeTools {
		callables[tool.Name] = tool.Callable
	}
	if callables["search-users"] != "searchUsers" || callables["one"] != "theOne" || callables["def"] != "default" {
		t.Errorf("callables %q", callables)
	}
	if tool, _ := short.Tool(NodeTool, "two"); len(tool.Problems) != 1 || tool.Problems[0].Code != "tool.missing-callable" {
		t.Errorf("two: %+v", tool.Problems)
	}
	if got := string(short.RawBrowserTools); got != `{"extract":{"description":"","path":"browser-tools/extract.js","args":{}}}` {
		t.Errorf("raw browser tools %s", got)
	}
	if _, m := c.Lookup("https://s.com"); len(m) != 1 {
		t.Error("the shorthand domain finds nothing")
	}
	later := mustPack(t, c, "later")
	if later.Status != StatusOK || later.Notes[0].Content != "Prompt\n" || later.NodeTools[1].Callable != "b" {
		t.Errorf("later: %s %+v", later.Status, later.Diagnostics)
	}
}
