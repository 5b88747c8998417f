package browser

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A page that even Runtime.terminateExecution cannot free is replaced by a blank tab.
func TestPageThatNeverAnswersIsReplaced(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	space := shared.manager.Space(t.Name())
	// A synchronous request blocks the page's thread where no script can be ended.
	block := `const x = new XMLHttpRequest(); x.open("GET", "/slow?d=25s", false); x.send()`
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if _, err := page.Evaluate(short, Script{Expression: block}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("on the blocked page: %v", err)
	}
	if _, err := page.Evaluate(ctx, Script{Expression: "1"}); !errors.Is(err, errReplaced) {
		t.Errorf("the old page: %v, want that it was replaced", err)
	}
	fresh, err := space.Page(ctx)
	if err != nil || fresh == page {
		t.Fatalf("the next page: %v", err)
	}
	if v, err := fresh.Evaluate(ctx, Script{Expression: "2"}); err != nil || string(v) != "2" {
		t.Errorf("on the fresh page: %s, %v", v, err)
	}
	tabs, err := space.Tabs(ctx, true)
	if err != nil || len(tabs) != 1 || tabs[0].TargetID != fresh.TargetID() {
		t.Errorf("tabs: %+v, %v", tabs, err)
	}
}
