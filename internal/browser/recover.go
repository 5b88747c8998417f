package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

const (
	// aliveWithin is how soon a page answers that only waits for a promise of the
	// caller's script. One that does not is taken for a loop.
	aliveWithin = 80 * time.Millisecond
	// busyWithin is how long a page may be busy with itself while a question of
	// ours waits, before it counts as stuck.
	busyWithin = 2 * time.Second
	// freedWithin is how soon a page must answer after its script was terminated.
	freedWithin = 5 * time.Second
)

// errReplaced ends a page that could not be freed.
var errReplaced = errors.New("the page did not answer any more")

// recover makes sure, in the background, that the page answers after a call on it
// was given up: a script that loops is terminated, a page that stays silent is
// closed. Operations wait for the end of it in begin.
func (p *Page) recover(s *session, patience time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recovery != nil {
		return
	}
	if !p.chrome.enlist(&p.chrome.recoveries) {
		return
	}
	p.recovery = make(chan struct{})
	go p.recoverFrom(s, patience)
}

// enlist counts one more piece of work that the end of this Chrome waits for,
// unless the connection is over.
func (c *chrome) enlist(work *sync.WaitGroup) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.conn.done:
		return false
	default:
	}
	work.Add(1)
	return true
}

func (p *Page) recoverFrom(s *session, patience time.Duration) {
	defer p.chrome.recoveries.Done()
	ctx, cancel := context.WithTimeout(context.Background(), patience+freedWithin+time.Second)
	defer cancel()
	if !p.answers(ctx, s, patience) && p.dialogNear() == nil {
		s.send(proto.RuntimeTerminateExecution{})
		if !p.answers(ctx, s, freedWithin) && p.dialogNear() == nil {
			p.replace()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.recovery)
	p.recovery = nil
	p.broadcast()
}

// answers reports whether the session runs a script within the time. An answer
// that says it was terminated itself means that the order came late: it is used
// up then, and the next script runs.
func (p *Page) answers(ctx context.Context, s *session, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		var res evaluated
		err := s.call(ctx, evaluateParams{Expression: "0"}, &res)
		switch {
		case err == nil && res.Exception == nil:
			return true
		case ctx.Err() != nil:
			return false
		}
		select {
		case <-s.done:
			return true // gone is not stuck
		default:
		}
	}
}

// replace gives the page up: the space opens a blank tab in its place on its next use.
func (p *Page) replace() {
	p.chrome.losePage(p)
	p.end(&PageError{
		URL: p.url(), Reason: "the page stopped answering and was closed", Cause: errReplaced,
		Hint: "open the page again: the space has a blank tab now",
	})
}
