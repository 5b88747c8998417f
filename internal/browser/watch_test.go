package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestWaitForRequestAndResponse(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	w := page.Watch(EventRequest, EventResponse)
	defer w.Close()
	if _, err := page.Evaluate(ctx, Script{Expression: `fetch("/echo?a=1", {method: "POST", body: "hello", headers: {"X-Mine": "1"}}); 0`}); err != nil {
		t.Fatal(err)
	}
	req, err := w.WaitForRequest(ctx, func(r *Request) bool { return strings.Contains(r.URL, "/echo") }, 0)
	if err != nil || req.Method != "POST" || req.PostData == nil || *req.PostData != "hello" || req.Headers["x-mine"] != "1" || req.ResourceType != "fetch" {
		t.Fatalf("request %+v, %v", req, err)
	}
	res, err := w.WaitForResponse(ctx, func(r *Response) bool { return strings.Contains(r.URL, "/echo") }, 0)
	if err != nil || res.Status != 201 || !res.OK() || res.Headers["x-echo"] != "yes" || res.Request.ID != req.ID {
		t.Fatalf("response %+v, %v", res, err)
	}
	body, err := page.ResponseBody(ctx, res)
	if err != nil || string(body) != "hello\x00\xff" {
		t.Errorf("body %q, %v", body, err)
	}
	_, err = w.WaitForRequest(ctx, func(r *Request) bool { return false }, 100*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "page.waitForRequest timed out after 100ms") {
		t.Errorf("timeout: %v", err)
	}
}

func TestRedirectHopsAreResponses(t *testing.T) {
	page, ctx := newTestPage(t, "")
	w := page.Watch(EventResponse)
	defer w.Close()
	mustGoto(t, ctx, page, shared.server.URL+"/redirect")
	for _, want := range []int{302, 200} {
		res, err := w.WaitForResponse(ctx, func(*Response) bool { return true }, 0)
		if err != nil || res.Status != want {
			t.Fatalf("%+v, %v; want status %d", res, err, want)
		}
	}
}

func TestWatchConsoleDialogPopup(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	w := page.Watch(EventConsole, EventDialog, EventPopup)
	defer w.Close()
	if _, err := page.Evaluate(ctx, Script{Expression: `console.log("hi"); alert("there"); window.open("about:blank"); 0`}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		e, err := w.WaitFor(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case EventConsole:
			got = append(got, "console "+e.Console.Message)
		case EventDialog:
			got = append(got, "dialog "+e.Dialog.Message)
		case EventPopup:
			got = append(got, "popup")
		}
	}
	if s := strings.Join(got, ", "); s != "console hi, dialog there, popup" {
		t.Errorf("events: %s", s)
	}
}

func TestWaitForURL(t *testing.T) {
	page, ctx := newTestPage(t, html(`<p>first</p>`))
	next := html("<title>next</title>")
	if _, err := page.Evaluate(ctx, Script{Expression: `setTimeout(() => { location.href = "` + next + `" }, 150); 0`}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForURL(ctx, MatchURL("**/html?body=*next*"), StateLoad, 0); !ok || err != nil {
		t.Errorf("glob: %v, %v", ok, err)
	}
	if title, err := page.Title(ctx); err != nil || title != "next" {
		t.Errorf("title %q, %v", title, err)
	}
	if ok, err := page.WaitForURL(ctx, MatchURL("http://nowhere.test/"), StateLoad, 100*time.Millisecond); ok || err != nil {
		t.Errorf("no match: %v, %v", ok, err)
	}
	bad := errors.New("bad predicate")
	if _, err := page.WaitForURL(ctx, func(string) (bool, error) { return false, bad }, StateLoad, 0); !errors.Is(err, bad) {
		t.Errorf("predicate error: %v", err)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: `setTimeout(() => history.pushState({}, "", "/pushed"), 50); 0`}); err != nil {
		t.Fatal(err)
	}
	if ok, err := page.WaitForURL(ctx, MatchURL("*://*/pushed"), StateLoad, 0); !ok || err != nil {
		t.Errorf("pushState: %v, %v", ok, err)
	}
}

func TestMatchURL(t *testing.T) {
	tests := []struct {
		pattern, url string
		want         bool
	}{
		{"http://a.test/x", "http://a.test/x", true}, {"http://a.test/x", "http://a.test/xy", false}, {"http://a.test/?q", "http://a.test/?q", true},
		{"http://a.test/*", "http://a.test/x", true}, {"http://a.test/*", "http://a.test/x/y", false}, {"http://a.test/**", "http://a.test/x/y", true},
		{"**/x.html", "http://a.test/d/x.html", true}, {"**/x.html", "http://a.test/d/xAhtml", false}, {"*", "", true}, {"**(+)**", "http://a.test/(+)", true},
	}
	for _, tt := range tests {
		if got, err := MatchURL(tt.pattern)(tt.url); err != nil || got != tt.want {
			t.Errorf("MatchURL(%q)(%q) = %v, %v", tt.pattern, tt.url, got, err)
		}
	}
}

func TestWaitForFunction(t *testing.T) {
	page, ctx := newTestPage(t, html(`<script>setTimeout(() => { window.ready = {n: 1}; window.loop = {}; loop.loop = loop }, 200)</script>`))
	tests := []struct {
		script Script
		want   string
	}{
		{Script{Expression: "window.ready"}, `{"n":1}`},
		{Script{Function: "(a) => window.ready && a.x", Arg: []byte(`{"x":"y"}`)}, `"y"`},
		{Script{Expression: "window.loop"}, "true"},
		{Script{Expression: "document.body"}, `{"$type":"node","value":"<body>"}`},
	}
	for _, tt := range tests {
		if got, err := page.WaitForFunction(ctx, tt.script, 0, 0); err != nil || string(got) != tt.want {
			t.Errorf("%+v: %s, %v", tt.script, got, err)
		}
	}
	for _, falsy := range []string{"0", "NaN", "-0", "0n", "''", "null", "undefined", "false"} {
		if got, err := page.WaitForFunction(ctx, Script{Expression: falsy}, 10*time.Millisecond, 50*time.Millisecond); err != nil || string(got) != "false" {
			t.Errorf("%s: %s, %v", falsy, got, err)
		}
	}
	var thrown *EvalError
	if _, err := page.WaitForFunction(ctx, Script{Expression: "nope.nope"}, 0, 0); !errors.As(err, &thrown) {
		t.Errorf("an error in the page: %v", err)
	}
}

func TestDownload(t *testing.T) {
	page, ctx := newTestPage(t, html(`<title>stays</title><a id=a href="/download">get</a>`))
	w := page.Watch(EventDownload)
	defer w.Close()
	if err := page.Locator("#a").Click(ctx, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	e, err := w.WaitFor(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	d := e.Download
	if d.Suggested != "_passwd.txt" || !strings.HasSuffix(d.URL, "/download") {
		t.Errorf("download %q from %s", d.Suggested, d.URL)
	}
	path, err := d.Path(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(filepath.Base(path)) {
		t.Errorf("the file is stored as %s", path)
	}
	to := filepath.Join(t.TempDir(), "deep", "copy.txt")
	if err := d.SaveAs(ctx, to); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "sample content" {
		t.Errorf("saved %q, %v", data, err)
	}
	if ok, err := page.WaitForLoadState(ctx, StateLoad, LoadOptions{}); !ok || err != nil {
		t.Errorf("the page after a download: %v, %v", ok, err)
	}
}

// serveInParts serves a file whose second part follows once rest is closed.
func serveInParts(t *testing.T, rest <-chan struct{}) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="slow.bin"`)
		w.Header().Set("Content-Type", "application/x-parts") // Chrome waits for more of what it may have to guess
		fmt.Fprint(w, "first")
		w.(http.Flusher).Flush()
		select {
		case <-rest:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, " second")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Chrome goes on with a download when its tab is closed, and gives it up with the space.
func TestDownloadOutlivesItsPage(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(context.Context, *Space, *Page) error
		want string
	}{
		{"tab", func(ctx context.Context, s *Space, p *Page) error {
			_, err := s.CloseTab(ctx, p.TargetID())
			return err
		}, ""},
		{"space", func(ctx context.Context, s *Space, _ *Page) error { return s.Dispose(ctx) }, "Download canceled: slow.bin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rest := make(chan struct{})
			server := serveInParts(t, rest)
			ctx := testContext(t)
			space := newTestSpace(t)
			page, err := space.Page(ctx)
			if err != nil {
				t.Fatal(err)
			}
			mustGoto(t, ctx, page, shared.server.URL+html(`<a id=a href="`+server+`">get</a>`))
			w := page.Watch(EventDownload)
			defer w.Close()
			if err := page.Locator("#a").Click(ctx, ClickOptions{}); err != nil {
				t.Fatal(err)
			}
			e, err := w.WaitFor(ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.end(ctx, space, page); err != nil {
				t.Fatal(err)
			}
			close(rest)
			path, err := e.Download.Path(ctx)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s, %v", path, err)
				}
				return
			}
			if data, readErr := os.ReadFile(path); err != nil || readErr != nil || string(data) != "first second" {
				t.Errorf("%q, %v, %v", data, err, readErr)
			}
		})
	}
}
