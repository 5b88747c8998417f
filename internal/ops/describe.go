package ops

import (
	"encoding/json"
	"reflect"
	"strings"

	"egod/internal/skills"
)

// TypeScript writes the JSON shape of a Go type in TypeScript's notation, on
// one line. It is what the generated references show.
func TypeScript(t reflect.Type) string { return typeWriter{}.write(t) }

// typeWriter writes types in TypeScript's notation.
type typeWriter struct {
	// nameOf gives the name of a struct that is declared elsewhere; empty for one
	// whose shape is written in place. Nil gives no names.
	nameOf func(reflect.Type) string
}

func (w typeWriter) write(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return "any"
	case reflect.TypeFor[Nothing]():
		return "null"
	case reflect.TypeFor[SpaceRef](), reflect.TypeFor[spaceTarget]():
		return "string | number"
	case reflect.TypeFor[targetRef]():
		return "string | {targetId: string}"
	case reflect.TypeFor[skills.Cost]():
		return `"static" | "api" | "browser"`
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.write(t.Elem()) + " | null"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		element := w.write(t.Elem())
		if strings.Contains(element, " | ") {
			element = "(" + element + ")"
		}
		return element + "[]"
	case reflect.Map:
		return "{[name: string]: " + w.write(t.Elem()) + "}"
	case reflect.Struct:
		if w.nameOf != nil {
			if name := w.nameOf(t); name != "" {
				return name
			}
		}
		return w.shape(t)
	case reflect.Interface:
		return "any"
	}
	return "number"
}

// shape is the members of a struct in place.
func (w typeWriter) shape(t reflect.Type) string {
	var members []string
	for _, m := range jsonMembers(t) {
		members = append(members, m.declaration(w))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// jsonMember is one member of the JSON object that a struct is written as.
type jsonMember struct {
	name     string
	optional bool
	field    reflect.StructField
}

func jsonMembers(t reflect.Type) []jsonMember {
	var members []jsonMember
	for _, field := range reflect.VisibleFields(t) {
		tag, ok := field.Tag.Lookup("json")
		if !ok || field.Anonymous || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		members = append(members, jsonMember{name, strings.Contains(options, "omit"), field})
	}
	return members
}

// declaration is "name: type", or "name?: type" for what may be missing.
func (m jsonMember) declaration(w typeWriter) string {
	shape := w.write(m.field.Type)
	if m.optional {
		return m.name + "?: " + strings.TrimSuffix(shape, " | null")
	}
	return m.name + ": " + shape
}

// TypeScript is the parameter's type in TypeScript's notation. An optional
// parameter is left out, never null.
func (p Param) TypeScript() string { return p.typeScript(typeWriter{}) }

func (p Param) typeScript(w typeWriter) string {
	return strings.TrimSuffix(w.write(p.Type), " | null")
}
