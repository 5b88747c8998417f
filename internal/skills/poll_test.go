package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
