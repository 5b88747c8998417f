package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"egod/internal/skills"
	packs "egod/skills"
)

// TestToolCost: case J15, a skill says what using it may start.
func TestToolCost(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		more         map[string]string
		want         skills.Cost
	}{
		{name: "nothing", source: "export const run = () => 1;", want: skills.CostAPI},
		{name: "no use of ctx", source: "export async function run(ctx, args) { return args.page.browser; }", want: skills.CostAPI},
		{name: "fetch.server", source: "export async function run(ctx, args) { const r = await ctx.fetch.server(`https://a.example/${args.q}`); return JSON.parse(r); }", want: skills.CostAPI},
		{name: "optional", source: "export const run = async (c) => c?.fetch?.server('https://a.example');", want: skills.CostAPI},
		{name: "help and skills", source: "export const run = async (c) => [c.help('page'), await c.site.skillsForUrl('a.example')];", want: skills.CostAPI},
		{name: "destructured", source: "export async function run({ fetch }, { q }) { return fetch.server(q); }", want: skills.CostAPI},
		{name: "destructured twice", source: "export async function run({ fetch: { server } }) { return server('https://a.example'); }", want: skills.CostAPI},
		{name: "renamed", source: "export async function run(ctx) { const { fetch: f } = ctx; const { server } = f; return server('https://a.example'); }", want: skills.CostAPI},
		{name: "alias", source: "export async function run(ctx) {\n const get = ctx.fetch.server\n return get('https://a.example')\n}", want: skills.CostAPI},
		{name: "helper in the file", source: "const get = async (c, path) => c.fetch.server(path);\nexport async function run(ctx) { return get(ctx, '/'); }", want: skills.CostAPI},
		{name: "second parameter of a helper", source: "async function get(path, { fetch }) { return fetch.server(path); }\nexport async function run(ctx) { return get(['/', 1].join(), ctx); }", want: skills.CostAPI},
		{name: "helper in another file", source: "import { get as load } from '../lib/api.js';\nexport async function run(ctx) { return load(ctx); }", more: map[string]string{"lib/api.js": "export async function get(ctx) { return ctx.fetch.server('/'); }"}, want: skills.CostAPI},
		{name: "exported from another file", source: "export { get as run } from './api.js';", more: map[string]string{"tools/api.js": "export default 1; export const get = (ctx) => ctx.fetch.server('/');"}, want: skills.CostAPI},
		{name: "flat dialect", source: "export async function run(ctx) { ctx.cliLog('a'); return ctx.serverFetch('https://a.example'); }", want: skills.CostAPI},
		{name: "said in comments and strings", source: "// ctx.page is not used\nexport async function run(ctx) { return ['ctx.page', `ctx.browser`, /ctx.page[/\"]/, ctx.fetch.server('/')]; }", want: skills.CostAPI},

		{name: "page", source: "export async function run(ctx) { return ctx.page.url(); }", want: skills.CostBrowser},
		{name: "in a template", source: "export async function run(ctx) { return `${`${await ctx.page.url()}`}`; }", want: skills.CostBrowser},
		{name: "destructured page", source: "export async function run({ page }) { return 1; }", want: skills.CostAPI},
		{name: "destructured page used", source: "export async function run({ page }) { return page.url(); }", want: skills.CostBrowser},
		{name: "rest", source: "export async function run({ fetch, ...rest }) { return rest; }", want: skills.CostBrowser},
		{name: "fetch.browser", source: "export async function run(ctx) { return ctx.fetch.browser('/'); }", want: skills.CostBrowser},
		{name: "either fetch", source: "export async function run(ctx, a) { return ctx.fetch[a.how]('/'); }", want: skills.CostBrowser},
		{name: "computed", source: "export async function run(ctx, a) { return ctx[a.what]; }", want: skills.CostBrowser},
		{name: "another tool", source: "export async function run(ctx) { return ctx.site.runTool('a', 'b'); }", want: skills.CostBrowser},
		{name: "skills of the current page", source: "export async function run(ctx) { return ctx.site.skills(); }", want: skills.CostBrowser},
		{name: "handed on", source: "export async function run(ctx) { return [ctx].map((c) => c.page.url()); }", want: skills.CostBrowser},
		{name: "returned", source: "export const run = (ctx) => ({ ctx });", want: skills.CostBrowser},
		{name: "helper that touches the page", source: "const get = async (c) => c.page.url();\nexport async function run(ctx) { return get(ctx); }", want: skills.CostBrowser},
		{name: "helper in another file that does", source: "import { get } from './api.js';\nexport async function run(ctx) { return get(ctx); }", more: map[string]string{"tools/api.js": "export async function get(c) { return c.page.url(); }"}, want: skills.CostBrowser},
		{name: "helper that is nowhere", source: "import { get } from './gone.js';\nexport async function run(ctx) { return get(ctx); }", want: skills.CostBrowser},
		{name: "method that is handed it", source: "export async function run(ctx) { return api.get(ctx); }", want: skills.CostBrowser},
		{name: "arguments", source: "export async function run() { return arguments[0].page.url(); }", want: skills.CostBrowser},
		{name: "evaluated", source: "export async function run(ctx) { return eval('ctx.page'); }", want: skills.CostBrowser},
		{name: "all parameters", source: "export async function run(...all) { return all[0].page.url(); }", want: skills.CostBrowser},
		{name: "no such function", source: "export const walk = () => 1;", want: skills.CostBrowser},
		{name: "not JavaScript", source: "export const run = () => 'a\n;", want: skills.CostBrowser},
		{name: "flat dialect's page", source: "export async function run(ctx) { return ctx.js('1'); }", want: skills.CostBrowser},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := &skills.Tool{Kind: skills.NodeTool, Path: "tools/t.js", Callable: "run", Source: tt.source}
			if got := ToolCost(tool, tt.more); got != tt.want {
				t.Errorf("%s, want %s; read %+v", got, tt.want, readsOf(tool, tt.more))
			}
		})
	}
}

// TestCostNamesAreMembers: what costs nothing is on one of the two contexts.
func TestCostNamesAreMembers(t *testing.T) {
	for _, name := range withoutBrowser {
		known := slices.Contains(flatNames, name)
		for _, m := range NewTable().members(typeWriter{}, inlineOptions) {
			known = known || m.Name == name
		}
		if !known {
			t.Errorf("there is no %s on ctx", name)
		}
	}
}

// TestCostIsLinear: loading judges sources of strangers, in the daemon. Time in the
// square of these would be minutes.
func TestCostIsLinear(t *testing.T) {
	const size = 128 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var chain strings.Builder
	for i := 0; chain.Len() < size; i++ {
		fmt.Fprintf(&chain, "function f%d(c%d){f%d(c%d)};", i, i, i+1, i)
	}
	for name, body := range map[string]string{
		"calls": fill("f(ctx);"), "an array": "[" + fill("ctx,") + "]", "parentheses": fill("("), "braces": fill("{"),
		"templates": fill("`${"), "nested calls": fill("f(ctx,"), "patterns": fill("const {a}=ctx;"),
		"aliases": fill("const b=ctx;"), "names": fill("x=>"), "functions": chain.String() + "f0(ctx)",
		"slashes": fill("a/b/"), "comments": fill("/*"), "regular expressions": fill("/[/"),
	} {
		start := time.Now()
		ToolCost(&skills.Tool{Kind: skills.NodeTool, Path: "t.js", Callable: "run", Source: "export function run(ctx) {" + body}, nil)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %s", name, took)
		} else {
			t.Logf("%s: %s", name, took)
		}
	}
}

// TestCostOfPacks loads packs with and without checks: the answer is that of the
// text, whatever else is known.
func TestCostOfPacks(t *testing.T) {
	root := t.TempDir()
	writePack(t, root, "both", goodNode, goodBrowser, nil)
	writePack(t, root, "api", "export async function run(ctx) { return ctx.fetch.server('/'); }", goodBrowser, map[string]string{
		"manifest.json": `{"id":"api","name":"A","domains":["api.example"],"nodeTools":{"n":{"description":"d","path":"tools/n.js","callable":"run","args":{}}}}`,
	})
	writePack(t, root, "notes", goodNode, goodBrowser, map[string]string{
		"manifest.json": `{"id":"notes","name":"N","domains":["notes.example"],"notes":["notes/a.md"]}`, "notes/a.md": "a",
	})
	writePack(t, root, "broken", goodNode, goodBrowser, map[string]string{"manifest.json": `{`})
	embedded, err := packs.Learnings()
	if err != nil {
		t.Fatal(err)
	}
	pool := newTestPool(t)
	store, err := skills.Open(t.Context(), skills.Config{
		Roots: []skills.Root{{Dir: root}, {Dir: "builtin:", FS: embedded}}, Poll: -1, Check: SourceCheck(pool), Cost: ToolCost,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	want := map[string]skills.Cost{
		"both": skills.CostBrowser, "api": skills.CostAPI, "notes": skills.CostStatic, "broken": skills.CostStatic,
		"google": skills.CostBrowser, "x-com": skills.CostBrowser, "wikipedia": skills.CostBrowser,
	}
	for _, settled := range []bool{false, true} {
		for id, cost := range want {
			pack, ok := store.Catalog().Pack(id)
			if !ok || pack.Cost != cost {
				t.Errorf("settled %v: %s costs %+v, want %s", settled, id, pack, cost)
			}
		}
		if err := store.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
