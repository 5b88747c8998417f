package browser

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"
)

// WaitForURL waits until match accepts the address of the document in the main
// frame, then for the load state (StateCommit: for nothing more), and reports
// whether both came in time (0: DefaultTimeout). match is called without locks held.
func (p *Page) WaitForURL(ctx context.Context, match func(url string) (bool, error), waitUntil string, timeout time.Duration) (bool, error) {
	const op = "waitForURL"
	if err := p.begin(ctx); err != nil {
		return false, pageError(op, "", err)
	}
	until, cancel := deadline(ctx, timeout, DefaultTimeout)
	defer cancel()
	url, err := p.matchingURL(until, match)
	if err != nil {
		ok, err := reached(ctx, err)
		return ok, pageError(op, p.url(), err)
	}
	if waitUntil == StateCommit || (url == "about:blank" && waitUntil != StateIdle) {
		return true, nil
	}
	ok, err := p.reach(ctx, until, waitUntil, defaultIdleSpan, func() bool { return true })
	return ok, pageError(op, p.url(), err)
}

func (p *Page) matchingURL(ctx context.Context, match func(string) (bool, error)) (string, error) {
	tried := ""
	for first := true; ; first = false {
		var url string
		if err := p.await(ctx, func() bool { url = p.doc.url; return first || url != tried }); err != nil {
			return "", err
		}
		ok, err := match(url)
		if err != nil || ok {
			return url, err
		}
		tried = url
	}
}

// MatchURL makes a matcher of a text: one with a * is a glob over the whole
// address (** is anything, * anything but a slash), another matches as it is.
func MatchURL(pattern string) func(string) (bool, error) {
	if !strings.Contains(pattern, "*") {
		return func(url string) (bool, error) { return url == pattern, nil }
	}
	var b strings.Builder
	b.WriteString(`^`)
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
			rest = rest[1:]
		default:
			n := strings.IndexByte(rest, '*')
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
		}
	}
	b.WriteString(`$`)
	re := regexp.MustCompile(b.String()) // quoted text and two fixed patterns always compile
	return func(url string) (bool, error) { return re.MatchString(url), nil }
}

// defaultPolling is the pause between two evaluations of WaitForFunction.
const defaultPolling = 100 * time.Millisecond

// WaitForFunction evaluates a script again and again until its value is truthy, and
// returns the value; false when the timeout (0: DefaultTimeout) ended first. A
// truthy value that has no JSON form is returned as true. Errors of the page's code
// end the wait; a navigation does not.
func (p *Page) WaitForFunction(ctx context.Context, s Script, polling, timeout time.Duration) (json.RawMessage, error) {
	until, cancel := deadline(ctx, timeout, DefaultTimeout)
	defer cancel()
	for {
		v, err := p.Evaluate(until, s)
		var invalid *ResultError
		switch {
		case errors.As(err, &invalid):
			return json.RawMessage("true"), nil
		case err == nil && truthy(v):
			return v, nil
		case err != nil && !transient(err):
			return notInTime(ctx, err)
		}
		if err := settle(until, orDefault(polling, defaultPolling)); err != nil {
			return notInTime(ctx, err)
		}
	}
}

func notInTime(ctx context.Context, err error) (json.RawMessage, error) {
	if _, err := reached(ctx, err); err != nil {
		return nil, pageError("waitForFunction", "", err)
	}
	return json.RawMessage("false"), nil
}

// truthy judges a value in tagged JSON as JavaScript would.
func truthy(v json.RawMessage) bool {
	switch string(v) {
	case "null", "false", "0", `""`:
		return false
	}
	var tag struct {
		Type  string          `json:"$type"`
		Value json.RawMessage `json:"value"`
	}
	if len(v) == 0 || v[0] != '{' || json.Unmarshal(v, &tag) != nil {
		return true
	}
	switch {
	case tag.Type == "number":
		return string(tag.Value) != `"NaN"` && string(tag.Value) != `"-0"`
	case tag.Type == "bigint":
		return string(tag.Value) != `"0"`
	}
	return true
}
