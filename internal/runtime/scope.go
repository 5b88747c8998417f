package runtime

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// knowledge is what is known of a value.
type knowledge byte

const (
	unset   knowledge = iota // nothing gave it a value so far
	known                    // it was read at one path
	unknown                  // it may be different things
)

// lost is what is known of a part of a value that is not followed.
func (k knowledge) lost() knowledge {
	if k == unset {
		return unset
	}
	return unknown
}

// variable is what one declaration names, through all passes over a program.
type variable struct {
	// path is where what it holds was read, when state is known.
	path  memberPath
	state knowledge
	// function is the only function it holds, escapes that it is handed around, so
	// that its parameters may be anything.
	function ast.Expression
	escapes  bool
}

// set notes what the variable is given and says whether that is news.
func (v *variable) set(p memberPath, s knowledge) bool {
	switch {
	case v == nil || s == unset || v.state == unknown || v.state == s && v.path == p:
		return false
	case s == known && v.state == unset:
		v.path, v.state = p, known
	default:
		v.path, v.state = "", unknown
	}
	return true
}

// value is what is known of what it holds; of a global name nothing is.
func (v *variable) value() (memberPath, knowledge) {
	if v == nil || v.function != nil {
		return "", unknown
	}
	return v.path, v.state
}

// scope is the names of a function or block.
type scope struct {
	parent *scope
	names  map[unistring.String]*variable
}

func (s *scope) declare(name unistring.String) *variable {
	if s.names[name] == nil {
		s.names[name] = &variable{}
	}
	return s.names[name]
}

// find is the variable that a name means here; nil for a global one.
func (s *scope) find(name unistring.String) *variable {
	for ; s != nil; s = s.parent {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

// targets calls f with every name that a declaration makes.
func targets(t ast.Expression, f func(*ast.Identifier)) {
	switch t := t.(type) {
	case *ast.Identifier:
		f(t)
	case *ast.AssignExpression: // a default
		targets(t.Left, f)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				f(&p.Name)
			case *ast.PropertyKeyed:
				targets(p.Value, f)
			}
		}
		targets(t.Rest, f)
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			targets(e, f)
		}
		targets(t.Rest, f)
	}
}

func (s *scope) bindings(list []*ast.Binding) {
	for _, b := range list {
		s.target(b.Target)
	}
}

func (s *scope) target(t ast.Expression) {
	targets(t, func(id *ast.Identifier) { s.declare(id.Name) })
}

// hoist declares what the statements of a block declare for all of it.
func (s *scope) hoist(list []ast.Statement) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.LexicalDeclaration:
			s.bindings(st.List)
		case *ast.FunctionDeclaration:
			v := s.declare(st.Function.Name.Name)
			v.escapes = v.escapes || v.function != nil && v.function != st.Function
			v.function = st.Function
		case *ast.ClassDeclaration:
			s.declare(st.Class.Name.Name)
		}
	}
}

// function declares the parameters and the var declarations of a function.
func (s *scope) function(params *ast.ParameterList, vars []*ast.VariableDeclaration) {
	if params != nil {
		s.bindings(params.List)
		s.target(params.Rest)
	}
	for _, d := range vars {
		s.bindings(d.List)
	}
}

// opensScope says whether names of a node are not those around it.
func opensScope(n ast.Node) bool {
	switch n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.BlockStatement, *ast.CatchStatement, *ast.SwitchStatement,
		*ast.ForStatement, *ast.ForInStatement, *ast.ForOfStatement, *ast.ClassLiteral, *ast.ClassStaticBlock:
		return true
	}
	return false
}

// scopeOf makes the scope that a node opens.
func scopeOf(n ast.Node, parent *scope) *scope {
	s := &scope{parent: parent, names: map[unistring.String]*variable{}}
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		if n.Name != nil && parent.find(n.Name.Name) == nil {
			s.declare(n.Name.Name)
		}
		s.function(n.ParameterList, n.DeclarationList)
	case *ast.ArrowFunctionLiteral:
		s.function(n.ParameterList, n.DeclarationList)
	case *ast.BlockStatement:
		s.hoist(n.List)
	case *ast.CatchStatement:
		s.target(n.Parameter)
	case *ast.SwitchStatement:
		for _, c := range n.Body {
			s.hoist(c.Consequent)
		}
	case *ast.ForStatement:
		if init, ok := n.Initializer.(*ast.ForLoopInitializerLexicalDecl); ok {
			s.bindings(init.LexicalDeclaration.List)
		}
	case *ast.ForInStatement:
		s.into(n.Into)
	case *ast.ForOfStatement:
		s.into(n.Into)
	case *ast.ClassLiteral:
		if n.Name != nil {
			s.declare(n.Name.Name)
		}
	case *ast.ClassStaticBlock:
		s.function(nil, n.DeclarationList)
	}
	return s
}

func (s *scope) into(into ast.ForInto) {
	if d, ok := into.(*ast.ForDeclaration); ok {
		s.target(d.Target)
	}
}
