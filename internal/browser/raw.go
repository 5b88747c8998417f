package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// deniedMethods are commands that a page's user may not send: they would hand out
// the user's permissions. The answer is the one of a browser that lacks them.
var deniedMethods = map[string]bool{"Browser.grantPermissions": true, "Browser.setPermission": true}

// rawRequest is a command as a caller wrote it.
type rawRequest struct {
	method string
	params json.RawMessage
}

func (r rawRequest) ProtoReq() string             { return r.method }
func (r rawRequest) MarshalJSON() ([]byte, error) { return r.params, nil }

// CDP sends a DevTools command and returns its result. Target and Browser commands
// go to the browser, whatever the session, and all others to the session, the page's
// own for "". What it sets stays set as long as the tab; see Tap.
func (p *Page) CDP(ctx context.Context, method string, params json.RawMessage, sessionID string) (json.RawMessage, error) {
	return p.command(ctx, p.session, method, params, sessionID)
}

// command is CDP with the session that the page's commands go to.
func (p *Page) command(ctx context.Context, own *session, method string, params json.RawMessage, sessionID string) (json.RawMessage, error) {
	const op = "cdp"
	if !strings.Contains(method, ".") {
		return nil, &PageError{Op: op, Permanent: true, Reason: fmt.Sprintf("%q is not a method; methods are written Domain.name", method)}
	}
	if deniedMethods[method] {
		return nil, &PageError{Op: op, Permanent: true, Reason: fmt.Sprintf("'%s' wasn't found", method), Hint: "permissions cannot be granted by a script"}
	}
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	if err := p.begin(ctx); err != nil {
		return nil, pageError(op, "", err)
	}
	s, err := p.rawSession(own, method, sessionID)
	if err != nil {
		return nil, err
	}
	var result json.RawMessage
	if strings.HasPrefix(method, "Target.") || strings.HasPrefix(method, "Browser.") {
		result, err = p.browserCommand(ctx, s.targetID, method, params)
	} else {
		err = s.call(ctx, rawRequest{method, params}, &result)
	}
	switch {
	case err == nil:
		p.noteMetrics(s, method)
		return result, nil
	case ctx.Err() != nil:
		return nil, err
	}
	return nil, p.rawRefused(method, err)
}

// noteMetrics remembers which session emulates a screen. Chrome takes a screenshot
// with the metrics of the session that asks for it, and leaves the page with those.
func (p *Page) noteMetrics(s *session, method string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case "Emulation.setDeviceMetricsOverride":
		p.metrics = s
	case "Emulation.clearDeviceMetricsOverride":
		p.metrics = nil
	}
}

// screen is the session to take screenshots through.
func (p *Page) screen() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.metrics == nil || p.metrics.ended(context.Background()) != nil {
		return p.session
	}
	return p.metrics
}

// ofPageSession are commands about what the page's own session keeps: the open
// dialog, and the bodies of the requests that it saw.
var ofPageSession = map[string]bool{
	"Page.handleJavaScriptDialog": true, "Network.getResponseBody": true, "Network.getRequestPostData": true,
}

// rawSession is the session that a command is for. Those of other spaces are not reached.
func (p *Page) rawSession(own *session, method, sessionID string) (*session, error) {
	if sessionID == "" || sessionID == p.session.id {
		if ofPageSession[method] {
			return p.session, nil
		}
		return own, nil
	}
	p.chrome.mu.Lock()
	defer p.chrome.mu.Unlock()
	if a := p.chrome.sessions[sessionID]; a != nil && a.page.set == p.set {
		return a.session, nil
	}
	return nil, &PageError{Op: "cdp", Permanent: true, Reason: "no session " + sessionID}
}

// rawRefused makes sure that the message names the method, as callers expect.
func (p *Page) rawRefused(method string, err error) error {
	var refused *protocolError
	if !errors.As(err, &refused) {
		var known *PageError
		if errors.As(err, &known) {
			return known
		}
		return pageError("cdp", "", err)
	}
	reason := refusal(refused)
	if !strings.Contains(reason, method) {
		reason = method + ": " + reason
	}
	return &PageError{Op: "cdp", Reason: reason, Permanent: refused.permanent(), Cause: err}
}

// RawEvent is a DevTools event of the page as Chrome sent it.
type RawEvent struct {
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	SessionID string          `json:"sessionId"`
}

const (
	rawEventLimit = 10000
	rawEventBytes = 4 << 20
)

// rawEvents keeps the last events until they are drained, the oldest dropped first.
type rawEvents struct {
	events []RawEvent
	bytes  int
}

func (r *rawEvents) add(e event) {
	r.events = append(r.events, RawEvent{Method: e.Method, Params: e.Params, SessionID: e.SessionID})
	r.bytes += len(e.Params)
	drop := 0
	for r.bytes > rawEventBytes || len(r.events)-drop > rawEventLimit {
		r.bytes -= len(r.events[drop].Params)
		r.events[drop] = RawEvent{} // its memory goes now, its place with the next growth
		drop++
	}
	r.events = r.events[drop:]
}

// DrainEvents returns the page's DevTools events since the last drain, the newest
// 10,000 or 4 MiB of them, and forgets them.
func (p *Page) DrainEvents() []RawEvent {
	p.mu.Lock()
	defer p.mu.Unlock()
	events := p.raw.events
	p.raw = rawEvents{}
	if events == nil {
		return []RawEvent{}
	}
	return events
}

// seedWithin bounds the copying of cookies.
const seedWithin = 5 * time.Second

// seedCookies copies the cookies of the default browser context into another one.
func (c *chrome) seedCookies(ctx context.Context, contextID string) error {
	ctx, cancel := context.WithTimeout(ctx, seedWithin)
	defer cancel()
	var got struct {
		Cookies []*proto.NetworkCookie `json:"cookies"`
	}
	if err := c.call(ctx, proto.StorageGetCookies{}, &got); err != nil || len(got.Cookies) == 0 {
		return err
	}
	set := proto.StorageSetCookies{
		Cookies: proto.CookiesToParams(got.Cookies), BrowserContextID: proto.BrowserBrowserContextID(contextID),
	}
	return c.call(ctx, set, nil)
}
