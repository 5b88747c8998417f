package skills

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notifier is the part of fsnotify that a store needs.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
	events() <-chan fsnotify.Event
	errors() <-chan error
}

type fsnotifier struct{ *fsnotify.Watcher }

func (n fsnotifier) events() <-chan fsnotify.Event { return n.Events }
func (n fsnotifier) errors() <-chan error          { return n.Errors }

func newFSNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return fsnotifier{w}, nil
}

// batch is what happened since the last one. An event is a hint that a path is
// worth a look; what happened to it does not matter.
type batch struct {
	paths map[string]struct{}
	// overflow says that events were lost.
	overflow bool
}

func (b *batch) empty() bool { return len(b.paths) == 0 && !b.overflow }

// maxBatchPaths bounds a batch; past it a rescan is cheaper than the paths.
const maxBatchPaths = 100_000

// watcher watches directories, never files: a file's watch dies with the first
// atomic save. Only full paths without links are added, since inotify knows a
// directory once, by the first name it was given.
type watcher struct {
	n    notifier
	out  chan batch
	done chan struct{}
	log  *slog.Logger

	mu     sync.Mutex
	failed error // guarded by mu: why some directory is not watched
}

// startWatcher takes over n. Its goroutine ends with close.
func startWatcher(n notifier, log *slog.Logger) *watcher {
	w := &watcher{n: n, out: make(chan batch), done: make(chan struct{}), log: log}
	go w.pump()
	return w
}

// pump reads events as fast as they come, so that the kernel's queue does not
// overflow while the store is reading files, and hands them on in one piece when
// the store is ready. It ends when the notifier's channels close.
func (w *watcher) pump() {
	defer close(w.done)
	events, errs := w.n.events(), w.n.errors()
	b := batch{paths: map[string]struct{}{}}
	for events != nil || errs != nil {
		var out chan batch
		if !b.empty() {
			out = w.out
		}
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if b.paths[e.Name] = struct{}{}; len(b.paths) > maxBatchPaths {
				b = batch{paths: map[string]struct{}{}, overflow: true}
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			// Whatever the error is, events may be missing behind it.
			w.log.Warn("watching files: events may be lost, looking at all packs again", "error", err)
			b.overflow = true
		case out <- b:
			b = batch{paths: map[string]struct{}{}}
		}
	}
}

// add watches a directory. It may be called by several goroutines.
func (w *watcher) add(dir string) {
	err := w.n.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fsnotify.ErrClosed) {
		return // gone again: the watch of its parent tells
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		w.failed = err
	}
}

// remove forgets a directory; that it is not watched is no error.
func (w *watcher) remove(dir string) {
	if err := w.n.Remove(dir); err != nil {
		w.log.Debug("watching files: forgetting a directory", "dir", dir, "error", err)
	}
}

// failure says why some directory cannot be watched, nil when all are.
func (w *watcher) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

func (w *watcher) close() error {
	err := w.n.Close()
	<-w.done
	return err
}
