package ops

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
)

// spec is what a row says about itself; the types and the function come from
// define.
type spec struct {
	name, doc string
	// js is the JS signature (see Binding); nil keeps the row off the ctx.
	js *Binding
	// inline rows only read memory: they are answered where they are read.
	inline bool
	// run rows count against the limit of concurrent runs.
	run bool
	// fails are the errors to reckon with beyond those that follow from the rest.
	fails []Kind
	// floating rows choose their space while they run when the call names none.
	floating bool
}

// spaced is implemented by the params of operations that act on a task space.
// The second result is false when this call does not need the space after all.
type spaced interface {
	taskSpace() (space SpaceRef, needed bool)
}

// define makes a row whose function gets decoded params.
func define[P, R any](s spec, handler func(context.Context, *Scope, P) (R, error)) *Operation {
	return definePlanned(s, func(sc *Scope, p P) (func(context.Context) (R, error), error) {
		return func(ctx context.Context) (R, error) { return handler(ctx, sc, p) }, nil
	})
}

// definePlanned makes a row in two steps: plan checks everything that can be
// checked without waiting, and the function it returns does the work once the
// call has its turn. A plan that fails costs nobody a place in a queue.
func definePlanned[P, R any](s spec, plan func(*Scope, P) (func(context.Context) (R, error), error)) *Operation {
	dec := newDecoder(reflect.TypeFor[P]())
	_, usesSpace := any(*new(P)).(spaced)
	op := &Operation{
		Name: s.name, Doc: s.doc, JS: s.js, UsesSpace: usesSpace, Runs: s.run, fails: s.fails,
		Params: dec.params, Result: reflect.TypeFor[R](),
	}
	op.preparing = func(row *Operation, session *Session, raw json.RawMessage) (_ *Call, err error) {
		note := session.audit(row.Name)
		sc := &Scope{svc: session.svc, policy: session.svc.policy, note: note}
		work, needed, err := planCall(sc, row, s, dec, raw, plan)
		if err != nil {
			err = session.svc.secrets.hideError(err)
			note.done(sc.place, err)
			return nil, err
		}
		return &Call{
			Inline: s.inline && !needed,
			Drop: func(cause error) {
				sc.release()
				if cause != nil {
					note.done(sc.place, cause)
				}
			},
			Run: func(ctx context.Context) (any, error) { return runCall(ctx, sc, work) },
		}, nil
	}
	op.hosting = func(ctx context.Context, row *Operation, outer *Scope, raw json.RawMessage) (result any, err error) {
		sc := outer.hosted(row.Name)
		if sc != outer {
			defer sc.audited(&err)()
		}
		if err := sc.refused(func(p Policy) error { return p.checkOperation(row) }); err != nil {
			return nil, err
		}
		var p P
		if err := dec.decode(raw, reflect.ValueOf(&p).Elem(), false); err != nil {
			return nil, err
		}
		work, err := plan(sc, p)
		if err != nil {
			return nil, failure(err)
		}
		return outcome(work(ctx))
	}
	return op
}

// planCall decodes a request from outside, checks it, and takes the places it needs.
func planCall[P, R any](sc *Scope, row *Operation, s spec, dec *decoder, raw json.RawMessage, plan func(*Scope, P) (func(context.Context) (R, error), error)) (work func(context.Context) (R, error), needed bool, err error) {
	var p P
	if err := sc.policy.checkOperation(row); err != nil {
		return nil, false, err
	}
	if err := dec.decode(raw, reflect.ValueOf(&p).Elem(), true); err != nil {
		return nil, false, err
	}
	ref, needed := spaceOf(p)
	if sc.place, err = sc.svc.placeAt(ref, needed); err != nil {
		return nil, needed, err
	}
	if work, err = plan(sc, p); err != nil {
		return nil, needed, failure(err)
	}
	return work, needed, sc.reserve(needed, s.run, s.floating && ref.name == "")
}

// runCall waits for the places of a call and does its work.
func runCall[R any](ctx context.Context, sc *Scope, work func(context.Context) (R, error)) (result any, err error) {
	defer sc.audited(&err)()
	defer sc.release()
	if err := sc.begin(ctx); err != nil {
		return nil, failure(err)
	}
	result, err = outcome(work(ctx))
	return result, sc.svc.secrets.hideError(err)
}

// errPanicked is the end of a call that panicked, for the audit log.
var errPanicked = errors.New("the call panicked")

// audited returns what ends the record of the call, whose error is known by then.
func (sc *Scope) audited(err *error) func() {
	*err = errPanicked
	return func() { sc.note.done(sc.place, *err) }
}

func outcome[R any](result R, err error) (any, error) {
	if err != nil {
		return nil, failure(err)
	}
	return result, nil
}

func spaceOf(params any) (SpaceRef, bool) {
	p, ok := params.(spaced)
	if !ok {
		return SpaceRef{}, false
	}
	return p.taskSpace()
}
