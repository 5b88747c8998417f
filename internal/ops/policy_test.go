package ops

import (
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
