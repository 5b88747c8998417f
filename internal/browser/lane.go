package browser

import (
	"context"
	"slices"
	"sync"
)

// lane lets one holder in at a time, in the order of reservation.
type lane struct {
	mu    sync.Mutex
	queue []*Turn // the first one holds the lane
}

// Turn is a place in a space's lane. It must be released exactly once, waited
// for or not.
type Turn struct {
	space *Space
	ready chan struct{} // closed when the turn is first
}

// Reserve takes a place in the lane at once; operations on a space run in the
// order in which their turns were reserved. It needs no Chrome.
func (s *Space) Reserve() *Turn {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.m.turns++
	s = s.m.spaceLocked(s) // it may have been forgotten since the caller asked for it
	t := &Turn{space: s, ready: make(chan struct{})}
	s.lane.mu.Lock()
	defer s.lane.mu.Unlock()
	s.lane.queue = append(s.lane.queue, t)
	if len(s.lane.queue) == 1 {
		close(t.ready)
	}
	return t
}

// Wait blocks until the turn is first or ctx ends. A turn that is first stays so
// until it is released, also when ctx has ended.
func (t *Turn) Wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	default:
	}
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Release gives the place up and lets the next turn in. A second call does nothing.
func (t *Turn) Release() {
	l := &t.space.lane
	l.mu.Lock()
	i := slices.Index(l.queue, t)
	if i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
		if i == 0 && len(l.queue) > 0 {
			close(l.queue[0].ready)
		}
	}
	l.mu.Unlock()
	if i >= 0 {
		t.space.m.mu.Lock()
		t.space.m.turns--
		t.space.m.forgetUnused(t.space)
		t.space.m.mu.Unlock()
	}
}
