package browser

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recorder makes a page write down the events it gets as window.seen.
const recorder = `<script>
window.seen = [];
for (const type of ["mousedown","mouseup","click","dblclick","auxclick","contextmenu","mouseover","keydown","keyup","input","change","dragstart","drop"])
  addEventListener(type, (e) => seen.push(type + (e.detail ? ":" + e.detail : "") + (e.key ? ":" + e.key : "") + (e.isTrusted ? "" : ":untrusted") + "@" + (e.target.id || e.target.nodeName)), true);
</script>`

// seen takes the recorded events whose text has the prefix of one of kinds.
func seen(t *testing.T, ctx context.Context, p *Page, kinds ...string) string {
	t.Helper()
	v, err := p.Evaluate(ctx, Script{Function: "() => seen.splice(0)"})
	if err != nil {
		t.Fatal(err)
	}
	var all, kept []string
	if err := json.Unmarshal(v, &all); err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, kind := range kinds {
			if strings.HasPrefix(e, kind) {
				kept = append(kept, e)
				break
			}
		}
	}
	return strings.Join(kept, " ")
}

func TestClick(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`<button id=a>A</button><div style="height:3000px"></div><button id=far>far</button>
		<label id=l>label <input type=checkbox id=c></label><div id=host></div>
		<script>host.attachShadow({mode:"open"}).innerHTML = "<button id=deep>deep</button>"</script>`))
	const kinds = "mousedown mouseup click dblclick auxclick contextmenu"
	tests := []struct {
		name string
		do   func() error
		want string
	}{
		{"plain", func() error { return page.Locator("#a").Click(ctx, ClickOptions{}) }, "mousedown:1@a mouseup:1@a click:1@a"},
		{"below the fold", func() error { return page.Locator("#far").Click(ctx, ClickOptions{}) }, "mousedown:1@far mouseup:1@far click:1@far"},
		{"double", func() error { return page.Locator("#a").Dblclick(ctx, ClickOptions{}) },
			"mousedown:1@a mouseup:1@a click:1@a mousedown:2@a mouseup:2@a click:2@a dblclick:2@a"},
		{"count 2", func() error { return page.Locator("#a").Click(ctx, ClickOptions{ClickCount: 2}) }, "mousedown:2@a mouseup:2@a click:2@a dblclick:2@a"},
		{"right", func() error { return page.Locator("#a").Click(ctx, ClickOptions{Button: "right"}) }, "mousedown:1@a contextmenu@a mouseup:1@a auxclick:1@a"},
		{"middle", func() error { return page.Locator("#a").Click(ctx, ClickOptions{Button: "middle"}) }, "mousedown:1@a mouseup:1@a auxclick:1@a"},
		{"by role", func() error { return page.Locator("loc=role:button[name=A]").Click(ctx, ClickOptions{}) }, "mousedown:1@a mouseup:1@a click:1@a"},
		{"in a shadow root", func() error { return page.Locator("#deep").Click(ctx, ClickOptions{}) }, "mousedown:1@host mouseup:1@host click:1@host"},
		{"at an offset", func() error { return page.Locator("#a").Click(ctx, ClickOptions{Position: &Point{2, 2}}) }, "mousedown:1@a mouseup:1@a click:1@a"},
	}
	for _, tt := range tests {
		if err := tt.do(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := seen(t, ctx, page, strings.Fields(kinds)...); got != tt.want {
			t.Errorf("%s:\n got  %s\n want %s", tt.name, got, tt.want)
		}
	}
	for _, selector := range []string{"#far", "#a"} {
		if err := page.Locator(selector).Hover(ctx, ClickOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := seen(t, ctx, page, "mouseover"); !strings.Contains(got, "mouseover@a") {
		t.Errorf("hover: %q", got)
	}
}

func TestClickSaysWhatIsInTheWay(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`
		<button id=off disabled>off</button><button id=gone style="display:none">gone</button><button id=under style="position:absolute;top:100px;left:10px">under</button>
		<div class="modal" style="position:absolute;top:90px;left:0;width:300px;height:100px"></div>
		<style>@keyframes m { from { left: 0 } to { left: 500px } } #moving { position: absolute; top: 300px; animation: m 0.3s infinite alternate linear }</style>
		<button id=moving>moving</button>`))
	tests := []struct{ selector, want string }{
		{"#off", `<button id="off"> is disabled`},
		{"#gone", `<button id="gone"> is not visible`},
		{"#under", `<div class="modal"> covers the point`},
		{"#moving", `<button id="moving"> is moving`},
		{"#none", "Element not found: #none"},
	}
	for _, tt := range tests {
		err := page.Locator(tt.selector).Click(ctx, ClickOptions{Timeout: 400 * time.Millisecond})
		var blocked *ElementError
		if !errors.As(err, &blocked) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.selector, err, tt.want)
		}
	}
	if got := seen(t, ctx, page, "mousedown", "click"); got != "" {
		t.Errorf("something was clicked: %s", got)
	}
	if err := page.Locator("#under").Click(ctx, ClickOptions{Force: true}); err != nil {
		t.Errorf("forced: %v", err)
	}
}

func TestClickWaitsUntilReady(t *testing.T) {
	page, ctx := newTestPage(t, html(recorder+`<button id=late disabled>late</button><script>setTimeout(() => { late.disabled = false }, 300)</script>`))
	if err := page.Locator("#late").Click(ctx, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, ctx, page, "click"); got != "click:1@late" {
		t.Errorf("got %q", got)
	}
}

func TestClickThatNavigates(t *testing.T) {
	page, ctx := newTestPage(t, html(`<a id=go href="`+html("<title>next</title>")+`">go</a>`))
	if err := page.Locator("#go").Click(ctx, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateLoad, LoadOptions{}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if title, err := page.Title(ctx); err != nil || title != "next" {
		t.Errorf("title %q, %v", title, err)
	}
}

func TestClickThatOpensADialog(t *testing.T) {
	page, ctx := newTestPage(t, html(`<button id=a onclick="window.said = confirm('sure?')">A</button>`))
	collected := page.startCollecting(nil)
	if err := page.Locator("#a").Click(ctx, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, dialogs := page.finishCollecting(collected); len(dialogs) != 1 || dialogs[0].Message != "sure?" {
		t.Errorf("dialogs: %+v", dialogs)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "said"}); err != nil || string(v) != "false" {
		t.Errorf("%s, %v", v, err)
	}
}

const formPage = recorder + `<form onsubmit="return false">
<input id=text value=old><textarea id=area>old</textarea><div id=edit contenteditable>old <b>rich</b></div>
<input id=mail type=email><input id=num type=number value=1><input id=day type=date><input id=shade type=color>
<input id=ro readonly value=fixed><input id=off disabled><button id=b type=button>b</button>
<label for=text id=lab>Text</label>
<input id=ctl value=x><script>ctl.addEventListener("input", () => { ctl.value = ctl.value.toUpperCase() })</script>
<input type=checkbox id=c><input type=radio name=r id=r1><input type=radio name=r id=r2 checked>
<style>.vh { position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; opacity: 0 }</style>
<label><input type=checkbox id=fancy class=vh> Fancy</label>
<select id=one><option value=a>Apple</option><option value=b>Banana</option><option value=c disabled>Cherry</option></select>
<select id=many multiple><option value=1 selected>One</option><option value=2>Two</option><option value=3>Three</option></select>
<input type=file id=file><input type=file id=files multiple style="display:none">
</form>`

func TestFill(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	for _, tt := range []struct{ id, value string }{
		{"text", "new ✓ 😀"}, {"area", "two\nlines"}, {"mail", "a@b.test"}, {"num", "42.5"}, {"day", "2026-11-30"}, {"shade", "#FF0000"}, {"text", ""}, {"ctl", "abc"},
	} {
		if err := page.Locator("#"+tt.id).Fill(ctx, tt.value, FillOptions{}); err != nil {
			t.Errorf("%s: %v", tt.id, err)
			continue
		}
		want := tt.value
		switch tt.id {
		case "ctl":
			want = "ABC"
		case "shade":
			want = "#ff0000"
		}
		if got, err := page.Locator("#"+tt.id).InputValue(ctx, 0); err != nil || got != want {
			t.Errorf("%s holds %q, %v", tt.id, got, err)
		}
	}
	if got := seen(t, ctx, page, "input", "change"); !strings.Contains(got, "input@text") || !strings.Contains(got, "change:untrusted@text") {
		t.Errorf("events: %s", got)
	}
	for _, tt := range []struct {
		selector, value, want string
		o                     FillOptions
	}{
		{"#edit", "plain", "plain", FillOptions{}},
		{"#edit", "", "", FillOptions{}},
		{"#lab", "by label", "by label", FillOptions{}},
		{"#text", " more", "by label more", FillOptions{Append: true}},
	} {
		if err := page.Locator(tt.selector).Fill(ctx, tt.value, tt.o); err != nil {
			t.Errorf("%s: %v", tt.selector, err)
		}
		v, err := page.Evaluate(ctx, Script{Function: `(s) => { let e = document.querySelector(s); e = e.control || e; return "value" in e ? e.value : e.textContent }`, Arg: json.RawMessage(encode(tt.selector))})
		if err != nil || string(v) != encode(tt.want) {
			t.Errorf("%s holds %s, %v", tt.selector, v, err)
		}
	}
}

func TestFillRefuses(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	const short = 200 * time.Millisecond
	for selector, want := range map[string]string{
		"#ro": "is read-only", "#off": "is disabled", "#b": "is not an input", "#c": "takes no text", "#none": `fill: element not found: "#none"`,
	} {
		if err := page.Locator(selector).Fill(ctx, "x", FillOptions{Timeout: short}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selector, err, want)
		}
	}
	if err := page.Locator("#day").Fill(ctx, "someday", FillOptions{}); err == nil || !strings.Contains(err.Error(), "does not take the value") {
		t.Errorf("bad date: %v", err)
	}
}

func TestSetChecked(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	for _, tt := range []struct {
		selector string
		checked  bool
		want     string // part of the error
	}{
		{"#c", true, ""}, {"#c", true, ""}, {"#c", false, ""}, {"#r1", true, ""}, {"#r1", false, "cannot uncheck a radio button"}, {"#fancy", true, ""},
		{"#text", true, "is not a checkbox"},
	} {
		err := page.Locator(tt.selector).SetChecked(ctx, tt.checked, ClickOptions{Timeout: 2 * time.Second})
		if (err == nil) != (tt.want == "") || (err != nil && !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %v: %v", tt.selector, tt.checked, err)
			continue
		}
		if got, err := page.Locator(tt.selector).IsChecked(ctx, 0); tt.want == "" && (err != nil || got != tt.checked) {
			t.Errorf("%s is %v, %v", tt.selector, got, err)
		}
	}
	if got, err := page.Locator("#r2").IsChecked(ctx, 0); err != nil || got {
		t.Errorf("the other radio button: %v, %v", got, err)
	}
}

func TestSelectOption(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	raw := func(values ...string) (out []json.RawMessage) {
		for _, v := range values {
			out = append(out, json.RawMessage(v))
		}
		return out
	}
	for _, tt := range []struct {
		selector string
		wanted   []json.RawMessage
		want     string
	}{
		{"#one", raw(`"b"`), "b"}, {"#one", raw(`"Apple"`), "a"}, {"#one", raw(`{"label":"Banana"}`), "b"}, {"#one", raw(`{"index":0}`), "a"},
		{"#one", raw(`{"value":"b"}`), "b"}, {"#many", raw(`"2"`, `"Three"`), "2,3"}, {"#many", raw(), ""},
	} {
		got, err := page.Locator(tt.selector).SelectOption(ctx, tt.wanted, 0)
		if err != nil || strings.Join(got, ",") != tt.want {
			t.Errorf("%s %s: %v, %v", tt.selector, tt.wanted, got, err)
		}
	}
	for want, wanted := range map[string][]json.RawMessage{"has no option": raw(`"zzz"`), "is disabled": raw(`"c"`)} {
		if _, err := page.Locator("#one").SelectOption(ctx, wanted, 150*time.Millisecond); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wanted, err)
		}
	}
	if got, err := page.Locator("#one").InputValue(ctx, 0); err != nil || got != "b" {
		t.Errorf("a failed choice changed the selection to %q, %v", got, err)
	}
}

func TestSetInputFiles(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")
	for _, path := range []string{one, two} {
		if err := os.WriteFile(path, []byte("content of "+filepath.Base(path)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := page.Locator("#file").SetInputFiles(ctx, []string{one}, 0); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#files").SetInputFiles(ctx, []string{one, two}, 0); err != nil {
		t.Fatal(err)
	}
	v, err := page.Evaluate(ctx, Script{Function: `async () => [await file.files[0].text(), ...Array.from(files.files, (f) => f.name)]`})
	if err != nil || string(v) != `["content of one.txt","one.txt","two.txt"]` {
		t.Errorf("%s, %v", v, err)
	}
	for name, try := range map[string]func() error{
		"no such file":      func() error { return page.Locator("#file").SetInputFiles(ctx, []string{filepath.Join(dir, "no")}, 0) },
		"Element not found": func() error { return page.Locator("#none").SetInputFiles(ctx, []string{one}, 100*time.Millisecond) },
		"setInputFiles":     func() error { return page.Locator("#text").SetInputFiles(ctx, []string{one}, 100*time.Millisecond) },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDispatchEventFocusBlur(t *testing.T) {
	page, ctx := newTestPage(t, html(formPage))
	text := page.Locator("#text")
	if err := text.DispatchEvent(ctx, "click", json.RawMessage(`{"detail":7}`), 0); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, ctx, page, "click"); got != "click:7:untrusted@text" {
		t.Errorf("event: %q", got)
	}
	if err := text.DispatchEvent(ctx, "", nil, 0); err == nil {
		t.Error("an empty type was accepted")
	}
	active := func() string {
		v, err := page.Evaluate(ctx, Script{Expression: "document.activeElement.id"})
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	if err := text.Focus(ctx, 0); err != nil || active() != `"text"` {
		t.Errorf("focus: %v, active %s", err, active())
	}
	if err := text.Blur(ctx, 0); err != nil || active() == `"text"` {
		t.Errorf("blur: %v, active %s", err, active())
	}
}

func TestScrollAndCenter(t *testing.T) {
	page, ctx := newTestPage(t, html(`<div style="height:3000px"></div><b id=far>far</b>`))
	if err := page.Locator("#far").ScrollIntoViewIfNeeded(ctx, 0); err != nil {
		t.Fatal(err)
	}
	at, err := page.Locator("#far").Center(ctx)
	if err != nil || at.Y <= 0 || at.Y >= 800 {
		t.Errorf("%+v, %v", at, err)
	}
	if _, err := page.Locator("#none").Center(ctx); err == nil || !strings.Contains(err.Error(), "Element not found") {
		t.Errorf("center of nothing: %v", err)
	}
}
