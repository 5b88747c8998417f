package ops

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"egod/internal/browser"
)

// DefaultSpace is the task space of calls that name none.
const DefaultSpace = "default"

// maxNesting bounds tools that run tools that run tools.
const maxNesting = 8

// SpaceRef names a task space: a string or a whole number on the wire.
type SpaceRef struct {
	name   string
	number int // set when the reference was a number
}

// UnmarshalJSON takes a name or a number.
func (r *SpaceRef) UnmarshalJSON(raw []byte) error {
	var n int
	if json.Unmarshal(raw, &n) == nil && n > 0 {
		*r = SpaceRef{name: strconv.Itoa(n), number: n}
		return nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || strings.TrimSpace(s) == "" {
		return invalidParam("", "the name or number of a task space", jsonType(raw),
			"a task space is named by a non-empty string or a whole number")
	}
	*r = SpaceRef{name: s}
	return nil
}

// inSpace is embedded by the params of operations on a task space.
type inSpace struct {
	Space SpaceRef `json:"space,omitempty" doc:"name or number of the task space; \"default\" when left out"`
}

func (p inSpace) taskSpace() (SpaceRef, bool) { return p.Space, true }

// Scope is where an operation happens: at which place, and inside which run.
// Calls from the wire have a scope each; all calls of a run share its place,
// and with it the turn in the lane that the run holds.
type Scope struct {
	svc   *Service
	place *place
	// depth counts the runs around this call: 0 from the wire.
	depth int
	// log is that of the innermost run; nil from the wire.
	log *runLog
	// policy is what the code around this call may do: that of its pack, and from the
	// wire and in scripts what is said for everybody. callers are the policies of the
	// packs further out, whose denials hold inside too.
	policy  Policy
	callers []Policy
	// inPack is the tool whose code calls; nil from the wire and in scripts.
	inPack *toolRun
	// note is what the audit log is told of this call; nil when there is none.
	note *auditNote

	counted bool // the run was admitted
	once    sync.Once
}

// reserve takes the places of the call: in the queue of runs, then in the lane
// of its space. It never waits. A floating run takes its lane once it needs one.
func (sc *Scope) reserve(needsSpace, isRun, floating bool) error {
	if isRun {
		if err := sc.svc.runs.admit(); err != nil {
			return err
		}
		sc.counted = true
		sc.place.slots = sc.svc.runs
	}
	if needsSpace && !floating {
		sc.place.reserve()
	}
	return nil
}

// begin waits for the reserved places.
func (sc *Scope) begin(ctx context.Context) error { return sc.place.begin(ctx) }

// release gives back what reserve and begin took.
func (sc *Scope) release() {
	sc.once.Do(func() {
		sc.place.release()
		if sc.counted {
			sc.svc.runs.leave()
		}
	})
}

// nested is the scope of what a run calls: it shares the place of the run, so
// that a tool can call a tool without waiting for itself. run is nil for a script.
// What is denied to the packs further out stays denied inside; what they are allowed
// is not passed on.
func (sc *Scope) nested(log *runLog, run *toolRun) *Scope {
	inner := sc.noted(sc.note)
	inner.depth, inner.log, inner.inPack = sc.depth+1, log, run
	if run == nil {
		return inner
	}
	inner.policy = sc.svc.policy.Of(run.siteID)
	if sc.inPack != nil {
		inner.callers = append(slices.Clip(sc.callers), sc.policy)
	}
	return inner
}

// noted is the scope with another note for the audit log.
func (sc *Scope) noted(note *auditNote) *Scope {
	return &Scope{
		svc: sc.svc, place: sc.place, depth: sc.depth, log: sc.log,
		policy: sc.policy, callers: sc.callers, inPack: sc.inPack, note: note,
	}
}

// hosted is the scope of one call that code of a run makes.
func (sc *Scope) hosted(op string) *Scope {
	if sc.note == nil {
		return sc
	}
	return sc.noted(sc.note.inner(op, sc.inPack))
}

// refused asks every policy that holds here.
func (sc *Scope) refused(check func(Policy) error) error {
	for _, p := range sc.callers {
		if err := check(p); err != nil {
			return err
		}
	}
	return check(sc.policy)
}

// browserSpace returns the task space as the agent may use it. It starts no
// Chrome.
func (sc *Scope) browserSpace(ctx context.Context) (*browser.Space, error) {
	if err := sc.refused(Policy.checkBrowser); err != nil {
		return nil, err
	}
	return sc.place.browserSpace(ctx)
}

// page returns the current page of the space, starting Chrome when needed.
func (sc *Scope) page(ctx context.Context) (*browser.Page, error) {
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return nil, err
	}
	page, err := space.Page(ctx)
	sc.note.on(page)
	return page, err
}

// pageBeside is page for what a request may do out of turn, in the space that it
// names. A run is in its own space, and has its turn.
func (sc *Scope) pageBeside(ctx context.Context, ref SpaceRef) (*browser.Page, error) {
	if sc.depth > 0 {
		return sc.page(ctx)
	}
	if err := sc.refused(Policy.checkBrowser); err != nil {
		return nil, err
	}
	if ref.name == "" {
		ref.name = DefaultSpace
	}
	space, ok := sc.svc.spaces.find(ref)
	if !ok {
		return nil, spaceNotFound(ref)
	}
	if err := sc.svc.spaces.checkControl(space); err != nil {
		return nil, err
	}
	page, err := sc.svc.browser.Space(space.name).Page(ctx)
	sc.note.on(page)
	return page, err
}
