package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// otherSite is the fixture server under a second site, so that its frames get a
// process of their own.
func otherSite() string {
	return strings.Replace(shared.server.URL, "127.0.0.1", "localhost", 1)
}

func TestOutOfProcessFrame(t *testing.T) {
	inner := otherSite() + html("<title>inner</title><p>framed</p><script>alert('from the frame')</script>")
	page, ctx := newTestPage(t, html(fmt.Sprintf(`<title>outer</title><iframe src="%s"></iframe>`, inner)))
	space := shared.manager.Space(t.Name())
	id, err := space.IframeTarget(ctx, url.QueryEscape("framed"))
	if err != nil || id == "" {
		t.Fatalf("iframeTarget: %q, %v", id, err)
	}
	if none, err := space.IframeTarget(ctx, "nowhere"); err != nil || none != "" {
		t.Errorf("iframeTarget of nothing: %q, %v", none, err)
	}
	got, err := page.Evaluate(ctx, Script{Expression: "[document.title, {n: NaN}]", TargetID: id})
	if err != nil || string(got) != `["inner",{"n":{"$type":"number","value":"NaN"}}]` {
		t.Errorf("in the frame: %s, %v", got, err)
	}
	got, err = page.Evaluate(ctx, Script{Expression: "document.title"})
	if err != nil || string(got) != `"outer"` {
		t.Errorf("in the page: %s, %v", got, err)
	}
}

func TestSameProcessFrameIsNoTarget(t *testing.T) {
	_, ctx := newTestPage(t, html(`<iframe srcdoc="<p>x</p>"></iframe>`))
	if id, err := shared.manager.Space(t.Name()).IframeTarget(ctx, "srcdoc"); err != nil || id != "" {
		t.Errorf("%q, %v", id, err)
	}
}
