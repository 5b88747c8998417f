package runtime

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// enter implements visitor.
func (r *readFinder) enter(n ast.Node) {
	if s := r.scopeFor(n); s != nil {
		s.parent = r.scope // a call may have made the scope before
		r.scope = s
	}
	if r.conditional[n] {
		r.branches++
	}
	if r.guarded[n] {
		r.guards++
	}
	switch n := n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		r.functions = append(r.functions, n)
		if g, ok := n.(*ast.FunctionLiteral); ok && g.Generator {
			r.branch(false, g.Body)
		}
	case *ast.VariableStatement:
		r.declarations(n.List)
	case *ast.LexicalDeclaration:
		r.declarations(n.List)
	case *ast.IfStatement:
		r.branch(r.question(n.Test), nonNil(n.Consequent, n.Alternate)...)
	case *ast.ConditionalExpression:
		r.branch(r.question(n.Test), n.Consequent, n.Alternate)
	case *ast.TryStatement:
		if n.Catch != nil {
			r.branch(false, n.Body, n.Catch)
		}
	case *ast.CaseStatement:
		for _, s := range n.Consequent {
			r.branch(false, s)
		}
	default:
		r.enterLoop(n)
		r.enterExpression(n)
	}
}

func nonNil(statements ...ast.Statement) (nodes []ast.Node) {
	for _, s := range statements {
		if s != nil {
			nodes = append(nodes, s)
		}
	}
	return nodes
}

func (r *readFinder) enterLoop(n ast.Node) {
	switch n := n.(type) {
	case *ast.WhileStatement:
		r.branch(r.question(n.Test), n.Body)
	case *ast.DoWhileStatement:
		r.question(n.Test)
	case *ast.ForStatement:
		r.branch(r.question(n.Test), n.Body)
		switch init := n.Initializer.(type) {
		case *ast.ForLoopInitializerVarDeclList:
			r.declarations(init.List)
		case *ast.ForLoopInitializerLexicalDecl:
			r.declarations(init.LexicalDeclaration.List)
		}
	case *ast.ForInStatement:
		r.branch(false, n.Body)
		r.unknownInto(n.Into)
	case *ast.ForOfStatement:
		r.branch(false, n.Body)
		r.unknownInto(n.Into)
	}
}

func (r *readFinder) unknownInto(into ast.ForInto) {
	switch into := into.(type) {
	case *ast.ForDeclaration:
		r.bind(r.scope, into.Target, "", unknown)
	case *ast.ForIntoVar:
		r.bind(r.scope, into.Binding.Target, "", unknown)
	case *ast.ForIntoExpression:
		r.bind(r.scope, into.Expression, "", unknown)
	}
}

func (r *readFinder) enterExpression(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpression:
		if n.Operator == token.LOGICAL_AND || n.Operator == token.LOGICAL_OR || n.Operator == token.COALESCE {
			r.branch(r.question(n.Left), n.Right)
		}
	case *ast.UnaryExpression:
		switch n.Operator {
		case token.TYPEOF:
			r.question(n.Operand)
		case token.INCREMENT, token.DECREMENT, token.DELETE:
			r.bind(r.scope, n.Operand, "", unknown)
		}
	case *ast.OptionalChain:
		r.branch(false, n.Expression)
	case *ast.Optional:
		r.question(n.Expression)
	case *ast.AssignExpression:
		r.assign(n)
	case *ast.CallExpression:
		r.call(n)
	case *ast.DotExpression:
		r.member(n, &n.Identifier)
	case *ast.BracketExpression:
		r.member(n, n.Member)
	case *ast.ObjectLiteral:
		for _, p := range n.Value {
			if short, ok := p.(*ast.PropertyShort); ok {
				r.mention(&short.Name)
			}
		}
	case *ast.Identifier:
		r.mention(n)
	}
}

// leave implements visitor.
func (r *readFinder) leave(n ast.Node) {
	switch n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		r.functions = r.functions[:len(r.functions)-1]
	case *ast.ReturnStatement, *ast.ThrowStatement:
		r.returned = r.returned || len(r.functions) == 1 && r.functions[0] == r.entry
	}
	if r.guarded[n] {
		r.guards--
	}
	if r.conditional[n] {
		r.branches--
	}
	if opensScope(n) {
		r.scope = r.scopes[n].parent
	}
}

func (r *readFinder) declarations(list []*ast.Binding) {
	for _, b := range list {
		if b.Initializer == nil {
			continue
		}
		if id, ok := b.Target.(*ast.Identifier); ok {
			r.notUses[id] = true
			if r.holds(r.scope.find(id.Name), b.Initializer) {
				continue
			}
		}
		p, s := r.pathOf(b.Initializer)
		r.bind(r.scope, b.Target, p, s)
	}
}

// holds notes that a variable holds a function.
func (r *readFinder) holds(v *variable, value ast.Expression) bool {
	switch value.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
	default:
		return false
	}
	if v == nil || v.function == value {
		return true
	}
	r.changed = true
	if v.function != nil && !v.escapes {
		r.escape(v)
	}
	v.function = value
	return true
}

func (r *readFinder) assign(n *ast.AssignExpression) {
	if n.Operator != token.ASSIGN {
		r.bind(r.scope, n.Left, "", unknown)
		return
	}
	if id, ok := n.Left.(*ast.Identifier); ok {
		r.notUses[id] = true
		v := r.scope.find(id.Name)
		if v != nil && v.function != nil && v.function != n.Right && !v.escapes {
			r.escape(v)
		}
		if r.holds(v, n.Right) {
			return
		}
	}
	p, s := r.pathOf(n.Right)
	r.bind(r.scope, n.Left, p, s)
}

// mention notes that a name is used other than by calling it.
func (r *readFinder) mention(n *ast.Identifier) {
	if v := r.scope.find(n.Name); v != nil && v.function != nil && !r.notUses[n] && !v.escapes {
		r.escape(v)
	}
}

// escape notes that a function may be called with anything.
func (r *readFinder) escape(v *variable) {
	v.escapes, r.changed = true, true
	r.parameters(v.function, func(int) (memberPath, knowledge) { return "", unknown })
}

func (r *readFinder) call(n *ast.CallExpression) {
	if id, ok := n.Callee.(*ast.Identifier); ok {
		r.notUses[id] = true
		if v := r.scope.find(id.Name); v != nil && v.function != nil {
			r.hand(v.function, n.ArgumentList)
		}
	}
	p, place, s := r.pathWithin(n, maxReadDepth)
	if s != known {
		return
	}
	if read := r.note(p, place); read != nil && len(n.ArgumentList) > 0 {
		if text, ok := literalText(n.ArgumentList[0]); ok {
			read.Text = text
			read.TextFile, read.TextLine, read.TextColumn = r.place(n.ArgumentList[0])
		}
	}
}

// hand gives a function's parameters the arguments of a call.
func (r *readFinder) hand(function ast.Expression, arguments []ast.Expression) {
	spread := len(arguments)
	for i, a := range arguments {
		if _, ok := a.(*ast.SpreadElement); ok {
			spread = i
			break
		}
	}
	r.parameters(function, func(i int) (memberPath, knowledge) {
		if i >= spread {
			return "", unknown
		}
		return r.pathOf(arguments[i])
	})
}

func literalText(e ast.Expression) (string, bool) {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e.Value.String(), true
	case *ast.TemplateLiteral:
		if e.Tag == nil && len(e.Expressions) == 0 && len(e.Elements) == 1 {
			return e.Elements[0].Parsed.String(), true
		}
	}
	return "", false
}

func (r *readFinder) member(n ast.Expression, place ast.Node) {
	if r.tested[n] {
		return
	}
	if p, s := r.pathOf(n); s == known {
		r.note(p, place)
	}
}
