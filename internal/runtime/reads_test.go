package runtime

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// readsOfSource checks a module and writes its reads as "path line:column", with
// a ! behind those that are certain and the text of calls.
func readsOfSource(t *testing.T, p *Pool, source string, more map[string]string) []string {
	t.Helper()
	files := map[string]string{"tools/t.js": source}
	for name, text := range more {
		files[name] = text
	}
	checked, err := p.Check(t.Context(), &Program{Kind: Module, Site: "test", Entry: "tools/t.js", Export: "run", Files: files})
	if err != nil || len(checked.Problems) > 0 {
		t.Fatalf("%s\n%+v %v", source, checked.Problems, err)
	}
	var got []string
	for _, r := range checked.Reads {
		text := strings.ReplaceAll(strings.Join(r.Path, "."), ".()", "()")
		if r.File != "tools/t.js" {
			text += " " + r.File
		}
		text += fmt.Sprintf(" %d:%d", r.Line, r.Column)
		if r.Certain {
			text += "!"
		}
		if r.Text != "" {
			text += fmt.Sprintf(" %q %d:%d", r.Text, r.TextLine, r.TextColumn)
		}
		got = append(got, text)
	}
	return got
}

func TestReads(t *testing.T) {
	p := newTestPool(t)
	for _, tt := range []struct {
		name, source string
		more         map[string]string
		want         []string
	}{
		{"member", "export function run(ctx) {\n  ctx.page.clik('#a');\n}", nil,
			[]string{`page.clik() 2:12! "#a" 2:17`, "page.clik 2:12!", "page 2:7!"}},
		{"destructured", "export const run = ({ page, brower: b }) => b.newTab();", nil,
			[]string{"page 1:23!", "brower 1:29!", "brower.newTab() 1:47!", "brower.newTab 1:47!"}},
		{"in the body", "export function run(c) {\n  const { goto } = c.page, { $$: q } = c['page'];\n  q();\n}", nil,
			[]string{"page.goto 2:11!", "page.$$ 2:30!", "page 2:22!", "page 2:42!", "page.$$() 3:3!"}},
		{"through variables", "export async function run(ctx) {\n  const page = ctx.page;\n  const rows = page.locator('tr').first();\n  await rows.clik();\n}", nil,
			[]string{"page 2:20!", "page.locator().first() 3:35!", "page.locator().first 3:35!", `page.locator() 3:21! "tr" 3:29`, "page.locator 3:21!",
				"page.locator().first().clik() 4:14!", "page.locator().first().clik 4:14!"}},
		{"through functions", "const open = async (page, url) => page.gogo(url);\nexport async function run(ctx) { await open(ctx.page, 'x'); }", nil,
			[]string{"page.gogo() 1:40", "page.gogo 1:40", "page 2:49!"}},
		{"through files", "import { open } from './lib.js';\nexport async function run(ctx) { await open(ctx); }",
			map[string]string{"tools/lib.js": "export async function open({ page }) {\n  return page.gogo();\n}"},
			[]string{"page.gogo() tools/lib.js 2:15", "page.gogo tools/lib.js 2:15", "page tools/lib.js 1:30!"}},
		{"awaited", "export async function run(ctx) { (await ctx.page.title()).trim(); }", nil,
			[]string{"page.title().await.trim() 1:59!", "page.title().await.trim 1:59!", "page.title() 1:50!", "page.title 1:50!", "page 1:45!"}},
		{"in a page", "export const run = (ctx, a) => ctx.page.evaluate((page) => page.nothing, a);", nil,
			[]string{"page.evaluate() 1:41!", "page.evaluate 1:41!", "page 1:36!"}},
		{"shadowed", "export const run = ({ page }, { list }) => list.map((page) => page.nothing);", nil, []string{"page 1:23!"}},
		{"assigned", "export const run = (ctx) => { ctx.cache = 1; return ctx.cache.x; };", nil, []string{"cache.x 1:63!"}},
		{"reassigned", "export const run = (ctx) => { let p = ctx.page; p = { nothing: 1 }; return p.nothing; };", nil, []string{"page 1:43!"}},
		{"called with two things", "const f = (p) => p.nothing;\nexport const run = (ctx) => [f(ctx.page), f({})];", nil, []string{"page 2:36!"}},
		{"handed around", "const f = (p) => p.nothing;\nexport const run = (ctx) => [f(ctx.page), [1].map(f)];", nil, []string{"page 2:36!"}},
		{"in an object", "const f = (p) => p.nothing;\nexport const run = (ctx) => [f(ctx.page), { f }];", nil, []string{"page 2:36!"}},

		{"optional", "export const run = (ctx) => ctx.page.foo?.();", nil, []string{"page.foo() 1:38", "page 1:33"}},
		{"optional object", "export const run = (ctx) => ctx.tab?.clik();", nil, []string{"tab.clik() 1:38", "tab.clik 1:38"}},
		{"typeof", "export const run = (ctx) => typeof ctx.foo === 'function' ? ctx.foo() : ctx.bar();", nil, nil},
		{"if", "export const run = (ctx) => { if (ctx.foo) return ctx.foo(1); return ctx.page.url(); };", nil,
			[]string{"page.url() 1:79", "page.url 1:79", "page 1:74"}},
		{"not", "export const run = (ctx) => { if (!ctx.foo) throw new Error('x'); return ctx.foo(); };", nil, []string{"foo() 1:78"}},
		{"in", "export const run = (ctx) => { if ('foo' in ctx) ctx.foo(); };", nil, nil},
		{"or", "export const run = (ctx) => (ctx.foo || ctx.bar)();", nil, nil},
		{"nullish", "export const run = (ctx) => (ctx.page.foo ?? ctx.bar)();", nil, []string{"page 1:34!"}},
		{"a default", "export const run = ({ foo = 1, bar: b = 2 }) => [foo, b];", nil, nil},
		{"asked of a result", "export const run = async (ctx) => { if (await ctx.page.isVisible('a')) ctx.page.foo(); };", nil,
			[]string{`page.isVisible() 1:56! "a" 1:66`, "page.isVisible 1:56!", "page 1:51!", "page.foo() 1:81", "page.foo 1:81", "page 1:76"}},
		{"caught", "export const run = (ctx) => { try { ctx.foo(); } catch {} };", nil, []string{"foo() 1:41", "foo 1:41"}},
		{"after a return", "export const run = (ctx, a) => { if (!a) return; ctx.foo(); };", nil, []string{"foo() 1:54", "foo 1:54"}},
		{"in a loop", "export const run = (ctx, a) => { for (const x of a) ctx.foo(x); };", nil, []string{"foo() 1:57", "foo 1:57"}},
		{"in a callback", "export const run = (ctx, a) => a.map((x) => ctx.foo(x));", nil, []string{"foo() 1:49", "foo 1:49"}},
		{"a generator", "export function* run(ctx) { ctx.foo(); }", nil, []string{"foo() 1:33", "foo 1:33"}},
		{"nothing", "export const run = () => 1;", nil, nil},
		{"no function", "export const run = [(c) => c.foo][0];", nil, nil},
		{"two units", "export const run = (ctx) => ['😀', ctx.foo()];", nil, []string{"foo() 1:40!", "foo 1:40!"}},
		{"template", "export const run = (ctx) => ctx.page.locator(`tr`);", nil, []string{"page.locator() 1:38! \"tr\" 1:46", "page.locator 1:38!", "page 1:33!"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, readsOfSource(t, p, tt.source, tt.more)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestReadsOfHostileSources: the check of a tool takes the time of its text, and
// what a worker sends is bounded.
func TestReadsOfHostileSources(t *testing.T) {
	p := newTestPool(t)
	fill := func(s string) string { return strings.Repeat(s, (100<<10)/len(s)) }
	var chain strings.Builder
	for i := 0; chain.Len() < 100<<10; i++ {
		fmt.Fprintf(&chain, "function f%d(c){f%d(c)}\n", i, i+1)
	}
	for name, source := range map[string]string{
		"members":   "export function run(c) { c" + fill(".a") + " }",
		"calls":     "export function run(c) { " + fill("c.a();") + " }",
		"chain":     chain.String() + "export function run(c) { f0(c) }",
		"patterns":  "export function run(c) { " + fill("({a:{b:{d}}}=c);") + " }",
		"recursion": "export function run(c) { run(c.a) }",
		"questions": "export function run(c) { return " + fill("c.a||") + "1 }",
		"nested":    "export function run(c) { return " + strings.Repeat("(c.a?c.b:", 2000) + "1" + strings.Repeat(")", 2000) + " }",
	} {
		start := time.Now()
		checked, err := p.Check(t.Context(), &Program{Kind: Module, Site: "test", Entry: "t.js", Export: "run", Files: map[string]string{"t.js": source}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(checked.Reads) > maxReads {
			t.Errorf("%s: %d reads", name, len(checked.Reads))
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %s", name, took)
		} else {
			t.Logf("%s: %s, %d reads", name, took, len(checked.Reads))
		}
	}
}
