package ops

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egod/internal/skills"
	packs "egod/skills"
)

// TestMembersOfContext: case J9, what a tool reads of ctx is compared with what is
// there. want is "severity line:column-column message; hint".
func TestMembersOfContext(t *testing.T) {
	pool := newTestPool(t)
	for _, tt := range []struct {
		name, source string
		more         map[string]string
		want         []string
	}{
		{"fine", "export async function run({ page, browser, fetch }, a) { await browser.openOrReuseTab(a.u); const rows = page.locator('tr').filter({ hasText: 'x' }); return [await rows.count(), await page.title(), await page.keyboard.press('Enter'), await fetch.server(a.u)]; }", nil, nil},
		{"a slip", "export async function run(ctx) {\n  await ctx.page.clik('#a');\n}", nil,
			[]string{"error 2:18-22 ctx.page has no clik; did you mean click?"}},
		{"a slip on a condition", "export async function run(ctx, a) {\n  if (a.x) await ctx.page.clik('#a');\n}", nil,
			[]string{"warning 2:27-31 ctx.page has no clik; did you mean click?"}},
		{"a facade", "export const run = (ctx) => ctx.pages.goto('x');", nil, []string{"error 1:33-38 ctx has no pages; did you mean page?"}},
		{"destructured", "export const run = ({ page, brower }) => brower.listTabs();", nil, []string{"error 1:29-35 ctx has no brower; did you mean browser?"}},
		{"destructured and unused", "export const run = ({ page, brower }) => page.url();", nil, []string{"warning 1:29-35 ctx has no brower; did you mean browser?"}},
		{"taken out of page", "export const run = (ctx) => { const { goto, gotoo } = ctx.page; return [goto('x'), gotoo]; };", nil,
			[]string{"warning 1:45-50 ctx.page has no gotoo; did you mean goto?"}},
		{"a member of another object", "export const run = (ctx) => ctx.goto('x');", nil, []string{"warning 1:33-37 ctx has no goto; there is ctx.page.goto"}},
		{"a method of locators on browser", "export const run = (ctx) => ctx.browser.dragTo('x');", nil, []string{"warning 1:41-47 ctx.browser has no dragTo; there is ctx.page.locator(selector).dragTo"}},
		{"of Puppeteer", "export const run = async (ctx) => [await ctx.page.$$('a'), await ctx.page.$eval('a', (e) => e.href)];", nil,
			[]string{"warning 1:51-53 ctx.page has no $$; write ctx.page.locator(selector)", "warning 1:75-80 ctx.page has no $eval; write ctx.page.locator(selector).evaluate"}},
		{"new tab", "export const run = (ctx) => ctx.newTab('x');", nil, []string{"warning 1:33-39 ctx has no newTab; write ctx.browser.openOrReuseTab"}},
		{"log", "export const run = (ctx) => ctx.log('x');", nil, []string{"warning 1:33-36 ctx has no log; write console.log"}},
		{"of other versions of the format", "export const run = async (ctx) => { await ctx.tabs.openOrReuse('x'); await ctx.egoBrowser.showTaskState('x'); await ctx.page.locator('a').or(1); };", nil,
			[]string{"warning 1:47-51 ctx has no tabs; write ctx.browser, which has listTabs, openOrReuseTab and closeTab",
				"warning 1:80-90 ctx has no egoBrowser; leave it out, or ask typeof ctx.egoBrowser first: it is of another version of the format",
				"warning 1:139-141 ctx.page.locator() has no or; write one CSS selector for both, with a comma"}},
		{"of nothing known", "export const run = (ctx) => ctx.zzzzzz('x');", nil, []string{"warning 1:33-39 ctx has no zzzzzz; egod types prints what there is"}},
		{"of a locator", "export async function run(ctx) {\n  const rows = ctx.page.locator('tr').first();\n  await rows.clik();\n}", nil,
			[]string{"error 3:14-18 ctx.page.locator().first() has no clik; did you mean click?"}},
		{"of a frame", "export async function run(ctx) {\n  const frame = ctx.page.frameLocator('iframe');\n  await frame.locator('a').click();\n  await frame.clik('a');\n}", nil,
			[]string{"warning 4:15-19 ctx.page.frameLocator() has no clik; egod types prints what there is"}},
		{"of a mouse", "export const run = (ctx) => ctx.page.mouse.clck(1, 2);", nil, []string{"error 1:44-48 ctx.page.mouse has no clck; did you mean click?"}},
		{"not waited for", "export const run = async (ctx) => ctx.page.title().trim();", nil,
			[]string{"warning 1:52-56 ctx.page.title() returns a promise, which has no trim; wait for it first: (await ctx.page.title(...)).trim"}},
		{"waited for", "export const run = async (ctx) => (await ctx.page.title()).trim().foo;", nil, nil},
		{"promises", "export const run = (ctx) => ctx.page.title().then((t) => t.trim()).catch(() => ctx.page.url()).finally(() => 1);", nil, nil},
		{"both dialects", "export async function run(ctx) {\n  await ctx.gotoAndWait('x');\n  await ctx.page.click('a');\n}", nil,
			[]string{"warning 2:13-24 ctx has no gotoAndWait: it is a helper of the flat dialect, and this tool reads ctx.page or its like, so it gets no flat helpers; write ctx.page.goto"}},
		{"flat", "export async function run(ctx) {\n  await ctx.openOrReuseTab('x');\n  await ctx.waitForLaod();\n}", nil,
			[]string{"error 3:13-24 ctx has no waitForLaod; did you mean waitForLoad?"}},
		{"for either dialect", "export async function run(ctx) { return ctx.page ? ctx.page.url() : (await ctx.pageInfo()).url; }", nil, nil},
		{"for either, by typeof", "export async function run(ctx) { const js = typeof ctx.js === 'function' ? ctx.js : ctx.page.evaluate; return js('1'); }", nil, nil},
		{"for either, by ??", "export const run = (ctx) => (ctx.js ?? ctx.page.evaluate)('1');", nil, nil},
		{"optional", "export const run = (ctx) => [ctx.page?.url(), ctx.tab?.url(), ctx.page.frobnicate?.()];", nil, nil},
		{"optional with a slip", "export const run = (ctx) => ctx.page?.clik('a');", nil, []string{"warning 1:39-43 ctx.page has no clik; did you mean click?"}},
		{"asked before", "export const run = async (ctx) => { if (!ctx.page.solve) return null; return ctx.page.solve(); };", nil, nil},
		{"its own member", "export const run = async (ctx) => { ctx.seen ??= new Set(); ctx.seen.add(1); return ctx.seen.size; };", nil, nil},
		{"functions and objects", "export const run = (ctx) => [ctx.page.goto.name, ctx.page.goto.bind(null), ctx.page.toString(), ctx.hasOwnProperty('x')];", nil, nil},
		{"in a page", "export const run = (ctx) => ctx.page.evaluate((ctx) => ctx.nothing.at(0), 1);", nil, nil},
		{"in a file of the pack", "import { open } from './lib.js';\nexport const run = (ctx) => open(ctx.page);", map[string]string{"tools/lib.js": "export function open(page) {\n  return page.gogo('x');\n}\n"},
			[]string{"warning tools/lib.js 2:15-19 ctx.page has no gogo; did you mean goto?"}},
		{"in TypeScript", "export const run = (ctx: any) => (ctx as any).page.clik('a');", map[string]string{
			"manifest.json": `{"id":"test","name":"T","domains":["test.example"],"nodeTools":{"n":{"description":"d","path":"tools/n.ts","callable":"run","args":{},"returns":{"type":"string","description":"d"}}}}`,
			"tools/n.ts":    "interface A { page: any }\nexport const run = (ctx: A, n?: number) => ctx.page.clik('a');\n",
		}, []string{`warning manifest.json 1:95-107 path "tools/n.ts" of tool "n" does not end in .js; write it in JavaScript and name it .js, when others are to read the pack too`, "error tools/n.ts 2:53-57 ctx.page has no clik; did you mean click?"}},
		{"after characters of two units", "export const run = (ctx) => ['😀', ctx.page.clik('a')];", nil, []string{"error 1:45-49 ctx.page has no clik; did you mean click?"}},

		// Case G15: selectors of other libraries.
		{"first", "export const run = (ctx) => ctx.page.locator('button:first').click();", nil,
			[]string{"warning 1:46-60 ctx.page.locator: ':first' is not supported in selectors; use first"}},
		{"in a shorthand", "export const run = async (ctx, a) => { if (a.x) await ctx.page.fill(\"role=textbox\", 'x'); };", nil,
			[]string{"warning 1:69-83 ctx.page.fill: 'role=' is not supported in selectors; use getByRole, or loc=role:..."}},
		{"chained", "export const run = (ctx) => ctx.page.locator('main').locator('ul >> li').count();", nil,
			[]string{"warning 1:62-72 ctx.page.locator().locator: '>>' is not supported in selectors; call locator on the locator of the part before"}},
		{"texts and what is visible", "export const run = (ctx) => [ctx.page.locator('li:has-text(\"a:eq(0)\") > b:visible'), ctx.page.locator(':nth-match(li:text(\"a >> b\"), 2)')];", nil, nil},
		{"flat", "export const run = (ctx) => ctx.click('a:hidden');", nil,
			[]string{"warning 1:39-49 ctx.click: ':hidden' is not supported in selectors; ask with isHidden, or wait with {state: \"hidden\"}"}},
		{"fine selectors", "export const run = (ctx) => ['a', 'text=:visible', 'xpath=//a', '//a[contains(@b, \">>\")]', 'loc=role:button', 'label:first-child', 'p:first-of-type::before', '.md\\\\:visible', '[x=\":visible\"]', 'a:not(:visited)', 'input:text', 'role:button'].map((s) => ctx.page.locator(s));", nil, nil},
		{"fine selectors in place", `export const run = (ctx) => [ctx.page.locator('text=:visible'), ctx.page.locator("//a[contains(., '>>')]"), ctx.page.locator('label:first-child'), ctx.page.locator('.md\\:visible'), ctx.page.locator('[x=":visible"]'), ctx.page.locator("loc=role:button[name=\"a >> b\"]"), ctx.page.locator('a[href="x=y"]:first-of-type')];`, nil, nil},
		{"not a selector", "export const run = (ctx) => ctx.page.getByText('a:visible').click();", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writePack(t, t.TempDir(), "test", tt.source, goodBrowser, tt.more)
			report, err := skills.Validate(t.Context(), dir, SourceCheck(pool), skills.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range report.Diagnostics {
				file := strings.TrimPrefix(d.File+" ", "tools/n.js ")
				got = append(got, fmt.Sprintf("%s %s%d:%d-%d %s; %s", d.Severity, file, d.Range.Start.Line+1, d.Range.Start.Character+1, d.Range.End.Character+1, d.Message, d.Hint))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestMembersOfShippedPacks: nothing is said of tools that work.
func TestMembersOfShippedPacks(t *testing.T) {
	pool := newTestPool(t)
	dir := t.TempDir()
	learnings, err := packs.Learnings()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "shipped"), learnings); err != nil {
		t.Fatal(err)
	}
	report, err := skills.Validate(t.Context(), filepath.Join(dir, "shipped"), SourceCheck(pool), skills.Limits{})
	if err != nil || len(report.Diagnostics) > 0 {
		t.Errorf("%v %+v", err, report.Diagnostics)
	}
}

// TestShapeHasEveryMember: the check knows what ctx has, and hints name what there
// is.
func TestShapeHasEveryMember(t *testing.T) {
	c := newMemberCheck(NewTable())
	for _, m := range NewTable().members(typeWriter{}, inlineOptions) {
		start, names := typeContext, strings.Split(m.Name, ".")
		if names[0] == typeLocator {
			start, names = typeLocator, names[1:]
		}
		if _, _, known, _ := c.shape.at(start, names); !known {
			t.Errorf("%s is not known", m.Name)
		}
	}
	for _, name := range flatNames {
		if c.same[name] == "" {
			t.Errorf("nothing is said to stand for the flat %s", name)
		}
	}
	for name, hint := range otherNames {
		c.checkHint(t, name, hint)
	}
	for name, hint := range c.same {
		c.checkHint(t, name, hint)
	}
}

var namedMember = regexp.MustCompile(`ctx\.([\w.]*\w(?:\(selector\)\.\w+)?)`)

func (c *memberCheck) checkHint(t *testing.T, name, hint string) {
	for _, m := range namedMember.FindAllStringSubmatch(hint, -1) {
		call := strings.ReplaceAll(m[1], "(selector)", ".()")
		if _, _, known, _ := c.shape.at(typeContext, strings.Split(call, ".")); !known && call != name {
			t.Errorf("%s: the hint names ctx.%s, which is not there", name, call)
		}
	}
}
