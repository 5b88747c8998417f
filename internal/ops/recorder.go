package ops

import (
	"context"
	"slices"
	"sync"
	"time"

	"egod/internal/browser"
)

// recorder is the one recording that a task space may have. It is kept after its
// end until it is asked for, so that stop can tell what became of it.
type recorder struct {
	mu       sync.Mutex
	starting bool
	cast     *browser.Screencast
}

// begin reserves the recorder; begun must follow. A recording that is ending is
// waited for.
func (r *recorder) begin(ctx context.Context) error {
	for {
		cast, err := r.reserve()
		if cast == nil || err != nil {
			return err
		}
		select {
		case <-cast.Done():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reserve returns the recording to wait for, if there is one.
func (r *recorder) reserve() (*browser.Screencast, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cast != nil && !ended(r.cast) && r.cast.Stopping() {
		return r.cast, nil
	}
	if r.starting || r.cast != nil && !ended(r.cast) {
		return nil, Errorf(KindPageError, "a screencast of this task space was already started").
			WithHint("page.screencast.stop ends it")
	}
	r.starting, r.cast = true, nil
	return nil, nil
}

// begun takes in what was started; nil when that failed.
func (r *recorder) begun(cast *browser.Screencast) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starting, r.cast = false, cast
}

// finish ends the recording, waits for the film and forgets it. It returns nil
// when there is none.
func (r *recorder) finish(ctx context.Context) (*browser.Screencast, error) {
	cast := r.current()
	if cast == nil {
		return nil, nil
	}
	cast.Stop()
	err := wait(ctx, cast)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cast == cast && ended(cast) {
		r.cast = nil
	}
	return cast, err
}

// end completes the film that is being made, if there is one, and keeps it for stop.
func (r *recorder) end(ctx context.Context) {
	cast := r.current()
	if cast != nil {
		cast.Stop()
		_ = wait(ctx, cast) // whoever asks for the film is told
	}
}

func ended(cast *browser.Screencast) bool {
	select {
	case <-cast.Done():
		return true
	default:
		return false
	}
}

func wait(ctx context.Context, cast *browser.Screencast) error {
	select {
	case <-cast.Done():
		return cast.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// filmsEnd bounds how long the end of egod waits for films.
const filmsEnd = 5 * time.Second

// endRecordings completes the films of all spaces. Those that are not whole in time
// are given up.
func (r *spaceRegistry) endRecordings(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, filmsEnd)
	defer cancel()
	states := r.all()
	for _, state := range states {
		if cast := state.space.recorder.current(); cast != nil {
			cast.Stop()
		}
	}
	for _, state := range states {
		state.space.recorder.end(ctx)
	}
}

func (r *recorder) current() *browser.Screencast {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cast
}

// castSet holds the recordings that a run began.
type castSet struct {
	mu    sync.Mutex
	casts []*browser.Screencast
}

func (c *castSet) add(cast *browser.Screencast) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.casts = append(c.casts, cast)
}

func (c *castSet) remove(cast *browser.Screencast) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.casts = slices.DeleteFunc(c.casts, func(other *browser.Screencast) bool { return other == cast })
}

func (c *castSet) all() []*browser.Screencast {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.casts)
}

// stop asks all of them to end and does not wait.
func (c *castSet) stop() {
	for _, cast := range c.all() {
		cast.Stop()
	}
}
