package tests

import (
	"strings"
	"testing"
)

// hostile are tools that try to take the daemon down, and how each must end.
var hostile = []struct {
	name, source string
	kinds        []string
	timeoutMs    int // 0: 1500, which is all that endless ones need
}{
	{"loop", `export const run = () => { while (true) {} };`, []string{"timeout"}, 0},
	{"loop-in-finally", `export const run = () => { for (;;) { try { while (true) {} } finally { continue; } } };`, []string{"timeout"}, 0},
	{"loop-of-promises", `export const run = async () => { for (;;) await null; };`, []string{"timeout"}, 0},
	{"never-settles", `export const run = () => new Promise(() => {});`, []string{"tool_failed", "timeout"}, 0},
	{"huge-string", `export const run = () => 'x'.repeat(2 ** 40);`, []string{"limit_exceeded", "tool_failed"}, 50_000},
	{"deep-json", `export const run = () => JSON.parse('['.repeat(5e6));`, []string{"limit_exceeded", "tool_failed"}, 50_000},
	{"endless-array", `export const run = () => { const a = []; for (;;) a.push(new Array(1000).fill(1)); };`, []string{"limit_exceeded"}, 50_000},
	{"doubling-string", `export const run = () => { let s = 'x'; for (;;) s += s; };`, []string{"limit_exceeded", "tool_failed"}, 50_000},
	{"cyclic-flat", `export const run = () => { const a = []; a[0] = a; return a.flat(Infinity); };`, []string{"limit_exceeded", "tool_failed"}, 50_000},
	{"recursion", `export const run = () => { const f = () => f() + 1; return f(); };`, []string{"limit_exceeded", "tool_failed"}, 50_000},
	{"lookahead", `export const run = () => /^(?=x?)(a+)+$/.test('a'.repeat(40) + '!');`, []string{"timeout", "tool_failed", "limit_exceeded"}, 0},
	{"brackets", strings.Repeat("(", 300_000), []string{"skill_broken"}, 0},
	{"syntax", "export const run = () => {\n  return 1 +;\n};", []string{"skill_broken"}, 0},
}

// TestHostileTools: whatever a tool does, its own call fails and the next one
// works (dop251/goja #97 and #645 are two of the ways).
func TestHostileTools(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"tools/fine.js": "export const run = (ctx, { n = 1 }) => ({ n });\n"}
	for _, tt := range hostile {
		files["tools/"+tt.name+".js"] = tt.source
	}
	fixture{id: "hostile", domains: []string{"hostile.test"}, files: files, args: map[string]string{"n": "integer"}}.write(t, root)
	d := startClean(t, "serve", "--root", root)
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			a := d.call("runTool", object{"siteId": "hostile", "toolName": tt.name, "timeoutMs": max(tt.timeoutMs, 1500)})
			if a.Error == nil {
				t.Fatalf("it worked: %.300s", a.raw)
			}
			kind, _ := a.Error.Data["kind"].(string)
			if !contains(tt.kinds, kind) {
				t.Errorf("it ended as %q, want one of %v: %.1000s", kind, tt.kinds, a.raw)
			}
			var next struct{ Value struct{ N int } }
			d.result("runTool", object{"siteId": "hostile", "toolName": "fine", "args": object{"n": 7}}, &next)
			if next.Value.N != 7 {
				t.Errorf("the next call returned %d, want 7", next.Value.N)
			}
		})
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// TestModulesInTheStyleOfTheFormat runs what pack authors write.
func TestModulesInTheStyleOfTheFormat(t *testing.T) {
	root := t.TempDir()
	fixture{id: "style", domains: []string{"style.test"}, args: map[string]string{"limit": "integer", "query": "string"}, files: map[string]string{
		"tools/post-data.js": `
export const normalise = (text) => text?.trim().toLowerCase() ?? "";
export function unique(items, key = (x) => x) {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
export default class Counter { #n = 0; add() { return ++this.#n; } }
`,
		"tools/style.js": `
import Counter, {
  normalise,
  unique as distinct,
} from "./post-data.js";
import words from "./words.json";

const DEFAULTS = { limit: 2 };

export async function run(ctx, { query = "  Hello ", limit = DEFAULTS.limit } = {}) {
  const counter = new Counter();
  counter.add();
  const url = new URL("/search", "https://style.test");
  url.searchParams.set("q", normalise(query));
  const { first, ...rest } = { first: 1, second: 2, third: 3 };
  return {
    url: url.href, distinct: distinct([1, 2, 2, 3]).slice(0, limit), count: counter.add(),
    first, rest, words, missing: ctx?.nothing?.here ?? null, members: Object.keys(ctx).sort(),
  };
}
`,
		"tools/words.json": `["a", "b"]`,
	}}.write(t, root)
	d := startClean(t, "serve", "--root", root)
	var got struct {
		Value struct {
			URL      string
			Distinct []int
			Count    int
			Rest     map[string]int
			Words    []string
			Members  []string
		}
	}
	d.result("runTool", object{"siteId": "style", "toolName": "style", "args": object{"query": "Tea & Milk"}}, &got)
	if got.Value.URL != "https://style.test/search?q=tea+%26+milk" || len(got.Value.Distinct) != 2 ||
		got.Value.Count != 2 || got.Value.Rest["third"] != 3 || len(got.Value.Words) != 2 {
		t.Errorf("got %+v", got.Value)
	}
}

// TestThrownErrorNamesThePlace: data.error is in the pack's coordinates, also
// in a sibling module.
func TestThrownErrorNamesThePlace(t *testing.T) {
	root := t.TempDir()
	fixture{id: "throws", domains: []string{"throws.test"}, files: map[string]string{
		"tools/direct.js":  "// one\n\nexport async function run() {\n  await null;\n  throw new RangeError('too far');\n}\n",
		"tools/sibling.js": "import { fail } from './lib.js';\nexport const run = () => fail();\n",
		"tools/lib.js":     "export function fail() {\n    throw new TypeError('in the library');\n}\nexport const run = fail;\n",
	}}.write(t, root)
	d := startClean(t, "serve", "--root", root)
	for _, tt := range []struct {
		tool, name, file string
		line, column     float64
	}{
		{"direct", "RangeError", "tools/direct.js", 5, 9},
		{"sibling", "TypeError", "tools/lib.js", 2, 11},
	} {
		failed := d.fails("tool_failed", "runTool", object{"siteId": "throws", "toolName": tt.tool})
		thrown, _ := failed.Data["error"].(map[string]any)
		if thrown["name"] != tt.name || thrown["file"] != tt.file || thrown["line"] != tt.line {
			t.Errorf("%s: %v, want %s at %s:%v", tt.tool, thrown, tt.name, tt.file, tt.line)
		}
	}
}

// TestFlatDialect: tools written for flat helpers on ctx run, in the units of
// their time (citrolabs/ego-lite #370: wait(4000) was over an hour).
func TestFlatDialect(t *testing.T) {
	root := t.TempDir()
	fixture{id: "flat", domains: []string{"flat.test"}, files: map[string]string{
		"tools/flat.js": `export async function run(ctx) {
  await ctx.gotoUrl("about:blank");
  await ctx.waitForLoad();
  await ctx.wait(0.01);
  const tab = await ctx.openOrReuseTab("about:blank", { wait: false });
  const sum = await ctx.js("1 + 1");
  const { result } = await ctx.cdp("Runtime.evaluate", { expression: "2 + 2" });
  const refused = await ctx.wait(4000).then(() => "waited", (error) => error.message);
  return { sum, raw: result.value, tab: tab.targetId !== "", refused };
}
`,
		"tools/modern.js": `export const run = async (ctx) => ({ flat: typeof ctx.click, page: typeof ctx.page, members: Object.keys(ctx).length });`,
	}}.write(t, root)
	d := startClean(t, "serve", "--root", root)
	var flat struct {
		Value struct {
			Sum, Raw int
			Tab      bool
			Refused  string
		}
	}
	d.result("runTool", object{"siteId": "flat", "toolName": "flat"}, &flat)
	if flat.Value.Sum != 2 || flat.Value.Raw != 4 || !flat.Value.Tab || !strings.Contains(flat.Value.Refused, "did you mean 4?") {
		t.Errorf("the flat tool returned %+v", flat.Value)
	}
	var modern struct {
		Value struct {
			Flat, Page string
			Members    int
		}
	}
	d.result("runTool", object{"siteId": "flat", "toolName": "modern"}, &modern)
	if modern.Value.Flat != "undefined" || modern.Value.Page != "object" || modern.Value.Members != 7 {
		t.Errorf("the modern tool returned %+v, want exactly seven members and no flat ones", modern.Value)
	}
}
