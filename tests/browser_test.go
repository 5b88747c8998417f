package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"egod/tests/sites"
)

// shop is a small site on loopback under a real-looking name.
func shop(t testing.TB) *sites.Server {
	t.Helper()
	page := `<!doctype html><title>Shop</title><h1>Tea</h1>
<ul>` + strings.Repeat(`<li class="item" data-id="1"><a href="/one">Green <b>tea</b></a></li>`, 3) + `</ul>
<button id="buy" title="Buy it">Buy</button>`
	server, err := sites.Start(t.Context(), sites.Site{
		Hosts: []string{"shop.test", "other.test"},
		Files: fstest.MapFS{"index.html": {Data: []byte(page)}},
		Pages: []sites.Page{{Path: "/", File: "index.html"}, {Path: "/favicon.ico", File: "index.html"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// shopPack exercises what tools of the format do with a page.
var shopPack = fixture{id: "shop", domains: []string{"shop.test"}, args: map[string]string{"n": "integer", "url": "string"}, files: map[string]string{
	"notes/tea.md": "Green tea first.\n",
	"tools/closures.js": `
import { clean } from "./lib.js";
export async function run(ctx, { url, n = 2 } = {}) {
  const tab = await ctx.browser.openOrReuseTab(url, { match: "origin" });
  await ctx.page.waitForLoadState("load", { timeout: 5000 });
  const found = await ctx.page.waitForSelector("#buy");
  const items = await ctx.page.locator("li.item").evaluateAll(
    (elements, { limit, label }) => elements.slice(0, limit).map((element) => {
      const { dataset: { id }, textContent } = element;
      return { id, label, text: textContent?.trim() ?? null, links: [...element.querySelectorAll("a")].map((a) => new URL(a.href).pathname) };
    }),
    { limit: n, label: "tea" },
  );
  const sum = await ctx.page.evaluate(async ({ a, b }) => { await null; return a + b; }, { a: 1, b: 2 });
  const arrow = await ctx.page.evaluate(() => ({ wrapped: true }));
  const special = await ctx.page.evaluate(() => [NaN, -0, 10n, new Map([["k", 1]])]);
  const title = await ctx.page.locator("#buy").getAttribute("title");
  await ctx.page.mouse.wheel(0, 100);
  await ctx.page.waitForTimeout(1);
  const context = await ctx.site.learnContext(url);
  return {
    found, items: items.map((item) => ({ ...item, text: clean(item.text) })), sum, arrow, title, url: await ctx.page.url(),
    special: [Number.isNaN(special[0]), Object.is(special[1], -0), typeof special[2], special[3] instanceof Map],
    notes: context.knowledge.map((note) => note.fileName), reused: tab.reused,
  };
}
`,
	"tools/lib.js":          "export const clean = (text) => text.replace(/\\s+/gu, ' ');\nexport const run = clean;\n",
	"tools/empty.js":        "export const run = () => ({});\n",
	"browser-tools/read.js": "// what the page says\n(args) => { console.log('reading', args); return { title: document.title, n: args.n ?? 0, none: undefined }; };\n",
	"browser-tools/odd.js":  "() => ({ nan: NaN, big: 10n, node: document.querySelector('#buy'), when: new Date(0), map: new Map([[1, 2]]) })",
	"browser-tools/talk.js": "async () => { alert('one'); return { confirmed: confirm('two') }; }",
	"browser-tools/loop.js": "() => { while (true) {} }",
	"browser-tools/wait.js": "() => new Promise(() => {})",
	"browser-tools/fail.js": "async (args) => {\n  await null;\n  throw new TypeError('no tea');\n}",
	"browser-tools/self.js": "() => { const a = { b: {} }; a.b.c = a; return a; }",
}}

func startShop(t testing.TB, args ...string) (*daemon, *sites.Server) {
	t.Helper()
	server, root := shop(t), t.TempDir()
	shopPack.write(t, root)
	return startClean(t, append(append([]string{"serve", "--root", root}, server.EgodArgs()...), args...)...), server
}

func TestNodeToolDrivesThePage(t *testing.T) {
	d, _ := startShop(t)
	var got struct{ Value json.RawMessage }
	d.result("runTool", object{"siteId": "shop", "toolName": "closures", "args": object{"url": "https://shop.test/"}}, &got)
	want := `{"found":true,"items":[{"id":"1","label":"tea","text":"Green tea","links":["/one"]},{"id":"1","label":"tea","text":"Green tea","links":["/one"]}],` +
		`"sum":3,"arrow":{"wrapped":true},"title":"Buy it","url":"https://shop.test/","special":[true,true,"bigint",true],"notes":["tea.md"],"reused":false}`
	if string(got.Value) != want {
		t.Errorf("got  %s\nwant %s", got.Value, want)
	}
}

func TestBrowserToolResults(t *testing.T) {
	d, _ := startShop(t)
	d.result("page.goto", object{"url": "https://shop.test/"}, nil)
	var read struct {
		Value json.RawMessage
		Logs  []struct{ Level, Message string }
		Page  struct{ URL, Title string }
	}
	d.result("runBrowserTool", object{"siteId": "shop", "toolName": "read", "args": object{"n": 3}}, &read)
	if string(read.Value) != `{"title":"Shop","n":3,"none":null}` || read.Page.URL != "https://shop.test/" || read.Page.Title != "Shop" {
		t.Errorf("read: %s on %+v", read.Value, read.Page)
	}
	if len(read.Logs) != 1 || !strings.Contains(read.Logs[0].Message, "reading") {
		t.Errorf("read: logs %+v, want the one line of the tool", read.Logs)
	}
	d.result("runBrowserTool", object{"siteId": "shop", "toolName": "odd"}, &read)
	want := `{"nan":{"$type":"number","value":"NaN"},"big":{"$type":"bigint","value":"10"},"node":{"$type":"node","value":"<button id=\"buy\" title=\"Buy it\">"},` +
		`"when":"1970-01-01T00:00:00.000Z","map":{"$type":"map","value":[[1,2]]}}`
	if string(read.Value) != want {
		t.Errorf("odd: got  %s\nwant %s", read.Value, want)
	}
	var talk struct {
		Value   struct{ Confirmed bool }
		Dialogs []struct{ Type, Message, Action string }
	}
	d.result("runBrowserTool", object{"siteId": "shop", "toolName": "talk"}, &talk)
	if len(talk.Dialogs) != 2 || talk.Value.Confirmed {
		t.Errorf("talk: %+v, want two dismissed dialogs", talk)
	}
}

func TestBrowserToolFailures(t *testing.T) {
	d, _ := startShop(t)
	d.result("page.goto", object{"url": "https://shop.test/"}, nil)
	failed := d.fails("tool_failed", "runBrowserTool", object{"siteId": "shop", "toolName": "fail"})
	thrown, _ := failed.Data["error"].(map[string]any)
	if thrown["name"] != "TypeError" || thrown["file"] != "browser-tools/fail.js" || thrown["line"] != 3.0 {
		t.Errorf("fail: %v, want a TypeError at browser-tools/fail.js:3", thrown)
	}
	if e := d.fails("result_invalid", "runBrowserTool", object{"siteId": "shop", "toolName": "self"}); e.Data["path"] != "$.b.c" {
		t.Errorf("self: path %v, want $.b.c", e.Data["path"])
	}
	for _, tool := range []string{"loop", "wait"} {
		d.fails("timeout", "runBrowserTool", object{"siteId": "shop", "toolName": tool, "timeoutMs": 500})
		var next struct{ Value struct{ Title string } }
		if d.result("runBrowserTool", object{"siteId": "shop", "toolName": "read"}, &next); next.Value.Title != "Shop" {
			t.Errorf("after %s the page answers %+v", tool, next)
		}
	}
}

// TestBrowserToolStaysOnItsSite: a tool of one site does not run on another's
// page, nor on a page that navigated away.
func TestBrowserToolStaysOnItsSite(t *testing.T) {
	d, _ := startShop(t)
	denied := func() *wireError {
		t.Helper()
		return d.fails("policy_denied", "runBrowserTool", object{"siteId": "shop", "toolName": "read"})
	}
	if e := denied(); e.Data["hint"] == nil {
		t.Error("the denial on a blank page has no hint")
	}
	d.result("page.goto", object{"url": "https://other.test/"}, nil)
	denied()
	d.fails("policy_denied", "runBrowserTool", object{"siteId": "shop", "toolName": "read", "anyOrigin": true})
	d.fails("policy_denied", "page.goto", object{"url": "file:///etc/passwd"})
	d.fails("policy_denied", "browser.openOrReuseTab", object{"url": "chrome://settings"})
}

// TestNothingIsLeftBehind alternates the two kinds of tools two hundred times.
func TestNothingIsLeftBehind(t *testing.T) {
	d, _ := startShop(t)
	d.result("page.goto", object{"url": "https://shop.test/"}, nil)
	round := func() {
		d.result("runTool", object{"siteId": "shop", "toolName": "empty"}, nil)
		d.result("runBrowserTool", object{"siteId": "shop", "toolName": "read"}, nil)
	}
	round()
	files, tabs := openFiles(t, d.cmd.Process.Pid), tabCount(d)
	for range 100 {
		round()
	}
	if now := tabCount(d); now != tabs {
		t.Errorf("%d tabs are open after the rounds, %d before", now, tabs)
	}
	// A spare worker may be on its way in or out: three descriptors of one.
	if now := openFiles(t, d.cmd.Process.Pid); now > files+6 {
		t.Errorf("%d descriptors are open after the rounds, %d before", now, files)
	}
}

func tabCount(d *daemon) int {
	var tabs []json.RawMessage
	d.result("browser.listTabs", object{}, &tabs)
	return len(tabs)
}

// openFiles counts the descriptors of a process; 0 where there is no /proc.
func openFiles(t testing.TB, pid int) int {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(entries)
}

// TestSpacesAreApart: each space has its own tabs and cookies, and spaces run in
// parallel while calls on one space run one after the other.
func TestSpacesAreApart(t *testing.T) {
	d, _ := startShop(t)
	for _, space := range []string{"default", "second"} {
		d.result("page.goto", object{"url": "https://shop.test/", "space": space}, nil)
	}
	d.result("page.evaluate", object{"pageFunction": "document.cookie = 'who=second'", "space": "second"}, nil)
	var cookie string
	d.result("page.evaluate", object{"pageFunction": "document.cookie"}, &cookie)
	if cookie != "" {
		t.Errorf("the default space has the cookie of another: %q", cookie)
	}
	slow := "new Promise((done) => setTimeout(() => { window.order = (window.order ?? 0) + 1; done(window.order); }, 300))"
	first := d.begin("page.evaluate", object{"pageFunction": slow})
	second := d.begin("page.evaluate", object{"pageFunction": "window.order"})
	d.result("page.evaluate", object{"pageFunction": "1", "space": "second"}, nil)
	if _, early := d.answered(first); early {
		t.Log("the slow call ended before the other space answered: the machine was busy")
	}
	var order int
	if err := json.Unmarshal(d.await(second).Result, &order); err != nil || order != 1 {
		t.Errorf("the second call on the space saw %s (%v): it overtook the first", d.await(second).raw, err)
	}
}

func (d *daemon) answered(id string) (answer, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, ok := d.answers[id]
	return a, ok
}

// TestHotReload: a saved note is in the next answer, and the client is told.
func TestHotReload(t *testing.T) {
	root := t.TempDir()
	shopPack.write(t, root)
	d := startClean(t, "serve", "--root", root)
	var before, after struct {
		Generation uint64
		Knowledge  []struct{ Content string }
	}
	d.result("learnContext", object{"url": "https://shop.test/"}, &before)
	writeFile(t, filepath.Join(root, "shop", "notes", "tea.md"), "Black tea now.\n")
	d.notification("skills/changed", func(params json.RawMessage) bool {
		var change struct {
			Generation uint64
			Updated    []string
		}
		return json.Unmarshal(params, &change) == nil && change.Generation > before.Generation && len(change.Updated) == 1
	})
	d.result("learnContext", object{"url": "https://shop.test/"}, &after)
	if len(after.Knowledge) != 1 || after.Knowledge[0].Content != "Black tea now.\n" || after.Generation <= before.Generation {
		t.Errorf("after the save: %+v", after)
	}
}

// TestRunKeepsItsCode: an edit during a run is for the next run
// (anomalyco/opencode #37421).
func TestRunKeepsItsCode(t *testing.T) {
	root := t.TempDir()
	tool := func(version int) string {
		return fmt.Sprintf("export async function run(ctx) { console.log('started'); await ctx.page.waitForTimeout(700); return { version: %d }; }\n", version)
	}
	pack := fixture{id: "slow", domains: []string{"slow.test"}, files: map[string]string{"tools/slow.js": tool(1)}}
	pack.write(t, root)
	d := startClean(t, "serve", "--root", root)
	d.result("initialize", object{"capabilities": object{"log": true}}, nil)
	first := d.begin("runTool", object{"siteId": "slow", "toolName": "slow"})
	d.notification("log", func(json.RawMessage) bool { return true })
	writeFile(t, filepath.Join(root, "slow", "tools", "slow.js"), tool(2))
	d.notification("skills/changed", func(json.RawMessage) bool { return true })
	var old, updated struct {
		Value      struct{ Version int }
		Generation uint64
	}
	if err := json.Unmarshal(d.await(first).Result, &old); err != nil {
		t.Fatal(err)
	}
	d.result("runTool", object{"siteId": "slow", "toolName": "slow"}, &updated)
	if old.Value.Version != 1 || updated.Value.Version != 2 || updated.Generation <= old.Generation {
		t.Errorf("the run under way returned %+v, the next one %+v", old, updated)
	}
}

// TestOpenDialogHoldsOnePageAlone: a dialog that nobody answers ends the tool it
// holds at that tool's deadline, says so, and holds nobody else
// (ChromeDevTools/chrome-devtools-mcp #2426: one mutex, three minutes).
func TestOpenDialogHoldsOnePageAlone(t *testing.T) {
	t.Parallel()
	server, root := shop(t), t.TempDir()
	fixture{id: "shop", domains: []string{"shop.test"}, files: map[string]string{
		"browser-tools/ask.js":  "() => new Promise(() => setTimeout(() => confirm('really?'), 0))",
		"browser-tools/read.js": "() => ({ title: document.title })",
	}}.write(t, root)
	d := startClean(t, append([]string{"serve", "--root", root, "--dialog", "manual"}, server.EgodArgs()...)...)
	for _, space := range []string{"a", "b"} {
		d.result("page.goto", object{"url": "https://shop.test/", "space": space}, nil)
	}
	held := d.begin("runBrowserTool", object{"siteId": "shop", "toolName": "ask", "space": "a", "timeoutMs": 3000})
	var read struct{ Value struct{ Title string } }
	d.result("runBrowserTool", object{"siteId": "shop", "toolName": "read", "space": "b"}, &read)
	if _, early := d.answered(held); early || read.Value.Title != "Shop" {
		t.Errorf("the other space read %+v, and the held tool had ended: %v", read, early)
	}
	a := d.await(held)
	if a.Error == nil || !strings.Contains(a.raw, "really?") {
		t.Errorf("the held tool ended as %.500s, want an error that names the dialog", a.raw)
	}
	d.result("page.acceptDialog", object{"space": "a"}, nil)
	d.result("runBrowserTool", object{"siteId": "shop", "toolName": "read", "space": "a"}, &read)
}

// TestRetryable: what is wrong with the call itself says that it is not worth a
// second try, and what the page may still come round to does.
func TestRetryable(t *testing.T) {
	d, _ := startShop(t)
	d.result("page.goto", object{"url": "https://shop.test/"}, nil)
	for _, tt := range []struct {
		method    string
		params    object
		retryable bool
	}{
		{"page.goto", object{"url": "https://"}, false},
		{"cdp", object{"method": "Nope.nothing"}, false},
		{"cdp", object{"method": "Page.navigate", "params": object{"url": 5}}, false},
		{"page.keyboard.press", object{"key": "Hyper+a"}, false},
		{"page.screenshot", object{"type": "bmp"}, false},
		{"browser.switchTab", object{"target": "none"}, false},
		{"locator.click", object{"selector": "li >>"}, false},
		{"locator.click", object{"selector": "li.item"}, false},
		{"locator.click", object{"selector": "#later", "timeout": 50}, true},
	} {
		if e := d.fails("page_error", tt.method, tt.params); e.Data["retryable"] != tt.retryable {
			t.Errorf("%s %v: %+v, want retryable %v", tt.method, tt.params, e, tt.retryable)
		}
	}
}
