package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"egod/internal/ops"
	"egod/internal/wire"
)

// coreTool declares a tool that every host gets: which operations it calls, which of
// their params it shows, and how it tells what they return.
type coreTool struct {
	name, title, doc string
	// does names the operations it may call; the first is the usual one.
	does []string
	// shows are the params it takes, in order.
	shows []shown
	// gives are the members of structuredContent that its output schema names.
	gives []given
	// plan chooses the steps of a call; nil is one step of does[0] with the args.
	plan func(arguments) ([]step, error)
	tell func(*outcome) (*reply, error)
	// origin says whose words its results are.
	origin Origin
	// reads says that it changes nothing, closed that it reaches no website. What
	// neither reads nor is additive may destroy something.
	reads, closed, additive bool
}

// shown is a param of a core tool, made from one of an operation.
type shown struct {
	name string
	// own is the JSON type of a param that no operation has, because it chooses
	// between operations or is translated.
	own string
	// of is the operation whose param it is, as the name of that param; does[0] and
	// name when empty.
	of, as string
	// doc says in fewer words what the operation's says; empty shows none where
	// name and type tell all.
	doc string
	// optional may be left out, because the tool can do without what the operation
	// needs.
	optional bool
	// kind is the JSON type where the operation takes any value.
	kind string
	// choices are all the values there are.
	choices []any
}

// given is a member of structuredContent.
type given struct {
	name string
	// kind is its JSON type; empty takes that of the member of the result of does[0],
	// and any value where that has none.
	kind string
}

// coreTools makes the core tools from the rows of a table. It fails when a row or a
// param is not there that one of them is made from.
func coreTools(table *ops.Table) ([]*tool, error) {
	var tools []*tool
	for _, declared := range coreList() {
		made, err := declared.make(table)
		if err != nil {
			return nil, fmt.Errorf("the tool %s: %w", declared.name, err)
		}
		tools = append(tools, made)
	}
	return tools, nil
}

// destroys reports whether a call may change or remove what is there.
func (d coreTool) destroys() bool { return !d.reads && !d.additive }

func (d coreTool) make(table *ops.Table) (*tool, error) {
	input, renamed, err := d.input(table)
	if err != nil {
		return nil, err
	}
	output, err := d.output(table)
	if err != nil {
		return nil, err
	}
	for _, name := range d.does {
		if _, ok := table.Lookup(name); !ok {
			return nil, fmt.Errorf("there is no operation %q", name)
		}
	}
	destroys, open := d.destroys(), !d.closed
	listed, err := wire.Encode(listing{
		Name: d.name, Title: d.title, Description: d.doc, InputSchema: input, OutputSchema: output,
		Annotations: hints{ReadOnly: &d.reads, Destructive: &destroys, OpenWorld: &open},
	})
	if err != nil {
		return nil, err
	}
	t := &tool{name: d.name, listed: func() (json.RawMessage, error) { return listed, nil }, plan: d.plan, tell: d.tell, origin: d.origin, renamed: renamed}
	for _, s := range d.shows {
		t.params = append(t.params, s.name)
	}
	if t.plan == nil {
		t.plan = func(args arguments) ([]step, error) { return []step{{op: d.does[0], params: args}}, nil }
	}
	return t, nil
}

// input is the schema of the params, and the names that differ from the operation's.
// It does not say that there are no others, which costs as much as a param: a call
// with another is refused with the near names.
func (d coreTool) input(table *ops.Table) (*jsonschema.Schema, map[string]string, error) {
	schema := objectSchema()
	renamed := map[string]string{}
	for _, s := range d.shows {
		property, required, err := s.property(table, d.does[0])
		if err != nil {
			return nil, nil, err
		}
		schema.Properties[s.name] = property
		schema.PropertyOrder = append(schema.PropertyOrder, s.name)
		if required {
			schema.Required = append(schema.Required, s.name)
		}
		if s.as != "" {
			renamed[s.as] = s.name
		}
	}
	return schema, renamed, nil
}

// property is the schema of a param, and whether it must be given.
func (s shown) property(table *ops.Table, usual string) (*jsonschema.Schema, bool, error) {
	if s.own != "" {
		return &jsonschema.Schema{Type: s.own, Description: s.doc, Enum: s.choices}, false, nil
	}
	param, err := s.param(table, usual)
	if err != nil {
		return nil, false, err
	}
	property, err := param.Schema()
	if err != nil {
		return nil, false, fmt.Errorf("parameter %s: %w", s.name, err)
	}
	property.Description, property.Enum = s.doc, s.choices
	property.Minimum, property.Maximum = nil, nil // the operation checks them
	switch {
	case s.kind != "":
		property.Type, property.Types, property.AnyOf = s.kind, nil, nil
	case len(property.Types) == 2 && property.Types[0] == "null":
		property.Type, property.Types = property.Types[1], nil // what is left out is not null
	}
	return property, param.Required && !s.optional, nil
}

func objectSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
}

// param finds the param of an operation that s is made from.
func (s shown) param(table *ops.Table, usual string) (*ops.Param, error) {
	name, as := usual, s.name
	if s.of != "" {
		name = s.of
	}
	if s.as != "" {
		as = s.as
	}
	op, ok := table.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", name)
	}
	at := slices.IndexFunc(op.Params, func(p ops.Param) bool { return p.Name == as })
	if at < 0 {
		return nil, fmt.Errorf("the operation %q has no parameter %q", name, as)
	}
	return &op.Params[at], nil
}

// output is the schema of what the tool gives, one level deep: a model reads the
// result itself.
func (d coreTool) output(table *ops.Table) (*jsonschema.Schema, error) {
	schema := objectSchema()
	op, ok := table.Lookup(d.does[0])
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", d.does[0])
	}
	result, err := op.ResultSchema()
	if err != nil {
		return nil, err
	}
	for _, g := range d.gives {
		kind := g.kind
		if member := result.Properties[g.name]; kind == "" && member != nil {
			kind = plainType(member)
		} else if kind == "" {
			return nil, fmt.Errorf("the result of %q has no member %q", d.does[0], g.name)
		}
		schema.Properties[g.name] = schemaOfKind(kind)
		schema.PropertyOrder = append(schema.PropertyOrder, g.name)
	}
	return schema, nil
}

// anyKind is the kind of a member that may be any value.
const anyKind = "any"

// schemaOfKind is the schema of a JSON type. That of any value says so in words: an
// empty schema is written as true, which clients in TypeScript refuse.
func schemaOfKind(kind string) *jsonschema.Schema {
	if kind == anyKind {
		return &jsonschema.Schema{Description: "any JSON"}
	}
	return &jsonschema.Schema{Type: kind}
}

// plainType is the one type of a schema beside null.
func plainType(schema *jsonschema.Schema) string {
	if schema.Type != "" {
		return schema.Type
	}
	for _, one := range schema.Types {
		if one != "null" {
			return one
		}
	}
	return anyKind
}
