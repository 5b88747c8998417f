package runtime

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/dop251/goja"
)

// errNeverSettled is wrapped when a promise cannot be settled any more.
var errNeverSettled = errors.New("never settled: it waits for a promise and nothing is pending that could settle it")

// promiseOf returns the promise that an object is. Other objects are left alone:
// exporting one would read its members, and so call getters.
func promiseOf(object *goja.Object) (*goja.Promise, bool) {
	if object == nil || object.ExportType() != reflect.TypeFor[*goja.Promise]() {
		return nil, false
	}
	p, ok := object.Export().(*goja.Promise)
	return p, ok
}

// await follows a value to its end if it is a promise or another thenable.
func (r *gojaRealm) await(v goja.Value) (goja.Value, error) {
	object, ok := v.(*goja.Object)
	if !ok {
		return v, nil
	}
	p, ok := promiseOf(object)
	if !ok {
		resolved, err := r.callShared("adopt", v)
		if err != nil {
			return nil, err
		}
		if resolved.StrictEquals(v) {
			return v, nil // no thenable
		}
		object, _ := resolved.(*goja.Object)
		if p, ok = promiseOf(object); !ok {
			return v, nil
		}
	}
	if err := r.loop.run(true, func() bool { return p.State() != goja.PromiseStatePending }); err != nil {
		return nil, err
	}
	switch p.State() {
	case goja.PromiseStateFulfilled:
		return p.Result(), nil
	case goja.PromiseStateRejected:
		r.forget(p)
		return nil, &rejection{reason: p.Result()}
	}
	if len(r.unhandled) > 0 {
		return nil, &rejection{reason: r.unhandled[0].Result(), unhandled: true}
	}
	return nil, errNeverSettled
}

// rejection is the error of a promise that was rejected.
type rejection struct {
	reason    goja.Value
	unhandled bool // nobody waited for it
}

func (*rejection) Error() string { return "promise rejected" }

// trackRejection keeps the list of rejected promises without a handler.
func (r *gojaRealm) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		// A handler that comes later is no catch clause. What cannot be reworded stays.
		_ = r.try(func() { r.reword(p.Result()) })
		r.unhandled = append(r.unhandled, p)
		return
	}
	r.forget(p)
}

func (r *gojaRealm) forget(p *goja.Promise) {
	for i, other := range r.unhandled {
		if other == p {
			r.unhandled = append(r.unhandled[:i], r.unhandled[i+1:]...)
			return
		}
	}
}

// leftover looks at what the program left behind when it was done: a rejection
// that nobody took is an error of the run, a host call that nobody waited for is
// worth a warning. Rejections are judged only now, because a later await may
// still take one.
func (r *gojaRealm) leftover() error {
	if len(r.unhandled) > 0 {
		return &rejection{reason: r.unhandled[0].Result(), unhandled: true}
	}
	if len(r.calls) > 0 {
		names := make([]string, 0, len(r.calls))
		for _, c := range r.calls {
			names = append(names, c.name)
		}
		r.task.port.log("warn", fmt.Sprintf("the tool returned while %d host call(s) were not finished (%s); is an await missing?", len(names), joinSome(names, 5)))
	}
	return nil
}

// joinSome joins the first n names.
func joinSome(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
