package ops

import (
	"context"
	"encoding/json"
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
	op.prepare = func(session *Session, raw json.RawMessage) (_ *Call, err error) {
		secrets := session.svc.secrets
		defer func() { err = secrets.hideError(err) }()
		var p P
		if err := dec.decode(raw, reflect.ValueOf(&p).Elem(), true); err != nil {
			return nil, err
		}
		ref, needed := spaceOf(p)
		place, err := session.svc.placeAt(ref, needed)
		if err != nil {
			return nil, err
		}
		sc := &Scope{svc: session.svc, place: place}
		work, err := plan(sc, p)
		if err != nil {
			return nil, failure(err)
		}
		if err := sc.reserve(needed, s.run, s.floating && ref.name == ""); err != nil {
			return nil, err
		}
		return &Call{
			Inline: s.inline && !needed,
			Drop:   sc.release,
			Run: func(ctx context.Context) (any, error) {
				defer sc.release()
				if err := sc.begin(ctx); err != nil {
					return nil, failure(err)
				}
				result, err := outcome(work(ctx))
				return result, secrets.hideError(err)
			},
		}, nil
	}
	op.host = func(ctx context.Context, sc *Scope, raw json.RawMessage) (any, error) {
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
