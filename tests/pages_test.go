package tests

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// pages is a server for one origin, and the Chrome arguments that map every host
// to it.
type pages struct {
	*httptest.Server
	reached chan string   // the query of each request to /reached
	held    chan struct{} // lets go one request to /held
}

func servePages(t testing.TB, paths map[string]string) *pages {
	t.Helper()
	p := &pages{reached: make(chan string, 100), held: make(chan struct{}, 100)}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/reached" {
			p.reached <- r.URL.RawQuery
			return
		}
		if r.URL.Path == "/held" {
			select {
			case <-p.held:
			case <-r.Context().Done():
			}
			return
		}
		body, ok := paths[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>a page of the tests</title>" + body))
	}))
	t.Cleanup(p.Close)
	return p
}

// args map every host name to the server.
func (p *pages) args() []string {
	return []string{"--chrome-arg=--host-resolver-rules=MAP * " + strings.TrimPrefix(p.URL, "http://")}
}

// await waits until the page asked for /reached?what.
func (p *pages) await(t testing.TB, what string) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		select {
		case got := <-p.reached:
			if got == what {
				return
			}
		case <-deadline.C:
			t.Fatalf("the page did not get to %q within %v", what, patience)
		}
	}
}
