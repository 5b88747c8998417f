package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Tap is a DevTools session on a tab beside the tab's own. What is set through it,
// such as emulation, headers and intercepted requests, ends with it.
type Tap struct {
	page    *Page
	session *session

	mu       sync.Mutex
	attached []string // sessions that commands through it opened
}

// detachWithin bounds the end of a Tap.
const detachWithin = time.Second

// Tap opens a session. It must be closed.
func (p *Page) Tap(ctx context.Context) (*Tap, error) {
	if err := p.begin(ctx); err != nil {
		return nil, pageError("cdp", "", err)
	}
	id, err := p.chrome.openSession(ctx, proto.TargetAttachToTarget{TargetID: proto.TargetTargetID(p.targetID), Flatten: true})
	if err != nil {
		return nil, pageError("cdp", p.url(), err)
	}
	// The event that registers a session comes before the answer.
	p.chrome.mu.Lock()
	a := p.chrome.sessions[id]
	p.chrome.mu.Unlock()
	if a == nil || a.page != p {
		return nil, &PageError{Op: "cdp", Reason: "the page was closed", Cause: errDetached}
	}
	a.session.send(proto.PageEnable{}) // scripts for new documents run for it only then
	return &Tap{page: p, session: a.session}, nil
}

// openSession attaches to a target and returns the id of the session. One that comes
// after ctx has ended is detached: nobody else knows of it.
func (c *chrome) openSession(ctx context.Context, req request) (string, error) {
	var opened proto.TargetAttachToTargetResult
	err := c.insist(ctx, req, &opened, func() { c.detach(string(opened.SessionID)) })
	return string(opened.SessionID), err
}

// detach ends a session and does not wait for it.
func (c *chrome) detach(sessionID string) {
	req := proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(sessionID)}
	c.conn.start("", req.ProtoReq(), req, nil)
}

// CDP is Page.CDP through this session.
func (t *Tap) CDP(ctx context.Context, method string, params json.RawMessage, sessionID string) (json.RawMessage, error) {
	result, err := t.page.command(ctx, t.session, method, params, sessionID)
	if err == nil && method == "Target.attachToTarget" {
		var opened struct {
			SessionID string `json:"sessionId"`
		}
		if err := json.Unmarshal(result, &opened); err != nil {
			return nil, fmt.Errorf("decoding the answer of %s: %w", method, err)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.attached = append(t.attached, opened.SessionID)
	}
	return result, err
}

// Close ends the session, and those that were opened through it, and what they set.
func (t *Tap) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), detachWithin)
	defer cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range append(t.attached, t.session.id) {
		req := proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(id)}
		_ = t.page.chrome.call(ctx, req, nil) // it may have ended with its tab
	}
	t.attached = nil
}

// overhear keeps the events of a session beside the tab's own for DrainEvents, but
// for those that the tab's own session tells too.
func (p *Page) overhear(e event) {
	if domain, _, _ := strings.Cut(e.Method, "."); toldByTab[domain] && !toldToOne[e.Method] {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raw.add(e)
}

// toldByTab are the domains that are always enabled on a tab's own session, and
// toldToOne their events that only the session that asked for them gets.
var (
	toldByTab = map[string]bool{"Page": true, "Runtime": true, "Network": true, "Inspector": true}
	toldToOne = map[string]bool{"Page.screencastFrame": true, "Page.screencastVisibilityChanged": true, "Page.fileChooserOpened": true, "Runtime.bindingCalled": true}
)
