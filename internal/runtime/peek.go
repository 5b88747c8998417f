package runtime

import "github.com/dop251/goja"

// promiseState is native.promiseState(promise): [state, value or reason].
func (r *gojaRealm) promiseState(v *goja.Object) goja.Value {
	p, ok := promiseOf(v)
	if !ok {
		return r.vm.NewArray("pending", goja.Undefined())
	}
	switch p.State() {
	case goja.PromiseStateFulfilled:
		return r.vm.NewArray("fulfilled", p.Result())
	case goja.PromiseStateRejected:
		return r.vm.NewArray("rejected", p.Result())
	}
	return r.vm.NewArray("pending", goja.Undefined())
}

// proxyParts is native.proxyParts(proxy): [target, handler], nulls when revoked.
func (r *gojaRealm) proxyParts(v *goja.Object) goja.Value {
	p, ok := v.Export().(goja.Proxy)
	if !ok || p.Target() == nil {
		return r.vm.NewArray(goja.Null(), goja.Null())
	}
	return r.vm.NewArray(p.Target(), p.Handler())
}
