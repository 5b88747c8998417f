package browser

import (
	"net/url"
	"strings"
	"testing"
)

// html is the path of an ad-hoc page with this markup.
func html(body string) string { return "/html?body=" + url.QueryEscape(body) }

func TestGotoAndInfo(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>hello</title><h1>hi</h1>"))
	info, err := page.Info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if info.Title != "hello" || !strings.HasPrefix(info.URL, shared.server.URL) || info.W < 500 || info.H < 300 {
		t.Errorf("info = %+v", info)
	}
}

func TestEvaluateQuick(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>hello</title><h1>hi</h1>"))
	v, err := page.Evaluate(ctx, Script{Expression: "1+1"})
	if err != nil || string(v) != "2" {
		t.Errorf("1+1 = %s, %v", v, err)
	}
	v, err = page.Evaluate(ctx, Script{Function: "({a}) => ({b: a, n: NaN, d: new Date(0)})", Arg: []byte(`{"a":[1]}`)})
	t.Logf("%s %v", v, err)
	o, err := page.Call(ctx, Function{Source: "async function(args){ console.log('x', args); return document.querySelector('h1') }", Args: []byte(`{"q":1}`), Name: "t.js"})
	t.Logf("%s %+v %v", o.Value, o, err)
	v, err = page.Locator("h1").EvaluateAll(ctx, "(els) => els.map(e => e.textContent)", nil)
	t.Logf("%s %v", v, err)
}
