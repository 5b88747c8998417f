package browser

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// ownManager makes a Manager for one test and closes it at its end.
func ownManager(t testing.TB, cfg Config) *Manager {
	t.Helper()
	if cfg.TempDir == "" {
		cfg.TempDir = t.TempDir()
	}
	m := New(cfg)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		defer cancel()
		if err := m.Close(ctx); err != nil {
			t.Errorf("closing the manager: %v", err)
		}
	})
	return m
}

// eventually polls a condition that no event announces: the state of other processes.
func eventually(t testing.TB, within time.Duration, what string, cond func() bool) {
	t.Helper()
	end := time.Now().Add(within)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", within, what)
		}
		<-tick.C
	}
}

func TestCloseWithAnOpenUnloadPrompt(t *testing.T) {
	m := ownManager(t, Config{Dialog: DialogManual})
	ctx := testContext(t)
	page, err := m.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, page, shared.server.URL+html(`<script>onbeforeunload = (e) => e.preventDefault()</script>`))
	if _, err := page.Evaluate(ctx, Script{Expression: `setTimeout(() => confirm("x"), 0)`}); err != nil {
		t.Fatal(err)
	}
	if err := page.await(ctx, func() bool { return page.dialog != nil }); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := m.Close(ctx); err != nil || time.Since(began) > 8*time.Second {
		t.Errorf("close: %v after %s", err, time.Since(began))
	}
}

func TestManualDialog(t *testing.T) {
	m := ownManager(t, Config{Dialog: DialogManual})
	ctx := testContext(t)
	page, err := m.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := page.HandleDialog(ctx, true, ""); err == nil {
		t.Error("handling no dialog is no error")
	}
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err = page.Evaluate(short, Script{Expression: `confirm("really?")`})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), `dialog open: confirm "really?"`) {
		t.Errorf("evaluate under a dialog: %v", err)
	}
	info, err := page.Info(ctx)
	if err != nil || info.Dialog == nil || info.Dialog.Message != "really?" {
		t.Errorf("info: %+v, %v", info, err)
	}
	if err := page.HandleDialog(ctx, true, ""); err != nil {
		t.Fatal(err)
	}
	if v, err := page.Evaluate(ctx, Script{Expression: "5"}); err != nil || string(v) != "5" {
		t.Errorf("after the dialog: %s, %v", v, err)
	}
}

func TestAcceptedDialogs(t *testing.T) {
	m := ownManager(t, Config{Dialog: DialogAccept})
	ctx := testContext(t)
	page, err := m.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out, err := page.Call(ctx, Function{Source: `() => [alert("a"), confirm("b"), prompt("c", "default")]`})
	if err != nil || string(out.Value) != `[null,true,"default"]` {
		t.Errorf("%s, %v", out.Value, err)
	}
	for _, d := range out.Dialogs {
		if d.Action != "accepted" {
			t.Errorf("dialog %+v", d)
		}
	}
}

func TestCancelledStartDoesNotStopOthers(t *testing.T) {
	m := ownManager(t, Config{})
	ctx := testContext(t)
	leaving, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Space(DefaultSpace).Page(leaving); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled call: %v", err)
	}
	if _, err := m.Space(DefaultSpace).Page(ctx); err != nil {
		t.Error(err)
	}
}

func TestIdleChromeIsClosed(t *testing.T) {
	m := ownManager(t, Config{IdleTimeout: 300 * time.Millisecond})
	ctx := testContext(t)
	space := m.Space("idle")
	turn := space.Reserve()
	page, err := space.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done := page.chrome.conn.done
	busy := time.NewTimer(700 * time.Millisecond)
	defer busy.Stop()
	select {
	case <-done:
		t.Error("chrome was closed during a turn")
	case <-busy.C:
	}
	turn.Release()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("an idle chrome was not closed")
	}
	if _, err := space.Page(ctx); err != nil {
		t.Errorf("after the idle close: %v", err)
	}
}

func TestClosedManagerRefuses(t *testing.T) {
	m := New(Config{TempDir: t.TempDir()})
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var gone *GoneError
	if _, err := m.Space(DefaultSpace).Page(t.Context()); !errors.As(err, &gone) {
		t.Errorf("page of a closed manager: %v", err)
	}
}

// Rod's typed commands run over our client.
func TestConnServesRodCommands(t *testing.T) {
	page, _ := newTestPage(t, "")
	version, err := proto.BrowserGetVersion{}.Call(page.chrome.conn)
	if err != nil || version.ProtocolVersion == "" {
		t.Errorf("%+v, %v", version, err)
	}
}
