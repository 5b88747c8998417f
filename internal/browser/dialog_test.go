package browser

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// dialogPage is a page with a button whose dialog stays open.
func dialogPage(t *testing.T) (*Page, context.Context) {
	t.Helper()
	m := ownManager(t, Config{Dialog: DialogManual})
	ctx := testContext(t)
	page, err := m.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, page, shared.server.URL+html(`<title>asks</title><input id=field onfocus="if (!window.asked) asked = confirm('focus?')"><p>text`))
	return page, ctx
}

// TestOpenDialogFailsCallsAtOnce: what needs the page's scripts names the dialog and
// does not wait for it.
func TestOpenDialogFailsCallsAtOnce(t *testing.T) {
	page, ctx := dialogPage(t)
	if _, err := page.Evaluate(ctx, Script{Expression: "setTimeout(() => { answer = confirm('sure?') }, 0)"}); err != nil {
		t.Fatal(err)
	}
	if err := page.await(ctx, func() bool { return page.dialog != nil }); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	l := page.Locator("p")
	for name, call := range map[string]func() error{
		"evaluate":        func() error { _, err := page.Evaluate(ctx, Script{Expression: "1"}); return err },
		"function":        func() error { _, err := page.Evaluate(ctx, Script{Function: "() => 1"}); return err },
		"waitForFunction": func() error { _, err := page.WaitForFunction(ctx, Script{Expression: "1"}, 0, 0); return err },
		"waitForSelector": func() error { _, err := page.WaitForSelector(ctx, "p", SelectorOptions{}); return err },
		"textContent":     func() error { _, err := l.TextContent(ctx, 0); return err },
		"count":           func() error { _, err := l.Count(ctx); return err },
		"click":           func() error { return l.Click(ctx, ClickOptions{}) },
		"mouse":           func() error { return page.MouseClick(ctx, Point{1, 1}, MouseOptions{}) },
		"center":          func() error { _, err := l.Center(ctx); return err },
		"role":            func() error { _, err := page.Locator("loc=role:textbox").Count(ctx); return err },
		"snapshot":        func() error { _, err := page.Snapshot(ctx, SnapshotOptions{}); return err },
		"screenshot":      func() error { _, err := page.Screenshot(ctx, ScreenshotOptions{}); return err },
		"title":           func() error { _, err := page.Title(ctx); return err },
		"reload":          func() error { _, err := page.Reload(ctx, ReloadOptions{}); return err },
		"cdp":             func() error { _, err := page.CDP(ctx, "Page.getLayoutMetrics", nil, ""); return err },
		"tool":            func() error { _, err := page.Call(ctx, Function{Source: "() => 1"}); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), `dialog open: confirm "sure?"`) {
			t.Errorf("%s: %v, want an error that names the dialog", name, err)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the calls took %s", took)
	}
	if url, err := page.URL(ctx); err != nil || url != page.url() {
		t.Errorf("url: %s, %v", url, err)
	}
	if _, err := page.CDP(ctx, "Page.handleJavaScriptDialog", []byte(`{"accept":true}`), ""); err != nil {
		t.Fatal(err)
	}
	if v, err := page.WaitForFunction(ctx, Script{Expression: "answer"}, 0, 0); err != nil || string(v) != "true" {
		t.Errorf("after the dialog: %s, %v", v, err)
	}
}

// TestScriptWaitsForItsDialog: a script under way when a dialog opens goes on with its
// answer, and an action that opened one is done.
func TestScriptWaitsForItsDialog(t *testing.T) {
	page, ctx := dialogPage(t)
	got := make(chan string, 1)
	go func() {
		v, err := page.Evaluate(ctx, Script{Expression: "confirm('in?')"})
		got <- string(v) + errText(err)
	}()
	if err := page.await(ctx, func() bool { return page.dialog != nil }); err != nil {
		t.Fatal(err)
	}
	if err := page.HandleDialog(ctx, true, ""); err != nil {
		t.Fatal(err)
	}
	if v := <-got; v != "true" {
		t.Errorf("the script gave %s", v)
	}
	if err := page.Locator("#field").Focus(ctx, 0); err != nil {
		t.Errorf("a focus that opens a dialog: %v", err)
	}
	if err := page.HandleDialog(ctx, true, ""); err != nil {
		t.Errorf("the dialog of the focus: %v", err)
	}
	if err := page.HandleDialog(ctx, true, ""); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second answer: %v", err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
