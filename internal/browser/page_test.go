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
