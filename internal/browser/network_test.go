package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The request for the document of a frame with a process of its own begins in one
// session and ends in another.
func TestFramesOfOtherSitesBecomeIdle(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>outer"))
	w := page.Watch(EventResponse)
	defer w.Close()
	show := func(body string) string {
		return fmt.Sprintf(`(async () => {
			const f = document.createElement("iframe");
			f.src = %q;
			document.body.append(f);
			await new Promise((done) => { f.onload = done });
		})()`, otherSite()+html(body))
	}
	idle := func(what string) {
		t.Helper()
		if ok, err := page.WaitForLoadState(ctx, StateIdle, LoadOptions{Timeout: 20 * time.Second}); !ok || err != nil {
			t.Errorf("%s: %v, %v", what, ok, err)
		}
	}
	mustEvaluate(t, ctx, page, show("<p>inner"))
	idle("with a frame")
	answer, err := w.WaitForResponse(ctx, func(r *Response) bool { return strings.HasPrefix(r.URL, otherSite()) }, 0)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := page.ResponseBody(ctx, answer); err != nil || string(body) != "<!doctype html><p>inner" {
		t.Errorf("the body of its document: %q, %v", body, err)
	}

	r := page.Watch(EventRequest)
	defer r.Close()
	mustEvaluate(t, ctx, page, show(`<script>fetch("/slow?d=1m")</script>`))
	if _, err := r.WaitForRequest(ctx, func(r *Request) bool { return strings.Contains(r.URL, "/slow") }, 0); err != nil {
		t.Fatal(err)
	}
	mustEvaluate(t, ctx, page, `document.querySelector("iframe:last-of-type").remove()`)
	idle("once a frame was removed that waited for an answer")
}
