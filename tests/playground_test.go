package tests

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// playgroundPages are what the playground serves as files.
//
//go:embed scenarios/pages
var playgroundPages embed.FS

// playground is the site of the scenarios: a home page with one of everything,
// answers of every kind, and a shop whose state is one for each path below /shop/.
type playground struct {
	mu    sync.Mutex
	shops map[string]*ticketShop // by the last part of the path
}

// ticketShop counts seats. The held ones are sold or given back.
type ticketShop struct{ left, held, orders int }

// servePlayground returns the address of a playground, without a slash at its end.
func servePlayground(t testing.TB) string {
	t.Helper()
	p := &playground{shops: map[string]*ticketShop{}}
	mux := http.NewServeMux()
	for path, page := range map[string]string{
		"/": "home", "/canvas": "canvas", "/frames": "frames", "/pointer": "pointer", "/shop/{id}": "shop",
	} {
		mux.HandleFunc(path, servePage(page))
	}
	mux.HandleFunc("POST /shop/{id}/{step}", p.shop)
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, object{"ok": true, "name": "playground"})
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/files/notes.txt", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="notes.txt"`)
		writeText(w, "notes of the playground\n")
	})
	serveAnswers(mux)
	serveSlowly(mux)
	serveSmallPages(mux)
	s := httptest.NewServer(answerOptions(mux))
	t.Cleanup(s.Close)
	return s.URL
}

func answerOptions(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func servePage(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, playgroundPages, "scenarios/pages/"+name+".html")
	}
}

// serveSmallPages serves pages that are a line each.
func serveSmallPages(mux *http.ServeMux) {
	for path, body := range map[string]string{
		"/frame":  `<title>Frame</title><button onclick="this.textContent = 'Pressed'">In the frame</button>`,
		"/next":   `<title>Next page</title><h1 id="there">You are there</h1><a href="/">Back home</a>`,
		"/second": `<title>Second page</title><h1>The second page</h1>`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { writePage(w, body) })
	}
}

// serveAnswers serves what is fetched rather than shown.
func serveAnswers(mux *http.ServeMux) {
	mux.HandleFunc("/api/json", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, object{"tea": "green", "cups": 2})
	})
	mux.HandleFunc("/api/text", func(w http.ResponseWriter, _ *http.Request) { writeText(w, "plain text") })
	mux.HandleFunc("/api/header", func(w http.ResponseWriter, r *http.Request) { writeText(w, r.Header.Get("X-Playground")) })
	mux.HandleFunc("/api/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/api/text", http.StatusFound) })
	mux.HandleFunc("/api/echo", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		writeJSON(w, http.StatusOK, object{"method": r.Method, "body": string(body)})
	})
	mux.HandleFunc("/api/error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("/api/status", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(numberIn(r, "code", http.StatusOK)) })
	mux.HandleFunc("/api/bytes", func(w http.ResponseWriter, r *http.Request) {
		writeText(w, strings.Repeat("b", numberIn(r, "n", 0)))
	})
}

// serveSlowly serves what takes its time: the query ms says how long.
func serveSlowly(mux *http.ServeMux) {
	slow := func(path string, serve func(http.ResponseWriter, *http.Request)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if takeTime(r) {
				serve(w, r)
			}
		})
	}
	slow("/api/slow", func(w http.ResponseWriter, _ *http.Request) { writeText(w, "slow answer") })
	slow("/slow/page", func(w http.ResponseWriter, _ *http.Request) { writePage(w, "<title>Slow page</title><h1>Slow</h1>") })
	slow("/slow/picture.svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)
	})
	mux.HandleFunc("/slow/load", func(w http.ResponseWriter, r *http.Request) {
		writePage(w, fmt.Sprintf(`<title>Slow load</title><h1>Loading</h1><img src="/slow/picture.svg?ms=%d">`, numberIn(r, "ms", 0)))
	})
	mux.HandleFunc("/slow/document", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = http.NewResponseController(w).Flush() // the browser commits the document
		if takeTime(r) {
			_, _ = io.WriteString(w, "<!doctype html><title>Slow document</title><h1>At last</h1>")
		}
	})
}

// takeTime waits for the milliseconds that the query asks for, and tells whether
// somebody is still there.
func takeTime(r *http.Request) bool {
	timer := time.NewTimer(time.Duration(numberIn(r, "ms", 0)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// shop answers the calls of the shop's page: enter, hold, pay, left.
func (p *playground) shop(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Seats int }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	shop := cmp.Or(p.shops[r.PathValue("id")], &ticketShop{left: 20})
	p.shops[r.PathValue("id")] = shop
	status, answer := http.StatusOK, object{}
	switch r.PathValue("step") {
	case "hold":
		shop.held += asked.Seats
		shop.left -= asked.Seats
		status = http.StatusCreated
	case "pay":
		shop.held = 0
		shop.orders++
		status, answer = http.StatusCreated, object{"order": shop.orders}
	case "left", "enter":
	default:
		status = http.StatusNotFound
	}
	answer["left"], answer["held"] = shop.left, shop.held
	writeJSON(w, status, answer)
}

func numberIn(r *http.Request, name string, otherwise int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // the reader may have gone
}

func writePage(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html>"+body)
}

func writeJSON(w http.ResponseWriter, status int, value object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
