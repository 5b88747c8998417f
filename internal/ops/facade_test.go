package ops

import (
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// walkSurface runs the facade with a host that records calls and lists its
// functions by path. Members of locators are listed below "locator".
const walkSurface = `(surface, tableText) => {
  const calls = [];
  const host = {
    call: (name, args) => { calls.push([name, args]); return Promise.resolve(null); },
    source: String,
    members: (names, make) => Object.defineProperties({}, Object.fromEntries(names.map((name) =>
      [name, { enumerable: true, configurable: true, get: () => make(name) }]))),
  };
  const { ctx, globals } = surface(host, JSON.parse(tableText));
  const found = [];
  const walk = (object, path) => {
    for (const name in object) {
      const at = path ? path + "." + name : name;
      if (typeof object[name] === "function") found.push(at);
      else if (typeof object[name] === "object") walk(object[name], at);
    }
  };
  walk(ctx, "");
  walk(ctx.page.locator("x"), "locator");
  return { ctx, globals, found, top: Object.keys(ctx), globalNames: Object.keys(globals), calls: () => JSON.stringify(calls) };
}`

// evaluateSurface runs the facade as a runtime would.
func evaluateSurface(t *testing.T, vm *goja.Runtime) *goja.Object {
	t.Helper()
	surface, err := NewTable().Surface()
	if err != nil {
		t.Fatal(err)
	}
	made, err := vm.RunString("(" + surface.Source + ")")
	if err != nil {
		t.Fatal(err)
	}
	walk, err := vm.RunString(walkSurface)
	if err != nil {
		t.Fatal(err)
	}
	fn, _ := goja.AssertFunction(walk)
	result, err := fn(goja.Undefined(), made, vm.ToValue(string(surface.Table)))
	if err != nil {
		t.Fatal(err)
	}
	return result.ToObject(vm)
}

func exportStrings(t *testing.T, vm *goja.Runtime, v goja.Value) []string {
	t.Helper()
	var items []string
	if err := vm.ExportTo(v, &items); err != nil {
		t.Fatal(err)
	}
	slices.Sort(items)
	return items
}

// TestFacade holds the functions on ctx to the table and to what the references
// say: none is missing, and there is none too many.
func TestFacade(t *testing.T) {
	vm := goja.New()
	result := evaluateSurface(t, vm)
	found := exportStrings(t, vm, result.Get("found"))
	var documented []string
	for _, m := range NewTable().members(typeWriter{}, inlineOptions) {
		documented = append(documented, m.Name)
	}
	slices.Sort(documented)
	for _, name := range documented {
		if !slices.Contains(found, name) {
			t.Errorf("%s is a row of the table, or in forms.go, and not on ctx", name)
		}
	}
	for _, name := range found {
		if !slices.Contains(documented, name) {
			t.Errorf("%s is on ctx, and neither in the table nor in forms.go", name)
		}
	}
	if dup := slices.Compact(slices.Clone(documented)); len(dup) != len(documented) {
		t.Error("forms.go describes a function that the table has a row for")
	}
	top := exportStrings(t, vm, result.Get("top"))
	for _, name := range top {
		if !slices.ContainsFunc(facadeDocs, func(f struct{ name, doc string }) bool { return f.name == name }) {
			t.Errorf("ctx.%s is on no page of the reference", name)
		}
	}
	inScripts := append(slices.Clone(top), "args", "ego")
	slices.Sort(inScripts)
	if globals := exportStrings(t, vm, result.Get("globalNames")); !slices.Equal(globals, inScripts) {
		t.Errorf("scripts see %v, want %v", globals, inScripts)
	}
}

// TestForms holds what is written by hand about rows to the rows there are.
func TestForms(t *testing.T) {
	table := NewTable()
	isRow := func(name string) bool {
		row, ok := table.Lookup(name)
		return ok && row.JS != nil
	}
	for name := range jsForms {
		if !isRow(name) {
			t.Errorf("jsForms: %s is no row", name)
		}
	}
	for name := range jsOnlyOptions {
		if !isRow(name) {
			t.Errorf("jsOnlyOptions: %s is no row", name)
		}
	}
	for key := range jsTypes {
		method, param, _ := strings.Cut(key, ".")
		if !slices.ContainsFunc(table.Rows(), func(o *Operation) bool {
			return o.JS != nil && strings.HasSuffix("."+o.Name, "."+method) && o.param(param).Type != nil
		}) {
			t.Errorf("jsTypes: no function %s has a parameter %s", method, param)
		}
	}
}

// TestFacadeCalls holds what calls of tools are on their way to the daemon.
func TestFacadeCalls(t *testing.T) {
	for _, tt := range []struct{ call, want string }{
		{`page.goto("u", {timeout: 1, settle: undefined, own: true})`, `[["page.goto",{"url":"u","timeout":1,"own":true}]]`},
		{`page.title()`, `[["page.title",{}]]`},
		{`page.evaluate((x) => x + 1, 5)`, `[["page.evaluate",{"pageFunction":"(x) => x + 1","isFunction":true,"arg":5}]]`},
		{`page.evaluate("1 + 1", "TARGET")`, `[["page.evaluate",{"pageFunction":"1 + 1","targetId":"TARGET"}]]`},
		{`page.click(page.locator("#a"), {force: true})`, `[["page.click",{"selector":"#a","force":true}]]`},
		{`page.mouse.click(1, 2, {delay: 3})`, `[["page.mouse.click",{"target":[1,2],"delay":3}]]`},
		{`page.getByText("a").getAttribute("href", {timeout: 9})`, `[["locator.getAttribute",{"selector":"loc=text:\"a\"","name":"href","timeout":9}]]`},
		{`page.locator("a").first().dragTo(page.locator("b"))`, `[["locator.dragTo",{"selector":"internal:nth=0;a","target":"b"}]]`},
		{`cdp("Page.enable", {a: 1}, "S")`, `[["cdp",{"method":"Page.enable","params":{"a":1},"sessionId":"S"}]]`},
		{`fetch.server("u", {body: "b", timeout: 2})`, `[["fetch.server",{"url":"u","timeout":2,"body":"b"}]]`},
		{`site.runTool("s", "t", {a: 1})`, `[["site.runTool",{"siteId":"s","toolName":"t","args":{"a":1}}]]`},
		{`page.evaluate(5).catch(() => {})`, `[]`},
	} {
		vm := goja.New()
		if err := vm.Set("made", evaluateSurface(t, vm)); err != nil {
			t.Fatal(err)
		}
		got, err := vm.RunString("{ const { page, cdp, fetch, site } = made.ctx; " + tt.call + "; } made.calls()")
		if err != nil || got.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.call, got, err, tt.want)
		}
	}
	vm := goja.New()
	if err := vm.Set("made", evaluateSurface(t, vm)); err != nil {
		t.Fatal(err)
	}
	name, err := vm.RunString(`made.ctx.page.goto.name + made.ctx.page.locator("a").click.name`)
	if err != nil || name.String() != "gotoclick" {
		t.Errorf("functions are called %v, %v", name, err)
	}
}

func TestHelp(t *testing.T) {
	vm := goja.New()
	if err := vm.Set("made", evaluateSurface(t, vm)); err != nil {
		t.Fatal(err)
	}
	help := func(call string) string {
		v, err := vm.RunString("made.ctx." + call)
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		return v.String()
	}
	for _, tt := range []struct {
		call string
		has  []string
	}{
		{`help()`, []string{"page: ", "\n\nlocator: ", "\n\nfetch: ", "help(\"page.goto\")"}},
		{`help("page")`, []string{"page: ", "\n  page.goto(url, {waitUntil?, timeout?, settle?}) - Navigate", "\n  page.mouse.wheel(dx?, dy?, {x?, y?}) - ", "\n  page.getByText(text, {exact?}) - "}},
		{`help("locator")`, []string{"\n  locator.click({timeout?", "\n  locator.nth(index) - "}},
		{`help("page.goto")`, []string{"page.goto(url: string, options?: {", "Promise<{navigation: ", "\nNavigate the current page", "\n  url: string - ", "\n  options.timeout?: number - milliseconds"}},
		{`help("fetch.server")`, []string{"options.timeout?: number - seconds"}},
		{`help("page.url", "page.title")`, []string{"page.url(): Promise<string>\nReturn the page's URL.\n\npage.title(): "}},
		{`help("page.url", "nope")`, []string{"\n\nUnknown helper: nope"}},
	} {
		for _, want := range tt.has {
			if got := help(tt.call); !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", tt.call, want, got)
			}
		}
	}
	for _, name := range []string{"nope", "goto", "constructor", "__proto__", "page."} {
		if got := help(`help("` + name + `")`); got != "Unknown helper: "+name {
			t.Errorf("help(%q) = %q", name, got)
		}
	}
	for _, unwanted := range []string{"space?", "isFunction", "bodyBase64"} {
		for _, m := range NewTable().members(typeWriter{}, inlineOptions) {
			if strings.Contains(help(`help("`+m.Name+`")`), unwanted) {
				t.Errorf("help(%q) names %s, which no script gives", m.Name, unwanted)
			}
		}
	}
}

// BenchmarkSurface is what every start of the daemon pays for the texts.
func BenchmarkSurface(b *testing.B) {
	for b.Loop() {
		if _, err := NewTable().Surface(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFacade is what every run pays for its ctx, BenchmarkFacadePage what one
// pays that uses a page and a locator.
func BenchmarkFacade(b *testing.B) { benchmarkFacade(b, `() => {}`) }

func BenchmarkFacadePage(b *testing.B) {
	benchmarkFacade(b, `({ ctx }) => ctx.page.locator("a").click`)
}

func benchmarkFacade(b *testing.B, use string) {
	surface, err := NewTable().Surface()
	if err != nil {
		b.Fatal(err)
	}
	program, err := goja.Compile("facade.js", "(host, table) => ("+use+")(("+surface.Source+")(host, JSON.parse(table)))", false)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		vm := goja.New()
		made, err := vm.RunProgram(program)
		if err != nil {
			b.Fatal(err)
		}
		fn, _ := goja.AssertFunction(made)
		if _, err := fn(goja.Undefined(), vm.NewObject(), vm.ToValue(string(surface.Table))); err != nil {
			b.Fatal(err)
		}
	}
}
