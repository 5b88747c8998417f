package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// echo answers with the request: its line, its header fields, its body.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%s %s\n", r.Method, r.URL)
	r.Header.Write(w)
	fmt.Fprintf(w, "\n%s", body)
}

func TestRequest(t *testing.T) {
	s := serve(t, echo)
	c := newClient(t, Config{AllowPrivate: true})
	for _, tt := range []struct {
		name       string
		request    Request
		has, lacks []string
	}{
		{"defaults", Request{}, []string{"GET /p", "User-Agent: Mozilla/5.0\r\n", "Accept: */*\r\n"}, []string{"Referer", "Cookie"}},
		{"method", Request{Method: "post", Body: []byte("a=1")}, []string{"POST /p", "\n\na=1"}, nil},
		{"own method", Request{Method: "purge"}, []string{"purge /p"}, nil},
		{"header", Request{Header: http.Header{"user-agent": {"me"}, "X-A": {" 1\n", "2"}}}, []string{"User-Agent: me\r\n", "X-A: 1\r\n", "X-A: 2\r\n"}, []string{"Mozilla"}},
		{"the client's own header", Request{Header: http.Header{"Host": {"evil.example"}, "accept-encoding": {"br"}, "proxy-authorization": {"x"}, "content-length": {"7"}}},
			[]string{"Accept-Encoding: gzip\r\n"}, []string{"evil", "br", "Proxy", "Content-Length"}},
	} {
		tt.request.URL = s.URL + "/p"
		answer, err := c.Do(t.Context(), tt.request)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		text := answer.Text()
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, text)
			}
		}
		for _, unwanted := range tt.lacks {
			if strings.Contains(text, unwanted) {
				t.Errorf("%s: %q is in\n%s", tt.name, unwanted, text)
			}
		}
	}
}

func TestRefusesRequests(t *testing.T) {
	c := newClient(t, Config{AllowPrivate: true})
	for _, tt := range []struct {
		request Request
		field   string
	}{
		{Request{URL: ""}, "url"},
		{Request{URL: "/relative"}, "url"},
		{Request{URL: "http://"}, "url"},
		{Request{URL: "http://a b/"}, "url"},
		{Request{URL: "http://x.example:99999/"}, "url"},
		{Request{URL: "http://user:pass@x.example/"}, "url"},
		{Request{URL: "http://x.example/" + strings.Repeat("a", maxURL)}, "url"},
		{Request{URL: "http://" + strings.Repeat("a@", maxURL/2-10) + "x/"}, "url"},
		{Request{URL: "http://x.example/", Method: "CONNECT"}, "method"},
		{Request{URL: "http://x.example/", Method: "trace"}, "method"},
		{Request{URL: "http://x.example/", Method: "GET /x HTTP/1.1\r\nA: b"}, "method"},
		{Request{URL: "http://x.example/", Body: []byte("x")}, "body"},
		{Request{URL: "http://x.example/", Method: "head", Body: []byte{}}, "body"},
		{Request{URL: "http://x.example/", Header: http.Header{"a b": {"x"}}}, "headers"},
		{Request{URL: "http://x.example/", Header: http.Header{"A": {"x\r\nB: y"}}}, "headers"},
		{Request{URL: "http://x.example/", Redirects: "maybe"}, "redirect"},
	} {
		_, err := c.Do(t.Context(), tt.request)
		var bad *RequestError
		if !errors.As(err, &bad) || bad.Field != tt.field {
			t.Errorf("%.60v: %v, want the %s refused", tt.request, err, tt.field)
		}
	}
}

func TestAnswers(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte("not here"))
		case "/bom":
			w.Write([]byte("\xef\xbb\xbf\u4eac \xf0\x9f\x98 x\xff"))
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		}
	})
	c := newClient(t, Config{AllowPrivate: true})
	for _, tt := range []struct {
		path, text string
		status     int
		ok         bool
	}{
		{"/missing", "not here", 404, false},
		{"/bom", "京 � x�", 200, true},
		{"/empty", "", 204, true},
	} {
		answer, err := c.Do(t.Context(), Request{URL: s.URL + tt.path})
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		if answer.Status != tt.status || answer.OK() != tt.ok || answer.Text() != tt.text {
			t.Errorf("%s: %d %v %q", tt.path, answer.Status, answer.OK(), answer.Text())
		}
	}
}

func TestRedirects(t *testing.T) {
	other := serve(t, echo)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/found":
			http.Redirect(w, r, "/end?é", http.StatusFound)
		case "/temporary":
			http.Redirect(w, r, "/end", http.StatusTemporaryRedirect)
		case "/away":
			http.Redirect(w, r, other.URL+"/end", http.StatusFound)
		case "/broken":
			w.Header().Set("Location", "http://a b/")
			w.WriteHeader(http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			echo(w, r)
		}
	})
	c := newClient(t, Config{AllowPrivate: true, MaxRedirects: 5})
	credentials := http.Header{"Authorization": {"Bearer x"}, "Cookie": {"a=b"}, "X-Kept": {"1"}}
	for _, tt := range []struct {
		path       string
		request    Request
		has, lacks string
	}{
		{"/found", Request{Method: "POST", Body: []byte("form")}, "GET /end", "form"},
		{"/temporary", Request{Method: "POST", Body: []byte("form")}, "POST /end", "Referer"},
		{"/found", Request{Header: credentials}, "Authorization: Bearer x", "Referer"},
		{"/away", Request{Header: credentials}, "X-Kept: 1", "Authorization"},
		{"/away", Request{Header: credentials}, "X-Kept: 1", "Cookie"},
	} {
		tt.request.URL = s.URL + tt.path
		answer, err := c.Do(t.Context(), tt.request)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		if text := answer.Text(); !strings.Contains(text, tt.has) || strings.Contains(text, tt.lacks) {
			t.Errorf("%s: want %q and not %q in\n%s", tt.path, tt.has, tt.lacks, text)
		}
		if !strings.Contains(answer.URL, "/end") {
			t.Errorf("%s: ended at %s", tt.path, answer.URL)
		}
	}
	for _, path := range []string{"/loop", "/broken"} {
		if _, err := c.Do(t.Context(), Request{URL: s.URL + path}); !errors.As(err, new(*TransportError)) {
			t.Errorf("%s: %v, want a transport error", path, err)
		}
	}
	if _, err := c.Do(t.Context(), Request{URL: s.URL + "/found", Redirects: Refuse}); !errors.As(err, new(*TransportError)) {
		t.Errorf("a redirect that is refused: %v", err)
	}
	answer, err := c.Do(t.Context(), Request{URL: s.URL + "/found", Redirects: Manual})
	if err != nil || answer.Status != http.StatusFound {
		t.Errorf("a redirect that is returned: %+v, %v", answer, err)
	}
}

func TestLimits(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/told" {
			w.Header().Set("Content-Length", "2000")
		}
		for range 20 {
			w.Write([]byte(strings.Repeat("x", 100)))
			w.(http.Flusher).Flush()
		}
	})
	c := newClient(t, Config{AllowPrivate: true, MaxBodyBytes: 1999})
	for _, path := range []string{"/told", "/chunked"} {
		_, err := c.Do(t.Context(), Request{URL: s.URL + path})
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Bytes != 1999 {
			t.Errorf("%s: %v, want the limit", path, err)
		}
	}
	c = newClient(t, Config{AllowPrivate: true, MaxBodyBytes: 2000})
	if answer, err := c.Do(t.Context(), Request{URL: s.URL}); err != nil || len(answer.Body) != 2000 {
		t.Errorf("a body at the limit: %v", err)
	}
}

// slow answers the header, or not even that, and then waits for its client to go.
func slow(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/body" {
		w.Write([]byte("begun"))
		w.(http.Flusher).Flush()
	}
	<-r.Context().Done()
}

func TestTimeout(t *testing.T) {
	s := serve(t, slow)
	c := newClient(t, Config{AllowPrivate: true})
	for _, path := range []string{"/", "/body"} {
		_, err := c.Do(t.Context(), Request{URL: s.URL + path, Timeout: 20 * time.Millisecond})
		var expired *TimeoutError
		if !errors.As(err, &expired) || expired.Timeout != 20*time.Millisecond || expired.Method != "GET" {
			t.Errorf("%s: %v, want a timeout", path, err)
		}
	}
}

func TestCancel(t *testing.T) {
	arrived := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		slow(w, r)
	})
	c := newClient(t, Config{AllowPrivate: true})
	cause := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-arrived
		cancel(cause)
	}()
	if _, err := c.Do(ctx, Request{URL: s.URL + "/body"}); !errors.Is(err, cause) {
		t.Errorf("a cancelled request: %v, want the cause", err)
	}
}

func TestTransportErrors(t *testing.T) {
	s := serve(t, echo)
	closed := s.URL
	s.Close()
	c := newClient(t, Config{AllowPrivate: true})
	for _, from := range []string{closed, "https" + strings.TrimPrefix(serve(t, echo).URL, "http")} {
		_, err := c.Do(t.Context(), Request{URL: from})
		var failed *TransportError
		if !errors.As(err, &failed) || errors.As(err, new(*url.Error)) {
			t.Errorf("%s: %v, want a plain transport error", from, err)
		}
	}
}

// FuzzURL holds that a URL is read the same way twice, and that whatever is
// accepted has a host and a scheme that may be fetched.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{"http://0x7f.1/", "https://ünï.example:81/a?b#c", "http:\\\\x", "file:///", "http://[::1%25eth0]/", "http://a%00b/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 2000 {
			return
		}
		u, err := parseURL(raw, "")
		if err != nil {
			return
		}
		if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			t.Errorf("parseURL(%q) = %s", raw, u)
		}
		again, err := parseURL(u.String(), "")
		if err != nil || again.Host != u.Host {
			t.Errorf("parseURL(%q) = %s, and of that %v, %v", raw, u, again, err)
		}
	})
}
