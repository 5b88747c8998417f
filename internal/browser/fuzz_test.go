package browser

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// A selector is foreign text: it parses or is refused, and what parses can be sent.
func FuzzParseSelector(f *testing.F) {
	for _, seed := range []string{
		"#a", "@12", "ref=3", "12", "xpath=//a", "text='x'", `loc=role:button[name="a"][checked=true]`, `loc=role:a[name={"regex":"x","flags":"i"}]`,
		"internal:nth=1;.a", "internal:last;internal:nth=0;a", ScopeSelector("a", FilterSelector("b", FilterOptions{Has: "c"})),
		FrameSelector("iframe", NamedFrameSelector("x", "p")), `a:has-text("b")`, "loc=label:exact:\"x\"", "loc=text:{", "loc=role:[", "''", "99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		q, err := parseSelector(selector)
		if (q == nil) == (err == nil) {
			t.Fatalf("%q: query %v, error %v", selector, q, err)
		}
		if err == nil && !json.Valid([]byte(encode(q))) {
			t.Fatalf("%q: %s", selector, encode(q))
		}
	})
}

// Preparing a tool's source must keep every line where it was.
func FuzzParseFunction(f *testing.F) {
	for _, seed := range []string{
		"() => 1", "\uFEFF'use strict'; () => 1", "/* a */ \"use strict\"\n// b\nfunction(){}", "\"x\\\"\"; f", "'", "/*", "//", "\"use strict\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		got := parseFunction(source)
		want := strings.TrimPrefix(source, "\uFEFF")
		if len(got.text) != len(want) || strings.Count(got.text, "\n") != strings.Count(want, "\n") {
			t.Fatalf("%q became %q", source, got.text)
		}
	})
}

// Whatever JSON comes from a page, what goes on is valid JSON and valid UTF-8 once decoded.
func FuzzWellFormed(f *testing.F) {
	for _, seed := range []string{`"\ud83d"`, `"\ud83d\ude00"`, `"\\ud83d"`, `{"\udc00":["\ud800\u0041"]}`, `"\uD800\uDBFF\uDFFF"`, "1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		out := wellFormed([]byte(text))
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal(out, &after) != nil {
			t.Fatalf("%q became %q", text, out)
		}
		if encode(before) != encode(after) { // Go's decoder reads lone surrogates as U+FFFD
			t.Fatalf("%q became %q", text, out)
		}
		if utf8.ValidString(text) && !utf8.Valid(out) {
			t.Fatalf("%q became invalid UTF-8", text)
		}
	})
}
