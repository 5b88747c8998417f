package ops

import (
	_ "embed"
	"encoding/json"
	"strings"

	jsruntime "egod/internal/runtime"
)

// facadeSource builds ctx from the table inside a run; see the file.
//
//go:embed facade.js
var facadeSource string

// Binding is the JS signature of an operation: its positional arguments.
type Binding struct {
	Args []Arg
}

// Arg is one JS argument of a binding.
type Arg struct {
	// Name is the parameter it fills; empty for options.
	Name string
	// Form is "value" (sent as JSON), "function" (a function is sent as its
	// source text), "selector" (a locator is sent as its selector), or "options"
	// (an object whose members are parameters).
	Form string
}

func args(all ...Arg) *Binding { return &Binding{Args: list(all)} }
func value(name string) Arg    { return Arg{Name: name, Form: "value"} }
func function(name string) Arg { return Arg{Name: name, Form: "function"} }
func selector(name string) Arg { return Arg{Name: name, Form: "selector"} }
func options() Arg             { return Arg{Form: "options"} }

// text is "form:name" for each argument, which takes a run less to read than
// JSON does.
func (b *Binding) text() string {
	forms := make([]string, len(b.Args))
	for i, arg := range b.Args {
		forms[i] = arg.Form + ":" + arg.Name
	}
	return strings.Join(forms, " ")
}

// Surface returns what the runtime needs to offer the table's operations to
// JavaScript.
func (t *Table) Surface() (jsruntime.Surface, error) {
	byFacade := make(map[string]map[string]string)
	for _, row := range t.rows {
		if row.JS == nil {
			continue
		}
		facade, _, _ := strings.Cut(row.Name, ".")
		if byFacade[facade] == nil {
			byFacade[facade] = make(map[string]string)
		}
		text := row.JS.text()
		if row.silent() {
			text = "- " + text
		}
		byFacade[facade][row.Name] = text
	}
	texts := make(map[string]string, len(byFacade)) // each is parsed by runs that use it
	for facade, rows := range byFacade {
		text, err := json.Marshal(rows)
		if err != nil {
			return jsruntime.Surface{}, err
		}
		texts[facade] = string(text)
	}
	table, err := json.Marshal(texts)
	if err != nil {
		return jsruntime.Surface{}, err
	}
	source, err := t.surfaceSource()
	return jsruntime.Surface{Source: source, Table: table}, err
}

// surfaceSource gives the facade the texts of help as one string constant, which
// is compiled once for all runs and read by those that ask for help.
func (t *Table) surfaceSource() (string, error) {
	texts, err := json.Marshal(t.helpTexts())
	if err != nil {
		return "", err
	}
	literal, err := json.Marshal(string(texts))
	if err != nil {
		return "", err
	}
	return "(host, table) => {\nconst made = (" + facadeSource + ")(host, table, " + string(literal) + ");\n" +
		"const flat = () => (" + flatSource + ")(made.ctx);\n" +
		"return Object.defineProperties(made, {\n" +
		"  flat: { get: flat },\n" +
		"  flatGlobals: { get: () => ({ ...flat(), ...made.globals }) },\n" +
		"});\n}", nil
}
