package browser

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const locatorPage = `<title>locators</title><body>
<h1 id=title>All things</h1>
<button id=save aria-label="Save it">Click me</button>
<button id=other title="tip">Other <b>bold</b></button>
<button id=gone style="display:none">Other hidden</button>
<ul id=list><li class=item>one <i>1</i></li><li class=item>two <i>2</i></li><li class=item>three</li></ul>
<label for=name>Your name</label><input id=name placeholder="Jane Doe" value=jane>
<label>Agree <input type=checkbox id=agree checked></label>
<input id=aria aria-label="Search box"><input id=ro readonly value=fixed><textarea id=area disabled>text</textarea>
<fieldset disabled><input id=infield></fieldset>
<select id=sel><option value=a>A</option><option value=b selected>B</option></select>
<div id=edit contenteditable>rich</div><img id=logo alt="The logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">
<a id=link href="/target?x=1#y">go there</a><p data-testid=para class=upper style="text-transform:uppercase">shout</p>
<script>var text = "hidden script text"</script><style>.style-text{}</style>
<div id=host></div><script>
  const root = document.getElementById("host").attachShadow({mode: "open"});
  root.innerHTML = "<button id=deep>Shadow button</button><p>shadow text</p>";
</script></body>`

func texts(t *testing.T, ctx context.Context, p *Page, selector string) string {
	t.Helper()
	v, err := p.Locator(selector).EvaluateAll(ctx, `(els) => els.map((e) => e.id || e.textContent.trim())`, nil)
	if err != nil {
		return "error: " + err.Error()
	}
	var ids []string
	if err := json.Unmarshal(v, &ids); err != nil {
		t.Fatal(err)
	}
	return strings.Join(ids, ",")
}

func TestSelectors(t *testing.T) {
	page, ctx := newTestPage(t, html(locatorPage))
	regex := func(s string) *string { return &s }
	scope := ScopeSelector("#list", ".item")
	tests := []struct{ selector, want string }{
		{"#title", "title"},
		{"css:#title", "title"},
		{"loc=css:.item", "one 1,two 2,three"},
		{".none", ""},
		{"button:has-text(\"Other\")", "other,gone"},
		{`li:has-text("two")`, "two 2"},
		{`li:has-text("th"):has-text("three")`, "three"},
		{"xpath=//li[2]", "two 2"},
		{"//li[3]", "three"},
		{"text=go there", "link"},
		{"loc=text:bold", "bold"},
		{"loc=text:Other", "other,gone"},
		{"loc=text:exact:All things", "title"},
		{"loc=text:hidden script text", ""},
		{"loc=text:style-text", ""},
		{"loc=text:shadow text", "shadow text"},
		{"text=SHOUT", "shout"},
		{TextSelector(ByText, TextPattern{Regex: regex("^t(wo|hree)"), Flags: "i"}), "two 2,three"},
		{"loc=label:Your name", "name"},
		{`loc=label:"Agree"`, "agree"},
		{"loc=label:exact:Search box", "aria"},
		{"label:Search", "aria"},
		{"loc=placeholder:Jane", "name"},
		{"loc=alt:logo", "logo"},
		{"loc=title:tip", "other"},
		{"loc=testid:para", "shout"},
		{"loc=testid:par", ""},
		{"loc=href:/target?x=1#y", "link"},
		{"loc=role:button", "save,other,deep"},
		{`loc=role:button[name="Save it"]`, "save"},
		{`loc=role:button[name="Save"]`, ""},
		{`loc=role:button[name='Save it']`, "save"},
		{`loc=role:button[name=Save it]`, "save"},
		{RoleSelector("button", RoleOptions{Name: &TextPattern{Text: "save"}}), "save"},
		{RoleSelector("button", RoleOptions{Name: &TextPattern{Text: "save", Exact: true}}), ""},
		{RoleSelector("button", RoleOptions{Name: &TextPattern{Regex: regex("^save"), Flags: "i"}}), "save"},
		{RoleSelector("button", RoleOptions{IncludeHidden: true}), "save,other,gone,deep"},
		{RoleSelector("checkbox", RoleOptions{States: map[string]string{"checked": "true"}}), "agree"},
		{RoleSelector("checkbox", RoleOptions{States: map[string]string{"checked": "false"}}), ""},
		{RoleSelector("heading", RoleOptions{States: map[string]string{"level": "1"}}), "title"},
		{scope, "one 1,two 2,three"},
		{ScopeSelector(".item", "i"), "1,2"},
		{ScopeSelector(".item", "xpath=.//i"), "1,2"},
		{ScopeSelector("#list", "loc=role:listitem"), "one 1,two 2,three"},
		{ScopeSelector("#host", "loc=role:button"), "deep"},
		{FilterSelector(".item", FilterOptions{HasText: &TextPattern{Text: "t"}}), "two 2,three"},
		{FilterSelector(".item", FilterOptions{HasNotText: &TextPattern{Regex: regex("TWO"), Flags: "i"}}), "one 1,three"},
		{FilterSelector(".item", FilterOptions{Has: "i"}), "one 1,two 2"},
		{FilterSelector(".item", FilterOptions{HasNot: "i"}), "three"},
		{"internal:nth=1;.item", "two 2"},
		{"internal:nth=9;.item", ""},
		{"internal:last;.item", "three"},
		{"internal:nth=0;internal:nth=1;.item", "two 2"},
		{"internal:nth=0;internal:last;.item", "three"},
		{"internal:nth=1;" + scope, "two 2"},
		{"#deep", "deep"},
		{"p[", "error: Invalid selector: p[: "},
		{"internal:nth=-1;.item", "error: Invalid selector: internal:nth=-1;.item: "},
		{"internal:nth=x;.item", "error: Invalid selector: internal:nth=x;.item: "},
		{"internal:what:x", "error: Invalid selector: "},
		{"loc=nope:x", "error: Invalid selector: "},
		{"", "error: Invalid selector: "},
		{"label:first-child", ""},
	}
	for _, tt := range tests {
		got := texts(t, ctx, page, tt.selector)
		if ok := got == tt.want || (strings.HasPrefix(tt.want, "error: ") && strings.HasPrefix(got, tt.want)); !ok {
			t.Errorf("%s\n  got  %s\n  want %s", tt.selector, got, tt.want)
		}
	}
}

func TestSelectorLength(t *testing.T) {
	if _, err := parseSelector(strings.Repeat("internal:last;", maxSelector)); err == nil || !strings.Contains(err.Error(), "longer than 64 KiB") {
		t.Errorf("a nested selector of a megabyte: %.100v", err)
	}
	if _, err := parseSelector(strings.Repeat("internal:last;", 4000) + "p"); err != nil {
		t.Errorf("4,000 levels: %.100v", err)
	}
}

func TestStrictness(t *testing.T) {
	page, ctx := newTestPage(t, html(locatorPage))
	for _, selector := range []string{".item", "xpath=//li", "loc=role:listitem", "loc=css:.item"} {
		began := time.Now()
		_, err := page.Locator(selector).TextContent(ctx, 10*time.Second)
		var many *ElementError
		if !errors.As(err, &many) || many.Matches != 3 || !strings.Contains(err.Error(), "matched 3 elements") || time.Since(began) > 2*time.Second {
			t.Errorf("%s: %v", selector, err)
		}
	}
	if _, err := page.Locator(".item").IsVisible(ctx); err == nil {
		t.Error("isVisible of several elements is no error")
	}
	var many *ElementError
	if err := page.Locator("button").Click(ctx, ClickOptions{}); !errors.As(err, &many) || !strings.Contains(many.Hint, `there are <button id="save">, <button id="other">, <button id="gone">, ...`) {
		t.Errorf("what several elements are: %v", err)
	}
	for selector, want := range map[string]string{".nope": "Element not found: .nope", "loc=href:/no": "Locator loc=href:/no matched 0 elements", "@999999": "Unknown ref: 999999"} {
		if _, err := page.Locator(selector).TextContent(ctx, 100*time.Millisecond); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", selector, err)
		}
	}
	if n, err := page.Locator(".item").First().Filter(FilterOptions{}).Count(ctx); n != 1 || err != nil {
		t.Errorf("chained: %d, %v", n, err)
	}
	if s, err := page.Locator("#list").Locator("li").Nth(1).Locator("i").TextContent(ctx, 0); err != nil || *s != "2" {
		t.Errorf("chained read: %v", err)
	}
}

func TestReads(t *testing.T) {
	page, ctx := newTestPage(t, html(locatorPage))
	on := page.Locator
	tests := []struct {
		name string
		read func() (any, error)
		want any
	}{
		{"textContent", func() (any, error) { v, err := on("#other").TextContent(ctx, 0); return *v, err }, "Other bold"},
		{"innerText", func() (any, error) { return on("[data-testid]").InnerText(ctx, 0) }, "SHOUT"},
		{"innerHTML", func() (any, error) { return on("#other").InnerHTML(ctx, 0) }, "Other <b>bold</b>"},
		{"inputValue", func() (any, error) { return on("#name").InputValue(ctx, 0) }, "jane"},
		{"inputValue of a label", func() (any, error) { return on("label[for=name]").InputValue(ctx, 0) }, "jane"},
		{"inputValue of a select", func() (any, error) { return on("#sel").InputValue(ctx, 0) }, "b"},
		{"isChecked", func() (any, error) { return on("#agree").IsChecked(ctx, 0) }, true},
		{"getAttribute", func() (any, error) { v, err := on("#other").GetAttribute(ctx, "title", 0); return *v, err }, "tip"},
		{"no attribute", func() (any, error) { v, err := on("#other").GetAttribute(ctx, "x", 0); return v == nil, err }, true},
		{"isVisible", func() (any, error) { return on("#save").IsVisible(ctx) }, true},
		{"isVisible of hidden", func() (any, error) { return on("#gone").IsVisible(ctx) }, false},
		{"isVisible of nothing", func() (any, error) { return on("#none").IsVisible(ctx) }, false},
		{"isHidden of nothing", func() (any, error) { return on("#none").IsHidden(ctx) }, true},
		{"isEnabled", func() (any, error) { return on("#save").IsEnabled(ctx) }, true},
		{"isEnabled of disabled", func() (any, error) { return on("#area").IsEnabled(ctx) }, false},
		{"isEnabled in a fieldset", func() (any, error) { return on("#infield").IsEnabled(ctx) }, false},
		{"isDisabled of nothing", func() (any, error) { return on("#none").IsDisabled(ctx) }, true},
		{"isEditable", func() (any, error) { return on("#name").IsEditable(ctx) }, true},
		{"isEditable of readonly", func() (any, error) { return on("#ro").IsEditable(ctx) }, false},
		{"isEditable of contenteditable", func() (any, error) { return on("#edit").IsEditable(ctx) }, true},
		{"isEditable of a checkbox", func() (any, error) { return on("#agree").IsEditable(ctx) }, true},
		{"isEditable of a select", func() (any, error) { return on("#sel").IsEditable(ctx) }, true},
		{"isEditable of a button", func() (any, error) { return on("#save").IsEditable(ctx) }, false},
		{"box of hidden", func() (any, error) { v, err := on("#gone").BoundingBox(ctx, 0); return v == nil, err }, true},
		{"box", func() (any, error) {
			v, err := on("#save").BoundingBox(ctx, 0)
			return v.Width > 10 && v.Height > 10, err
		}, true},
		{"allInnerTexts", func() (any, error) { return on(".item").AllInnerTexts(ctx) }, []string{"one 1", "two 2", "three"}},
		{"allTextContents of nothing", func() (any, error) { return on(".none").AllTextContents(ctx) }, []string{}},
	}
	for _, tt := range tests {
		got, err := tt.read()
		if err != nil || !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
	for name, read := range map[string]func() error{
		"inputValue of a div":  func() error { _, err := on("#list").InputValue(ctx, 0); return err },
		"isChecked of a input": func() error { _, err := on("#name").IsChecked(ctx, 0); return err },
	} {
		began := time.Now()
		if err := read(); err == nil || !strings.Contains(err.Error(), " is not a") || time.Since(began) > 2*time.Second {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadWaitsForTheElement(t *testing.T) {
	page, ctx := newTestPage(t, html(`<script>setTimeout(() => document.body.append(Object.assign(document.createElement("i"), {id: "late", textContent: "now"})), 300)</script>`))
	s, err := page.Locator("#late").TextContent(ctx, 0)
	if err != nil || *s != "now" {
		t.Errorf("%v", err)
	}
}

func TestLocatorEvaluate(t *testing.T) {
	page, ctx := newTestPage(t, html(locatorPage))
	v, err := page.Locator("#save").Evaluate(ctx, `async (el, arg) => { await null; return el.id + arg.x }`, json.RawMessage(`{"x":1}`), 0)
	if err != nil || string(v) != `"save1"` {
		t.Errorf("%s, %v", v, err)
	}
	v, err = page.Locator(".none").EvaluateAll(ctx, `(els, arg) => [els.length, arg === undefined, Array.isArray(els)]`, nil)
	if err != nil || string(v) != `[0,true,true]` {
		t.Errorf("no match: %s, %v", v, err)
	}
	var thrown *EvalError
	if _, err := page.Locator("#save").Evaluate(ctx, "(el) => {\n  el.nope();\n}", nil, 0); !errors.As(err, &thrown) || thrown.Line != 2 {
		t.Errorf("thrown: %v", err)
	}
	if _, err := page.Locator(".item").Evaluate(ctx, `(el) => 1`, nil, 0); err == nil || !strings.Contains(err.Error(), "matched 3") {
		t.Errorf("ambiguous: %v", err)
	}
}
