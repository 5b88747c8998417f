package ops

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Ownership says who may act in a task space.
type Ownership string

// The three states of the original.
const (
	OwnedByAgent   Ownership = "agent"
	DelegatedUser  Ownership = "agentDelegatedToUser"
	OwnedByUser    Ownership = "user"
	createdByAgent           = "agent"
)

// Codes that scripts of the original branch on.
const (
	codeUserInControl = "EGO_TASK_SPACE_USER_IN_CONTROL"
	codeSpaceNotFound = "EGO_TASK_SPACE_NOT_FOUND"
	codeInvalid       = "EGO_INVALID_ARGUMENT"
)

// userInControl is the guidance a caller gets when it must stop and wait.
const userInControl = "a user has control of this task space: stop here, and go on when control was given back (taskSpaces.waitForAgentControl)"

// taskSpace is one named set of tabs. Its identity never changes; the lower part is
// guarded by the registry's mutex.
type taskSpace struct {
	id       int
	name     string
	recorder recorder

	owner Ownership
	uses  int         // places that hold or wait for a turn in it
	idle  *time.Timer // runs while nobody uses it; nil: not yet, or spaces never end by themselves
	ended bool        // no longer in the registry
}

// spaceRegistry holds the task spaces of the service. They outlive requests and
// clients and end with complete.
type spaceRegistry struct {
	// idleAfter is how long nobody has used a space of the agent when onIdle is
	// called with it, on a goroutine of its own; 0: never.
	idleAfter time.Duration
	onIdle    func(*taskSpace)
	// onOwner is told who owns a space, with mu held.
	onOwner func(*taskSpace, Ownership)

	mu      sync.Mutex // guards all below, and the spaces
	byName  map[string]*taskSpace
	lastID  int
	closed  bool
	changed chan struct{} // closed and replaced at every change of an owner
}

func newSpaceRegistry() *spaceRegistry {
	return &spaceRegistry{
		byName: make(map[string]*taskSpace), changed: make(chan struct{}),
		onIdle: func(*taskSpace) {}, onOwner: func(*taskSpace, Ownership) {},
	}
}

// named returns the space with a name, made when there is none.
func (r *spaceRegistry) named(name string) *taskSpace {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.namedLocked(name)
}

func (r *spaceRegistry) namedLocked(name string) *taskSpace {
	if s, ok := r.byName[name]; ok {
		return s
	}
	r.lastID++
	s := &taskSpace{id: r.lastID, name: name, owner: OwnedByAgent}
	r.byName[name] = s
	r.rest(s)
	return s
}

// find looks a space up: a number by id alone, a string by name first and by id
// when it is all digits.
func (r *spaceRegistry) find(ref SpaceRef) (*taskSpace, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.findLocked(ref)
}

func (r *spaceRegistry) findLocked(ref SpaceRef) (*taskSpace, bool) {
	if ref.number == 0 {
		if s, ok := r.byName[ref.name]; ok {
			return s, true
		}
	}
	id, err := strconv.ParseUint(ref.name, 10, 31) // digits alone: no sign
	if err != nil {
		return nil, false
	}
	for _, s := range r.byName {
		if s.id == int(id) {
			return s, true
		}
	}
	return nil, false
}

// resolve finds a space, or makes one when the reference is a name.
func (r *spaceRegistry) resolve(ref SpaceRef) (*taskSpace, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.findLocked(ref); ok {
		return s, nil
	}
	if ref.number != 0 {
		return nil, spaceNotFound(ref)
	}
	return r.namedLocked(ref.name), nil
}

func spaceNotFound(ref SpaceRef) *Error {
	return Errorf(KindInvalidParams, "task space not found: %s", ref.name).
		With("error_code", codeSpaceNotFound).WithHint("taskSpaces.list shows the spaces there are")
}

// create makes a space whose name must be free.
func (r *spaceRegistry) create(name string) (*taskSpace, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.byName[name]; taken {
		return nil, Errorf(KindInvalidParams, "newTaskSpace: there is a task space %q already", name).
			With("error_code", codeInvalid).WithHint("taskSpaces.useOrCreate takes the one there is")
	}
	return r.namedLocked(name), nil
}

// remove forgets a space.
func (r *spaceRegistry) remove(s *taskSpace) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removeLocked(s)
}

func (r *spaceRegistry) removeLocked(s *taskSpace) {
	if s.ended {
		return
	}
	s.ended = true
	if s.idle != nil {
		s.idle.Stop()
	}
	delete(r.byName, s.name)
	r.own(s, OwnedByAgent)
	r.signal()
}

// ownerOf returns who owns a space now.
func (r *spaceRegistry) ownerOf(s *taskSpace) Ownership {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.owner
}

// setOwner gives a space to an owner.
func (r *spaceRegistry) setOwner(s *taskSpace, owner Ownership) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.owner != owner {
		r.own(s, owner)
		r.rest(s)
		r.signal()
	}
}

// own changes the owner; mu is held.
func (r *spaceRegistry) own(s *taskSpace, owner Ownership) {
	s.owner = owner
	r.onOwner(s, owner)
}

func (r *spaceRegistry) signal() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// watch returns the owner of a space and a channel that is closed at the next
// change.
func (r *spaceRegistry) watch(s *taskSpace) (Ownership, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.owner, r.changed
}

// checkControl refuses to act where a user has control.
func (r *spaceRegistry) checkControl(s *taskSpace) *Error {
	if r.ownerOf(s) != DelegatedUser {
		return nil
	}
	return Errorf(KindPolicyDenied, "task space %q is under the control of a user", s.name).
		With("rule", "task-space.control").With("error_code", codeUserInControl).WithHint(userInControl)
}

// all returns the spaces in order of id, with the owner each has now.
func (r *spaceRegistry) all() []spaceState {
	r.mu.Lock()
	defer r.mu.Unlock()
	states := make([]spaceState, 0, len(r.byName))
	for _, s := range r.byName {
		states = append(states, spaceState{space: s, owner: s.owner})
	}
	slices.SortFunc(states, func(a, b spaceState) int { return cmp.Compare(a.space.id, b.space.id) })
	return states
}

// spaceState is a space with the owner it had when it was looked at.
type spaceState struct {
	space *taskSpace
	owner Ownership
}

func (s *taskSpace) String() string { return fmt.Sprintf("%s (%d)", s.name, s.id) }
