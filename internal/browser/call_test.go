package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCallAcceptsEveryFunctionForm(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>t</title>"))
	for _, source := range []string{
		"function(args){return args.n}",
		"async function(args){return args.n} // done",
		"async (a)=>a.n;\n",
		"({n}) => n",
		"(function named(a){ return a.n })",
		"\uFEFFasync (a) => a.n",
		"/* lead */ // line\n  (a) => a.n /* trail */ // more",
		"\"use strict\";\nfunction(a){ return this === undefined ? a.n : 'sloppy' }",
		"'use strict'\nfunction(a){ return this === undefined ? a.n : 'sloppy' }",
		"/* lead */ \"use strict\" /* mid */ ; // line\r\n(a) => a.n;;",
		"(a) => a.n\n//# sourceMappingURL=x.js.map",
		"async (a) => { const s = `// ${'}'}`; return a.n }",
		"(a) => /[/]\\/*/.test('//') ? a.n : a.n",
	} {
		out, err := page.Call(ctx, Function{Source: source, Args: json.RawMessage(`{"n":5}`), Name: "browser-tools/x.js"})
		if err != nil || string(out.Value) != "5" {
			t.Errorf("%q: %s, %v", source, out.Value, err)
		}
	}
}

func TestCallSyntaxErrors(t *testing.T) {
	page, ctx := newTestPage(t, "")
	tests := []struct {
		source       string
		line, column int
		message      string
	}{
		{"export default function(){}", 1, 1, "Unexpected token 'export'"},
		{"// lead\n(a) => {\n  return [1 2];\n}", 3, 13, "Unexpected number"},
		{"\uFEFF\"use strict\"; (a) => { with (a) {} }", 1, 24, "Strict mode code may not include a with statement"},
		{"(a) => {", 1, 9, ""},
		{"function(){} function(){}", 1, 14, "Unexpected token 'function'"},
		{"", 1, 1, ""},
	}
	for _, tt := range tests {
		_, err := page.Call(ctx, Function{Source: tt.source, Name: "browser-tools/x.js"})
		var got *EvalError
		if !errors.As(err, &got) {
			t.Errorf("%q: %v, want an EvalError", tt.source, err)
			continue
		}
		if !got.Syntax || got.Name != "SyntaxError" || got.File != "browser-tools/x.js" || got.Line != tt.line || got.Column != tt.column ||
			!strings.HasPrefix(got.Message, tt.message) {
			t.Errorf("%q: %+v", tt.source, *got)
		}
	}
}

func TestCallCollectsConsoleAndDialogs(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>the title</title>"))
	source := `async () => {
		console.log("a", 1, {x: "y"}, [1, 2]); console.warn("w"); console.error(new Error("e").message); console.debug(undefined, null, -0);
		alert("hey"); const sure = confirm("sure?"); const name = prompt("name?", "bob");
		return { sure, name };
	}`
	out, err := page.Call(ctx, Function{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"sure": false, "name": nil}, decode(t, out.Value)); diff != "" {
		t.Error(diff)
	}
	var logs []string
	for _, l := range out.Logs {
		logs = append(logs, l.Level+" "+l.Message)
	}
	wantLogs := []string{`log a 1 {x: "y"} [1, 2]`, "warn w", "error e", "debug undefined null -0"}
	if diff := cmp.Diff(wantLogs, logs); diff != "" {
		t.Error(diff)
	}
	wantDialogs := []Dialog{
		{Type: "alert", Message: "hey", Action: "dismissed"},
		{Type: "confirm", Message: "sure?", Action: "dismissed"},
		{Type: "prompt", Message: "name?", DefaultValue: "bob", Action: "dismissed"},
	}
	for i := range out.Dialogs {
		out.Dialogs[i].URL = ""
	}
	if diff := cmp.Diff(wantDialogs, out.Dialogs); diff != "" {
		t.Error(diff)
	}
	if out.Title != "the title" || !strings.HasPrefix(out.URL, shared.server.URL) {
		t.Errorf("page of the outcome: %q %q", out.URL, out.Title)
	}
}

func TestCallKeepsLogsOfAFailure(t *testing.T) {
	page, ctx := newTestPage(t, "")
	out, err := page.Call(ctx, Function{Source: `() => { console.info("before"); throw new Error("boom") }`})
	var thrown *EvalError
	if !errors.As(err, &thrown) || len(out.Logs) != 1 || out.Logs[0].Message != "before" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestCallOnPageThatAlertsOnLoad(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x</p><script>alert('on load')</script>"))
	out, err := page.Call(ctx, Function{Source: `() => document.querySelector("p").textContent`})
	if err != nil || string(out.Value) != `"x"` {
		t.Errorf("%s, %v", out.Value, err)
	}
}

// A dialog that opens later must not hang later calls.
func TestLateDialogDoesNotHangLaterCalls(t *testing.T) {
	page, ctx := newTestPage(t, "")
	if _, err := page.Call(ctx, Function{Source: `() => { setTimeout(() => confirm("x"), 0) }`}); err != nil {
		t.Fatal(err)
	}
	out, err := page.Call(ctx, Function{Source: `() => new Promise(r => setTimeout(() => r(7), 20))`})
	if err != nil || string(out.Value) != "7" {
		t.Errorf("%s, %v", out.Value, err)
	}
}

func TestBeforeUnloadDoesNotHoldNavigation(t *testing.T) {
	page, ctx := newTestPage(t, html(`<script>onbeforeunload = (e) => { e.preventDefault(); return "stay" }</script><button>b</button>`))
	if err := page.session.call(ctx, evaluateWithGesture{Expression: "1", UserGesture: true}, nil); err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, page, shared.server.URL+html("<title>next</title>"))
	if title, err := page.Title(ctx); err != nil || title != "next" {
		t.Errorf("title %q, %v", title, err)
	}
}

// evaluateWithGesture counts as a user's action, without which beforeunload asks nothing.
type evaluateWithGesture struct {
	Expression  string `json:"expression"`
	UserGesture bool   `json:"userGesture"`
}

func (evaluateWithGesture) ProtoReq() string { return "Runtime.evaluate" }

func TestCallAsksAllowWithTheDocumentsURL(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	ask := func() (string, error) {
		var asked string
		_, err := page.Call(ctx, Function{Source: "() => 1", Allow: func(url string) error { asked = url; return nil }})
		return asked, err
	}
	if asked, err := ask(); err != nil || asked != shared.server.URL+html("<p>x") {
		t.Errorf("asked %q, %v", asked, err)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: `history.pushState({}, "", "/html?pushed")`}); err != nil {
		t.Fatal(err)
	}
	if asked, err := ask(); err != nil || asked != shared.server.URL+"/html?pushed" {
		t.Errorf("after pushState: asked %q, %v", asked, err)
	}
	mustGoto(t, ctx, page, shared.server.URL+"/html?body=next")
	if asked, err := ask(); err != nil || asked != shared.server.URL+"/html?body=next" {
		t.Errorf("after goto: asked %q, %v", asked, err)
	}
	denied := errors.New("not this host")
	_, err := page.Call(ctx, Function{Source: "() => 1", Allow: func(string) error { return denied }})
	if !errors.Is(err, denied) {
		t.Errorf("denied call: %v", err)
	}
}

// The document that was allowed went away: the tool must not run in the next one.
func TestCallDoesNotRunInAnotherDocument(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>first"))
	_, err := page.Call(ctx, Function{
		Source: `() => { document.title = "ran" }`,
		Allow: func(string) error {
			mustGoto(t, ctx, page, shared.server.URL+html("<title>second</title>"))
			return nil
		},
	})
	var moved *PageError
	if !errors.As(err, &moved) {
		t.Errorf("error = %v, want a PageError", err)
	}
	if title, err := page.Title(ctx); err != nil || title != "second" {
		t.Errorf("title %q, %v", title, err)
	}
}

func TestCallThatNavigates(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>first"))
	source := fmt.Sprintf(`async () => { location.href = %q; await new Promise(() => {}) }`, html("<title>second</title>"))
	_, err := page.Call(ctx, Function{Source: source})
	var moved *PageError
	if !errors.As(err, &moved) || !strings.Contains(err.Error(), "navigated") {
		t.Errorf("error = %v, want a PageError about the navigation", err)
	}
	if _, err := page.WaitForLoadState(ctx, StateLoad, LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	if title, err := page.Title(ctx); err != nil || title != "second" {
		t.Errorf("title %q, %v", title, err)
	}
}

func TestCallDeadline(t *testing.T) {
	page, ctx := newTestPage(t, "")
	for _, source := range []string{"() => { for (;;) {} }", "() => new Promise(() => {})"} {
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		_, err := page.Call(short, Function{Source: source})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", source, err)
		}
		if out, err := page.Call(ctx, Function{Source: "() => 3"}); err != nil || string(out.Value) != "3" {
			t.Errorf("after %s: %s, %v", source, out.Value, err)
		}
	}
}

func TestCallBoundsItsLogs(t *testing.T) {
	page, ctx := newTestPage(t, "")
	out, err := page.Call(ctx, Function{Source: fmt.Sprintf(`() => { for (let i = 0; i < %d; i++) console.log(i) }`, collectLimit+5)})
	if err != nil {
		t.Fatal(err)
	}
	last := out.Logs[len(out.Logs)-1]
	if len(out.Logs) != collectLimit+1 || last.Level != "warn" || last.Message != "5 more console messages were dropped" {
		t.Errorf("%d messages, the last is %+v", len(out.Logs), last)
	}
}
