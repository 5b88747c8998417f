package tests

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// echoServer serves a page, and answers requests to /echo with what they say.
func echoServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			http.SetCookie(w, &http.Cookie{Name: "tea", Value: "green"})
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>echo</title>")
		case "/echo":
			body, _ := io.ReadAll(r.Body)
			cookie, _ := r.Cookie("tea")
			fmt.Fprintf(w, "%s %s %q %v", r.Method, r.Header.Get("Content-Type"), body, cookie)
		case "/hang":
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

var fetchPack = fixture{id: "fetch", domains: []string{"fetch.test"}, args: map[string]string{"url": "string"}, files: map[string]string{
	"tools/bodies.js": `
export async function run({ fetch }, { url }) {
  const post = (body, options) => fetch.server(url, { method: "POST", body, ...options });
  const aborted = new AbortController();
  aborted.abort(new Error("enough"));
  return [
    await fetch.server(new URL(url)),
    await post("text"),
    await post(new URLSearchParams({ a: "ö" })),
    await post(Uint8Array.of(0, 1, 255).subarray(1)),
    await post(Buffer.from("buffer").buffer.slice(0, 0)),
    await post({ a: 1 }).catch((error) => error.constructor.name),
    await post("x", { signal: aborted.signal }).catch((error) => error.message),
    await fetch.server(url.replace("/echo", "/hang"), { signal: AbortSignal.timeout(20) }).catch((error) => error.name),
    await fetch.server(url.replace("/echo", "/hang"), { timeout: 0.02 }).catch((error) => [error.name, error.kind, String(error).startsWith("TimeoutError: GET ")]),
    await (async () => {
      let listeners = 0;
      const signal = { aborted: false, throwIfAborted() {}, addEventListener: () => listeners++, removeEventListener: () => listeners-- };
      await fetch.server(url, { signal });
      return listeners;
    })(),
    await fetch.server(url.replace("/echo", "/no")).catch((error) => [error.message, error.kind, error.data.status]),
  ];
}`,
	"tools/denied.js": `export const run = ({ fetch }, { url }) => fetch.server(url).catch(({ kind, data }) => ({ kind, rule: data.rule }));`,
	"tools/let.js":    `export const run = ({ fetch }, { url }) => fetch.server(url);`,
}}

func TestFetchServerFromTools(t *testing.T) {
	s, root := echoServer(t), t.TempDir()
	fetchPack.write(t, root)
	d := startClean(t, "serve", "--root", root, "--builtin=false", "--allow-private-net")
	var got struct{ Value []any }
	d.result("runTool", object{"siteId": "fetch", "toolName": "bodies", "args": object{"url": s.URL + "/echo"}}, &got)
	want := []any{
		`GET  "" `,
		`POST text/plain;charset=UTF-8 "text" `,
		`POST application/x-www-form-urlencoded;charset=UTF-8 "a=%C3%B6" `,
		`POST  "\x01\xff" `,
		`POST  "" `,
		"TypeError", "enough", "TimeoutError", []any{"TimeoutError", "timeout", true}, 0.0,
		[]any{"GET " + s.URL + "/no failed: HTTP 418", "page_error", 418.0},
	}
	if fmt.Sprint(got.Value) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got.Value, want)
	}
}

// TestFetchServerDeniesPrivateNets is the default: a tool reaches nothing that
// only this machine can, and whoever runs it learns which flag would allow it.
func TestFetchServerDeniesPrivateNets(t *testing.T) {
	s, root := echoServer(t), t.TempDir()
	fetchPack.write(t, root)
	d := startClean(t, "serve", "--root", root, "--builtin=false")
	for _, url := range []string{s.URL + "/echo", strings.Replace(s.URL, "127.0.0.1", "0x7f.1", 1), "http://[::1]/", "http://169.254.169.254/"} {
		args := object{"url": url}
		var got struct{ Value map[string]string }
		d.result("runTool", object{"siteId": "fetch", "toolName": "denied", "args": args}, &got)
		if got.Value["kind"] != "policy_denied" || got.Value["rule"] != "fetch.private-net" {
			t.Errorf("%s: the tool saw %v", url, got.Value)
		}
		e := d.fails("policy_denied", "runTool", object{"siteId": "fetch", "toolName": "let", "args": args})
		if hint, _ := e.Data["hint"].(string); !strings.Contains(hint, "--allow-private-net") {
			t.Errorf("%s: hint %q", url, hint)
		}
		d.fails("policy_denied", "fetch.server", args)
	}
	d.fails("policy_denied", "fetch.server", object{"url": "file:///etc/passwd"})
}

// TestFetchBrowser fetches as the page does: relative URLs, its cookies, the
// rules of its origin.
func TestFetchBrowser(t *testing.T) {
	s, other := echoServer(t), echoServer(t)
	d := startClean(t, "serve")
	d.result("page.goto", object{"url": s.URL}, nil)
	for _, tt := range []struct {
		params object
		want   string
	}{
		{object{"url": "/echo"}, `GET  "" tea=green`},
		{object{"url": "echo", "credentials": "omit"}, `GET  "" `},
		{object{"url": s.URL + "/echo", "method": "POST", "body": "a", "headers": object{"Content-Type": "text/x"}}, `POST text/x "a" tea=green`},
		{object{"url": "/echo", "method": "PUT", "bodyBase64": "AP8="}, `PUT  "\x00\xff" tea=green`},
	} {
		var got string
		d.result("fetch.browser", tt.params, &got)
		if got != tt.want {
			t.Errorf("%v: %s, want %s", tt.params, got, tt.want)
		}
	}
	for _, tt := range []struct {
		kind, message string
		params        object
	}{
		{"page_error", "GET /no failed: HTTP 418", object{"url": "/no"}},
		{"page_error", "POST " + other.URL + "/echo failed: Failed to fetch", object{"url": other.URL + "/echo", "method": "post"}},
		{"timeout", "GET /hang did not end within 100ms", object{"url": "/hang", "timeout": 0.1}},
		{"invalid_params", "at most 1800 seconds", object{"url": "/hang", "timeout": 20000}},
	} {
		if e := d.fails(tt.kind, "fetch.browser", tt.params); !strings.Contains(e.Message, tt.message) {
			t.Errorf("%v: %s, want %s", tt.params, e.Message, tt.message)
		}
	}
}
