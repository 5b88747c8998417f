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

func decode(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s is not JSON: %v", text, err)
	}
	return v
}

func TestEvaluateValues(t *testing.T) {
	page, ctx := newTestPage(t, html(`<button id="a">x</button>`))
	tests := []struct{ name, script, want string }{
		{"undefined", `undefined`, `null`},
		{"null", `null`, `null`},
		{"NaN", `NaN`, `{"$type":"number","value":"NaN"}`},
		{"Infinity", `Infinity`, `{"$type":"number","value":"Infinity"}`},
		{"negative Infinity", `-Infinity`, `{"$type":"number","value":"-Infinity"}`},
		{"negative zero", `-0`, `{"$type":"number","value":"-0"}`},
		{"bigint", `10n`, `{"$type":"bigint","value":"10"}`},
		{"big number", `1e21`, `1e+21`},
		{"string", `"a\u2028\"b"`, "\"a\u2028\\\"b\""},
		{"lone surrogate", `"\ud83d x"`, `"\ufffd x"`},
		{"surrogate pair", `"\ud83d\ude00"`, `"😀"`},
		{"date", `new Date(0)`, `"1970-01-01T00:00:00.000Z"`},
		{"invalid date", `new Date(NaN)`, `{"$type":"date","value":"Invalid Date"}`},
		{"nested", `({a:[undefined,NaN,-0,{b:1n}]})`, `{"a":[null,{"$type":"number","value":"NaN"},{"$type":"number","value":"-0"},{"b":{"$type":"bigint","value":"1"}}]}`},
		{"surrogate key", `({"\ud800k":"\udfff"})`, `{"\ufffdk":"\ufffd"}`},
		{"escaped backslash before u", `"\\ud83d"`, `"\\ud83d"`},
		{"map", `new Map([["a",1],[{k:2},new Set([1])]])`, `{"$type":"map","value":[["a",1],[{"k":2},{"$type":"set","value":[1]}]]}`},
		{"regexp", `/a\/b/gi`, `{"$type":"regexp","value":"/a\\/b/gi"}`},
		{"node", `document.querySelector("button")`, `{"$type":"node","value":"<button id=\"a\">"}`},
		{"text node", `document.querySelector("button").firstChild`, `{"$type":"node","value":"#text \"x\""}`},
		{"document", `document`, `{"$type":"node","value":"#document"}`},
		{"node list", `document.querySelectorAll("button")`, `[{"$type":"node","value":"<button id=\"a\">"}]`},
		{"typed array", `new Float64Array([1,NaN])`, `[1,{"$type":"number","value":"NaN"}]`},
		{"bytes", `new Uint8Array([1,2]).buffer`, `[1,2]`},
		{"toJSON", `({toJSON(){return {x:1}}})`, `{"x":1}`},
		{"url", `new URL("http://a.test/b")`, `"http://a.test/b"`},
		{"class instance", `(()=>{class A{x=1;#y=2;get z(){return 3}};return new A})()`, `{"x":1}`},
		{"boxed", `[Object(1),Object("s"),Object(false)]`, `[1,"s",false]`},
		{"empty", `[{},[],""]`, `[{},[],""]`},
		{"__proto__ key", `JSON.parse('{"__proto__":{"a":1}}')`, `{"__proto__":{"a":1}}`},
		{"null prototype", `Object.create(null,{a:{value:1,enumerable:true}})`, `{"a":1}`},
		{"shared, not cyclic", `(()=>{const a={};return [a,a]})()`, `[{},{}]`},
		{"promise", `Promise.resolve({a:1})`, `{"a":1}`},
		{"thenable", `({then(f){f(7)}})`, `7`},
		{"statements", `var q=1; q+1`, `2`},
		{"block", `{a:1}`, `1`},
		{"object in parentheses", `({a:1})`, `{"a":1}`},
		{"top-level return", `const a=[1]; return a.concat(2)`, `[1,2]`},
		{"return in a block", `if (true) { return 5 }`, `5`},
		{"return in a nested function", `[1,2].map(function(x){return x*2})`, `[2,4]`},
		{"return in a string", `"return 1"`, `"return 1"`},
		{"return in a comment", `/* return */ 3 // return`, `3`},
		{"return in an identifier", `var returned=4; returned`, `4`},
		{"function is called", `() => 42`, `42`},
		{"function in parentheses is called", ` /* a */ ( (function () { return 43 }) /* b */ ) ; // c`, `43`},
		{"function of an assignment is not called", `globalThis.kept = () => { globalThis.called = true }`, `{}`},
		{"function that a name stands for is not called", `kept`, `{}`},
		{"nothing was called", `globalThis.called`, `null`},
		{"function of a comma is not called", `1, () => 2`, `{}`},
		{"function that the page has is not called", `document.createElement`, `{}`},
		{"named function is called", `function f() { return this === undefined || this === window }`, `true`},
		{"async function is called", `async () => ({a: await 1})`, `{"a":1}`},
		{"trailing comment", `1 // one`, `1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := page.Evaluate(ctx, Script{Expression: tt.script})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, []byte(tt.want)), decode(t, got)); diff != "" {
				t.Errorf("got %s (-want +got):\n%s", got, diff)
			}
		})
	}
}

func TestEvaluateErrorValue(t *testing.T) {
	page, ctx := newTestPage(t, "")
	got, err := page.Evaluate(ctx, Script{Expression: `({e: new TypeError("boom")})`})
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		E struct {
			Type    string `json:"$type"`
			Name    string `json:"name"`
			Message string `json:"message"`
			Stack   string `json:"stack"`
		} `json:"e"`
	}
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	if v.E.Type != "error" || v.E.Name != "TypeError" || v.E.Message != "boom" || !strings.Contains(v.E.Stack, "boom") {
		t.Errorf("got %s", got)
	}
}

func TestEvaluateRefusesWhatJSONLacks(t *testing.T) {
	page, ctx := newTestPage(t, "")
	tests := []struct{ name, script, path, reason string }{
		{"function", `({a:{b(){}}})`, "$.a.b", "a function"},
		{"symbol", `[1,Symbol("x")]`, "$[1]", "a symbol"},
		{"top symbol", `Symbol("x")`, "$", "a symbol"},
		{"cycle", `(()=>{const o={a:{}};o.a.b=o;return o})()`, "$.a.b", "contains itself"},
		{"promise inside", `({p:Promise.resolve(1)})`, "$.p", "a promise"},
		{"odd key", `({"x y":()=>1})`, `$["x y"]`, "a function"},
		{"map value", `new Map([["k",()=>1]])`, "$[0][1]", "a function"},
		{"throwing getter", `({a:{get b(){throw new Error("no")}}})`, "$.a", "no"},
		{"throwing proxy", `({p:new Proxy({},{ownKeys(){throw new Error("trap")}})})`, "$.p", "trap"},
		{"weak map", `({w:new WeakMap})`, "$.w", "WeakMap"},
		{"iterator", `({i:[1].values()})`, "$.i", "an Array Iterator"},
		{"abort controller", `[new AbortController()]`, "$[0]", "an AbortController"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := page.Evaluate(ctx, Script{Expression: tt.script})
			var invalid *ResultError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %s, %v; want a ResultError", got, err)
			}
			if invalid.Path != tt.path || !strings.Contains(invalid.Reason, tt.reason) {
				t.Errorf("got %q at %s, want %q at %s", invalid.Reason, invalid.Path, tt.reason, tt.path)
			}
		})
	}
	for _, script := range []string{
		`window`,
		`(()=>{let o={};for(let i=0;i<2000;i++)o={o};return o})()`,
	} {
		var invalid *ResultError
		if got, err := page.Evaluate(ctx, Script{Expression: script}); !errors.As(err, &invalid) {
			t.Errorf("%s: got %.80s, %v; want a ResultError", script, got, err)
		}
	}
}

func TestEvaluateDepth(t *testing.T) {
	page, ctx := newTestPage(t, "")
	deep := func(n string) Script {
		return Script{Function: `(n) => { let a = []; for (let i = 1; i < n; i++) a = [a]; return a }`, Arg: json.RawMessage(n)}
	}
	got, err := page.Evaluate(ctx, deep("1000"))
	if err != nil || strings.Count(string(got), "[") != 1000 {
		t.Errorf("1,000 levels: %.40s, %v", got, err)
	}
	var invalid *ResultError
	if _, err := page.Evaluate(ctx, deep("1001")); !errors.As(err, &invalid) {
		t.Errorf("1,001 levels: %v; want a ResultError", err)
	}
}

// A page that replaced the built-ins must not change what comes out of it.
func TestEvaluateOnHostilePage(t *testing.T) {
	hostile := `<script>
		Object.prototype.toJSON = Array.prototype.toJSON = () => "patched";
		for (const [owner, names] of [[Object, ["keys","entries","getPrototypeOf","setPrototypeOf"]], [Array, ["isArray"]],
			[Array.prototype, ["map","forEach","push","join","includes"]], [JSON, ["stringify","parse"]],
			[Set.prototype, ["has","delete","forEach"]], [Map.prototype, ["forEach","get"]],
			[Date.prototype, ["toISOString","getTime","toJSON"]], [RegExp.prototype, ["exec","test","toString"]],
			[Promise.prototype, ["then","catch"]], [Function.prototype, ["call","apply","bind"]],
			[EventTarget.prototype, ["dispatchEvent","addEventListener"]], [Event.prototype, ["composedPath"]],
			[Document.prototype, ["querySelectorAll","querySelector"]], [Element.prototype, ["getAttribute","querySelectorAll"]]])
			for (const name of names) owner[name] = function () { throw new Error("patched " + name) };
		Object.defineProperty(Array.prototype, 0, { set() { throw new Error("patched setter") }, configurable: true });
		window.String = window.Error = window.Promise = null;
	</script><p class=x>one</p><p class=x>two</p>`
	page, ctx := newTestPage(t, html(hostile))
	got, err := page.Evaluate(ctx, Script{
		Function: `async (arg) => ({ arg, list: [1, [2]], date: new Date(0), re: /x/g, set: new Set([1]), map: new Map([[1, 2]]), n: NaN, node: document.body })`,
		Arg:      json.RawMessage(`{"a":[1]}`),
	})
	want := `{"arg":{"a":[1]},"list":[1,[2]],"date":"1970-01-01T00:00:00.000Z","re":{"$type":"regexp","value":"/x/g"},` +
		`"set":{"$type":"set","value":[1]},"map":{"$type":"map","value":[[1,2]]},"n":{"$type":"number","value":"NaN"},"node":{"$type":"node","value":"<body>"}}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	got, err = page.Locator("p.x").EvaluateAll(ctx, `(els) => els[0].textContent + els[1].textContent + els.length`, nil)
	if err != nil || string(got) != `"onetwo2"` {
		t.Errorf("evaluateAll: %s, %v", got, err)
	}
	if n, err := page.Locator("p.x").Count(ctx); err != nil || n != 2 {
		t.Errorf("count: %d, %v", n, err)
	}
	var thrown *EvalError
	if _, err := page.Evaluate(ctx, Script{Function: `() => { throw {code: 5} }`}); !errors.As(err, &thrown) || string(thrown.Value) != `{"code":5}` {
		t.Errorf("thrown object: %v", err)
	}
}

func TestEvaluateExceptions(t *testing.T) {
	page, ctx := newTestPage(t, "")
	tests := []struct {
		name   string
		script Script
		want   EvalError
	}{
		{"error in a script", Script{Expression: "1;\n  throw new RangeError('js boom')", Name: "a.js"},
			EvalError{Name: "RangeError", Message: "js boom", Line: 2, Column: 3, File: "a.js"}},
		{"string thrown", Script{Expression: "throw 'primitive boom'", Name: "a.js"},
			EvalError{Message: "primitive boom", Value: []byte(`"primitive boom"`), Line: 1, Column: 1, File: "a.js"}},
		{"object thrown", Script{Expression: "throw {code: 7}", Name: "a.js"},
			EvalError{Message: "Object", Value: []byte(`{"code":7}`), Line: 1, Column: 1, File: "a.js"}},
		{"undefined thrown", Script{Function: "() => { throw undefined }"}, EvalError{Message: "undefined", Value: []byte("null")}},
		{"error in a function", Script{Function: "() => {\n\n    null.x\n}", Name: "b.js"},
			EvalError{Name: "TypeError", Message: "Cannot read properties of null (reading 'x')", Line: 3, Column: 10, File: "b.js"}},
		{"error on the first line", Script{Function: "async () => { throw new Error('e') }", Name: "b.js"},
			EvalError{Name: "Error", Message: "e", Line: 1, Column: 15, File: "b.js"}},
		{"rejection after an await", Script{Function: "async () => {\n  await 1;\n  throw new Error('late')\n}", Name: "b.js"},
			EvalError{Name: "Error", Message: "late", Line: 3, Column: 3, File: "b.js"}},
		{"rejected with a value", Script{Function: "() => Promise.reject([1])"}, EvalError{Message: "Array", Value: []byte("[1]")}},
		{"syntax error in a script", Script{Expression: "let a =\n  ;", Name: "c.js"},
			EvalError{Name: "SyntaxError", Message: "Unexpected token ';'", Line: 2, Column: 3, File: "c.js", Syntax: true}},
		{"syntax error in a function", Script{Function: "() => {\n  let let = 1;\n}", Name: "c.js"},
			EvalError{Name: "SyntaxError", Message: "let is disallowed as a lexically bound name", Line: 2, Column: 7, File: "c.js", Syntax: true}},
		{"not a function", Script{Function: "42", Name: "c.js"},
			EvalError{Name: "TypeError", Message: "the source is not a function but a value of type number", Line: 1, Column: 1, File: "c.js"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := page.Evaluate(ctx, tt.script)
			var got *EvalError
			if !errors.As(err, &got) {
				t.Fatalf("error is %T: %v", err, err)
			}
			if got.Name != tt.want.Name || got.Message != tt.want.Message || got.Line != tt.want.Line || got.Column != tt.want.Column ||
				got.File != tt.want.File || string(got.Value) != string(tt.want.Value) || got.Syntax != tt.want.Syntax {
				t.Errorf("got  %+v\nwant %+v", *got, tt.want)
			}
			if strings.Contains(got.Stack, wrapperURL) || strings.Contains(got.Stack, page.chrome.scripts.token) {
				t.Errorf("the stack shows the wrapper: %s", got.Stack)
			}
		})
	}
}

func TestEvaluateUnderStrictCSP(t *testing.T) {
	page, ctx := newTestPage(t, "/html?csp=default-src+'none'&body=<p>x</p>")
	got, err := page.Evaluate(ctx, Script{Function: `async (a) => { await new Promise(r => setTimeout(r, 1)); return [a, document.querySelector("p").textContent] }`, Arg: json.RawMessage(`1`)})
	if err != nil || string(got) != `[1,"x"]` {
		t.Errorf("function: %s, %v", got, err)
	}
	got, err = page.Locator("p").EvaluateAll(ctx, `async (els) => { await null; return els.length }`, nil)
	if err != nil || string(got) != `1` {
		t.Errorf("evaluateAll: %s, %v", got, err)
	}
}

func TestEvaluateHugeString(t *testing.T) {
	page, ctx := newTestPage(t, "")
	got, err := page.Evaluate(ctx, Script{Expression: `"x".repeat(20 << 20)`})
	if err != nil || len(got) != 20<<20+2 {
		t.Errorf("script: %d bytes, %v", len(got), err)
	}
	got, err = page.Evaluate(ctx, Script{Function: `(s) => s.length`, Arg: json.RawMessage(`"` + strings.Repeat("y", 5<<20) + `"`)})
	if err != nil || string(got) != "5242880" {
		t.Errorf("argument: %s, %v", got, err)
	}
}

func TestEvaluateOtherTab(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>one</title>"))
	space := shared.manager.Space(t.Name())
	opened, err := space.OpenOrReuse(ctx, shared.server.URL+html("<title>two</title>"), OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := page.Evaluate(ctx, Script{Expression: "document.title", TargetID: opened.TargetID})
	if err != nil || string(got) != `"two"` {
		t.Errorf("got %s, %v", got, err)
	}
	var missing *PageError
	if _, err := page.Evaluate(ctx, Script{Expression: "1", TargetID: "nope"}); !errors.As(err, &missing) {
		t.Errorf("unknown target: %v", err)
	}
}

func TestDeadlineFreesALoopingPage(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x</p>"))
	for _, s := range []Script{{Expression: "for(;;){}"}, {Function: "() => { while (true) {} }"}} {
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		began := time.Now()
		_, err := page.Evaluate(short, s)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 300*time.Millisecond {
			t.Errorf("looping script: %v after %s", err, time.Since(began))
		}
		began = time.Now()
		got, err := page.Evaluate(ctx, Script{Expression: "document.querySelector('p').textContent"})
		if err != nil || string(got) != `"x"` || time.Since(began) > 2*time.Second {
			t.Errorf("next call: %s, %v after %s", got, err, time.Since(began))
		}
	}
}

func TestCancelLeavesPageUsable(t *testing.T) {
	page, ctx := newTestPage(t, "")
	cause := errors.New("the client left")
	short, cancel := context.WithCancelCause(ctx)
	started := time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	defer started.Stop()
	_, err := page.Evaluate(short, Script{Function: "() => new Promise(() => {})"})
	if !errors.Is(err, cause) {
		t.Errorf("error = %v, want the cause of the cancel", err)
	}
	if got, err := page.Evaluate(ctx, Script{Expression: "2"}); err != nil || string(got) != "2" {
		t.Errorf("next call: %s, %v", got, err)
	}
}
