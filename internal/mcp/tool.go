package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
	"egod/internal/wire"
)

// tool is a tool as a host sees it, with what calling it does.
type tool struct {
	name string
	// listed makes its entry in tools/list, once.
	listed func() (json.RawMessage, error)
	// declared is what a tool of a pack was made from.
	declared *ops.PackTool
	// params are the names of what it takes; with anyParams the operation checks them.
	params    []string
	anyParams bool
	// plan says which operations a call with these args makes, one after the other.
	// Its error is an *ops.Error.
	plan func(args arguments) ([]step, error)
	// tell makes the answer of the results of the steps.
	tell func(*outcome) (*reply, error)
	// origin says whose words its results are, before anything is known of the call.
	origin Origin
	// renamed has the tool's names of params by those of the operations, where they
	// differ.
	renamed map[string]string
}

// listing is the JSON form of a tool in tools/list. It is not that of the library,
// which writes more hints than it is given: the list is paid for in every session.
type listing struct {
	Name         string             `json:"name"`
	Title        string             `json:"title,omitempty"`
	Description  string             `json:"description"`
	InputSchema  *jsonschema.Schema `json:"inputSchema"`
	OutputSchema *jsonschema.Schema `json:"outputSchema"`
	Annotations  hints              `json:"annotations"`
	Meta         map[string]any     `json:"_meta,omitempty"`
}

// hints are what a host may ask its user before a call. Nil says nothing.
type hints struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// arguments are the args of a call by name.
type arguments map[string]json.RawMessage

// step is a call of an operation.
type step struct {
	op     string
	params arguments
	// optional steps only add to the answer: when they fail, nothing is said.
	optional bool
}

// with returns the named args that were given, for the params of a step.
func (a arguments) with(names ...string) arguments {
	picked := make(arguments, len(names))
	for _, name := range names {
		if value, ok := a[name]; ok {
			picked[name] = value
		}
	}
	return picked
}

// has reports whether an arg was given and is not null.
func (a arguments) has(name string) bool {
	value, ok := a[name]
	return ok && !bytes.Equal(value, []byte("null"))
}

// toolCall is a tools/call that was prepared where it was read.
type toolCall struct {
	name string
	tool *tool // nil when there is none of that name
	args arguments
	// steps have their turn in the queues they need; each must be run or dropped.
	steps []preparedStep
	begun bool  // a step was run
	err   error // why nothing is to be run
}

type preparedStep struct {
	step
	call *ops.Call
}

// drop gives back the places of steps that did not run. It may be called for nil. Of a
// call that was to run and did not, the first step is told of: the others follow from it.
func (c *toolCall) drop() {
	if c == nil {
		return
	}
	var cause error
	if !c.begun && c.err == nil {
		cause = context.Canceled
	}
	for _, s := range c.steps {
		s.call.Drop(cause)
		cause = nil
	}
	c.steps = nil
}

// prepare finds the tool of a call and checks its args. It never waits.
func (s *Server) prepare(params json.RawMessage) (c *toolCall) {
	c = &toolCall{}
	defer func() {
		if c.err != nil {
			c.drop()
		}
	}()
	defer wire.Recovered(&c.err)
	if len(params) == 0 || params[0] != '{' {
		c.err = ops.Errorf(ops.KindInvalidParams, "params must be an object with the name of a tool")
		return c
	}
	name := wire.Member(params, "name")
	if json.Unmarshal(name, &c.name) != nil {
		c.err = ops.Errorf(ops.KindInvalidParams, "the name of the tool is missing").With("path", "$.name")
		return c
	}
	set := s.tools.Load()
	if c.tool = set.byName[c.name]; c.tool == nil {
		return c
	}
	if c.err = c.tool.decode(wire.Member(params, "arguments"), &c.args); c.err != nil {
		s.session.Asked(methodCallTool, c.err)
		return c
	}
	steps, err := c.tool.plan(c.args)
	if err != nil {
		s.session.Asked(methodCallTool, err)
		c.err = err
		return c
	}
	for _, st := range steps {
		call, err := s.prepareStep(st)
		if err != nil {
			c.err = c.tool.rename(err)
			return c
		}
		c.steps = append(c.steps, preparedStep{st, call})
	}
	return c
}

func (s *Server) prepareStep(st step) (*ops.Call, error) {
	op, ok := s.service.Table().Lookup(st.op)
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", st.op)
	}
	params, err := json.Marshal(st.params)
	if err != nil {
		return nil, fmt.Errorf("encoding the params of %s: %w", st.op, err)
	}
	return op.Prepare(s.session, params)
}

// decode takes the args of a call apart.
func (t *tool) decode(raw json.RawMessage, args *arguments) error {
	*args = arguments{}
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if raw[0] != '{' {
		return ops.Errorf(ops.KindInvalidParams, "arguments must be an object, got %s", wire.Describe(raw)).
			With("path", "$").With("expected", "an object").With("actual", wire.Describe(raw))
	}
	if err := json.Unmarshal(raw, args); err != nil {
		return ops.Errorf(ops.KindInvalidParams, "arguments are not a JSON object: %v", err).With("path", "$")
	}
	for name := range *args {
		if !t.anyParams && !slices.Contains(t.params, name) {
			return t.unknown(name)
		}
	}
	return nil
}

func (t *tool) unknown(name string) error {
	e := ops.Errorf(ops.KindInvalidParams, "%s takes no argument %q", t.name, name).
		With("path", "$."+name).With("expected", t.params).With("actual", name)
	if near := ops.Suggest(name, t.params); len(near) > 0 {
		return e.WithHint("did you mean %q?", near[0])
	}
	return e
}

// rename puts the tool's names of params where an error has those of the operation.
func (t *tool) rename(err error) error {
	ours, ok := asOps(err)
	if !ok {
		return err
	}
	path, _ := ours.Data["path"].(string)
	for theirs, name := range t.renamed {
		if path == "$."+theirs {
			return ours.With("path", "$."+name)
		}
	}
	return err
}

// callTool runs a prepared call. What goes wrong with the tool is a result that says
// so; an error is about the request itself.
func (s *Server) callTool(ctx context.Context, req mcp.Request, served *call) (mcp.Result, error) {
	if served == nil || served.tool == nil {
		return nil, fmt.Errorf("a call of a tool was not prepared")
	}
	c := served.tool
	if c.tool == nil && c.err == nil {
		return s.noSuchTool(c.name)
	}
	if c.tool == nil {
		return nil, c.err
	}
	if c.err != nil {
		return s.failed(c.tool, c.args, c.err)
	}
	session, _ := req.GetSession().(*mcp.ServerSession)
	s.Begin(served.Request, true, s.progress(served.token))
	ctx = ops.WithObserver(ctx, &observer{ctx: context.WithoutCancel(ctx), server: s, session: session, request: served.Request})
	out := &outcome{server: s, args: c.args, results: make([]any, 0, len(c.steps))}
	for len(c.steps) > 0 {
		next := c.steps[0]
		c.steps = c.steps[1:]
		if served.ctx.Err() != nil { // ctx may not have heard of it yet
			next.call.Drop(context.Cause(served.ctx))
			return nil, context.Cause(served.ctx)
		}
		c.begun = true
		result, err := next.call.Run(ctx)
		if err != nil && !next.optional {
			return s.failed(c.tool, c.args, err)
		}
		out.results = append(out.results, result)
	}
	answer, err := c.tool.tell(out)
	if err != nil {
		return s.failed(c.tool, c.args, err)
	}
	return answer.result()
}

// noSuchTool answers a call of a tool that is not there: one that was is told to the
// model, any other is a mistake of the host.
func (s *Server) noSuchTool(name string) (result mcp.Result, err error) {
	s.session.Asked(methodCallTool, ops.Errorf(ops.KindToolNotFound, "unknown tool"))
	set := s.tools.Load()
	if generation, ok := set.removed[name]; ok {
		return s.failed(&tool{name: name}, nil, ops.Errorf(ops.KindToolNotFound, "the tool %q was removed in generation %d", name, generation).
			With("removedIn", generation).WithHint("list the tools again, or ask learn_context what the site has now"))
	}
	e := ops.Errorf(ops.KindInvalidParams, "unknown tool %q", name).With("path", "$.name")
	if near := ops.Suggest(name, set.names()); len(near) > 0 {
		e.WithHint("did you mean %q?", near[0])
	}
	return nil, e
}
