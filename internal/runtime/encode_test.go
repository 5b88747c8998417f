package runtime

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestResultsAreTaggedJSON(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ source, want string }{
		{`return undefined`, `null`},
		{`return null`, `null`},
		{``, `null`},
		{`return NaN`, `{"$type":"number","value":"NaN"}`},
		{`return [Infinity, -Infinity, -0, 0, 1.5, 1e21, 1e-7]`, `[{"$type":"number","value":"Infinity"},{"$type":"number","value":"-Infinity"},{"$type":"number","value":"-0"},0,1.5,1e+21,1e-7]`},
		{`return 2**53 + 2`, `9007199254740994`},
		{`return {a: 10n}`, `{"a":{"$type":"bigint","value":"10"}}`},
		{`return {u: undefined, a: [undefined, , 1]}`, `{"u":null,"a":[null,null,1]}`},
		{`return new Date(0)`, `"1970-01-01T00:00:00.000Z"`},
		{`let read = 0; return {get g() { return ++read }, get h() { return ++read }}`, `{"g":1,"h":2}`},
		{`return [new Date(NaN)]`, `[{"$type":"date","value":"Invalid Date"}]`},
		{`return new Map([["a", new Map([[{k: 1}, -0]])]])`, `{"$type":"map","value":[["a",{"$type":"map","value":[[{"k":1},{"$type":"number","value":"-0"}]]}]]}`},
		{`return new Set([1, "b", undefined])`, `{"$type":"set","value":[1,"b",null]}`},
		{`return /a\/b/gi`, `{"$type":"regexp","value":"/a\\/b/gi"}`},
		{`return [new Uint8Array([1, 2]), new Float64Array([0.5, NaN]), new BigInt64Array([5n]), new Uint8Array([7]).buffer, Buffer.from("a"), new DataView(new ArrayBuffer(1))]`,
			`[[1,2],[0.5,{"$type":"number","value":"NaN"}],[{"$type":"bigint","value":"5"}],[7],[97],[0]]`},
		{`return {toJSON() { return {x: 1} }}`, `{"x":1}`},
		{`return {a: {toJSON(key) { return key }}}`, `{"a":"a"}`},
		{`return [Object(1), Object("s"), Object(true), Object(3n)]`, `[1,"s",true,{"$type":"bigint","value":"3"}]`},
		{`return new (class Foo { x = 1; get y() { return 2 } #z = 3 })()`, `{"x":1}`},
		{`return Object.create({inherited: 1}, {own: {value: 2, enumerable: true}, hidden: {value: 3}})`, `{"own":2}`},
		{`return Object.assign(Object.create(null), {a: 1})`, `{"a":1}`},
		{`return new URL("https://a.b/c")`, `"https://a.b/c"`},
		{`return "\ud83d x"`, `"` + "\ufffd" + ` x"`},
		{`return {"\ud83d": 1, "b\udc00": {"c": "\udc00"}}`, `{"` + "\ufffd" + `":1,"b` + "\ufffd" + `":{"c":"` + "\ufffd" + `"}}`},
		{`return "\ud83d\ude00 \u2028 \u0000 \" \\ \n"`, `"😀 ` + "\u2028" + ` \u0000 \" \\ \n"`},
		{`const o = {}; return [o, o]`, `[{},{}]`},
		{`return {[Symbol("s")]: 1, a: 2}`, `{"a":2}`},
		{`return {"": 1, "a b": {"": 2}}`, `{"":1,"a b":{"":2}}`},
		{`return new Proxy({a: 1}, {})`, `{"a":1}`},
		{`return new Proxy([1, 2], {})`, `[1,2]`},
		{`return (function () { return arguments })(1, 2)`, `{"0":1,"1":2}`},
		{`return {then: 5}`, `{"then":5}`},
		{`return {then(resolve) { resolve("adopted") }}`, `"adopted"`},
		{`let d = 1; for (let i = 0; i < 999; i++) d = [d]; return d`, strings.Repeat("[", 999) + "1" + strings.Repeat("]", 999)},
	}
	for _, tt := range tests {
		got := value(t, p, tt.source)
		if got != tt.want {
			t.Errorf("%s\n   got %s\n  want %s", tt.source, got, tt.want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: %s is not JSON", tt.source, got)
		}
	}
}

func TestErrorsAsResults(t *testing.T) {
	p := newTestPool(t)
	var got struct {
		Type, Name, Message, Stack string
	}
	text := value(t, p, `return new TypeError("m")`)
	if err := json.Unmarshal([]byte(strings.Replace(text, "$type", "type", 1)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Type != "error" || got.Name != "TypeError" || got.Message != "m" || got.Stack != "TypeError: m\n    at run (tools/t.js:2:8)" {
		t.Errorf("got %+v", got)
	}
}

func TestStacksTellWhatStandsBehindAnError(t *testing.T) {
	p := newTestPool(t)
	_, err := run(t, p, Request{Program: body("throw new AggregateError([new Error(\"a\", {cause: {b: 1}}), 5], \"many\")")})
	var se *ScriptError
	const want = "AggregateError: many\n    at run (tools/t.js:2:7)\n  [errors]: Error: a\n      at run (tools/t.js:2:27)\n    [cause]: { b: 1 }\n  [errors]: 5"
	if !errors.As(err, &se) || se.Stack != want {
		t.Errorf("error %+v,\n want stack %q", err, want)
	}
	got := value(t, p, "const e = new Error(\"x\"); e.cause = e; return e")
	if n := strings.Count(got, "[cause]"); n == 0 || n > 5 {
		t.Errorf("an error that is its own cause gave %s", got)
	}
}

func TestResultsWithoutJSONFormAreRefused(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ source, path, reason string }{
		{`const a = {b: {}}; a.b.c = a; return a`, "$.b.c", "contains itself"},
		{`const a = []; a[0] = a; return {x: a}`, "$.x[0]", "contains itself"},
		{`const m = new Map(); m.set("k", m); return m`, "$[0][1]", "contains itself"},
		{`return {a: {b: () => 1}}`, "$.a.b", "function"},
		{`return () => 1`, "$", "function"},
		{`return class {}`, "$", "function"},
		{`return [Symbol("x")]`, "$[0]", "symbol"},
		{`return {p: Promise.resolve(1)}`, "$.p", "promise"},
		{`return {s: Object(Symbol("x"))}`, "$.s", "symbol"},
		{`return {"": {a: () => 1}}`, `$[""].a`, "function"},
		{`return new AbortController()`, "$", "an AbortController"},
		{`return {"a b": {p: [new WeakMap()]}}`, `$["a b"].p[0]`, "WeakMap"},
		{`return [1, 2].values()`, "$", "Iterator"},
		{`return (function* () {})()`, "$", "Generator"},
		{`return new URLSearchParams("a=1")`, "$", "URLSearchParams"},
		{`let d = 1; for (let i = 0; i < 1001; i++) d = {d}; return d`, "$.d.d.d", "deeper than 1000"},
		{`let d = 1; for (let i = 0; i < 200000; i++) d = [d]; return d`, "$[0][0]", "deeper than 1000"},
	}
	for _, tt := range tests {
		_, err := run(t, p, Request{Program: body(tt.source)})
		var re *ResultError
		if !errors.As(err, &re) {
			t.Errorf("%s: error %v, want a ResultError", tt.source, err)
			continue
		}
		if !strings.HasPrefix(re.Path, tt.path) || !strings.Contains(re.Reason, tt.reason) || len(re.Path) > 250 {
			t.Errorf("%s: %q %q, want %q %q", tt.source, re.Path, re.Reason, tt.path, tt.reason)
		}
	}
}

func TestResultWhoseMembersThrow(t *testing.T) {
	p := newTestPool(t)
	for _, source := range []string{
		`return {get a() { throw new RangeError("getter") }}`,
		`return {toJSON() { throw new RangeError("getter") }}`,
		`return new Proxy({}, {ownKeys() { throw new RangeError("getter") }})`,
	} {
		_, err := run(t, p, Request{Program: body(source)})
		var se *ScriptError
		if !errors.As(err, &se) || se.Name != "RangeError" || se.Message != "getter" {
			t.Errorf("%s: error %v", source, err)
		}
	}
}

func TestAppendJSONString(t *testing.T) {
	for _, s := range []string{"", "a", "\"\\\n\r\t\x00\x1f", "ü€😀\u2028", "a\xffb\xc3", "\xed\xa0\x80"} {
		var got string
		if err := json.Unmarshal(appendJSONString(nil, s), &got); err != nil {
			t.Errorf("%q: %v", s, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); got != want && s != "\xed\xa0\x80" {
			t.Errorf("%q became %q", s, got)
		}
	}
}
