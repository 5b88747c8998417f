package ops

import (
	"regexp"
	"slices"
	"strings"
)

// shape is what JavaScript can reach from ctx, by the table: the type of every
// member, and of what a call returns. It serves the check of tools' sources.
type shape struct {
	// types maps the name of an object to its members.
	types map[string]map[string]memberType
	// selectors are the functions whose first argument is a selector, by the path
	// of their name.
	selectors map[string]bool
}

// memberType is what a member is: an object by its name, or a function with what
// a call of it returns.
type memberType struct {
	object   string
	function bool
	returns  string
}

// Types that are not objects of the table. What is known of a promise is that it
// is one.
const (
	typeContext = "ctx"
	typeFlat    = "flat"
	typeLocator = "locator"
	typeFrame   = "frame"
	typePromise = "promise"
)

var (
	everyObject   = []string{"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf", "__proto__"}
	everyPromise  = []string{"then", "catch", "finally"}
	flatSelectors = regexp.MustCompile(`(?m)^    (\w+): (?:async )?\(selector|^    (\w+): onTarget`)
)

// shapeOf makes the shape of a table.
func shapeOf(t *Table) *shape {
	s := &shape{types: map[string]map[string]memberType{typeFlat: {}, typeLocator: {"selector": {}}}, selectors: map[string]bool{}}
	for _, m := range t.members(typeWriter{}, inlineOptions) {
		s.add(m)
	}
	for _, made := range locatorFactories("page") {
		s.put(typeFrame, strings.TrimPrefix(made.name, "page."), memberType{function: true, returns: typeLocator})
	}
	for _, name := range []string{"frameLocator", "first", "last", "nth"} {
		s.put(typeFrame, name, memberType{function: true, returns: typeFrame})
	}
	for _, row := range t.rows {
		if row.JS != nil && len(row.JS.Args) > 0 && row.JS.Args[0].Name == "selector" && !strings.HasPrefix(row.Name, "locator.") {
			s.selectors[row.Name] = true
		}
	}
	for _, name := range []string{"page.locator", "page.frameLocator", "locator.locator", "locator.frameLocator", "frame.locator", "frame.frameLocator", "flat.hover"} {
		s.selectors[name] = true
	}
	for _, name := range flatNames {
		s.put(typeFlat, name, memberType{function: true})
	}
	for _, m := range flatSelectors.FindAllStringSubmatch(flatSource, -1) {
		s.selectors["flat."+m[1]+m[2]] = true
	}
	return s
}

// add puts a function of the table in its place.
func (s *shape) add(m Member) {
	parts := strings.Split(m.Name, ".")
	owner := typeContext
	if parts[0] == typeLocator {
		owner, parts = typeLocator, parts[1:]
	}
	for i, part := range parts[:len(parts)-1] {
		name := strings.Join(parts[:i+1], ".")
		s.put(owner, part, memberType{object: name})
		owner = name
	}
	s.put(owner, parts[len(parts)-1], memberType{function: true, returns: returned(m.Forms[0])})
}

func (s *shape) put(owner, name string, m memberType) {
	if s.types[owner] == nil {
		s.types[owner] = map[string]memberType{}
	}
	s.types[owner][name] = m
}

// returned is the type that a call form in TypeScript ends with.
func returned(form string) string {
	switch result := form[strings.LastIndex(form, "): ")+len("): "):]; {
	case result == "Locator":
		return typeLocator
	case result == "Frame":
		return typeFrame
	case strings.HasPrefix(result, "Promise<"):
		return typePromise
	}
	return ""
}

// at follows a path from a type on, as the engine writes paths of reads. known is
// false where it leads to something that the table does not describe; missing
// says that the last name is what is not there, and owner what does not have it.
func (s *shape) at(start string, names []string) (m memberType, owner string, known, missing bool) {
	m = memberType{object: start}
	for i, name := range names {
		owner = m.object
		switch {
		case name == "await":
			known = m.object != "" && m.object != typePromise
		case name == "()":
			known = m.function && m.returns != ""
			m = memberType{object: m.returns}
		case m.object == "":
			known = false
		default:
			var there bool
			if m, there = s.types[m.object][name]; !there && !s.usual(owner, name) {
				return m, owner, false, i == len(names)-1
			}
			known = there
		}
		if !known {
			return m, owner, false, false
		}
	}
	return m, owner, true, false
}

// usual tells members that JavaScript gives to objects and promises.
func (s *shape) usual(object, name string) bool {
	return slices.Contains(everyObject, name) || object == typePromise && slices.Contains(everyPromise, name)
}

// names lists the members of an object.
func (s *shape) names(object string) []string {
	var names []string
	for name := range s.types[object] {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// elsewhere are the objects on ctx that have a member of that name, as it is
// written.
func (s *shape) elsewhere(name string) []string {
	var found []string
	for object, members := range s.types {
		if _, there := members[name]; there && object != typeLocator && object != typeFlat && object != typeFrame && object != typeContext {
			found = append(found, "ctx."+object+"."+name)
		}
	}
	if _, there := s.types[typeLocator][name]; there && len(found) == 0 {
		found = append(found, "ctx.page.locator(selector)."+name)
	}
	slices.Sort(found)
	return found
}
