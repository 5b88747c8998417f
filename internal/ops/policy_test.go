package ops

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestCheckNavigation(t *testing.T) {
	for _, url := range []string{
		"https://x.com", "http://127.0.0.1:8080/a", "HTTPS://X.COM", "about:blank", "example.com", "/relative", " https://x.com",
	} {
		if err := (Policy{}).checkNavigation(url); err != nil {
			t.Errorf("checkNavigation(%q): %v", url, err)
		}
	}
	for _, url := range []string{
		"file:///etc/passwd", "FILE:///etc/passwd", " file:///etc/passwd", "chrome://settings", "javascript:alert(1)",
		"data:text/html,x", "view-source:https://x.com", "devtools://devtools", "about:config", "ftp://x.com", "localhost:8080/a",
		"blob:https://x.com/1", "filesystem:https://x.com/1", "\tfile:///etc/passwd", "fi\nle:///etc/passwd", "\x00file:///a",
	} {
		err := (Policy{}).checkNavigation(url)
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindPolicyDenied || e.Hint == "" {
			t.Errorf("checkNavigation(%q) = %v, want policy_denied with a hint", url, err)
		}
	}
}

// Commands to the browser itself are taken when they are known to stay in the space.
func TestCheckCommand(t *testing.T) {
	for method, allowed := range map[string]bool{
		"Page.bringToFront": true, "Runtime.evaluate": true, "Emulation.setDeviceMetricsOverride": true, "No.such": true,
		"Target.getTargets": true, "Target.closeTarget": true, "Target.attachToTarget": true, "Browser.getVersion": true, "Browser.grantPermissions": true,
		"Target.setAutoAttach": false, "Target.createBrowserContext": false, "Target.disposeBrowserContext": false, "Target.sendMessageToTarget": false,
		"Target.setDiscoverTargets": false, "Target.exposeDevToolsProtocol": false, "Target.noSuch": false,
		"Browser.close": false, "Browser.setDownloadBehavior": false, "Browser.resetPermissions": false, "Browser.executeBrowserCommand": false,
		"Storage.getCookies": false, "DOM.setFileInputFiles": false,
	} {
		if err := (Policy{}).checkCommand(method, nil); denied(err) == allowed {
			t.Errorf("%s: %v", method, err)
		}
	}
	for _, c := range []struct {
		method, params string
		allowed        bool
	}{
		{"Page.navigate", `{"url":"https://x.com"}`, true},
		{"Page.navigate", `{"url":"file:///etc/passwd"}`, false},
		{"Page.navigate", `{"url":"file:///etc/passwd","URL":"https://x.com"}`, false},
		{"Page.navigate", `{"URL":"https://x.com","url":"file:///etc/passwd","Url":"https://x.com"}`, false},
		{"Page.navigate", `{"url":"https://x.com","url":"\u0066ile:///etc/passwd"}`, false},
		{"Page.navigate", `{"url":5}`, true}, // Chrome's to refuse
		{"Page.navigate", `[]`, true},
		{"Target.createTarget", `{"url":"chrome://settings","uRL":"about:blank"}`, false},
		{"Fetch.continueRequest", `{"requestId":"1"}`, true},
		{"Fetch.continueRequest", `{"requestId":"1","url":"file:///etc/passwd"}`, false},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"files":[],"dragOperationsMask":1}}`, true},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[]}}`, true},
		{"Input.dispatchDragEvent", `{"type":"drop","data":{"items":[],"files":["/etc/passwd"],"Files":[]},"Data":{}}`, false},
	} {
		if err := (Policy{}).checkCommand(c.method, json.RawMessage(c.params)); denied(err) == c.allowed {
			t.Errorf("%s %s: %v", c.method, c.params, err)
		}
	}
}

func denied(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == KindPolicyDenied && e.Hint != ""
}
