package runtime

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func checkFunction(t *testing.T, p *Pool, source string) []Problem {
	t.Helper()
	checked, err := p.Check(context.Background(), &Program{
		Kind: Function, Site: "test", Entry: "browser-tools/t.js", Files: map[string]string{"browser-tools/t.js": source},
	})
	if err != nil {
		t.Fatalf("%q: %v", source, err)
	}
	return checked.Problems
}

func TestCheckTakesFunctionExpressions(t *testing.T) {
	p := newTestPool(t)
	for _, source := range []string{
		"function (args) { return args.n }",
		"async function(args){return args.n} // done",
		"async (a)=>a.n;\n",
		"a => a",
		"({n}) => n",
		"(function named(a){ return a.n })",
		"((a) => a);",
		"\ufeffasync (a) => a.n",
		"/* lead */ // line\n  (a) => a.n /* trail */ // more",
		"\"use strict\";\nfunction(a){ return a.n }",
		"'use strict'\nfunction(a){ return a.n }",
		"/* lead */ \"use strict\" /* mid */ ; // line\r\n(a) => a.n;;",
		"(a) => a.n\n//# sourceMappingURL=x.js.map",
		"async (a) => { const s = `// ${'}'}`; return a.n }",
		"(a) => /[/]\\/*/.test('//') ? a.n : a.n",
		// What Chrome knows and the engine does not.
		"async function* (a) { for await (const x of a) yield x }",
		"() => /[\\p{L}--[a-z]]/v.test('x') && import('./x.js')",
		"function () { with (document) { return title } }",
		"(function* () {})",
	} {
		if problems := checkFunction(t, p, source); len(problems) > 0 {
			t.Errorf("%q: %v", source, problems)
		}
	}
}

func TestCheckRefusesWhatIsNoFunction(t *testing.T) {
	p := newTestPool(t)
	const not = "browser-tool.not-a-function"
	tests := []struct {
		source  string
		want    string // code line:column
		message string
	}{
		{"export default function(){}", not + " 1:1", "it cannot have export"},
		{"// lead\n  export const f = () => 1", not + " 2:3", "it cannot have export"},
		{"import x from './x.js';\n() => x", not + " 1:1", "cannot import"},
		{"module.exports = () => 1", not + " 1:1", "module.exports"},
		{"", not + " 1:1", "holds no function"},
		{"// only a comment\n", not + " 2:1", "holds no function"},
		{"42", not + " 1:1", "not one function expression"},
		{"({ run() {} })", not + " 1:1", "not one function expression"},
		{"class A {}", not + " 1:1", "not one function expression"},
		{"document.title", not + " 1:1", "not one function expression"},
		{"(() => 1)()", not + " 1:1", "not one function expression"},
		{"(1, () => 2)", not + " 1:1", "not one function expression"},
		{"() => 1, typeof (() => 2)", not + " 1:1", "not one function expression"},
		{"f = () => 1", not + " 1:1", "not one function expression"},
		{"() => 1; evil()", not + " 1:1", "not one function expression"},
		{"'a string' + (() => 1)", not + " 1:1", "not one function expression"},
		{"const help = 1;\n() => help", not + " 1:1", "this is a const declaration"},
		{"function a() {}\nfunction b() {}", not + " 1:1", "not one function expression"},
		{"() => 1\nconst help = 1\nhelp()", not + " 1:1", "not one function expression"},
		{"(args) => 1;\nfunction (args) {}", "tool.syntax 2:10", `found "("`},
		{"async function a() {\n  return 1;\n} const b = 2;", not + " 3:3", "more than one function"},
		{"function(){} function(){}", "tool.syntax 1:14", `found "function"`},
		{"// lead\n(a) => {\n  return [1 2];\n}", "tool.syntax 3:13", `found "2"`},
		{"\"use strict\"; (a) => { with (a) {} }", "tool.syntax 1:24", "strict mode"},
		{"/* ü😀 */ (a) => { return \"ü😀\" + ; }", "tool.syntax 1:35", `Unexpected ";"`},
		{"(a) => {", "tool.syntax 1:9", "end of file"},
		{"() => { await x }", "tool.syntax 1:9", "await"},
		{"/* no end", "tool.syntax 1:10", "comment"},
		{strings.Repeat("(", 300_000), "tool.too-large 0:0", "131072"},
		{strings.Repeat("[", 120_000), "tool.too-deep 0:0", "nested too deeply"},
	}
	for _, tt := range tests {
		problems := checkFunction(t, p, tt.source)
		if len(problems) == 0 {
			t.Errorf("%.40q: no problem", tt.source)
			continue
		}
		first := problems[0]
		if got := first.Code + " " + strings.TrimPrefix(placeOf(first), first.File+":"); got != tt.want ||
			!strings.Contains(first.Message, tt.message) || first.File != "browser-tools/t.js" {
			t.Errorf("%.40q: %s %+v", tt.source, got, first)
		}
	}
}

func placeOf(p Problem) string {
	at, _, _ := strings.Cut(Problem{File: p.File, Line: max(p.Line, 1), Column: p.Column}.String(), ": ")
	if p.Line == 0 {
		return p.File + ":0:0"
	}
	return at
}

func TestSkipPrologue(t *testing.T) {
	got := map[string]string{}
	for _, source := range []string{"a", " /* x */ a", "// x\na", "'use strict'; a", "'use strict'\na", "'use strict' + a", "'a\\'' ; a", "'no end", "/* no end", ""} {
		got[source] = source[skipPrologue(source):]
	}
	want := map[string]string{
		"a": "a", " /* x */ a": "a", "// x\na": "a", "'use strict'; a": "a", "'use strict'\na": "a", "'use strict' + a": "'use strict' + a",
		"'a\\'' ; a": "'a\\'' ; a", "'no end": "'no end", "/* no end": "/* no end", "": "",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
