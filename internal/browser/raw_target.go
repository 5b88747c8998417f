package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-rod/rod/lib/proto"
)

// browserCommand sends a command of a page's user to the browser. What it says and
// does is held to the tabs of the page's space: there are those of other spaces, and
// in a Chrome that was attached to those of its user. The session of a page would take
// the command too, and reach all of them. targetID is meant when the command names none.
func (p *Page) browserCommand(ctx context.Context, targetID, method string, params json.RawMessage) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(params, &given); err != nil {
		return nil, &PageError{Op: "cdp", Reason: method + ": the parameters are no object"}
	}
	browser := newSession(p.chrome.conn, "", "")
	switch method {
	case "Target.getTargets":
		return p.ownTargets(ctx, browser, given)
	case "Target.createTarget":
		return p.createTarget(ctx, given)
	case "Target.detachFromTarget":
		if err := p.ownExtraSession(given["sessionId"]); err != nil {
			return nil, err
		}
	case "Browser.getWindowBounds", "Browser.setWindowBounds":
		if err := p.ownWindow(ctx, browser, given["windowId"]); err != nil {
			return nil, err
		}
	case "Target.getTargetInfo", "Target.activateTarget", "Target.closeTarget", "Target.attachToTarget", "Browser.getWindowForTarget":
		if err := p.ownTarget(given, targetID); err != nil {
			return nil, err
		}
		if method == "Target.attachToTarget" {
			given["flatten"] = json.RawMessage("true") // what it says then comes with its session, which has an owner
			id, err := p.chrome.openSession(ctx, rawRequest{method, json.RawMessage(encode(given))})
			if err != nil {
				return nil, err
			}
			return json.RawMessage(encode(map[string]string{"sessionId": id})), nil
		}
	}
	var result json.RawMessage
	return result, browser.call(ctx, rawRequest{method, json.RawMessage(encode(given))}, &result)
}

// targetsOf are the ids of a space's tabs and of the frames in processes of their own.
func (p *Page) targetsOf() map[string]bool {
	ids := make(map[string]bool)
	p.chrome.mu.Lock()
	defer p.chrome.mu.Unlock()
	for _, a := range p.chrome.sessions {
		if a.page.set == p.set {
			ids[a.session.targetID] = true
		}
	}
	return ids
}

// ownTarget checks the target that a command names, or names one when it names none.
func (p *Page) ownTarget(given map[string]json.RawMessage, targetID string) error {
	raw, named := given["targetId"]
	if !named {
		given["targetId"] = json.RawMessage(encode(targetID))
		return nil
	}
	var id string
	if json.Unmarshal(raw, &id) != nil || !p.targetsOf()[id] {
		return &PageError{Op: "cdp", Reason: fmt.Sprintf("no target %s in this task space", raw), Hint: "take a targetId from browser.listTabs()"}
	}
	return nil
}

// ownWindow checks that a tab of the space is in a window.
func (p *Page) ownWindow(ctx context.Context, browser *session, raw json.RawMessage) error {
	var id proto.BrowserWindowID
	if json.Unmarshal(raw, &id) == nil {
		for target := range p.targetsOf() {
			var in proto.BrowserGetWindowForTargetResult
			err := browser.call(ctx, proto.BrowserGetWindowForTarget{TargetID: proto.TargetTargetID(target)}, &in)
			if err == nil && in.WindowID == id {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	return &PageError{
		Op: "cdp", Reason: fmt.Sprintf("no window %s with a tab of this task space", raw),
		Hint: "take a windowId from Browser.getWindowForTarget",
	}
}

// ownExtraSession checks that a session was opened by a command, and not by egod.
func (p *Page) ownExtraSession(raw json.RawMessage) error {
	var id string
	_ = json.Unmarshal(raw, &id) // "" names none
	p.chrome.mu.Lock()
	defer p.chrome.mu.Unlock()
	if a := p.chrome.sessions[id]; a != nil && a.extra && a.page.set == p.set {
		return nil
	}
	return &PageError{Op: "cdp", Reason: fmt.Sprintf("no session %s that a script opened", raw)}
}

// ownTargets is the answer of Target.getTargets without the targets of others.
func (p *Page) ownTargets(ctx context.Context, browser *session, given map[string]json.RawMessage) (json.RawMessage, error) {
	var res struct {
		TargetInfos []map[string]json.RawMessage `json:"targetInfos"`
	}
	if err := browser.call(ctx, rawRequest{"Target.getTargets", json.RawMessage(encode(given))}, &res); err != nil {
		return nil, err
	}
	own := p.targetsOf()
	res.TargetInfos = slices.DeleteFunc(res.TargetInfos, func(info map[string]json.RawMessage) bool {
		var id string
		return json.Unmarshal(info["targetId"], &id) != nil || !own[id]
	})
	return json.RawMessage(encode(res)), nil
}

// createTarget opens a tab in the space.
func (p *Page) createTarget(ctx context.Context, given map[string]json.RawMessage) (json.RawMessage, error) {
	params := maps.Clone(given)
	delete(params, "browserContextId")
	if p.set.contextID != "" {
		params["browserContextId"] = json.RawMessage(encode(p.set.contextID))
	}
	id, err := p.chrome.createTarget(ctx, p.set, rawRequest{proto.TargetCreateTarget{}.ProtoReq(), json.RawMessage(encode(params))})
	if err != nil {
		return nil, err
	}
	return json.RawMessage(encode(map[string]string{"targetId": id})), nil
}
