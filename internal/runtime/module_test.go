package runtime

import (
	"errors"
	"strings"
	"testing"
)

func TestModuleForms(t *testing.T) {
	p := newTestPool(t)
	lib := map[string]string{
		"tools/post-data.js":  "export const a = 1, b = 2;\nexport default function named() { return 'default' }\nexport { a as renamed };\nexport let counter = 0;\nexport const count = () => ++counter;\n",
		"tools/data.json":     `{"list": [1, {"k": "v"}], "top": true}`,
		"tools/typed.ts":      "export enum Color { Red = 1, Blue }\nexport interface T { a: number }\nexport const f = <X,>(x: X): X => x as X;\nexport type { T as U };\n",
		"lib/deep/index.js":   "export * from '../../tools/post-data.js';\nexport * as all from '../../tools/post-data.js';\n",
		"tools/common.cjs.js": "module.exports = {old: 1};\n",
		"tools/later.js":      "await new Promise((r) => setTimeout(r, 1));\nexport const late = 'yes';\n",
	}
	tests := []struct{ name, source, want string }{
		{"imports over several lines", "import {\n  a,\n  b,\n} from \"./post-data.js\";\nexport async function run(ctx, args = {}) { return [a, b, args.x ?? 'none'] }", `[1,2,"none"]`},
		{"default, renamed and all", "import d, { renamed as r } from './post-data.js';\nimport * as ns from './post-data.js';\nexport const run = () => [d(), r, Object.keys(ns).sort()];", `["default",1,["a","b","count","counter","default","renamed"]]`},
		{"live bindings", "import { counter, count } from './post-data.js';\nexport const run = () => { count(); count(); return counter };", `2`},
		{"re-exports, and a directory", "import { all, b } from '../lib/deep';\nexport const run = () => [all.a, b];", `[1,2]`},
		{"json", "import data from './data.json';\nimport { top } from './data.json';\nexport const run = () => [data.list[1].k, top];", `["v",true]`},
		{"json with attributes", "import data from './data.json' with { type: 'json' };\nexport const run = () => data.top;", `true`},
		{"typescript sibling", "import { Color, f } from './typed.js';\nexport const run = () => [Color.Blue, Color[1], f(3)];", `[2,"Red",3]`},
		{"commonjs sibling", "import old from './common.cjs.js';\nexport const run = () => old;", `{"old":1}`},
		{"require of a sibling", "const { a } = require('./post-data.js');\nexport const run = () => a;", `1`},
		{"top-level await", "import { late } from './later.js';\nconst v = await Promise.resolve(late);\nexport const run = () => v;", `"yes"`},
		{"dynamic import of a sibling", "export const run = async () => (await import('./post-data.js')).renamed;", `1`},
		{"dynamic import of data", "export const run = async () => (await import('./data.json')).default.top;", `true`},
		{"node modules", "import path, { join } from 'node:path';\nimport { basename } from 'path';\nconst util = require('util');\nexport const run = async () => [join('a', 'b'), path.sep, basename('/x/y'), util.format('%d', 1), (await import('node:path')).join('c'), (await import('path')).default.join('d')];", `["a/b","/","y","1","c","d"]`},
		{"node module by a name made at run time", "export const run = async () => { const n = 'ur' + 'l'; return typeof (await import('node:' + n)).URL + typeof require(n).URL };", `"functionfunction"`},
		{"exported arrow", "export const run = async (ctx, { x = 5 } = {}) => x;", `5`},
		{"export list", "const inner = () => 'inner';\nexport { inner as run, inner as \"string name\" };", `"inner"`},
		{"hashbang and BOM", "\ufeff#!/usr/bin/env node\nexport const run = () => 1;", `1`},
		{"the word export in strings and comments", "// export const run = 1\nconst s = 'export { x };';\nexport const run = () => s; /* export default */\n", `"export { x };"`},
		{"text that looks like the end of a module", "const s = `\nexport {\n  x\n};\n`;\nexport const run = () => s.length;\n", `17`},
		{"import.meta", "export const run = () => [import.meta.url, import.meta.dirname];", `["file:///test/tools/t.js","/test/tools"]`},
		{"strict", "export const run = () => { try { undeclared = 1; return 'sloppy' } catch (e) { return e.name } };", `"ReferenceError"`},
		{"this at the top", "const self = this;\nexport const run = () => self === undefined;", `true`},
		{"decorators and using", "const log = [];\nconst dec = (fn, c) => function (...a) { log.push(c.name); return fn.apply(this, a) };\nclass A { @dec m() { return 1 } }\nexport const run = async () => { { using r = {[Symbol.dispose]() { log.push('disposed') }}; new A().m() } return log };", `["m","disposed"]`},
		{"export named then", "export const then = (f) => f('taken for a promise');\nexport const run = () => 'right';", `"right"`},
		{"class static block, private methods", "class A { static v; static { A.v = 3 } #p() { return A.v } get() { return this.#p() } }\nexport const run = () => new A().get();", `3`},
		{"regexp flags d and v in a function for the page", "export const run = (ctx) => ctx.source((s) => /[a--b]/v.test(s)).includes('RegExp');", `true`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prog := module(tt.source)
			for file, text := range lib {
				prog.Files[file] = text
			}
			res, err := run(t, p, Request{Program: prog})
			if err != nil {
				t.Fatalf("failed: %v", err)
			}
			if got := string(res.Value); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExportFallback(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ source, export, want string }{
		{"export const a = () => 'a';", "", `"a"`},
		{"export const a = () => 'a', limit = 5;", "", `"a"`},
		{"export const a = () => 'a', b = () => 'b';\nexport default () => 'd';", "", `"d"`},
		{"export default () => 'd';", "default", `"d"`},
		{"export default async function () { return 'd' }", "", `"d"`},
		{"export const a = () => 'a', b = () => 'b';", "", ""},
		{"export const a = 1;", "", ""},
		{"export const a = () => 'a';", "b", ""},
		{"const path = require('path');\nmodule.exports = { a: () => path.join('a', 'b'), c: 1 };", "a", `"a/b"`},
		{"exports.a = () => 'a';", "a", `"a"`},
		{"module.exports = { a: () => 'a', limit: 5 };", "", `"a"`},
		{"module.exports = () => 'm';", "", `"m"`},
		{"module.exports = () => 'm';", "default", `"m"`},
		{"module.exports = () => 'm';\nmodule.exports.a = () => 'a';", "a", `"a"`},
		{"module.exports = { a: () => 'a' };", "b", ""},
	}
	for _, tt := range tests {
		prog := module(tt.source)
		prog.Export = tt.export
		res, err := run(t, p, Request{Program: prog})
		var ce *CompileError
		switch {
		case tt.want == "" && (!errors.As(err, &ce) || ce.Problems[0].Code != "tool.missing-callable"):
			t.Errorf("%s: error %v, want tool.missing-callable", tt.source, err)
		case tt.want != "" && err != nil:
			t.Errorf("%s: %v", tt.source, err)
		case tt.want != "" && string(res.Value) != tt.want:
			t.Errorf("%s: got %s, want %s", tt.source, res.Value, tt.want)
		}
	}
}

// Features of Node 22 that the Node of differential.txt does not have.
func TestNode22Library(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ source, want string }{
		{`return Object.groupBy([1, 2, 3], (x) => x % 2 ? "odd" : "even")`, `{"odd":[1,3],"even":[2]}`},
		{`return Map.groupBy([1, 2, 3], (x) => x % 2)`, `{"$type":"map","value":[[1,[1,3]],[0,[2]]]}`},
		{`const {promise, resolve} = Promise.withResolvers(); resolve(5); return promise`, `5`},
		{`return Promise.try((x) => { throw new Error("x" + x) }, 1).catch((e) => e.message)`, `"x1"`},
		{`return Array.fromAsync((async function* () { yield 1; yield 2 })(), (x) => x * 2)`, `[2,4]`},
		{`return Array.fromAsync([Promise.resolve(1), 2])`, `[1,2]`},
		{`return Array.fromAsync({length: 2, 0: "a", 1: "b"})`, `["a","b"]`},
		{`return [1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 10).toArray()`, `[10,30]`},
		{`return (function* () { yield* [1, 2, 3] })().take(2).toArray()`, `[1,2]`},
		{`return new Set([1, 2, 3]).keys().drop(1).reduce((a, b) => a + b)`, `5`},
		{`return [1, 2].values().flatMap((x) => [x, x]).toArray()`, `[1,1,2,2]`},
		{`return [[1, 2].values().some((x) => x > 1), [1, 2].values().every((x) => x > 1), [1, 2].values().find((x) => x > 1)]`, `[true,false,2]`},
		{`let closed = false; const it = {__proto__: Iterator.prototype, next: () => ({value: 1, done: false}), return: () => { closed = true; return {} }}; for (const x of it.map((x) => x)) break; return closed`, `true`},
		{`return Iterator.from({next: (() => { let i = 0; return () => ({value: i, done: i++ > 2}) })()}).toArray()`, `[0,1,2]`},
		{`return typeof Iterator.prototype.map + typeof Symbol.dispose + typeof Symbol.asyncIterator`, `"functionsymbolsymbol"`},
		{`return [new Set([1, 2]).union(new Set([3])), new Set([1, 2]).intersection(new Set([2]))]`, `[{"$type":"set","value":[1,2,3]},{"$type":"set","value":[2]}]`},
		{`return ["a\ud800".isWellFormed(), "a\ud800".toWellFormed() === "a\ufffd"]`, `[false,true]`},
		{`const e = {}; Error.captureStackTrace(e); return typeof e.stack`, `"string"`},
		{`return process.version.startsWith("v22.") `, `true`},
		{`process.env.MINE = "1"; return process.env`, `{"NODE_ENV":"test","MINE":"1"}`},
		{`return [typeof fetch, typeof window, typeof require, typeof module]`, `["undefined","undefined","function","undefined"]`},
		{`return [typeof URL, "URL" in globalThis, typeof globalThis.Buffer, delete globalThis.URL, typeof URL]`, `["function",true,"function",true,"undefined"]`},
		{`globalThis.URL = 5; globalThis.x = 6; return [URL, x]`, `[5,6]`},
		{`return Object.keys(globalThis)`, `[]`},
	}
	for _, tt := range tests {
		if got := value(t, p, tt.source); got != tt.want {
			t.Errorf("%s\n   got %s\n  want %s", tt.source, got, tt.want)
		}
	}
}

func TestConsole(t *testing.T) {
	p := newTestPool(t)
	res, err := run(t, p, Request{Program: body(`
		console.log("a", 1, {b: [1, "x"]}, [undefined, null], new Map([[1, {x: 2}]]));
		console.info("%s is %d", "n", 5); console.warn("w"); console.error({a: 1}); console.debug(Symbol("s"));
		console.log(); console.log("%"); console.log("100%", 5);
		process.stdout.write("raw\n"); process.stderr.write("err");
		console.group("g"); console.log("in"); console.groupEnd(); console.assert(1 > 2, "no"); console.count(); console.count();
		console.log(new Error("shown"));
		ctx.log("warn", "from host", {x: 1});
		console.log("x".repeat(70000).slice(0, 66000));`)})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`log a 1 { b: [ 1, 'x' ] } [ undefined, null ] Map(1) { 1 => { x: 2 } }`, "info n is 5", "warn w", "error { a: 1 }", "debug Symbol(s)",
		"log ", "log %", "log 100% 5", "log raw", "error err", "log g", "log   in", "error Assertion failed: no", "log default: 1", "log default: 2",
		"log Error: shown\n    at run (tools/t.js:8:15)", "warn from host { x: 1 }",
	}
	if len(res.Logs) != len(want)+1 {
		t.Fatalf("%d entries, want %d: %+v", len(res.Logs), len(want)+1, res.Logs)
	}
	for i, w := range want {
		if got := res.Logs[i].Level + " " + res.Logs[i].Message; got != w {
			t.Errorf("entry %d is %q, want %q", i, got, w)
		}
	}
	if last := res.Logs[len(want)].Message; !strings.HasSuffix(last, "... (464 more bytes)") {
		t.Errorf("the long message ends with %q", last[len(last)-40:])
	}
}

func TestSurfaceMembersAreMadeOnce(t *testing.T) {
	p := newTestPool(t, func(c *Config) {
		c.Surface.Source = `(host) => { let made = 0; const page = host.members(["a", "b"], (name) => { made++; return () => name + made }); return {ctx: {page, made: () => made}, globals: {page}} }`
	})
	got := value(t, p, `
		const {page} = ctx, before = ctx.made();
		const out = [before, page.a(), page.a(), page.a === page.a, page.b(), page.c === undefined, Object.keys(page), "b" in page, "c" in page];
		page.c = 5; delete page.a;
		return [...out, Object.keys(page), page.c, page.a === undefined, ctx.made()];`)
	if want := `[0,"a1","a1",true,"b2",true,["a","b"],true,false,["b","c"],5,true,2]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestContextChoosesWhatAProgramGets: a surface may have more than one ctx.
func TestContextChoosesWhatAProgramGets(t *testing.T) {
	p := newTestPool(t, func(c *Config) {
		c.Surface.Source = `() => ({ctx: {a: 1}, other: {b: 2}, globals: {g: 3}, otherGlobals: {h: 4}})`
	})
	prog := module("export const run = (ctx) => ctx;")
	for context, want := range map[string]string{"": `{"a":1}`, "other": `{"b":2}`} {
		prog.Context = context
		res, err := run(t, p, Request{Program: prog})
		if err != nil || string(res.Value) != want {
			t.Errorf("context %q: %s, %v; want %s", context, res.Value, err, want)
		}
	}
	script := &Program{Kind: Script, Entry: "s.js", Files: map[string]string{"s.js": "return [typeof g, typeof h]"}, Context: "otherGlobals"}
	if res, err := run(t, p, Request{Program: script}); err != nil || string(res.Value) != `["undefined","number"]` {
		t.Errorf("script: %s, %v", res.Value, err)
	}
}

func TestUsualZone(t *testing.T) {
	for name, want := range map[string]string{"Etc/UTC": "UTC", "utc": "UTC", "GMT": "UTC", "Zulu": "UTC", "Europe/Berlin": "Europe/Berlin", "Etc/GMT+3": "Etc/GMT+3"} {
		if got := usualZone(name); got != want {
			t.Errorf("usualZone(%q) = %q, want %q", name, got, want)
		}
	}
}
