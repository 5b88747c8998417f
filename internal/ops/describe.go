package ops

import (
	"encoding/json"
	"reflect"
	"strings"
)

// TypeScript writes the JSON shape of a Go type in TypeScript's notation, on
// one line. It is what the generated references show.
func TypeScript(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return "any"
	case reflect.TypeFor[Nothing]():
		return "null"
	case reflect.TypeFor[Milliseconds]():
		return "number"
	case reflect.TypeFor[SpaceRef](), reflect.TypeFor[spaceTarget]():
		return "string | number"
	case reflect.TypeFor[targetRef]():
		return "string | {targetId: string}"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return TypeScript(t.Elem()) + " | null"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		element := TypeScript(t.Elem())
		if strings.Contains(element, " | ") {
			element = "(" + element + ")"
		}
		return element + "[]"
	case reflect.Map:
		return "{[name: string]: " + TypeScript(t.Elem()) + "}"
	case reflect.Struct:
		return structShape(t)
	case reflect.Interface:
		return "any"
	}
	return "number"
}

func structShape(t reflect.Type) string {
	var members []string
	for _, field := range reflect.VisibleFields(t) {
		tag, ok := field.Tag.Lookup("json")
		if !ok || field.Anonymous || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		shape := TypeScript(field.Type)
		if strings.Contains(options, "omit") {
			name += "?"
			shape = strings.TrimSuffix(shape, " | null")
		}
		members = append(members, name+": "+shape)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// TypeScript is the parameter's type in TypeScript's notation. An optional
// parameter is left out, never null.
func (p Param) TypeScript() string { return strings.TrimSuffix(TypeScript(p.Type), " | null") }
