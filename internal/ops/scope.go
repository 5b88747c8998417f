package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"egod/internal/browser"
)

// DefaultSpace is the task space of calls that name none.
const DefaultSpace = "default"

// maxNesting bounds tools that run tools that run tools.
const maxNesting = 8

// SpaceRef names a task space: a string or a whole number on the wire.
type SpaceRef string

// UnmarshalJSON takes a name or a number.
func (r *SpaceRef) UnmarshalJSON(raw []byte) error {
	var n int64
	if json.Unmarshal(raw, &n) == nil {
		*r = SpaceRef(fmt.Sprint(n))
		return nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || len(bytes.TrimSpace([]byte(s))) == 0 {
		return invalidParam("", "the name or number of a task space", jsonType(raw),
			"a task space is named by a non-empty string or a whole number")
	}
	*r = SpaceRef(s)
	return nil
}

// inSpace is embedded by the params of operations on a task space.
type inSpace struct {
	Space SpaceRef `json:"space,omitempty" doc:"name or number of the task space; \"default\" when left out"`
}

func (p inSpace) taskSpace() (string, bool) {
	if p.Space == "" {
		return DefaultSpace, true
	}
	return string(p.Space), true
}

// Scope is where an operation happens: in which task space, and inside which
// run. Calls from the wire have a scope each; all calls of a run share its
// scope, and with it the turn in the lane that the run holds.
type Scope struct {
	svc   *Service
	space string
	// depth counts the runs around this call: 0 from the wire.
	depth int

	turn    *browser.Turn
	counted bool // the run was admitted
	running bool // the run holds a slot
	once    sync.Once
}

// reserve takes the places of the call: in the queue of runs, then in the lane
// of its space. It never waits.
func (sc *Scope) reserve(needsSpace, isRun bool) error {
	if isRun {
		if err := sc.svc.runs.admit(); err != nil {
			return err
		}
		sc.counted = true
	}
	if needsSpace {
		sc.turn = sc.svc.browser.Space(sc.space).Reserve()
	}
	return nil
}

// begin waits for the reserved places. The lane comes first, so that whoever
// holds one of the slots for runs can always go on.
func (sc *Scope) begin(ctx context.Context) error {
	if sc.turn != nil {
		if err := sc.turn.Wait(ctx); err != nil {
			return err
		}
	}
	if sc.counted {
		if err := sc.svc.runs.acquire(ctx); err != nil {
			return err
		}
		sc.running = true
	}
	return nil
}

// release gives back what reserve and begin took.
func (sc *Scope) release() {
	sc.once.Do(func() {
		if sc.running {
			sc.svc.runs.yield()
		}
		if sc.counted {
			sc.svc.runs.leave()
		}
		if sc.turn != nil {
			sc.turn.Release()
		}
	})
}

// nested is the scope of a run started by a run: it shares the turn and the
// slot of the outer one, so that a tool can call a tool without waiting for
// itself.
func (sc *Scope) nested() *Scope {
	return &Scope{svc: sc.svc, space: sc.space, depth: sc.depth + 1}
}

// browserSpace returns the task space. It starts nothing.
func (sc *Scope) browserSpace() *browser.Space { return sc.svc.browser.Space(sc.space) }

// page returns the current page of the space, starting Chrome when needed.
func (sc *Scope) page(ctx context.Context) (*browser.Page, error) {
	return sc.browserSpace().Page(ctx)
}
