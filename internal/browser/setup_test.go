package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// shared is the one Chrome most tests use, each in a space of its own.
var shared struct {
	manager *Manager
	server  *httptest.Server
	log     *cdpLog
	tempDir string
}

func TestMain(m *testing.M) {
	if mode := os.Getenv(helperEnv); mode != "" {
		os.Exit(runHelper(mode))
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "egod-browser-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	shared.tempDir = dir
	shared.log = &cdpLog{}
	shared.server = httptest.NewServer(fixtures())
	shared.manager = New(Config{TempDir: dir})
	shared.manager.trace = shared.log.record
	code := m.Run()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := shared.manager.Close(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "closing the shared chrome:", err)
		code = 1
	}
	shared.server.CloseClientConnections()
	shared.server.Close()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// cdpLog keeps the last protocol messages; a failing test prints them.
type cdpLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *cdpLog) record(dir string, frame []byte) {
	const width, keep = 400, 120
	text := string(frame)
	if len(text) > width {
		text = text[:width] + "..."
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, dir+" "+text)
	if over := len(l.lines) - keep; over > 0 {
		l.lines = append(l.lines[:0], l.lines[over:]...)
	}
}

func (l *cdpLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// testContext ends before the test binary's own timeout does.
func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// newPage opens a tab at path of the fixture server in a space made for the test.
func newTestPage(t testing.TB, path string) (*Page, context.Context) {
	t.Helper()
	ctx := testContext(t)
	space := newTestSpace(t)
	page, err := space.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if path != "" {
		mustGoto(t, ctx, page, shared.server.URL+path)
	}
	return page, ctx
}

// newTestSpace makes a space that is disposed of after the test.
func newTestSpace(t testing.TB) *Space {
	t.Helper()
	space := shared.manager.Space(t.Name())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("last protocol messages:\n%s", shared.log)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := space.Dispose(ctx); err != nil {
			t.Errorf("disposing of the test's space: %v", err)
		}
	})
	return space
}

func mustGoto(t testing.TB, ctx context.Context, p *Page, url string) {
	t.Helper()
	res, err := p.Goto(ctx, url, GotoOptions{})
	if err != nil || !res.Loaded {
		t.Fatalf("goto %s: %+v, %v", url, res, err)
	}
}

// fixtures serves the pages of the tests. /html?<markup> is an ad-hoc page.
func fixtures() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if csp := r.URL.Query().Get("csp"); csp != "" {
			w.Header().Set("Content-Security-Policy", csp)
		}
		fmt.Fprint(w, "<!doctype html>", r.URL.Query().Get("body"))
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.URL.Query().Get("d"))
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "slow")
	})
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) { // a document that is sent in two parts
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>drip</title><p id=first>first</p>")
		w.(http.Flusher).Flush()
		select {
		case <-time.After(300 * time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "<p id=second>second</p>")
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", "yes")
		w.Header().Set("Content-Type", "application/octet-stream")
		w.WriteHeader(http.StatusCreated)
		body, _ := io.ReadAll(r.Body)
		w.Write(append(body, 0, 0xff))
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, html("<p>target"), http.StatusFound) })
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../passwd.txt"`)
		fmt.Fprint(w, "sample content")
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return mux
}
