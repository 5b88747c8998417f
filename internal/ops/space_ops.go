package ops

import (
	"context"
	"encoding/json"
	"strconv"
	"time"
)

func taskSpaceRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "taskSpaces.list", js: args(),
			doc: "List the task spaces with their owners and recent tabs.",
		}, listTaskSpaces),
		define(spec{
			name: "taskSpaces.useOrCreate", js: args(value("target")),
			doc: "Select a task space by name or number, making one when a name is new.",
		}, useOrCreateTaskSpace),
		define(spec{
			name: "taskSpaces.new", js: args(value("name")),
			doc: "Make a task space whose name is new, and select it.",
		}, newTaskSpace),
		define(spec{
			name: "taskSpaces.switch", js: args(value("target")),
			doc: "Select a task space that the agent owns.",
		}, switchTaskSpace),
		define(spec{
			name: "taskSpaces.claim", js: args(value("target")),
			doc: "Take a task space for the agent, and select it.",
		}, claimTaskSpace),
		define(spec{
			name: "taskSpaces.complete", js: args(value("target"), value("options")),
			doc: "Finish with a task space: leave it to the user, or close it with its tabs.",
		}, completeTaskSpace),
		define(spec{
			name: "taskSpaces.handOff", js: args(value("target")),
			doc: "Lend control of a task space to the user.",
		}, handOffTaskSpace),
		define(spec{
			name: "taskSpaces.takeOver", js: args(value("target")),
			doc: "Take control of a task space back.",
		}, takeOverTaskSpace),
		define(spec{
			name: "taskSpaces.waitForAgentControl", js: args(value("target"), options()),
			doc: "Wait until the agent has control of a task space.",
		}, waitForAgentControl),
	}
}

// TaskSpace describes a task space.
type TaskSpace struct {
	TaskID          string    `json:"taskId"`
	ID              int       `json:"id"`
	Name            string    `json:"name"`
	CreatedBy       string    `json:"createdBy"`
	Ownership       Ownership `json:"ownership"`
	RecentTabTitles []string  `json:"recentTabTitles,omitempty"`
}

func describeSpace(s *taskSpace, owner Ownership) TaskSpace {
	return TaskSpace{TaskID: strconv.Itoa(s.id), ID: s.id, Name: s.name, CreatedBy: createdByAgent, Ownership: owner}
}

func listTaskSpaces(ctx context.Context, sc *Scope, _ struct{}) ([]TaskSpace, error) {
	list := []TaskSpace{}
	tabs, err := sc.svc.browser.AllTabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, state := range sc.svc.spaces.all() {
		described := describeSpace(state.space, state.owner)
		for _, tab := range tabs[state.space.name] {
			described.RecentTabTitles = append(described.RecentTabTitles, tab.Title)
		}
		list = append(list, described)
	}
	return list, nil
}

// spaceTarget names a task space, or the selected one when it is left out.
type spaceTarget struct {
	SpaceRef
	given bool
}

// UnmarshalJSON takes a name or a number.
func (t *spaceTarget) UnmarshalJSON(raw []byte) error {
	t.given = true
	if t.SpaceRef.UnmarshalJSON(raw) != nil {
		return invalidParam("", "the name or number of a task space", jsonType(raw), "requires a task space name or id").
			With("error_code", codeInvalid)
	}
	return nil
}

type taskSpaceParams struct {
	Target spaceTarget `json:"target" doc:"name or number of the task space"`
}

type taskSpaceOrCurrentParams struct {
	Target spaceTarget `json:"target,omitempty" doc:"name or number of the task space; the selected one when left out"`
}

// find returns the space that is meant: the one named, or the one the run is in.
func (sc *Scope) find(t spaceTarget) (*taskSpace, error) {
	if !t.given {
		if current := sc.place.current(); current != nil {
			return current, nil
		}
		return sc.svc.spaces.named(DefaultSpace), nil
	}
	s, ok := sc.svc.spaces.find(t.SpaceRef)
	if !ok {
		return nil, spaceNotFound(t.SpaceRef)
	}
	return s, nil
}

// enter selects a space for the rest of the run. On a call of its own, from the
// wire, there is nothing to select for: a request names its space itself.
func (sc *Scope) enter(ctx context.Context, s *taskSpace) (TaskSpace, error) {
	if sc.depth > 0 {
		if err := sc.place.enter(ctx, s); err != nil {
			return TaskSpace{}, err
		}
	}
	return describeSpace(s, sc.svc.spaces.ownerOf(s)), nil
}

func useOrCreateTaskSpace(ctx context.Context, sc *Scope, p taskSpaceParams) (TaskSpace, error) {
	s, err := sc.svc.spaces.resolve(p.Target.SpaceRef)
	if err != nil {
		return TaskSpace{}, err
	}
	return sc.enter(ctx, s) // also one that a user controls: the calls on its pages are refused then
}

type newSpaceParams struct {
	Name string `json:"name" doc:"a name that no task space has yet"`
}

func newTaskSpace(ctx context.Context, sc *Scope, p newSpaceParams) (TaskSpace, error) {
	if p.Name == "" {
		return TaskSpace{}, invalidParam("$.name", "a name", "an empty string", "requires a task space name")
	}
	s, err := sc.svc.spaces.create(p.Name)
	if err != nil {
		return TaskSpace{}, err
	}
	return sc.enter(ctx, s)
}

func switchTaskSpace(ctx context.Context, sc *Scope, p taskSpaceParams) (TaskSpace, error) {
	s, err := sc.find(p.Target)
	if err != nil {
		return TaskSpace{}, err
	}
	if owner := sc.svc.spaces.ownerOf(s); owner == OwnedByUser {
		return TaskSpace{}, Errorf(KindPolicyDenied, "task space %q belongs to %s: only a space of the agent can be switched to", s.name, owner).
			With("rule", "task-space.owner").WithHint("taskSpaces.claim takes it for the agent")
	}
	return sc.enter(ctx, s)
}

func claimTaskSpace(ctx context.Context, sc *Scope, p taskSpaceParams) (TaskSpace, error) {
	s, err := sc.find(p.Target)
	if err != nil {
		return TaskSpace{}, err
	}
	sc.svc.spaces.setOwner(s, OwnedByAgent)
	return sc.enter(ctx, s)
}

type completeParams struct {
	Target  spaceTarget     `json:"target" doc:"name or number of the task space"`
	Options json.RawMessage `json:"options" doc:"{keep: true} leaves it open, {keep: false} closes it with its tabs"`
}

// SpaceDone tells what became of a task space.
type SpaceDone struct {
	Done    bool   `json:"done"`
	Skipped string `json:"skipped,omitempty"`
}

func completeTaskSpace(ctx context.Context, sc *Scope, p completeParams) (SpaceDone, error) {
	var given struct {
		Keep *bool `json:"keep"`
	}
	if err := json.Unmarshal(p.Options, &given); err != nil || given.Keep == nil {
		return SpaceDone{}, invalidParam("$.options.keep", "a boolean", jsonType(p.Options), "taskSpaces.complete requires { keep: boolean }")
	}
	s, err := sc.find(p.Target)
	if err != nil {
		return SpaceDone{}, err
	}
	if *given.Keep {
		if sc.svc.spaces.ownerOf(s) == OwnedByUser {
			return SpaceDone{Skipped: "user-owned"}, nil
		}
		sc.svc.spaces.setOwner(s, OwnedByUser)
		s.recorder.end(ctx)
		return SpaceDone{Done: true}, nil
	}
	sc.svc.spaces.setOwner(s, OwnedByAgent)
	if _, err := sc.enter(ctx, s); err != nil {
		return SpaceDone{}, err
	}
	s.recorder.end(ctx)
	if err := sc.svc.browser.Space(s.name).Dispose(ctx); err != nil {
		return SpaceDone{}, err
	}
	sc.svc.spaces.remove(s)
	return SpaceDone{Done: true}, nil
}

func handOffTaskSpace(ctx context.Context, sc *Scope, p taskSpaceOrCurrentParams) (SpaceDone, error) {
	s, err := sc.find(p.Target)
	if err != nil {
		return SpaceDone{}, err
	}
	if sc.svc.spaces.ownerOf(s) == OwnedByUser {
		return SpaceDone{Skipped: "user-owned"}, nil
	}
	sc.svc.spaces.setOwner(s, DelegatedUser)
	s.recorder.end(ctx) // what a user does is not recorded
	return SpaceDone{Done: true}, nil
}

func takeOverTaskSpace(ctx context.Context, sc *Scope, p taskSpaceOrCurrentParams) (Nothing, error) {
	s, err := sc.find(p.Target)
	if err != nil {
		return Nothing{}, err
	}
	sc.svc.spaces.setOwner(s, OwnedByAgent)
	_, err = sc.enter(ctx, s)
	return Nothing{}, err
}

type waitForControlParams struct {
	Target   spaceTarget `json:"target,omitempty" doc:"name or number of the task space; the selected one when left out"`
	Interval float64     `json:"interval,omitempty" doc:"taken for the original's sake: the wait ends at the change itself"`
	Timeout  *float64    `json:"timeout,omitempty" doc:"seconds to wait; 600 when left out"`
}

func waitForAgentControl(ctx context.Context, sc *Scope, p waitForControlParams) (Nothing, error) {
	s, err := sc.find(p.Target)
	if err != nil {
		return Nothing{}, err
	}
	seconds := 600.0
	if p.Timeout != nil {
		seconds = *p.Timeout
	}
	if seconds < 0 || seconds > MaxTimeoutMs/1000 {
		return Nothing{}, invalidParam("$.timeout", "seconds, at most 1800", "another number", "timeout must be 0 to 1800 seconds").
			WithHint("this timeout is in seconds")
	}
	timer := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer timer.Stop()
	for {
		owner, changed := sc.svc.spaces.watch(s)
		if owner != DelegatedUser {
			_, err := sc.enter(ctx, s)
			return Nothing{}, err
		}
		select {
		case <-changed:
		case <-timer.C:
			return Nothing{}, Errorf(KindTimeout, "the user kept control of task space %q for %v s", s.name, seconds)
		case <-ctx.Done():
			return Nothing{}, context.Cause(ctx)
		}
	}
}
