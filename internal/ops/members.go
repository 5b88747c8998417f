package ops

import (
	"slices"
	"strings"
)

// Facade is one object of the JavaScript surface, or one function on ctx.
type Facade struct {
	Name, Doc string
	Members   []Member
}

// Member is one function of the JavaScript surface.
type Member struct {
	// Name is the path below ctx, such as "page.goto". Members of locators begin
	// with "locator.".
	Name, Doc string
	// Forms are the ways to call it, in TypeScript, from the parameters on.
	Forms []string
	// Args are the positional arguments and Options the members of the options
	// object, for the reference.
	Args, Options []MemberParam
	// Short is the call as it is written in one line, such as "page.goto(url, {timeout?})".
	Short string
}

// MemberParam is one argument or option.
type MemberParam struct {
	Name, TypeScript, Doc string
	Required              bool
}

// Facades returns the JavaScript surface: the objects in the order in which
// they are shown, and their functions in order of name. In Forms an options
// object is written {...}: its members are in Options.
func (t *Table) Facades() []Facade {
	return t.facades(typeWriter{}, func(Member) string { return "{...}" })
}

// optionsWriter gives the type of a function's options object.
type optionsWriter func(Member) string

// inlineOptions writes them in place.
func inlineOptions(m Member) string {
	var members []string
	for _, o := range m.Options {
		members = append(members, o.Declaration())
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// Declaration is "name: type", or "name?: type" for what may be left out.
func (p MemberParam) Declaration() string {
	if p.Required {
		return p.Name + ": " + p.TypeScript
	}
	return p.Name + "?: " + p.TypeScript
}

func (t *Table) facades(w typeWriter, options optionsWriter) []Facade {
	byFacade := make(map[string][]Member)
	for _, m := range t.members(w, options) {
		facade, _, _ := strings.Cut(m.Name, ".")
		byFacade[facade] = append(byFacade[facade], m)
	}
	var facades []Facade
	for _, f := range facadeDocs {
		if len(byFacade[f.name]) > 0 {
			facades = append(facades, Facade{f.name, f.doc, byFacade[f.name]})
		}
	}
	return facades
}

// members returns all functions, those of the table and those of facade.js.
func (t *Table) members(w typeWriter, options optionsWriter) []Member {
	var members []Member
	for _, m := range jsMembers() {
		members = append(members, Member{Name: m.name, Doc: m.doc, Forms: m.forms, Short: m.name + m.short})
	}
	for _, row := range t.rows {
		if row.JS != nil {
			members = append(members, row.member(w, options))
		}
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return members
}

// member describes a row as JavaScript sees it.
func (o *Operation) member(w typeWriter, options optionsWriter) Member {
	m := Member{Name: o.Name, Doc: o.Doc}
	positional := make(map[string]bool)
	hasOptions := false
	for _, arg := range o.JS.Args {
		if arg.Form == "options" {
			hasOptions = true
			continue
		}
		positional[arg.Name] = true
		m.Args = append(m.Args, o.memberParam(w, o.param(arg.Name), arg.Form))
	}
	if hasOptions {
		for _, p := range o.Params {
			if !positional[p.Name] && !notInJS[p.Name] && !o.boundByLocator(p.Name) {
				m.Options = append(m.Options, o.memberParam(w, p, "value"))
			}
		}
		for _, extra := range jsOnlyOptions[o.Name] {
			m.Options = append(m.Options, MemberParam{Name: extra.name, TypeScript: extra.typeScript, Doc: extra.doc})
		}
	}
	m.Forms, m.Short = m.generatedForms(o, w, options), m.Name+m.shortForm()
	return m
}

// boundByLocator tells whether a locator gives the parameter itself.
func (o *Operation) boundByLocator(param string) bool {
	return param == "selector" && strings.HasPrefix(o.Name, "locator.")
}

func (o *Operation) param(name string) Param {
	for _, p := range o.Params {
		if p.Name == name {
			return p
		}
	}
	return Param{Name: name} // TestTableParams keeps this from happening
}

func (o *Operation) memberParam(w typeWriter, p Param, form string) MemberParam {
	own := MemberParam{Name: p.Name, Doc: p.Doc, Required: p.Required}
	method := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
	special := jsTypes[method+"."+p.Name]
	switch {
	case form == "selector":
		own.TypeScript = "string | Locator"
	case form == "function":
		own.TypeScript = "string | Function"
	case special != "":
		own.TypeScript = special
	default:
		own.TypeScript = p.typeScript(w)
	}
	return own
}

// generatedForms are the call forms of the list of arguments, unless the surface
// has forms of its own.
func (m *Member) generatedForms(o *Operation, w typeWriter, options optionsWriter) []string {
	var params []string
	for _, a := range m.Args {
		params = append(params, a.Declaration())
	}
	optionsType := ""
	if len(m.Options) > 0 {
		optionsType = options(*m)
		params = append(params, "options?: "+optionsType)
	}
	if own, ok := jsForms[o.Name]; ok {
		var forms []string
		for _, form := range own {
			forms = append(forms, strings.ReplaceAll(form, "OPTIONS", optionsType))
		}
		return forms
	}
	result := w.write(o.Result)
	if o.silent() {
		result = "void"
	}
	return []string{"(" + strings.Join(params, ", ") + "): Promise<" + result + ">"}
}

func (m *Member) shortForm() string {
	var names []string
	for _, a := range m.Args {
		names = append(names, optionalName(a))
	}
	if len(m.Options) > 0 {
		var members []string
		for _, o := range m.Options {
			members = append(members, optionalName(o))
		}
		names = append(names, "{"+strings.Join(members, ", ")+"}")
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func optionalName(p MemberParam) string {
	if p.Required {
		return p.Name
	}
	return p.Name + "?"
}
