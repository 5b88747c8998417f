package runtime

import "github.com/dop251/goja"

// classOf names what an object is by its brand, not by what it says of itself;
// "" for plain objects and arrays.
func (r *gojaRealm) classOf(o *goja.Object) string {
	switch o.ClassName() {
	case "Array":
		return ""
	case "Object":
		if proto := o.Prototype(); proto == nil || proto.SameAs(r.objectPrototype) {
			return ""
		}
	}
	v, err := r.callShared("classOf", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	return v.String()
}

// isArray is Array.isArray.
func (r *gojaRealm) isArray(o *goja.Object) bool {
	if class := o.ClassName(); class == "Array" {
		return true
	}
	if proto := o.Prototype(); proto == nil || proto.SameAs(r.objectPrototype) {
		return false
	}
	v, err := r.callShared("isArray", o)
	if err != nil {
		panic(encodeFailure{err})
	}
	return v.ToBoolean()
}
