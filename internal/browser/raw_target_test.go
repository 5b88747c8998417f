package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Commands to the browser see and reach the tabs of their own space alone.
func testCommandsStayInTheirSpace(t *testing.T, m *Manager, _ bool) {
	ctx := testContext(t)
	pages := map[string]*Page{}
	for _, name := range []string{DefaultSpace, "a", "b"} {
		pages[name] = pageOfSpace(t, ctx, m, name, html("<title>"+name+"</title>"))
	}
	for name, page := range pages {
		var opened struct{ SessionID string }
		if raw, err := page.CDP(ctx, "Target.attachToTarget", nil, ""); err != nil || json.Unmarshal(raw, &opened) != nil {
			t.Fatalf("%s, %v", raw, err)
		}
		session := "" // a session of the tab reaches no further than none
		send := func(method, params string) (string, error) {
			raw, err := page.CDP(ctx, method, json.RawMessage(params), session)
			return string(raw), err
		}
		for _, session = range []string{opened.SessionID, page.session.id, ""} {
			targets, err := send("Target.getTargets", "{}")
			if err != nil || strings.Count(targets, `"targetId"`) != 1 || !strings.Contains(targets, page.targetID) {
				t.Errorf("%s sees %s, %v", name, targets, err)
			}
			if info, err := send("Target.getTargetInfo", "{}"); err != nil || !strings.Contains(info, page.targetID) {
				t.Errorf("%s is %s, %v", name, info, err)
			}
			var window struct{ WindowID int }
			if raw, err := send("Browser.getWindowForTarget", "{}"); err != nil || json.Unmarshal([]byte(raw), &window) != nil {
				t.Errorf("the window of %s: %s, %v", name, raw, err)
			}
			if raw, err := send("Browser.getWindowBounds", fmt.Sprintf(`{"windowId":%d}`, window.WindowID)); err != nil {
				t.Errorf("the bounds of the window of %s: %s, %v", name, raw, err)
			}
			for _, params := range []string{`{"windowId":987654,"bounds":{"left":1}}`, `{"bounds":{"left":1}}`} {
				if _, err := send("Browser.setWindowBounds", params); err == nil || !strings.Contains(err.Error(), "of this task space") {
					t.Errorf("%s of %s: %v", params, name, err)
				}
			}
			for other, stranger := range pages {
				if other == name {
					continue
				}
				for _, method := range []string{"Target.closeTarget", "Target.attachToTarget", "Target.activateTarget", "Target.getTargetInfo", "Browser.getWindowForTarget"} {
					if got, err := send(method, fmt.Sprintf(`{"targetId":%q}`, stranger.targetID)); err == nil || !strings.Contains(err.Error(), "in this task space") {
						t.Errorf("%s of %s from %s: %s, %v", method, other, name, got, err)
					}
				}
				if _, err := send("Target.detachFromTarget", fmt.Sprintf(`{"sessionId":%q}`, stranger.session.id)); err == nil {
					t.Errorf("%s detached %s", name, other)
				}
			}
			if _, err := send("Target.detachFromTarget", fmt.Sprintf(`{"sessionId":%q}`, page.session.id)); err == nil {
				t.Errorf("%s took its own session from egod", name)
			}
		}
		made, err := send("Target.createTarget", fmt.Sprintf(`{"url":%q,"browserContextId":"elsewhere"}`, shared.server.URL+"/html?body="+name))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, 10*time.Second, "the tab that "+name+" made", func() bool {
			urls := urlsOf(t, ctx, m.Space(name))
			return len(urls) == 2 && urls[1] == shared.server.URL+"/html?body="+name
		})
		if _, err := send("Target.closeTarget", made); err != nil {
			t.Errorf("%s closes its tab: %v", name, err)
		}
		eventually(t, 10*time.Second, "one tab in "+name, func() bool { return len(urlsOf(t, ctx, m.Space(name))) == 1 })
		if got := mustEvaluate(t, ctx, page, "document.title"); got != `"`+name+`"` {
			t.Errorf("%s says %s", name, got)
		}
	}
}
