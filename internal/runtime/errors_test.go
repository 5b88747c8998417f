package runtime

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorPositions(t *testing.T) {
	p := newTestPool(t)
	lib := "// a comment\n\nexport function fail(x) {\n  if (x) {\n    throw   new TypeError(\"from lib\");\n  }\n}\nexport const make = (text) => new Error(text);\n"
	tests := []struct {
		name, source string
		want         ScriptError
		stack        string
	}{
		{"throw", "export async function run() {\n  await null;\n  throw new Error(\"boom\");\n}\n",
			ScriptError{Name: "Error", Message: "boom", File: "tools/t.js", Line: 3, Column: 3}, "Error: boom\n    at run (tools/t.js:3:9)"},
		{"sibling", "import {\n  fail,\n} from \"../lib/lib.js\";\nexport const run = () =>\n  fail(1);\n",
			ScriptError{Name: "TypeError", Message: "from lib", File: "lib/lib.js", Line: 5, Column: 5}, "TypeError: from lib\n    at fail (lib/lib.js:5:13)\n    at run (tools/t.js:5:3)"},
		{"made elsewhere", "import {make} from \"../lib/lib.js\";\nexport const run = () => {\n  const e = make(\"x\");\n  throw e;\n};\n",
			ScriptError{Name: "Error", Message: "x", File: "tools/t.js", Line: 4, Column: 3}, ""},
		{"let go again", "export const run = () => {\n  try {\n    throw new Error(\"x\");\n  } catch (e) {\n    throw e;\n  }\n};\n",
			ScriptError{Name: "Error", Message: "x", File: "tools/t.js", Line: 3, Column: 5}, ""},
		{"of the engine", "export const run = async () => {\n  const o = {};\n  await 1;\n  return o.a.b;\n};\n",
			ScriptError{Name: "TypeError", Message: "Cannot read properties of undefined or null (reading 'b')", File: "tools/t.js", Line: 4, Column: 14}, ""},
		{"of the engine, let go again", "export const run = async (ctx, args) => {\n  try {\n    args.x.y;\n  } catch (e) { throw e }\n};\n",
			ScriptError{Name: "TypeError", Message: "Cannot read properties of undefined or null (reading 'y')", File: "tools/t.js", Line: 3, Column: 12}, ""},
		{"text", "export async function run() {\n  await null;\n  throw \"text\";\n}\n",
			ScriptError{Name: "Error", Message: "text", File: "tools/t.js", Line: 3, Column: 3}, "Error: text\n    at run (tools/t.js:3:3)"},
		{"object", "export function run() {\n  throw {code: 5};\n}\n", ScriptError{Name: "Error", Message: "{ code: 5 }", File: "tools/t.js", Line: 2, Column: 3}, ""},
		{"undefined", "export function run() {\n  throw undefined;\n}\n", ScriptError{Name: "Error", Message: "undefined", File: "tools/t.js", Line: 2, Column: 3}, ""},
		{"own class", "class MyError extends Error { name = \"MyError\" }\nexport function run() {\n  throw new MyError(\"m\");\n}\n",
			ScriptError{Name: "MyError", Message: "m", File: "tools/t.js", Line: 3, Column: 3}, "MyError: m\n    at run (tools/t.js:3:9)"},
		{"at load", "const x = 1;\nif (x) throw new Error(\"at load\");\nexport function run() {}\n", ScriptError{Name: "Error", Message: "at load", File: "tools/t.js", Line: 2, Column: 8}, ""},
		{"after await of a sibling's load", "import \"../lib/later.js\";\nexport function run() {}\n", ScriptError{Name: "Error", Message: "later", File: "lib/later.js", Line: 2, Column: 1}, ""},
		{"missing name", "export function run() {\n  return document.title;\n}\n",
			ScriptError{Name: "ReferenceError", Message: "document is not available in node tools", File: "tools/t.js", Line: 2, Column: 10, Hint: "use ctx.page.evaluate to run code in the page"}, ""},
		{"non-ASCII text before", "export function run() {\n  const s = \"üöä😀\"; throw new Error(s);\n}\n", ScriptError{Name: "Error", Message: "üöä😀", File: "tools/t.js", Line: 2, Column: 22}, ""},
		{"non-ASCII text in the line", "export function run() {\n  return [\"üöä😀\", \"ü\".x, \"ü\".x.y];\n}\n", ScriptError{Name: "TypeError", Message: "Cannot read properties of undefined or null (reading 'y')", File: "tools/t.js", Line: 2, Column: 34}, ""},
		{"typescript", "", ScriptError{Name: "Error", Message: "ts", File: "lib/x.ts", Line: 4, Column: 3}, ""},
		{"file access", "import fs from \"node:fs/promises\";\nexport const run = async () => {\n  await fs.readFile(\"/etc/passwd\");\n};\n",
			ScriptError{Name: "Error", Message: "fs.readFile is refused by the policy: tools have no access to files", File: "tools/t.js", Line: 3, Column: 12, Kind: "policy_denied", Rule: "file.access", Hint: "start egod with --allow-fs DIR to allow a directory"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prog := module(tt.source)
			if tt.source == "" {
				prog = module("import { f } from '../lib/x.js';\nexport const run = () => f<number>;\nexport { f as run2 };\n")
				prog.Files["tools/t.js"] = "import { f } from '../lib/x.js';\nexport const run = () => f(1);\n"
			}
			prog.Files["lib/lib.js"] = lib
			prog.Files["lib/later.js"] = "await null;\nthrow new Error(\"later\");\n"
			prog.Files["lib/x.ts"] = "enum Kind { A, B }\ntype T = { a: number };\nexport function f(x: number, t?: T): Kind {\n  throw new Error(\"ts\" as string);\n}\n"
			_, err := run(t, p, Request{Program: prog})
			var se *ScriptError
			if !errors.As(err, &se) {
				t.Fatalf("error %v, want a ScriptError", err)
			}
			if tt.stack != "" && se.Stack != tt.stack {
				t.Errorf("stack\n%s\nwant\n%s", se.Stack, tt.stack)
			}
			got := *se
			got.Stack = ""
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
			if strings.Contains(se.Error(), "\n") {
				t.Errorf("%q is not one line", se.Error())
			}
		})
	}
}

func TestCompileProblems(t *testing.T) {
	p := newTestPool(t)
	tests := []struct {
		name, source string
		want         []Problem // Hint and LineText are compared only when set
	}{
		{"syntax", "export function run() {\n  const x = ;\n}\n", []Problem{{File: "tools/t.js", Line: 2, Column: 13, Code: "tool.syntax", Message: `Unexpected ";"`, LineText: "  const x = ;"}}},
		{"syntax after other letters", "export const run = \"ü😀\" +;\n", []Problem{{File: "tools/t.js", Line: 1, Column: 27, Code: "tool.syntax", Message: `Unexpected ";"`}}},
		{"in a sibling", "import './bad.js';\nexport function run() {}\n", []Problem{{File: "tools/bad.js", Line: 3, Column: 1, Code: "tool.syntax", Message: `Unexpected "}"`}}},
		{"unknown package", "import a from \"lodash\";\nimport b from 'node:nope';\n", []Problem{
			{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `module "lodash" cannot be found: packages are not installed for tools`},
			{File: "tools/t.js", Line: 2, Column: 15, Code: "tool.import", Message: `module "node:nope" is not available to tools`},
		}},
		{"processes", "\nconst cp = require('child_process');\nexport const run = () => cp;\n", []Problem{{File: "tools/t.js", Line: 2, Column: 20, Code: "tool.import", Message: `module "child_process" is not available to tools: tools start no processes`}}},
		{"network", "import x from 'https://a.test/x.js';\n", []Problem{{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `import of "https://a.test/x.js": modules are not loaded from the network`}}},
		{"leaves the pack", "import x from '../../other/x.js';\n", []Problem{{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `import of "../../other/x.js" leaves the pack`}}},
		{"absolute", "import x from '/etc/passwd';\n", []Problem{{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `import of absolute path "/etc/passwd": only files of the pack can be imported`}}},
		{"near name", "import x from './bda.js';\n", []Problem{{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `import of "./bda.js": the pack has no file tools/bda.js`, Hint: `did you mean "./bad.js"?`}}},
		{"unknown property", "export const run = () => 1;\nconst re = /\\p{Script_Extensions=Greek}/u;\nexport { re };\n", []Problem{{File: "tools/t.js", Line: 2, Column: 12, Code: "tool.unsupported", Message: `regular expression: \p{Script_Extensions=Greek} is not supported here, only Script=Greek is`}}},
		{"groups of the last match", "export const run = () => RegExp.$1;\n", []Problem{{File: "tools/t.js", Line: 1, Column: 33, Code: "tool.unsupported", Message: "RegExp.$1 is not supported"}}},
		{"module of Node without its prefix", "import a from 'assert';\nimport t from 'util/types';\n", []Problem{
			{File: "tools/t.js", Line: 1, Column: 15, Code: "tool.import", Message: `module "assert" is not available to tools: only some modules of Node are there`},
			{File: "tools/t.js", Line: 2, Column: 15, Code: "tool.import", Message: `module "util/types" is not available to tools: only some modules of Node are there`, Hint: "import node:util"},
		}},
		{"no such export", "export const other = 1;\n", []Problem{{File: "tools/t.js", Code: "tool.missing-callable", Message: `file tools/t.js does not export "run"`, Hint: "it exports other"}}},
		{"no export", "const run = 1;\n", []Problem{{File: "tools/t.js", Code: "tool.missing-callable", Message: "file tools/t.js exports nothing"}}},
		{"too large", "export const run = 1; //" + strings.Repeat("x", 128<<10), []Problem{{File: "tools/t.js", Code: "tool.too-large", Message: "file tools/t.js has 131096 bytes, more than the 131072 allowed for a source file"}}},
		{"brackets", strings.Repeat("(", 300_000), []Problem{{File: "tools/t.js", Code: "tool.too-large", Message: "file tools/t.js has 300000 bytes, more than the 131072 allowed for a source file"}}},
		{"too deep", strings.Repeat("(", 130_000), []Problem{{File: "tools/t.js", Code: "tool.too-deep", Message: "the file, or one it imports, is nested too deeply to be read"}}},
		{"too deep array", "export const run = " + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000), []Problem{{File: "tools/t.js", Code: "tool.too-deep", Message: "the file, or one it imports, is nested too deeply to be read"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prog := module(tt.source)
			prog.Files["tools/bad.js"] = "export const a = 1;\n\n}\n"
			checked, err := p.Check(t.Context(), prog)
			if err != nil {
				t.Fatal(err)
			}
			problems := checked.Problems
			if len(problems) != len(tt.want) {
				t.Fatalf("problems %+v, want %+v", problems, tt.want)
			}
			for i, got := range problems {
				want := tt.want[i]
				if want.Hint == "" {
					want.Hint = got.Hint
				}
				if want.LineText == "" {
					want.LineText = got.LineText
				}
				if got != want {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
			}
			_, err = run(t, p, Request{Program: prog})
			var ce *CompileError
			if !errors.As(err, &ce) || len(ce.Problems) != len(tt.want) {
				t.Errorf("running it gave %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is not one line", err)
			}
		})
	}
	if got := value(t, p, "return 1"); got != "1" {
		t.Errorf("the next run gave %s", got)
	}
}

func TestFileNamesThatAreNoURLs(t *testing.T) {
	p := newTestPool(t)
	for _, name := range []string{"tools/my tool.js", "tools/größe é.js", "tools/100%.js", "tools/a%20b.js", "tools/a#b?c.js", "x:y/z.js", "t.js"} {
		_, err := run(t, p, Request{Program: &Program{Entry: name, Export: "run", Files: map[string]string{name: "export function run() {\n  throw new Error('x');\n}\n"}}})
		var se *ScriptError
		if !errors.As(err, &se) || se.File != name || se.Stack != "Error: x\n    at run ("+name+":2:9)" {
			t.Errorf("%s: error %+v", name, err)
		}
	}
}

func TestCheckRunsNothing(t *testing.T) {
	p := newTestPool(t)
	checked, err := p.Check(t.Context(), module("throw new Error('ran');\nexport function run() {}\n"))
	if err != nil || len(checked.Problems) > 0 {
		t.Errorf("%+v, error %v", checked, err)
	}
}
