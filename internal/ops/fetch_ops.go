package ops

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"egod/internal/browser"
	"egod/internal/fetch"
)

func fetchRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "fetch.server", js: args(value("url"), options()),
			doc:   "Fetch a URL from the daemon, without a browser, and return the text of the answer.",
			fails: []Kind{KindPageError, KindPolicyDenied, KindTimeout, KindLimitExceeded},
		}, fetchServer),
		define(spec{
			name: "fetch.browser", js: args(value("url"), options()),
			doc:   "Fetch a URL from the current page, with its cookies and its rules, and return the text of the answer.",
			fails: []Kind{KindLimitExceeded},
		}, fetchBrowser),
	}
}

// fetchParams are the options of the Fetch standard that can be said in JSON.
type fetchParams struct {
	URL        string       `json:"url" doc:"what to fetch: http or https; in a page it may be relative"`
	Method     string       `json:"method,omitempty" doc:"GET when left out"`
	Headers    headerFields `json:"headers,omitempty" doc:"header fields by name; those of the connection are the client's own"`
	Body       *string      `json:"body,omitempty" doc:"text to send"`
	BodyBase64 *string      `json:"bodyBase64,omitempty" doc:"bytes to send, in base64, instead of body"`
	Timeout    *float64     `json:"timeout,omitempty" doc:"seconds for the whole exchange; 20 when left out"`
	Redirect   string       `json:"redirect,omitempty" doc:"what a redirect does: follow (default), error or manual"`
}

// headerFields are header fields on the wire: an object of strings or lists of
// strings, or a list of pairs, as the Fetch standard takes them.
type headerFields map[string]string

// UnmarshalJSON takes each of the forms. Values of one name are joined.
func (h *headerFields) UnmarshalJSON(raw []byte) error {
	*h = make(headerFields)
	var pairs [][]string
	if json.Unmarshal(raw, &pairs) == nil && !slices.ContainsFunc(pairs, func(p []string) bool { return len(p) != 2 }) {
		for _, p := range pairs {
			h.add(p[0], p[1])
		}
		return nil
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		return badHeaders(raw)
	}
	for name, field := range object {
		values, isList := field.([]any)
		if !isList {
			values = []any{field}
		}
		for _, v := range values {
			switch v := v.(type) {
			case string, bool, json.Number:
				h.add(name, fmt.Sprint(v))
			default:
				return badHeaders(raw)
			}
		}
	}
	return nil
}

func (h headerFields) add(name, value string) {
	if earlier, ok := h[name]; ok {
		value = earlier + ", " + value
	}
	h[name] = value
}

func badHeaders(raw []byte) error {
	return invalidParam("", "an object of strings", jsonType(raw), "headers must be an object whose members are strings, or a list of pairs")
}

// has tells whether a field is given, in any case.
func (h headerFields) has(name string) bool {
	for given := range h {
		if strings.EqualFold(given, name) {
			return true
		}
	}
	return false
}

// maxFetchSeconds is the longest timeout of a fetch. Unlike everywhere else it is
// given in seconds, as the original's helpers have it.
const maxFetchSeconds = MaxTimeoutMs / 1000

func (p *fetchParams) timeout() (time.Duration, error) {
	if p.Timeout == nil {
		return fetch.DefaultTimeout, nil
	}
	seconds := *p.Timeout
	if seconds > 0 && seconds <= maxFetchSeconds {
		return time.Duration(seconds * float64(time.Second)), nil
	}
	e := invalidParam("$.timeout", fmt.Sprintf("seconds, more than zero and at most %d", maxFetchSeconds), fmt.Sprintf("the number %v", seconds),
		fmt.Sprintf("timeout must be more than 0 and at most %d seconds, got %v", maxFetchSeconds, seconds))
	return 0, e.WithHint("the timeout of a fetch is in seconds: did you mean %v?", seconds/1000)
}

// body returns what to send; nil for nothing. Text without a content type is
// plain text, as the Fetch standard says.
func (p *fetchParams) body() ([]byte, error) {
	switch {
	case p.Body != nil && p.BodyBase64 != nil:
		return nil, invalidParam("$.bodyBase64", "nothing", "a string", "body and bodyBase64 are two ways to say the same thing: give one")
	case p.BodyBase64 != nil:
		raw, err := base64.StdEncoding.DecodeString(*p.BodyBase64)
		if err != nil {
			return nil, invalidParam("$.bodyBase64", "base64", "a string", fmt.Sprintf("bodyBase64 is not base64: %v", err))
		}
		return raw, nil
	case p.Body != nil:
		if !p.Headers.has("content-type") {
			if p.Headers == nil {
				p.Headers = make(headerFields)
			}
			p.Headers["content-type"] = "text/plain;charset=UTF-8"
		}
		return []byte(*p.Body), nil
	}
	return nil, nil
}

// fetchers are the clients of fetch.server. What may reach private addresses shares
// no connection with what may not.
type fetchers struct{ public, private *fetch.Client }

func newFetchers() fetchers {
	return fetchers{fetch.New(fetch.Config{}), fetch.New(fetch.Config{AllowPrivate: true})}
}

// under returns the client for a policy.
func (f fetchers) under(p Policy) *fetch.Client {
	if p.AllowPrivateNet {
		return f.private
	}
	return f.public
}

// close gives up the connections that are kept.
func (f fetchers) close() {
	f.public.Close()
	f.private.Close()
}

func fetchServer(ctx context.Context, sc *Scope, p fetchParams) (string, error) {
	timeout, err := p.timeout()
	if err != nil {
		return "", err
	}
	body, err := p.body()
	if err != nil {
		return "", err
	}
	header := make(http.Header, len(p.Headers))
	for name, value := range p.Headers {
		header.Set(name, value)
	}
	answer, err := sc.svc.fetchers.under(sc.policy).Do(ctx, fetch.Request{
		URL: p.URL, Method: p.Method, Header: header, Body: body,
		Timeout: timeout, Redirects: fetch.Redirects(p.Redirect),
		Check: func(to *url.URL) error {
			sc.note.target(to)
			return sc.policy.checkHost(to.Hostname())
		},
	})
	if err != nil {
		return "", fetchFailureUnder(sc.policy, err)
	}
	text := answer.Text()
	if !answer.OK() {
		return "", statusFailure(answer.Method, p.URL, answer.Status, text)
	}
	return text, nil
}

// pageFetchParams adds the options that only a page has.
type pageFetchParams struct {
	fetchParams
	Credentials string `json:"credentials,omitempty" doc:"which cookies are sent: same-origin (default), include or omit"`
	Mode        string `json:"mode,omitempty" doc:"how other origins are asked: cors (default), no-cors or same-origin"`
	Cache       string `json:"cache,omitempty" doc:"how the browser's cache is used: default, no-store, reload, ..."`
	Referrer    string `json:"referrer,omitempty" doc:"a URL of the page's origin to send as referrer"`
	inSpace
}

// fetchInPage runs in the page; see the file.
//
//go:embed fetch_page.js
var fetchInPage string

// pageAnswer is what fetchInPage returns: an answer, or why there is none.
type pageAnswer struct {
	Status   int    `json:"status"`
	OK       bool   `json:"ok"`
	Text     string `json:"text"`
	Failed   string `json:"failed"`
	TimedOut bool   `json:"timedOut"`
	TooLong  bool   `json:"tooLong"`
}

func fetchBrowser(ctx context.Context, sc *Scope, p pageFetchParams) (string, error) {
	timeout, err := p.timeout()
	if err != nil {
		return "", err
	}
	if _, err := p.body(); err != nil {
		return "", err
	}
	page, err := sc.page(ctx)
	if err != nil {
		return "", err
	}
	options := make(map[string]any)
	for name, value := range map[string]string{
		"method": p.Method, "redirect": p.Redirect, "credentials": p.Credentials,
		"mode": p.Mode, "cache": p.Cache, "referrer": p.Referrer,
	} {
		if value != "" {
			options[name] = value
		}
	}
	if len(p.Headers) > 0 {
		options["headers"] = p.Headers
	}
	if p.Body != nil {
		options["body"] = *p.Body
	}
	arg, err := json.Marshal(map[string]any{
		"url": p.URL, "options": options, "bodyBase64": p.BodyBase64,
		"timeoutMs": timeout.Milliseconds(), "maxLength": fetch.DefaultMaxBodyBytes,
	})
	if err != nil {
		return "", err
	}
	raw, err := page.Evaluate(ctx, browser.Script{Function: fetchInPage, Arg: arg, Name: "fetch.browser"})
	if err != nil {
		return "", err
	}
	var answer pageAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "", fmt.Errorf("reading what the page answered: %w", err)
	}
	return answer.text(methodOf(p.Method), p.URL, timeout)
}

func methodOf(given string) string {
	if given == "" {
		return http.MethodGet
	}
	return strings.ToUpper(given)
}

func (a *pageAnswer) text(method, url string, timeout time.Duration) (string, error) {
	switch {
	case a.TimedOut:
		return "", fetchFailure(&fetch.TimeoutError{Method: method, URL: url, Timeout: timeout})
	case a.TooLong:
		return "", fetchFailure(&fetch.LimitError{Method: method, URL: url, Bytes: fetch.DefaultMaxBodyBytes})
	case a.Failed != "":
		return "", Errorf(KindPageError, "%s %s failed: %s", method, url, oneLine(a.Failed)).With("url", url).With("method", method).
			WithHint("the rules of the page hold: another origin must allow it (CORS), and so must the page's content security policy; fetch.server has neither")
	case !a.OK:
		return "", statusFailure(method, url, a.Status, a.Text)
	}
	return a.Text, nil
}
