package runtime

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Read is one place where a module reads something of what it is called with: a
// member, at any depth, of its first parameter.
type Read struct {
	// Path is the names from the parameter on, with "()" for what a call returned
	// and "await" for what was waited for: page, locator, (), click.
	Path []string `json:"path"`
	// File, Line and Column are the place of the last name, as in Problem.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Certain says that the place is reached whenever the function is called,
	// unless it fails before.
	Certain bool `json:"certain,omitempty"`
	// Text is the first argument of a call where that is a string in the source,
	// with its place.
	Text       string `json:"text,omitempty"`
	TextLine   int    `json:"textLine,omitempty"`
	TextColumn int    `json:"textColumn,omitempty"`
	TextFile   string `json:"textFile,omitempty"`
}

const (
	maxReads     = 2000
	maxReadDepth = 12 // names of a path
	maxPasses    = 8
)

// memberPath is names joined by line feeds, so that it can be compared.
type memberPath string

func (p memberPath) names() []string {
	if p == "" {
		return nil
	}
	return strings.Split(string(p), "\n")
}

func (p memberPath) add(name string) memberPath {
	if p == "" {
		return memberPath(name)
	}
	return p + "\n" + memberPath(name)
}

// readsOf follows the first parameter of an exported function through a bundle:
// through variables, patterns and functions that are called by name. What goes
// elsewhere is not followed, and where a name may mean different things nothing is
// said. body is the bundle's statements, local the function's name in it.
func readsOf(program *ast.Program, body *ast.FunctionLiteral, local string) []Read {
	r := &readFinder{
		program: program, scopes: map[ast.Node]*scope{}, conditional: map[ast.Node]bool{}, guarded: map[ast.Node]bool{},
		tested: map[ast.Node]bool{}, notUses: map[ast.Node]bool{}, testedPaths: map[memberPath]bool{},
	}
	statements := body.Body.List
	if n := len(statements); n > 0 { // the namespace that the wrapper returns
		statements = statements[:n-1]
	}
	top := &scope{names: map[unistring.String]*variable{}}
	top.function(nil, body.DeclarationList)
	top.hoist(statements)
	r.top = top
	for range maxPasses {
		r.changed = false
		r.pass(statements, local)
		if !r.changed {
			break
		}
	}
	if r.changed || r.entry == nil {
		return nil
	}
	r.report = true
	r.pass(statements, local)
	return slices.DeleteFunc(r.reads, func(read Read) bool {
		return r.testedPaths[memberPath(strings.Join(read.Path, "\n"))]
	})
}

// readFinder passes over a program until it learns nothing more of what names
// hold, and once more to report.
type readFinder struct {
	program *ast.Program
	scopes  map[ast.Node]*scope
	top     *scope
	entry   ast.Node // the function that is called
	changed bool
	report  bool
	reads   []Read

	// The state of a pass.
	scope     *scope
	functions []ast.Node
	// branches is how many conditions the place depends on, guards how many of
	// these are questions whether there is a member.
	branches, guards int
	returned         bool
	asked            map[ast.Node]bool // what question said
	// What the nodes above say of those below.
	conditional, guarded, tested, notUses map[ast.Node]bool
	testedPaths                           map[memberPath]bool
}

func (r *readFinder) pass(statements []ast.Statement, local string) {
	r.scope, r.functions, r.returned, r.asked = r.top, nil, false, map[ast.Node]bool{}
	if v := r.top.find(unistring.NewFromString(local)); v != nil && v.function != nil {
		r.entry = v.function
		r.functions = []ast.Node{r.entry}
		r.parameters(v.function, func(i int) (memberPath, knowledge) {
			if i == 0 {
				return "", known
			}
			return "", unknown
		})
		r.functions = nil
	}
	for _, s := range statements {
		walk(r, s)
	}
}

// parameters gives the parameters of a function what it is called with.
func (r *readFinder) parameters(function ast.Expression, given func(int) (memberPath, knowledge)) {
	var list *ast.ParameterList
	switch f := function.(type) {
	case *ast.FunctionLiteral:
		list = f.ParameterList
	case *ast.ArrowFunctionLiteral:
		list = f.ParameterList
	}
	if list == nil {
		return
	}
	inside := r.scopeFor(function)
	for i, b := range list.List {
		p, s := given(i)
		r.bind(inside, b.Target, p, s)
	}
	r.bind(inside, list.Rest, "", unknown)
}

func (r *readFinder) scopeFor(n ast.Node) *scope {
	if !opensScope(n) {
		return nil
	}
	s := r.scopes[n]
	if s == nil {
		s = scopeOf(n, r.scope)
		r.scopes[n] = s
	}
	return s
}

// bind gives the names of a target what is known of a value, and reports what a
// pattern reads of it.
func (r *readFinder) bind(in *scope, target ast.Expression, p memberPath, s knowledge) {
	switch t := target.(type) {
	case *ast.Identifier:
		r.changed = in.find(t.Name).set(p, s) || r.changed
	case *ast.AssignExpression:
		r.bind(in, t.Left, p, s)
	case *ast.DotExpression, *ast.BracketExpression:
		if own, k := r.pathOf(t); k == known {
			r.testedPaths[own] = true // the program's own member
		}
	case *ast.ObjectPattern:
		for _, property := range t.Properties {
			r.bindProperty(in, property, p, s)
		}
		r.bind(in, t.Rest, "", s.lost())
	case *ast.ArrayPattern:
		targets(t, func(id *ast.Identifier) { r.bind(in, id, "", s.lost()) })
	}
}

func (r *readFinder) bindProperty(in *scope, property ast.Property, p memberPath, s knowledge) {
	var name string
	var place ast.Node
	var target ast.Expression
	named, hasDefault := true, false
	switch property := property.(type) {
	case *ast.PropertyShort:
		name, place, target = property.Name.Name.String(), &property.Name, &property.Name
		hasDefault = property.Initializer != nil
	case *ast.PropertyKeyed:
		name, named = keyName(property)
		place, target = property.Key, property.Value
		_, hasDefault = property.Value.(*ast.AssignExpression)
	default:
		return
	}
	if s != known || !named {
		r.bind(in, target, "", s.lost())
		return
	}
	member := p.add(name)
	if hasDefault {
		r.testedPaths[member] = true
	}
	r.note(member, place)
	r.bind(in, target, member, known)
}

func keyName(p *ast.PropertyKeyed) (string, bool) {
	if key, ok := p.Key.(*ast.StringLiteral); ok && !p.Computed {
		return key.Value.String(), true
	}
	return "", false
}

// pathOf is where the value of an expression was read.
func (r *readFinder) pathOf(e ast.Expression) (memberPath, knowledge) {
	p, _, s := r.pathWithin(e, maxReadDepth)
	return p, s
}

// pathWithin is pathOf for at most so many names, with the place of the last.
func (r *readFinder) pathWithin(e ast.Expression, depth int) (p memberPath, place ast.Node, s knowledge) {
	if depth == 0 {
		return "", nil, unknown
	}
	add := func(base ast.Expression, name string, place ast.Node) (memberPath, ast.Node, knowledge) {
		p, before, s := r.pathWithin(base, depth-1)
		if s != known {
			return "", nil, s
		}
		if place == nil {
			place = before
		}
		return p.add(name), place, known
	}
	switch e := e.(type) {
	case *ast.Identifier:
		p, s := r.scope.find(e.Name).value()
		return p, e, s
	case *ast.DotExpression:
		return add(e.Left, e.Identifier.Name.String(), &e.Identifier)
	case *ast.BracketExpression:
		if name, ok := e.Member.(*ast.StringLiteral); ok {
			return add(e.Left, name.Value.String(), name)
		}
	case *ast.OptionalChain:
		return r.pathWithin(e.Expression, depth)
	case *ast.Optional:
		return r.pathWithin(e.Expression, depth)
	case *ast.CallExpression:
		return add(e.Callee, "()", nil)
	case *ast.AwaitExpression:
		return add(e.Argument, "await", nil)
	}
	return "", nil, unknown
}

// note reports a read at a place.
func (r *readFinder) note(p memberPath, place ast.Node) *Read {
	if !r.report || p == "" || place == nil || r.guards > 0 || len(r.reads) >= maxReads {
		return nil
	}
	read := Read{
		Path:    p.names(),
		Certain: r.branches == 0 && !r.returned && len(r.functions) == 1 && r.functions[0] == r.entry,
	}
	read.File, read.Line, read.Column = r.place(place)
	r.reads = append(r.reads, read)
	return &r.reads[len(r.reads)-1]
}

func (r *readFinder) place(n ast.Node) (file string, line, column int) {
	at := r.program.File.Position(int(n.Idx0()) - 1)
	return packFile(at.Filename), at.Line, at.Column
}

// question notes what an expression asks of members when it stands where its
// truth is all that counts; it says whether there is any such question.
func (r *readFinder) question(e ast.Expression) bool {
	if known, asked := r.asked[e]; asked {
		return known
	}
	r.asked[e] = r.ask(e)
	return r.asked[e]
}

func (r *readFinder) ask(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.UnaryExpression:
		return (e.Operator == token.NOT || e.Operator == token.TYPEOF) && r.question(e.Operand)
	case *ast.BinaryExpression:
		if e.Comparison || slices.Contains([]token.Token{token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE, token.IN, token.INSTANCEOF}, e.Operator) {
			if name, ok := e.Left.(*ast.StringLiteral); ok && e.Operator == token.IN {
				if p, s := r.pathOf(e.Right); s == known {
					r.testedPaths[p.add(name.Value.String())] = true
				}
			}
			left := r.question(e.Left)
			return r.question(e.Right) || left
		}
	case *ast.OptionalChain:
		return r.question(e.Expression)
	case *ast.Optional:
		return r.question(e.Expression)
	case *ast.Identifier, *ast.DotExpression, *ast.BracketExpression:
		p, s := r.pathOf(e)
		if s == known && p != "" {
			r.tested[e], r.testedPaths[p] = true, true
		}
		return s == known
	}
	return false
}

// branch notes parts of a program that are run on a condition.
func (r *readFinder) branch(guarded bool, parts ...ast.Node) {
	for _, part := range parts {
		r.conditional[part] = true
		r.guarded[part] = r.guarded[part] || guarded
	}
}
