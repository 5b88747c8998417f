package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// script is an agent script.
func script(source string) *Program {
	return &Program{Kind: Script, Entry: "script.js", Files: map[string]string{"script.js": source}}
}

func TestScripts(t *testing.T) {
	p := newTestPool(t)
	host := hostFunc(func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	tests := []struct{ name, source, value, output string }{
		{"return", "return {a: await Promise.resolve(1)}", `{"a":1}`, ""},
		{"nothing", "", `null`, ""},
		{"globals", "const r = await page.evaluate((x) => x + 1, 5);\nreturn r", `{"fn":"(x) => x + 1","arg":5}`, ""},
		{"import", "const { join } = await import('node:path');\nconst path = await import('path');\nreturn join('a', path.sep)", `"a/"`, ""},
		{"output", "console.log('text', 1, {a: 1, b: undefined, c: 10n, d: new Date(0), e: /x/g});\nconsole.log(undefined, null, 5n, NaN, new Map([[1, 2]]));\nconst o = {}; o.o = o; console.log(o); console.warn('not printed')", `null`,
			"text 1 {\n  \"a\": 1,\n  \"b\": \"undefined\",\n  \"c\": \"10n\",\n  \"d\": \"1970-01-01T00:00:00.000Z\",\n  \"e\": \"/x/g\"\n}\nundefined null 5n null {}\n{\n  \"o\": \"[Circular]\"\n}\n"},
		{"waits for what is pending", "setTimeout(() => console.log('later'), 5); return 1", `1`, "later\n"},
		{"last line is a comment", "return 5 // done", `5`, ""},
		{"args", "return process.argv.length", `2`, ""},
		{"line for a shell", "#!/usr/bin/env node\nreturn 7", `7`, ""},
		{"tick before it ends", "process.nextTick(() => console.log('tick')); return 1", `1`, "tick\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := run(t, p, Request{Program: script(tt.source), Host: host})
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Value) != tt.value || res.Output != tt.output {
				t.Errorf("got %s and %q, want %s and %q", res.Value, res.Output, tt.value, tt.output)
			}
		})
	}
}

func TestScriptMayTryModules(t *testing.T) {
	p := newTestPool(t)
	source := `
const of = async (load) => { try { await load(); return "there" } catch (e) { return [e.name, e.code, e.kind, e.data?.rule, e.message] } };
const name = "node:child_" + "process";
return [
  await of(() => import("node:child_process")), await of(() => require("child_process")), await of(() => import(name)),
  await of(() => import("node:http")), await of(() => import("node:worker_threads")), await of(() => import("left-pad")),
]`
	res, err := run(t, p, Request{Program: script(source)})
	if err != nil {
		t.Fatal(err)
	}
	want := `[["TypeError","ERR_ACCESS_DENIED","policy_denied","process.start","module \"node:child_process\" is not available to tools: tools start no processes"],` +
		`["TypeError","ERR_ACCESS_DENIED","policy_denied","process.start","module \"child_process\" is not available to tools: tools start no processes"],` +
		`["TypeError","ERR_ACCESS_DENIED","policy_denied","process.start","module \"node:child_process\" is not available to tools: tools start no processes"],` +
		`["TypeError","ERR_ACCESS_DENIED","policy_denied","network.direct","module \"node:http\" is not available to tools: tools have no network of their own"],` +
		`["TypeError","ERR_MODULE_NOT_FOUND",null,null,"module \"node:worker_threads\" is not available to tools: tools run on one thread"],` +
		`["TypeError","ERR_MODULE_NOT_FOUND",null,null,"module \"left-pad\" cannot be found: packages are not installed for tools"]]`
	if got := string(res.Value); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_, err = run(t, p, Request{Program: script("const a = 1;\nconst { execFile } = await import('node:child_process');")})
	var se *ScriptError
	if !errors.As(err, &se) || se.Kind != "policy_denied" || se.Rule != "process.start" || se.Hint == "" || se.Line != 2 || strings.Contains(se.Stack, "native") {
		t.Errorf("error %+v", err)
	}
	_, err = run(t, p, Request{Program: script("const a = 1;\nimport cp from 'node:path';")})
	var ce *CompileError
	if !errors.As(err, &ce) || ce.Problems[0].Line != 2 || ce.Problems[0].Message != "a script cannot hold an import declaration" {
		t.Errorf("error %+v", err)
	}
}

func TestScriptFailuresKeepTheOutput(t *testing.T) {
	p := newTestPool(t)
	_, err := run(t, p, Request{Program: script("console.log('before');\nawait null;\n\nthrow new Error('here');\n")})
	var se *ScriptError
	if !errors.As(err, &se) || se.File != "script.js" || se.Line != 4 || se.Column != 1 || se.Output != "before\n" {
		t.Errorf("error %+v", err)
	}
	_, err = run(t, p, Request{Program: script("console.log('before');\nwhile (true) {}"), Timeout: 300 * time.Millisecond})
	var te *TimeoutError
	if !errors.As(err, &te) || te.Output != "before\n" {
		t.Errorf("error %+v", err)
	}
	_, err = run(t, p, Request{Program: script("console.log('before');\n'x'.repeat(2**40)")})
	var le *LimitError
	if !errors.As(err, &le) || le.Limit != "memory" {
		t.Errorf("error %+v", err)
	}
	_, err = run(t, p, Request{Program: script("let a = 1;\nlet b = ;\n")})
	var ce *CompileError
	if !errors.As(err, &ce) || ce.Problems[0].Line != 2 || ce.Problems[0].Column != 9 || ce.Problems[0].File != "script.js" {
		t.Errorf("error %+v", err)
	}
	_, err = run(t, p, Request{Program: script("console.log('before');\nPromise.reject(new Error('lost'))")})
	if !errors.As(err, &se) || se.Message != "unhandled rejection: lost" || se.Output != "before\n" {
		t.Errorf("error %+v", err)
	}
}
