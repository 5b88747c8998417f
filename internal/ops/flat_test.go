package ops

import (
	"slices"
	"testing"

	"egod/internal/skills"
)

func TestFlatNames(t *testing.T) {
	for _, name := range []string{"cliLog", "click", "hover", "scrollBy", "openOrReuseTab", "learnContext", "wait", "js"} {
		if !slices.Contains(flatNames, name) {
			t.Errorf("%s is not among the flat names: %v", name, flatNames)
		}
	}
	if slices.Contains(flatNames, "timeout") || slices.Contains(flatNames, "path") {
		t.Errorf("the flat names hold more than helpers: %v", flatNames)
	}
}

func TestContextOf(t *testing.T) {
	for _, tt := range []struct{ name, source, callable, want string }{
		{"flat", "export async function run(ctx, args) { await ctx.openOrReuseTab(args.url); return ctx.js('1'); }", "run", contextFlat},
		{"arrow", "export const run = async (c) => { await c.waitForLoad(); };", "run", contextFlat},
		{"bare arrow", "export const run = ctx => ctx.pageInfo();", "run", contextFlat},
		{"destructured", "export async function run({ js, wait: pause }, args) { await pause(1); return js('1'); }", "run", contextFlat},
		{"default", "export default async function (ctx) { return ctx.js('1'); }", "default", contextFlat},
		{"facades", "export async function run(ctx) { await ctx.page.goto('x'); }", "run", ""},
		{"facade named like a helper", "export async function run(ctx) { await ctx.browser.openOrReuseTab('x'); }", "run", ""},
		{"both", "export async function run(ctx) { return [typeof ctx.click, await ctx.page.url()]; }", "run", ""},
		{"neither", "export const run = () => 1;", "run", ""},
		{"only cdp", "export const run = (ctx) => ctx.cdp('Page.enable');", "run", ""},
		{"in a comment", "// ctx.click is gone\nexport const run = (ctx) => 'ctx.click()';", "run", ""},
		{"of something else", "export const run = (ctx, page) => page.click('a');", "run", ""},
	} {
		if got := contextOf(&skills.Tool{Path: "tools/t.js", Source: tt.source, Callable: tt.callable}, nil); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
