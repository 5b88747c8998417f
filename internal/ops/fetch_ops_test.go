package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fetching returns a scope that can fetch and nothing else.
func fetching(t *testing.T, allowPrivate bool) *Scope {
	t.Helper()
	svc := &Service{fetchers: newFetchers()}
	t.Cleanup(svc.fetchers.close)
	return &Scope{svc: svc, policy: Policy{AllowPrivateNet: allowPrivate}}
}

// fetchServerWith calls the row as a tool does.
func fetchServerWith(ctx context.Context, sc *Scope, params map[string]any) (any, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	row, _ := NewTable().Lookup("fetch.server")
	return row.host(ctx, sc, raw)
}

func fetchTestServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/missing":
			http.Error(w, strings.Repeat("nö ", 1000), http.StatusNotFound)
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/hang":
			<-r.Context().Done()
		default:
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s %s %s %s %q", r.Method, r.UserAgent(), r.Header.Get("Content-Type"), r.Header.Get("X-A"), body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestFetchServer(t *testing.T) {
	s, sc := fetchTestServer(t), fetching(t, true)
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{nil, `GET Mozilla/5.0   ""`},
		{map[string]any{"headers": map[string]any{"user-agent": "me", "X-A": []any{1, "b"}}}, `GET me  1, b ""`},
		{map[string]any{"headers": [][]string{{"X-A", "1"}, {"X-A", "2"}}}, `GET Mozilla/5.0  1, 2 ""`},
		{map[string]any{"method": "post", "body": "a"}, `POST Mozilla/5.0 text/plain;charset=UTF-8  "a"`},
		{map[string]any{"method": "PUT", "body": "{}", "headers": map[string]any{"content-TYPE": "application/json"}}, `PUT Mozilla/5.0 application/json  "{}"`},
		{map[string]any{"method": "POST", "bodyBase64": "AAH/"}, `POST Mozilla/5.0   "\x00\x01\xff"`},
		{map[string]any{"unknown": 1, "timeout": 1.5}, `GET Mozilla/5.0   ""`},
	} {
		params := map[string]any{"url": s.URL}
		for name, v := range tt.params {
			params[name] = v
		}
		got, err := fetchServerWith(t.Context(), sc, params)
		if err != nil || got != tt.want {
			t.Errorf("%v: %v, %v; want %s", tt.params, got, err, tt.want)
		}
	}
}

func TestFetchServerFails(t *testing.T) {
	s, sc := fetchTestServer(t), fetching(t, true)
	for _, tt := range []struct {
		path          string
		params        map[string]any
		kind          Kind
		message, hint string
		retryable     bool
	}{
		{"/missing", nil, KindPageError, "GET " + s.URL + "/missing failed: HTTP 404", "", false},
		{"/busy", map[string]any{"method": "post"}, KindPageError, "POST " + s.URL + "/busy failed: HTTP 503", "", true},
		{"/hang", map[string]any{"timeout": 0.02}, KindTimeout, "did not end within 20ms", "in seconds", true},
		{"/", map[string]any{"timeout": 5000}, KindInvalidParams, "at most 1800 seconds", "did you mean 5?", false},
		{"/", map[string]any{"timeout": 0}, KindInvalidParams, "more than 0", "seconds", false},
		{"/", map[string]any{"headers": 5}, KindInvalidParams, "headers must be", "", false},
		{"/", map[string]any{"headers": map[string]any{"a": nil}}, KindInvalidParams, "headers must be", "", false},
		{"/", map[string]any{"headers": map[string]any{"a b": "c"}}, KindInvalidParams, `"a b" is not the name of a header`, "", false},
		{"/", map[string]any{"body": "x"}, KindInvalidParams, "GET request has no body", "", false},
		{"/", map[string]any{"body": "x", "bodyBase64": "eA=="}, KindInvalidParams, "give one", "", false},
		{"/", map[string]any{"bodyBase64": "?"}, KindInvalidParams, "not base64", "", false},
	} {
		params := map[string]any{"url": s.URL + tt.path}
		for name, v := range tt.params {
			params[name] = v
		}
		_, err := fetchServerWith(t.Context(), sc, params)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s %v: %v, want an *Error", tt.path, tt.params, err)
			continue
		}
		if e.Kind != tt.kind || !strings.Contains(e.Message, tt.message) || !strings.Contains(e.Hint, tt.hint) || e.Retryable != tt.retryable {
			t.Errorf("%s %v: %s %q, hint %q, retryable %v", tt.path, tt.params, e.Kind, e.Message, e.Hint, e.Retryable)
		}
	}
}

func TestFetchServerShowsTheBodyOfAFailure(t *testing.T) {
	s, sc := fetchTestServer(t), fetching(t, true)
	_, err := fetchServerWith(t.Context(), sc, map[string]any{"url": s.URL + "/missing"})
	var e *Error
	if !errors.As(err, &e) || e.Data["status"] != 404 || len([]rune(e.Data["body"].(string))) != shownBody {
		t.Errorf("data = %v, want the status and the beginning of the body", e.Data)
	}
}

// TestFetchServerDenied holds that a refusal names its rule and the flag that
// allows it. What is refused is tested in internal/fetch.
func TestFetchServerDenied(t *testing.T) {
	s, sc := fetchTestServer(t), fetching(t, false)
	for _, tt := range []struct{ url, rule, hint string }{
		{s.URL, "fetch.private-net", "--allow-private-net"},
		{"http://[::1]/", "fetch.private-net", "--allow-private-net"},
		{"file:///etc/passwd", "fetch.scheme", "no flag"},
	} {
		_, err := fetchServerWith(t.Context(), sc, map[string]any{"url": tt.url})
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindPolicyDenied || e.Data["rule"] != tt.rule || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s: %v, want policy_denied by %s with %s in the hint", tt.url, err, tt.rule, tt.hint)
		}
	}
}

func TestFetchServerCancelled(t *testing.T) {
	s, sc := fetchTestServer(t), fetching(t, true)
	cause := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := fetchServerWith(ctx, sc, map[string]any{"url": s.URL + "/hang"}); !errors.Is(err, cause) {
		t.Errorf("a cancelled fetch: %v, want the cause", err)
	}
}
