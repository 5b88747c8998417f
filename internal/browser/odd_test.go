package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// A form whose fields are called as properties of elements is an element all the same.
func TestFieldsThatHideTheFormsProperties(t *testing.T) {
	fields := ""
	for _, name := range []string{
		"children", "childNodes", "matches", "contains", "closest", "getAttribute", "querySelector", "querySelectorAll", "nodeType", "localName", "parentNode",
		"parentElement", "getRootNode", "shadowRoot", "labels", "isConnected", "checkVisibility", "getBoundingClientRect", "getClientRects", "textContent",
		"innerText", "innerHTML", "scrollIntoView", "scrollIntoViewIfNeeded", "dispatchEvent", "focus", "blur", "isContentEditable", "compareDocumentPosition",
	} {
		fields += `<input name="` + name + `" size=1>`
	}
	page, ctx := newTestPage(t, html(`<form id=f class=c onpick="document.title='picked'"><p><b>Deep text</b></p><button type=button onclick="document.title='clicked'">Book now</button>`+fields+`</form>
		<script>f.addEventListener = 0; EventTarget.prototype.addEventListener.call(f, "pick", () => { document.title = "picked" })</script>`))
	for selector, want := range map[string]string{
		"loc=text:Deep text": "b", `:text("Deep text")`: "b", "form b": "b", "form > p > b": "b", "form:has(b)": "form", `form:has-text("Deep")`: "form", "form:visible": "form",
		ScopeSelector("form", "b"): "b", ScopeSelector("form", "loc=text:Deep text"): "b", FilterSelector("form", FilterOptions{HasText: &TextPattern{Text: "Deep"}}): "form",
		"p + button": "button", "xpath=//form": "form", ScopeSelector("form", "xpath=./p"): "p",
	} {
		if v, err := page.Locator(selector).EvaluateAll(ctx, "(els) => els.map((el) => el.tagName === undefined ? '?' : el.tagName.toLowerCase()).join()", nil); err != nil || string(v) != quote(want) {
			t.Errorf("%s: %s, %v, want %s", selector, v, err, want)
		}
	}
	form := page.Locator("#f")
	for name, ask := range map[string]func() (any, error){
		"isVisible":    func() (any, error) { return form.IsVisible(ctx) },
		"isEnabled":    func() (any, error) { return form.IsEnabled(ctx) },
		"isHidden":     func() (any, error) { v, err := form.IsHidden(ctx); return !v, err },
		"boundingBox":  func() (any, error) { v, err := form.BoundingBox(ctx, 0); return v != nil && v.Width > 0, err },
		"innerText":    func() (any, error) { v, err := form.InnerText(ctx, 0); return v == "Deep text\n\nBook now", err },
		"innerHTML":    func() (any, error) { v, err := form.InnerHTML(ctx, 0); return len(v) > 50, err },
		"getAttribute": func() (any, error) { v, err := form.GetAttribute(ctx, "class", 0); return v != nil && *v == "c", err },
		"textContent":  func() (any, error) { v, err := form.TextContent(ctx, 0); return v != nil && len(*v) > 5, err },
		"all":          func() (any, error) { v, err := form.AllTextContents(ctx); return len(v) == 1 && len(v[0]) > 5, err },
		"hover":        func() (any, error) { return true, form.Hover(ctx, ClickOptions{Position: &Point{2, 2}}) },
		"focus":        func() (any, error) { return true, form.Blur(ctx, 0) },
		"scroll":       func() (any, error) { return true, form.ScrollIntoViewIfNeeded(ctx, 0) },
		"shot":         func() (any, error) { v, err := form.Screenshot(ctx, ScreenshotOptions{}, 0); return len(v) > 0, err },
		"dispatch":     func() (any, error) { return titled(ctx, page, "picked", form.DispatchEvent(ctx, "pick", nil, 0)) },
		"click": func() (any, error) {
			return titled(ctx, page, "clicked", page.Locator("loc=text:Book now").Click(ctx, ClickOptions{}))
		},
	} {
		if v, err := ask(); err != nil || v != true {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

func titled(ctx context.Context, page *Page, want string, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	title, err := page.Title(ctx)
	return title == want, err
}

// In a document that is XML, elements of HTML have names in small letters.
func TestXHTML(t *testing.T) {
	page, ctx := newTestPage(t, "")
	mustGoto(t, ctx, page, "data:application/xhtml+xml,"+url.PathEscape(`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><style>.secret{}</style></head><body>
		<p id="lines">one<br/>two</p><input id="i" value="v"/><input type="submit" value="Send"/><select id="s"><option value="a">A</option></select><script>var secret;</script></body></html>`))
	for selector, want := range map[string]string{
		"loc=text:secret": "0", "loc=text:Send": "1", `input:text-is("Send")`: "1", `html:has-text("secret")`: "0", `loc=text:{"regex":"^one$","flags":"m"}`: "1",
	} {
		if v, err := page.Locator(selector).EvaluateAll(ctx, "(els) => els.length", nil); err != nil || string(v) != want {
			t.Errorf("%s: %s, %v, want %s", selector, v, err, want)
		}
	}
	for _, id := range []string{"#i", "#s"} {
		if v, err := page.Locator(id).IsEditable(ctx); err != nil || !v {
			t.Errorf("%s is editable: %v, %v", id, v, err)
		}
		if v, err := page.Locator(id).InputValue(ctx, 0); err != nil || v == "" {
			t.Errorf("the value of %s: %q, %v", id, v, err)
		}
	}
}

// The style of a drawing is no text; its title and its text are.
func TestTextOfDrawings(t *testing.T) {
	checkSelectors(t, `<body id=b><svg><style id=style>.pale{fill:red}</style><title id=title>Sales</title><text id=text>Total</text></svg></body>`, []struct{ selector, want string }{
		{"loc=text:pale", ""}, {`body:has-text("pale")`, ""}, {"loc=text:Sales", "title"}, {"loc=text:Total", "text"},
	})
}

// An editor with a document of its own hears of text that is cleared as of a key, and
// nothing beside the element is deleted with it.
func TestClearTellsEditors(t *testing.T) {
	page, ctx := newTestPage(t, html(`<div id=editor contenteditable></div><input id=field value=old><div contenteditable><p id=empty><br></p><p>next</p><p id=part>part</p></div><script>
		let model = "draft", kinds = [];
		const draw = () => { editor.textContent = model };
		draw();
		editor.addEventListener("beforeinput", (e) => {
			e.preventDefault();
			if (e.inputType.startsWith("delete") && String(getSelection()) === model) model = "";
			draw();
		});
		editor.addEventListener("input", draw);
		field.addEventListener("beforeinput", (e) => kinds.push(e.inputType));
	</script>`))
	if err := page.KeyDown(ctx, "Shift"); err != nil { // Shift+Delete would cut
		t.Fatal(err)
	}
	for _, selector := range []string{"#editor", "#field", "#empty"} {
		for _, value := range []string{"", ""} { // with nothing to delete it deletes nothing
			if err := page.Locator(selector).Fill(ctx, value, FillOptions{}); err != nil {
				t.Errorf("%s: %v", selector, err)
			}
		}
	}
	if err := page.KeyUp(ctx, "Shift"); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#field").Focus(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if err := page.Locator("#part").PressSequentially(ctx, "y", 0, 0); err != nil { // and not into the field that has the focus
		t.Error(err)
	}
	const want = `["","","deleteContentForward","next\n\nparty"]`
	if got := mustEvaluate(t, ctx, page, `[model + editor.textContent, field.value, kinds.join(), empty.parentNode.innerText.trim()]`); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Every ref finds its node, parts of controls included, and a locator is shown only
// where it finds one: not of what CSS and roles do not come to, nor of what is one of
// several under another of Chrome's names for the role.
func TestSnapshotRefsAndLocatorsFind(t *testing.T) {
	page, ctx := newTestPage(t, html(`<body><input aria-label=When><input type=date aria-label=When><input type=date id=day><video controls width=300></video><div id=host></div>
		<table><tr><td>cell</table><table><tr><th>H<td>cell</table><select><option>One</select><input type=file aria-label=File><details><summary>Sum</summary>x</details>
		<a href=/x>Daten&shy;schutz</a><button id=open>Open</button>
		<script>host.attachShadow({mode: "closed"}).innerHTML = '<button id=inner>a</button><button data-testid=inner>b</button><input name=inner><button>In closed</button>'</script>`))
	snap, err := page.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	locators, month := 0, ""
	for _, ref := range snap.Refs {
		selector := fmt.Sprintf("@%d", ref.BackendNodeID)
		if n, err := page.Locator(selector).Count(ctx); err != nil || n != 1 {
			t.Errorf("%s %s %q: %d, %v", selector, ref.Role, ref.Name, n, err)
		}
		if ref.Loc != "" {
			locators++
			if n, err := page.Locator("loc=" + ref.Loc).Count(ctx); err != nil || n != 1 {
				t.Errorf("loc=%s: %d, %v", ref.Loc, n, err)
			}
		}
		if strings.HasPrefix(ref.Name, "Month") {
			month = selector // the last: of #day
		}
	}
	if locators < 5 || month == "" {
		t.Fatalf("%d locators, month %q:\n%s", locators, month, snap.Content)
	}
	if err := page.Locator(month).PressSequentially(ctx, "02032024", 0, 0); err != nil {
		t.Error(err)
	}
	if v := mustEvaluate(t, ctx, page, "day.value"); v != `"2024-02-03"` {
		t.Errorf("the date is %s", v)
	}
}

// Names are compared as they are read, and by the page's regular expressions.
func TestRoleNamesAsRead(t *testing.T) {
	page, ctx := newTestPage(t, html(`<a href=/x>Daten&shy;schutz</a><button>Save&#8203;draft</button><button>Caf&eacute; one</button>`))
	regex := func(source string) *TextPattern { return &TextPattern{Regex: &source} }
	for _, tt := range []struct {
		role string
		name *TextPattern
		want int
	}{
		{"link", &TextPattern{Text: "Datenschutz", Exact: true}, 1}, {"link", &TextPattern{Text: "daten\u00adschutz"}, 1}, {"link", regex("^Datenschutz$"), 1},
		{"button", &TextPattern{Text: "Savedraft"}, 1}, {"button", regex(`^(?!Save)`), 1}, {"button", regex(`caf\u00e9`), 0}, {"button", regex(`Caf\u00e9 (?=one)`), 1}, {"link", regex("x"), 0},
	} {
		if n, err := page.GetByRole(tt.role, RoleOptions{Name: tt.name}).Count(ctx); err != nil || n != tt.want {
			t.Errorf("%s %s: %d, %v, want %d", tt.role, encode(tt.name), n, err, tt.want)
		}
	}
	var bad *ElementError
	if _, err := page.GetByRole("menu", RoleOptions{Name: regex("(")}).TextContent(ctx, 0); !errors.As(err, &bad) || !bad.Permanent || !strings.Contains(bad.Reason, "Invalid selector") {
		t.Errorf("a broken expression: %v", err)
	}
}

// A document that is written anew loses its listeners, and those of egod with them.
func TestElementsOfAWrittenDocument(t *testing.T) {
	page, ctx := newTestPage(t, html(`<iframe id=f></iframe>`))
	mustEvaluate(t, ctx, page, `for (const doc of [f.contentDocument, document]) { doc.open(); doc.write("<title>new</title><p id=p>text</p><iframe id=g></iframe>"); doc.close(); } 0`)
	mustEvaluate(t, ctx, page, `g.contentDocument.open(); g.contentDocument.write("<p id=p>inner</p>"); g.contentDocument.close(); 0`)
	for selector, want := range map[string]string{"#p": `"text"`, FrameSelector("#g", "#p"): `"inner"`} {
		l := page.Locator(selector)
		if v, err := l.Evaluate(ctx, "(el) => el.textContent", nil, 0); err != nil || string(v) != want {
			t.Errorf("%s: %s, %v", selector, v, err)
		}
		if v, err := l.EvaluateAll(ctx, "(els) => els.length", nil); err != nil || string(v) != "1" {
			t.Errorf("all of %s: %s, %v", selector, v, err)
		}
		if err := l.DispatchEvent(ctx, "click", nil, 0); err != nil {
			t.Error(err)
		}
	}
}

// Inputs that hold a value of a kind take it in any writing, and keep what they have
// when it is none of theirs.
func TestFillWritings(t *testing.T) {
	page, ctx := newTestPage(t, html(`<input id=i><script>let events = []; for (const type of ["input", "change"]) i.addEventListener(type, () => events.push(type))</script>`))
	for _, tt := range []struct{ kind, old, value, want string }{
		{"datetime-local", "2020-01-01T00:00", "2024-01-02T03:04:00", "2024-01-02T03:04"}, {"datetime-local", "2020-01-01T00:00", "2024-01-02 03:04", "2024-01-02T03:04"},
		{"time", "01:02", "10:11:00", "10:11:00"}, {"date", "2020-01-01", " 2024-02-29 ", "2024-02-29"}, {"date", "2020-01-01", "2023-02-29", ""}, {"date", "2020-01-01", "", "-"},
		{"month", "2020-01", "2024-13", ""}, {"week", "2020-W01", "2024-W07", "2024-W07"}, {"range", "3", "7.0", "7"}, {"range", "3", "700", ""}, {"range", "3", "", ""},
		{"color", "#112233", " #AABBCC ", "#aabbcc"}, {"color", "#112233", "no colour", ""},
	} {
		mustEvaluate(t, ctx, page, fmt.Sprintf(`i.type = %q; i.value = %q; events = []; 0`, tt.kind, tt.old))
		err := page.Locator("#i").Fill(ctx, tt.value, FillOptions{})
		want := encode(tt.want) + `,["input","change"]`
		switch tt.want {
		case "-":
			want = `"",["input","change"]`
		case "":
			want = encode(tt.old) + `,[]`
		}
		if got := mustEvaluate(t, ctx, page, "[i.value, events]"); got != "["+want+"]" || (err == nil) == (tt.want == "") {
			t.Errorf("%s %q: %s, %v, want %s", tt.kind, tt.value, got, err, want)
		}
	}
}

// A press that is called off in the middle leaves nothing held.
func TestCalledOffPressLetsGo(t *testing.T) {
	page, ctx := newTestPage(t, html(`<input id=i autofocus><script>let seen = ""; for (const type of ["keydown", "mousedown", "mouseup"]) addEventListener(type, (e) => { seen += (e.key || type) + " " })</script>`))
	if err := page.Locator("#i").Focus(ctx, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sign  string
		press func(context.Context) error
	}{
		{"B", func(ctx context.Context) error { return page.KeyPress(ctx, "Shift+b", time.Hour) }},
		{"mousedown", func(ctx context.Context) error { // takes the focus from the field
			return page.MouseClick(ctx, Point{5, 5}, MouseOptions{Delay: time.Hour})
		}},
	} {
		short, callOff := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() { done <- c.press(short) }()
		ok, err := page.WaitForFunction(ctx, Script{Expression: "seen.includes(" + quote(c.sign+" ") + ")"}, 0, 0)
		callOff()
		if pressed := <-done; err != nil || string(ok) != "true" || !errors.Is(pressed, context.Canceled) {
			t.Errorf("%s: seen %s, %v; the press ended with %v", c.sign, ok, err, pressed)
		}
	}
	if ok, err := page.WaitForFunction(ctx, Script{Expression: `seen.includes("mouseup")`}, 0, 0); err != nil || string(ok) != "true" {
		t.Errorf("the button is held: %s, %v", ok, err)
	}
	if err := page.Locator("#i").PressSequentially(ctx, "c", 0, 0); err != nil {
		t.Fatal(err)
	}
	if v, err := page.Locator("#i").InputValue(ctx, 0); err != nil || v != "Bc" {
		t.Errorf("%q, %v", v, err)
	}
}
