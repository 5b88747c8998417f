package ops

import (
	"context"
	"sync"

	"egod/internal/browser"
)

// place is where a call or a run stands: its task space, its turn in that
// space's lane, and its slot among the runs. All calls of a run share one
// place. A run that waits for a lane holds no slot, so that whoever holds a
// lane can always get one.
type place struct {
	svc *Service
	// slots is set for runs: where the slot comes from.
	slots *admission

	mu      sync.Mutex // held while the place changes, waits included
	space   *taskSpace // nil until a floating run has chosen
	turn    *browser.Turn
	running bool // holds a slot
	// begun are the spaces that a run was in, each set back at its first use.
	begun map[*taskSpace]bool
	// watches are the views on page events that the run has open.
	watches watchSet
	// taps are the DevTools sessions that the run sends commands through.
	taps tapSet
	// casts are the recordings that the run began; they end with it.
	casts castSet
	// files is where the run has files of its own.
	files fileCorner
	// waitMs is what the run set with setDefaultTimeout.
	waitMs *Milliseconds
	// stopped is the guidance of the first refusal because a user is in control.
	stopped string
}

// placeAt returns a place in the space that a reference names, which is made
// when it does not exist. Without a reference it is the default space, or for
// calls that need none, nowhere yet.
func (s *Service) placeAt(ref SpaceRef, needed bool) (*place, error) {
	p := &place{svc: s}
	if !needed {
		return p, nil
	}
	if ref.name == "" {
		return p, nil // reserve and browserSpace fall back to the default space
	}
	space, err := s.spaces.resolve(ref)
	p.space = space
	return p, err
}

// reserve takes a turn in the lane of the space.
func (p *place) reserve() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chooseDefault()
	p.takeTurn()
}

// takeTurn takes a place in the lane of the space. The caller holds mu.
func (p *place) takeTurn() {
	p.space = p.svc.spaces.use(p.space)
	p.turn = p.svc.browser.Space(p.space.name).Reserve()
}

func (p *place) chooseDefault() {
	if p.space == nil {
		p.space = p.svc.spaces.named(DefaultSpace)
	}
}

// begin waits for the turn that was reserved and for a slot.
func (p *place) begin(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settle(ctx)
}

// settle waits for the turn, then for the slot. The caller holds mu.
func (p *place) settle(ctx context.Context) error {
	if p.turn != nil {
		if err := p.turn.Wait(ctx); err != nil {
			return err
		}
	}
	if p.slots == nil || p.running {
		return nil
	}
	if err := p.slots.acquire(ctx); err != nil {
		return err
	}
	p.running = true
	return nil
}

// enter moves the run to a space: it gives up the turn it has and waits for one
// in the lane of the other.
func (p *place) enter(ctx context.Context, space *taskSpace) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.space == space && p.turn != nil {
		return nil
	}
	p.leaveLane()
	p.space = space
	p.takeTurn()
	if p.running {
		p.slots.yield()
		p.running = false
	}
	return p.settle(ctx)
}

func (p *place) leaveLane() {
	if p.turn != nil {
		p.turn.Release()
		p.turn = nil
		p.svc.spaces.leave(p.space)
	}
}

// release gives everything back. It waits for a change under way, whose context
// has ended.
func (p *place) release() {
	p.watches.closeAll()
	p.casts.stop()
	p.taps.closeAll()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaveLane()
	if p.running {
		p.slots.yield()
		p.running = false
	}
}

// current returns the space the place is in; nil for a run that has not chosen.
func (p *place) current() *taskSpace {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.space
}

// spaceName is the name of the space, empty without one, and while the place changes:
// it never waits.
func (p *place) spaceName() string {
	if p == nil || !p.mu.TryLock() {
		return ""
	}
	defer p.mu.Unlock()
	if p.space == nil {
		return ""
	}
	return p.space.name
}

// browserSpace returns the browser's side of the space, once the run has its
// turn there and the agent is in control.
func (p *place) browserSpace(ctx context.Context) (*browser.Space, error) {
	space, err := p.enterChosen(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.beginIn(ctx, space); err != nil {
		return nil, err
	}
	if err := p.svc.spaces.checkControl(space); err != nil {
		p.mu.Lock()
		if p.stopped == "" {
			p.stopped = err.Hint
		}
		p.mu.Unlock()
		return nil, err
	}
	return p.svc.browser.Space(space.name), nil
}

// enterChosen makes sure of the turn in the space of the place. A space that was
// completed meanwhile, by this run or by another, begins anew.
func (p *place) enterChosen(ctx context.Context) (*taskSpace, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chooseDefault()
	if p.turn != nil && p.svc.spaces.isLive(p.space) {
		return p.space, nil
	}
	p.leaveLane()
	p.takeTurn()
	if p.running {
		p.slots.yield()
		p.running = false
	}
	return p.space, p.settle(ctx)
}

// beginIn gives a run the state that every run begins with, when it first uses a
// space. Calls from the wire go on where the last one stopped.
func (p *place) beginIn(ctx context.Context, space *taskSpace) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slots == nil || p.begun[space] {
		return nil
	}
	if err := p.svc.browser.Space(space.name).BeginRun(ctx); err != nil {
		return err
	}
	if p.begun == nil {
		p.begun = make(map[*taskSpace]bool)
	}
	p.begun[space] = true
	return nil
}

// guidance is what a run must be told when it met a user in control.
func (p *place) guidance() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// setDefaultTimeout sets how long the operations of the run wait for elements.
func (p *place) setDefaultTimeout(wait Milliseconds) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waitMs = &wait
}

// defaultTimeout is what setDefaultTimeout set, or nil.
func (p *place) defaultTimeout() *Milliseconds {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waitMs
}
