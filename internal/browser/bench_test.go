package browser

import (
	"encoding/json"
	"testing"
)

// BenchmarkEvaluate compares Evaluate with a bare Runtime.evaluate on the same page.
func BenchmarkEvaluate(b *testing.B) {
	page, ctx := newTestPage(b, html("<p>x"))
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := page.session.call(ctx, evaluateParams{Expression: "1+1", ReturnByValue: true}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("expression", func(b *testing.B) {
		for b.Loop() {
			if _, err := page.Evaluate(ctx, Script{Expression: "1+1"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("function", func(b *testing.B) {
		arg := json.RawMessage(`{"a":1}`)
		for b.Loop() {
			if _, err := page.Evaluate(ctx, Script{Function: "({a}) => ({b: a})", Arg: arg}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("evaluateAll", func(b *testing.B) {
		l := page.Locator("p")
		for b.Loop() {
			if _, err := l.EvaluateAll(ctx, "(els) => els.length", nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCall is one browser tool that does next to nothing.
func BenchmarkCall(b *testing.B) {
	page, ctx := newTestPage(b, html("<p>x"))
	f := Function{
		Source: "async function (args) { return { n: args.n } }", Args: json.RawMessage(`{"n":1}`),
		Name: "browser-tools/bench.js", Allow: func(string) error { return nil },
	}
	for b.Loop() {
		if _, err := page.Call(ctx, f); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNewSpace makes a space with a tab, and ends it.
func BenchmarkNewSpace(b *testing.B) {
	newTestPage(b, "") // Chrome runs
	for b.Loop() {
		space := shared.manager.Space("bench")
		if _, err := space.Page(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := space.Dispose(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
