package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// shipped lets a tool send functions through host.source and returns the texts.
func shipped(t *testing.T, p *Pool, before string, functions []string) []string {
	t.Helper()
	source := before + "\nexport const run = (ctx) => [\n" + strings.Join(functions, ",\n") + "\n].map((f) => ctx.source(f));\n"
	res, err := run(t, p, Request{Program: module(source)})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(res.Value, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// The wanted texts were evaluated in Node: each is a function there.
func TestShippedFunctions(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ function, want string }{
		{"el => ({a: 1})", "(el) => ({ a: 1 })"},
		{"x => (x)", "(x) => x"},
		{"x => x ? (1) : (2)", "(x) => x ? 1 : 2"},
		{"async x => (await 1, x)", "async (x) => (await 1, x)"},
		{"x => !(x)", "(x) => !x"},
		{"x => new Foo()", "(x) => new Foo"},
		{`x => (x, ")")`, `(x) => (x, ")")`},
		{`x => x.replace(/[)(]/g, "(")`, `(x) => x.replace(/[)(]/g, "(")`},
		{"x => `)${(x)}(`", "(x) => `)${x}(`"},
		{"x => (`${y => (y)}`)", "(x) => `${(y) => y}`"},
		{"x => y => (z => ({z}))", "(x) => (y) => ((z) => ({ z }))"},
		{"é => ({é})", "(é) => ({ é })"},
		{"async ({a}, [b] = [1]) => ({a, b})", "async ({ a }, [b] = [1]) => ({ a, b })"},
		{"x => x?.a?.[0]?.(1)", "(x) => x?.a?.[0]?.(1)"},
		{"function named() { return 1 }", "function named() {\n    return 1;\n  }"},
		{"({m(a) { return a }}).m", "({m(a) {\n    return a;\n  }\n})[\"m\"]"},
		{"({async m(a) { return a }}).m", "({async m(a) {\n    return a;\n  }\n})[\"m\"]"},
		{"({'a-b'(a) { return a }})['a-b']", "({\"a-b\"(a) {\n    return a;\n  }\n})[\"a-b\"]"},
		{"({async(a) { return a }}).async", "({async(a) {\n    return a;\n  }\n})[\"async\"]"},
		{"({get(a) { return a }}).get", "({get(a) {\n    return a;\n  }\n})[\"get\"]"},
		{"({['x' + 1](a) { return a }}).x1", "Object.values({[\"x1\"](a) {\n    return a;\n  }})[0]"},
		{"(class { static s(a) { return a } }).s", "({s(a) {\n      return a;\n    }\n})[\"s\"]"},
		{"new (class { #p(a) { return a } get q() { return this.#p } })().q", "({p(a) {\n      return a;\n    }\n})[\"p\"]"},
	}
	functions := make([]string, len(tests))
	for i, tt := range tests {
		functions[i] = tt.function
	}
	for i, got := range shipped(t, p, "", functions) {
		if got != tests[i].want {
			t.Errorf("%s\n   got %q\n  want %q", tests[i].function, got, tests[i].want)
		}
	}
}

func TestShippedFunctionsCarryTheirHelpers(t *testing.T) {
	p := newTestPool(t)
	for _, tt := range []struct{ function, helper string }{
		{"async (list) => { const out = []; for await (const x of list) out.push(x); return out }", "__forAwait"},
		{"async function* () { yield 1 }", "__asyncGenerator"},
		{"async (u) => import('https://cdn.test/' + u)", "__require"},
	} {
		text := shipped(t, p, "", []string{tt.function, "x => x"})
		if !strings.Contains(text[0], "var "+tt.helper+" =") {
			t.Errorf("%s: helper %s is not in\n%s", tt.function, tt.helper, text[0])
		}
		// The text must be an expression that gives the function, without the bundle.
		check := fmt.Sprintf("return typeof (0, eval)(%s)", jsString("("+text[0]+")"))
		if strings.Contains(text[0], "import(") {
			check = strings.ReplaceAll(check, "import(name)", "name")
		}
		if got := value(t, p, check); got != `"function"` {
			t.Errorf("%s: evaluates to %s", tt.function, got)
		}
		if text[1] != "(x) => x" {
			t.Errorf("a function without helpers is shipped as %q", text[1])
		}
	}
}
