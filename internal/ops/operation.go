package ops

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
)

// Operation is one row of the table: a name, what it takes and gives, and the
// function behind it.
type Operation struct {
	// Name is the JSON-RPC method and the path below the JS ctx, such as
	// "page.goto".
	Name string
	// Doc is one sentence in the imperative, used by every generated reference.
	Doc string
	// Params are the named parameters in positional order.
	Params []Param
	// Result is the Go type of the result; its JSON is what a caller sees.
	Result reflect.Type
	// JS says how the operation is called from a tool; nil keeps it off the ctx.
	JS *Binding
	// UsesSpace marks operations that act on a task space: they take the space's
	// lane, in the order in which they were prepared.
	UsesSpace bool
	// Runs marks operations that run code of packs or clients. They count against
	// the limit of concurrent runs.
	Runs bool

	// shortFor is the operation that this one is another way to call; what is denied
	// of that one is denied here.
	shortFor string

	fails []Kind
	// preparing and hosting are Prepare and host; the row is the one that was asked
	// for, which may be a copy of that they were made for.
	preparing func(*Operation, *Session, json.RawMessage) (*Call, error)
	hosting   func(context.Context, *Operation, *Scope, json.RawMessage) (any, error)
}

// host runs the operation inside a run, in the run's scope.
func (o *Operation) host(ctx context.Context, sc *Scope, params json.RawMessage) (any, error) {
	return o.hosting(ctx, o, sc, params)
}

// Call is a request that was decoded, checked and given its place in the
// queues it needs. Exactly one of Run and Drop must be called, once.
type Call struct {
	// Run does the work. The context ends it; its error is an *Error or a
	// context error.
	Run func(context.Context) (any, error)
	// Inline means Run never waits for a worker, a page or the disk, and may be
	// called on the goroutine that reads requests.
	Inline bool
	// Drop gives back the places of a call that will not run, because of cause; nil
	// when nobody asked for it by itself, and nobody needs to know.
	Drop func(cause error)
}

// Prepare decodes params (an object, an array in the order of Params, or
// nothing), and reserves the call's turn. It never blocks. Calls prepared one
// after the other on one space run in that order. The error is an *Error.
func (o *Operation) Prepare(s *Session, params json.RawMessage) (*Call, error) {
	return o.preparing(o, s, params)
}

// Table is the set of operations, sorted by name.
type Table struct {
	rows   []*Operation
	byName map[string]*Operation
	// inner are the operations that only the facade calls, to build functions
	// that take JavaScript to decide. No face shows them.
	inner map[string]*Operation
}

func newTable(rows, inner []*Operation) *Table {
	t := &Table{rows: rows, byName: make(map[string]*Operation, len(rows)), inner: make(map[string]*Operation, len(inner))}
	for _, row := range inner {
		t.inner[row.Name] = row
	}
	slices.SortFunc(t.rows, func(a, b *Operation) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	for _, row := range rows {
		t.byName[row.Name] = row
	}
	return t
}

// Lookup finds an operation by its exact name.
func (t *Table) Lookup(name string) (*Operation, bool) {
	row, ok := t.byName[name]
	return row, ok
}

// hosted finds an operation that code in a run may call.
func (t *Table) hosted(name string) (*Operation, bool) {
	if row, ok := t.inner[name]; ok {
		return row, true
	}
	row, ok := t.byName[name]
	return row, ok && row.JS != nil
}

// Rows returns all operations in order of name. The slice is the table's own.
func (t *Table) Rows() []*Operation { return t.rows }

// Names returns the names of all operations in order.
func (t *Table) Names() []string {
	names := make([]string, len(t.rows))
	for i, row := range t.rows {
		names[i] = row.Name
	}
	return names
}

// Nothing is the result of an operation that has none: null on the wire.
type Nothing struct{}

// silent tells whether the operation has no result.
func (o *Operation) silent() bool { return o.Result == reflect.TypeFor[Nothing]() }

// MarshalJSON writes null.
func (Nothing) MarshalJSON() ([]byte, error) { return []byte("null"), nil }
