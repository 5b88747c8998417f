package browser

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// A session that opens after whoever asked for it has left is detached.
func TestSessionsOfThoseWhoLeft(t *testing.T) {
	m := ownManager(t, Config{})
	var leave atomic.Pointer[context.CancelFunc] // called once a session is asked for
	m.trace = func(dir string, frame []byte) {
		if dir == "->" && bytes.Contains(frame, []byte("Target.attachToTarget")) {
			if cancel := leave.Swap(nil); cancel != nil {
				(*cancel)()
			}
		}
	}
	ctx := testContext(t)
	page, err := m.Space("a").Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tap, err := page.Tap(ctx)
	if err != nil {
		t.Fatal(err)
	}
	own := 1 // sessions that somebody answers for
	for name, open := range map[string]func(ctx context.Context) error{
		"tap": func(ctx context.Context) error {
			second, err := page.Tap(ctx)
			if err == nil {
				t.Cleanup(second.Close)
			}
			return err
		},
		"command": func(ctx context.Context) error {
			_, err := tap.CDP(ctx, "Target.attachToTarget", nil, "")
			return err
		},
	} {
		leaving, cancel := context.WithCancel(ctx)
		leave.Store(&cancel)
		switch err := open(leaving); {
		case err == nil: // the answer was there first
			own++
		case !errors.Is(err, context.Canceled):
			t.Errorf("%s: %v, want that it was cancelled", name, err)
		}
		if _, err := tap.CDP(ctx, "Target.getTargets", nil, ""); err != nil { // answered after what was asked before
			t.Fatal(err)
		}
		eventually(t, 10*time.Second, name+": only sessions that somebody has", func() bool { return extraSessions(page.chrome) == own })
	}
}

func extraSessions(c *chrome) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, a := range c.sessions {
		if a.extra {
			n++
		}
	}
	return n
}
