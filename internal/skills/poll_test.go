package skills

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// limitedNotifier has room for so many directories, as a system does whose
// max_user_watches is reached, and can lose events.
type limitedNotifier struct {
	notifier
	mu   sync.Mutex
	room int
	errs chan error
}

func (n *limitedNotifier) Add(dir string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.room--; n.room < 0 {
		return fmt.Errorf("add %s: %w", dir, syscall.ENOSPC)
	}
	return n.notifier.Add(dir)
}

func (n *limitedNotifier) errors() <-chan error { return n.errs }

func (n *limitedNotifier) Close() error {
	defer close(n.errs)
	return n.notifier.Close()
}

func limited(room int) func() (notifier, error) {
	return func() (notifier, error) {
		n, err := newFSNotifier()
		return &limitedNotifier{notifier: n, room: room, errs: make(chan error)}, err
	}
}

// TestPollingTakesOver is report I5 (fsnotify #719): no watches left, or none at
// all, or asked for.
func TestPollingTakesOver(t *testing.T) {
	for name, c := range map[string]struct {
		notifier func() (notifier, error)
		poll     time.Duration
	}{
		"no watches left": {limited(8), 0},
		"no inotify":      {func() (notifier, error) { return nil, syscall.EMFILE }, 0},
		"asked for":       {newFSNotifier, 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "root")
			for i := range 50 {
				write(t, dir, packOf(fmt.Sprintf("p%d", i), "x.com"))
			}
			w := openStoreWith(t, Config{Roots: dirRoots(dir), Poll: c.poll}, c.notifier)
			for i := range 3 {
				v := fmt.Sprint(i)
				write(t, dir, files{"p49/notes/overview.md": v}) // same size each time
				w.until(v, noteIs("p49", v))
			}
			write(t, dir, packOf("new", "new.com"))
			w.until("a new pack", noteIs("new", "# new\n"))
			must(t, os.RemoveAll(filepath.Join(dir, "p0")))
			w.until("a removed pack", func(c *Catalog) bool { _, ok := c.Pack("p0"); return !ok })
			must(t, os.RemoveAll(dir))
			w.until("no root", func(c *Catalog) bool { return len(c.Packs()) == 0 })
			write(t, dir, packOf("a", "a.com"))
			w.until("a new root", noteIs("a", "# a\n"))
		})
	}
}

// TestRemoteRootsArePolled is report I11: no watch tells what another machine does.
func TestRemoteRootsArePolled(t *testing.T) {
	parent := t.TempDir()
	for name, appears := range map[string]bool{"at the start": false, "later": true} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(parent, name, "root")
			if !appears {
				write(t, dir, packOf("a", "a.com"))
			}
			deaf := deafNotifier{make(chan fsnotify.Event), make(chan error)}
			w := openStoreWith(t, Config{Roots: dirRoots(dir), remote: func(string) bool { return true }}, func() (notifier, error) { return deaf, nil })
			write(t, dir, packOf("a", "a.com"))
			w.until("the pack", noteIs("a", "# a\n"))
			for i := range 3 {
				v := fmt.Sprint(i)
				write(t, dir, files{"a/notes/overview.md": v})
				if took, _ := w.until(v, noteIs("a", v)); took > 3*PollEvery+time.Second {
					t.Errorf("%s: %s", v, took)
				}
			}
		})
	}
}

// TestEventsOnly keeps to events where polling would take over, and says so once.
func TestEventsOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	var log lockedLog
	w := openStoreWith(t, Config{
		Roots: dirRoots(dir), EventsOnly: true, remote: func(string) bool { return true }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}, limited(1))
	for i := range 3 {
		v := fmt.Sprintf("longer than before %d", i)
		write(t, dir, files{"a/notes/overview.md": v})
		w.until(v, noteIs("a", v)) // by the look once a second
	}
	must(t, w.Close())
	if w.state.sweep.polling || strings.Count(log.String(), "watched") != 1 {
		t.Errorf("polling %v; log:\n%s", w.state.sweep.polling, log.String())
	}
}

// lockedLog is a log that may be written while it is read.
type lockedLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// deafNotifier hears nothing but that events were lost.
type deafNotifier struct {
	evs  chan fsnotify.Event
	errs chan error
}

func (deafNotifier) Add(string) error                { return nil }
func (deafNotifier) Remove(string) error             { return nil }
func (n deafNotifier) events() <-chan fsnotify.Event { return n.evs }
func (n deafNotifier) errors() <-chan error          { return n.errs }
func (n deafNotifier) Close() error {
	close(n.evs)
	close(n.errs)
	return nil
}

func TestOverflowRescans(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, packOf("a", "a.com"))
	write(t, dir, packOf("b", "b.com"))
	deaf := deafNotifier{make(chan fsnotify.Event), make(chan error)}
	w := openStoreWith(t, Config{Roots: dirRoots(dir)}, func() (notifier, error) { return deaf, nil })
	write(t, dir, files{"a/notes/overview.md": "longer than before"})
	write(t, dir, packOf("c", "c.com"))
	must(t, os.RemoveAll(filepath.Join(dir, "b")))
	deaf.errs <- fsnotify.ErrEventOverflow
	w.until("everything", func(c *Catalog) bool {
		return slices.Equal(ids(c.Packs()), []string{"a", "c"}) && noteIs("a", "longer than before")(c)
	})
}

// TestLostEventsAreRepaired has no events at all, and nobody who says so.
func TestLostEventsAreRepaired(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "root")
	write(t, dir, packOf("a", "a.com"))
	deaf := deafNotifier{make(chan fsnotify.Event), make(chan error)}
	w := openStoreWith(t, Config{Roots: dirRoots(dir)}, func() (notifier, error) { return deaf, nil })
	write(t, dir, files{"a/notes/overview.md": "longer than before"})
	w.until("the edit", noteIs("a", "longer than before"))
	must(t, os.Rename(dir, dir+".old"))
	write(t, dir, packOf("b", "b.com"))
	w.until("the other root", noteIs("b", "# b\n"))
}
