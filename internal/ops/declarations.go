package ops

import (
	_ "embed"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// prelude are the types that the table does not know.
//
//go:embed prelude.d.ts
var prelude string

// declarationsHead begins the file of declarations.
const declarationsHead = `// What egod gives to tools and agent scripts, for editors and the TypeScript
// compiler. Made by "egod types" from the table of operations: do not edit.
//
// Put this file beside your packs with a jsconfig.json that holds {}. A tool that
// begins with "// @ts-check" gets completion and errors from a comment:
//
//   /** @param {import("egod").Ctx} ctx */
//   export async function run(ctx, args) { ... }

declare module "egod" {
`

// declarationsTail are the globals of agent scripts. The global fetch is a
// function elsewhere; a namespace of its name adds to it.
const declarationsTail = `}

// The globals of agent scripts. Tools get the same as members of ctx.

declare const page: import("egod").Page;
declare const browser: import("egod").Browser;
declare const taskSpaces: import("egod").TaskSpaces;
declare const site: import("egod").Site;
declare const cdp: import("egod").Ctx["cdp"];
declare const help: import("egod").Ctx["help"];
declare namespace fetch {
  const server: import("egod").Fetch["server"];
  const browser: import("egod").Fetch["browser"];
}
/** The bridge of the original runtime: ctx, ctx.site, and DevTools messages as text. */
declare const ego: {
  helpers: import("egod").Ctx;
  learnings: import("egod").Site;
  sendCDPMessage(text: string): void;
  onCDPMessage: ((text: string) => void) | null;
};
/** The args of the call that runs the script. */
declare const args: any;
`

// Declarations returns the TypeScript declarations of ctx and of the globals of
// scripts: the file egod.d.ts.
func (t *Table) Declarations() string {
	d := newDeclarations()
	facades := t.facades(typeWriter{nameOf: d.structName}, d.optionsName)
	var out strings.Builder
	out.WriteString(declarationsHead)
	out.WriteString(indent(prelude, 1))
	out.WriteString(ctxInterface(facades))
	for _, f := range facades {
		if isFunction(f) {
			continue
		}
		for _, part := range partsOf(f) {
			out.WriteString(part.declaration())
		}
	}
	out.WriteString(d.text())
	out.WriteString(declarationsTail)
	return out.String()
}

// isFunction tells facades that are one function from objects.
func isFunction(f Facade) bool { return len(f.Members) == 1 && f.Members[0].Name == f.Name }

// interfaceName makes PageMouse of "page.mouse".
func interfaceName(path string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(path, ".") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

// ctxInterface declares ctx itself.
func ctxInterface(facades []Facade) string {
	var out strings.Builder
	out.WriteString("\n  /** What a node tool gets as its first argument. */\n  export interface Ctx {\n")
	for _, f := range facades {
		switch {
		case isFunction(f):
			out.WriteString(f.Members[0].declaration(f.Name))
		case f.Name != "locator":
			fmt.Fprintf(&out, "    /** %s */\n    %s: %s;\n", f.Doc, f.Name, interfaceName(f.Name))
		}
	}
	out.WriteString("  }\n")
	return out.String()
}

// objectPart is one object with functions: a facade, or an object in it such as
// page.mouse.
type objectPart struct {
	path, doc string
	parts     []string // names of the objects in it
	members   []Member
}

// partsOf takes a facade apart, itself first.
func partsOf(f Facade) []objectPart {
	parts := []objectPart{{path: f.Name, doc: f.Doc}}
	at := map[string]int{f.Name: 0}
	for _, m := range f.Members {
		path := m.Name[:strings.LastIndexByte(m.Name, '.')]
		i, known := at[path]
		if !known {
			i = len(parts)
			at[path] = i
			parts = append(parts, objectPart{path: path})
			parts[0].parts = append(parts[0].parts, strings.TrimPrefix(path, f.Name+"."))
		}
		parts[i].members = append(parts[i].members, m)
	}
	return parts
}

func (p *objectPart) declaration() string {
	var out strings.Builder
	out.WriteString("\n")
	if p.doc != "" {
		fmt.Fprintf(&out, "  /** %s */\n", p.doc)
	}
	fmt.Fprintf(&out, "  export interface %s {\n", interfaceName(p.path))
	if p.path == "locator" {
		out.WriteString("    /** What the locator is, as text: it may be given wherever a selector is taken. */\n    readonly selector: string;\n")
	}
	for _, part := range p.parts {
		fmt.Fprintf(&out, "    %s: %s;\n", part, interfaceName(p.path+"."+part))
	}
	for _, m := range p.members {
		out.WriteString(m.declaration(strings.TrimPrefix(m.Name, p.path+".")))
	}
	out.WriteString("  }\n")
	return out.String()
}

// declaration declares a function with its documentation.
func (m *Member) declaration(name string) string {
	var out strings.Builder
	if name == "new" {
		name = `"new"` // without quotes it would say that the object is a class
	}
	out.WriteString("    /**\n     * " + m.Doc + "\n")
	for _, a := range m.Args {
		fmt.Fprintf(&out, "     * @param %s - %s\n", a.Name, a.Doc)
	}
	out.WriteString("     */\n")
	for _, form := range m.Forms {
		out.WriteString("    " + name + form + ";\n")
	}
	return out.String()
}

// declarations collects the types that functions name.
type declarations struct {
	taken   map[string]bool         // names that are given
	structs map[reflect.Type]string // Go types that have a name
	shared  map[string]string       // options by method and members
	texts   []string
}

var declaredName = regexp.MustCompile(`(?m)^export (?:interface|type) (\w+)`)

func newDeclarations() *declarations {
	d := &declarations{taken: make(map[string]bool), structs: make(map[reflect.Type]string), shared: make(map[string]string)}
	for _, match := range declaredName.FindAllStringSubmatch(prelude, -1) {
		d.taken[match[1]] = true
	}
	for _, f := range facadeDocs {
		d.taken[interfaceName(f.name)] = true
	}
	return d
}

// structName declares an exported struct under its Go name, once. A second
// struct of that name is written in place.
func (d *declarations) structName(t reflect.Type) string {
	if name, known := d.structs[t]; known {
		return name
	}
	name := t.Name()
	if name == "" || strings.ToUpper(name[:1]) != name[:1] || d.taken[name] {
		return ""
	}
	d.taken[name], d.structs[t] = true, name
	var out strings.Builder
	fmt.Fprintf(&out, "\n  export interface %s {\n", name)
	for _, m := range jsonMembers(t) {
		if doc := m.field.Tag.Get("doc"); doc != "" {
			fmt.Fprintf(&out, "    /** %s */\n", doc)
		}
		fmt.Fprintf(&out, "    %s;\n", m.declaration(typeWriter{nameOf: d.structName}))
	}
	out.WriteString("  }\n")
	d.texts = append(d.texts, out.String())
	return name
}

// optionsName declares the options of a function. A function of page that is
// short for one of locators shares its options.
func (d *declarations) optionsName(m Member) string {
	var members strings.Builder
	for _, o := range m.Options {
		fmt.Fprintf(&members, "    /** %s */\n    %s;\n", o.Doc, o.Declaration())
	}
	key := m.Name[strings.LastIndexByte(m.Name, '.')+1:] + "\n" + members.String()
	if name, known := d.shared[key]; known {
		return name
	}
	name := interfaceName(m.Name) + "Options"
	d.shared[key], d.taken[name] = name, true
	d.texts = append(d.texts, fmt.Sprintf("\n  export interface %s {\n%s  }\n", name, members.String()))
	return name
}

// text is everything that was declared, in the order in which it was needed.
func (d *declarations) text() string { return strings.Join(d.texts, "") }

func indent(text string, levels int) string {
	prefix := strings.Repeat("  ", levels)
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out.WriteString(prefix)
		}
		out.WriteString(line)
	}
	return out.String()
}
