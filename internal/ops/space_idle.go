package ops

import (
	"context"
	"sync"
	"time"
)

// idleEndTimeout bounds the closing of a space that nobody used.
const idleEndTimeout = 30 * time.Second

// use counts a place in a space, which does not end by itself until leave. A space
// that ended meanwhile is there again; one that took its name is taken instead.
func (r *spaceRegistry) use(s *taskSpace) *taskSpace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.ended {
		if other := r.byName[s.name]; other != nil {
			s = other
		} else {
			s.ended = false
			r.byName[s.name] = s
		}
	}
	s.uses++
	if s.idle != nil {
		s.idle.Stop()
	}
	return s
}

// leave counts a place out.
func (r *spaceRegistry) leave(s *taskSpace) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.uses--
	r.rest(s)
}

// isLive reports whether a space is in the registry.
func (r *spaceRegistry) isLive(s *taskSpace) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !s.ended
}

// rest lets the time run after which an unused space ends; mu is held. A space that
// a user has or was lent does not end: nobody knows what the user is about to do.
func (r *spaceRegistry) rest(s *taskSpace) {
	if r.idleAfter <= 0 || r.closed {
		return
	}
	if s.uses > 0 || s.owner != OwnedByAgent || s.ended {
		if s.idle != nil {
			s.idle.Stop()
		}
		return
	}
	if s.idle == nil {
		s.idle = time.AfterFunc(r.idleAfter, func() { r.onIdle(s) })
		return
	}
	s.idle.Reset(r.idleAfter)
}

// takeIdle removes a space that nobody uses; false: somebody does by now.
func (r *spaceRegistry) takeIdle(s *taskSpace) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.uses > 0 || s.owner != OwnedByAgent || s.ended || r.closed {
		return false
	}
	r.removeLocked(s)
	return true
}

// stop ends all timers.
func (r *spaceRegistry) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, s := range r.byName {
		if s.idle != nil {
			s.idle.Stop()
		}
	}
}

// idleEnds are the closings of unused spaces that are under way.
type idleEnds struct {
	ctx    context.Context //nolint:containedctx // as long as the Service
	cancel context.CancelFunc
	mu     sync.Mutex // keeps Add from running beside Wait
	closed bool
	wg     sync.WaitGroup
}

func newIdleEnds() *idleEnds {
	ctx, cancel := context.WithCancel(context.Background())
	return &idleEnds{ctx: ctx, cancel: cancel}
}

func (e *idleEnds) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.wg.Add(1)
	return true
}

func (e *idleEnds) stop() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	e.wg.Wait()
}

// endIdle completes a space that was not used for so long. It does so in the lane:
// what comes meanwhile waits, and finds a fresh space.
func (s *Service) endIdle(space *taskSpace) {
	if !s.idleEnds.begin() {
		return
	}
	defer s.idleEnds.wg.Done()
	ctx, cancel := context.WithTimeout(s.idleEnds.ctx, idleEndTimeout)
	defer cancel()
	tabs := s.browser.Space(space.name)
	turn := tabs.Reserve()
	defer turn.Release()
	if turn.Wait(ctx) != nil || !s.spaces.takeIdle(space) {
		return
	}
	s.logger.Info("a task space was not used and is closed", "space", space.name, "after", s.spaces.idleAfter)
	space.recorder.end(ctx)
	if err := tabs.Dispose(ctx); err != nil {
		s.logger.Warn("closing an unused task space", "space", space.name, "error", err)
	}
}
