package runtime

import "github.com/dop251/goja/ast"

// visitor gets every node of a syntax tree before the nodes below it, and leave
// after them.
type visitor interface {
	enter(n ast.Node)
	leave(n ast.Node)
}

// walk visits n and everything below it. The engine's ast package has no walker.
func walk(v visitor, n ast.Node) {
	v.enter(n)
	if s, ok := n.(ast.Statement); ok {
		walkStatement(v, s)
	} else {
		walkExpression(v, n)
	}
	v.leave(n)
}

func walkStatement(v visitor, n ast.Statement) {
	switch n := n.(type) {
	case *ast.BlockStatement:
		walkList(v, n.List)
	case *ast.CaseStatement:
		walkExpr(v, n.Test)
		walkList(v, n.Consequent)
	case *ast.CatchStatement:
		walkTarget(v, n.Parameter)
		walk(v, n.Body)
	case *ast.DoWhileStatement:
		walkExpr(v, n.Test)
		walkStmt(v, n.Body)
	case *ast.ExpressionStatement:
		walkExpr(v, n.Expression)
	case *ast.IfStatement:
		walkExpr(v, n.Test)
		walkStmt(v, n.Consequent)
		walkStmt(v, n.Alternate)
	case *ast.LabelledStatement:
		walkStmt(v, n.Statement)
	case *ast.ReturnStatement:
		walkExpr(v, n.Argument)
	case *ast.SwitchStatement:
		walkExpr(v, n.Discriminant)
		for _, c := range n.Body {
			walk(v, c)
		}
	case *ast.ThrowStatement:
		walkExpr(v, n.Argument)
	case *ast.TryStatement:
		walk(v, n.Body)
		if n.Catch != nil {
			walk(v, n.Catch)
		}
		if n.Finally != nil {
			walk(v, n.Finally)
		}
	case *ast.VariableStatement:
		walkBindings(v, n.List)
	case *ast.LexicalDeclaration:
		walkBindings(v, n.List)
	case *ast.WhileStatement:
		walkExpr(v, n.Test)
		walkStmt(v, n.Body)
	case *ast.WithStatement:
		walkExpr(v, n.Object)
		walkStmt(v, n.Body)
	case *ast.FunctionDeclaration:
		walk(v, n.Function)
	case *ast.ClassDeclaration:
		walk(v, n.Class)
	default:
		walkLoop(v, n)
	}
}

func walkLoop(v visitor, n ast.Statement) {
	switch n := n.(type) {
	case *ast.ForInStatement:
		walkInto(v, n.Into)
		walkExpr(v, n.Source)
		walkStmt(v, n.Body)
	case *ast.ForOfStatement:
		walkInto(v, n.Into)
		walkExpr(v, n.Source)
		walkStmt(v, n.Body)
	case *ast.ForStatement:
		switch init := n.Initializer.(type) {
		case *ast.ForLoopInitializerExpression:
			walkExpr(v, init.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			walkBindings(v, init.List)
		case *ast.ForLoopInitializerLexicalDecl:
			walkBindings(v, init.LexicalDeclaration.List)
		}
		walkExpr(v, n.Test)
		walkExpr(v, n.Update)
		walkStmt(v, n.Body)
	}
}

func walkInto(v visitor, into ast.ForInto) {
	switch into := into.(type) {
	case *ast.ForIntoVar:
		walkBindings(v, []*ast.Binding{into.Binding})
	case *ast.ForDeclaration:
		walkTarget(v, into.Target)
	case *ast.ForIntoExpression:
		walkExpr(v, into.Expression)
	}
}

func walkExpression(v visitor, n ast.Node) {
	switch n := n.(type) {
	case *ast.YieldExpression:
		walkExpr(v, n.Argument)
	case *ast.AwaitExpression:
		walkExpr(v, n.Argument)
	case *ast.ArrayLiteral:
		walkExprs(v, n.Value)
	case *ast.AssignExpression:
		walkExpr(v, n.Left)
		walkExpr(v, n.Right)
	case *ast.BinaryExpression:
		walkExpr(v, n.Left)
		walkExpr(v, n.Right)
	case *ast.BracketExpression:
		walkExpr(v, n.Left)
		walkExpr(v, n.Member)
	case *ast.CallExpression:
		walkExpr(v, n.Callee)
		walkExprs(v, n.ArgumentList)
	case *ast.NewExpression:
		walkExpr(v, n.Callee)
		walkExprs(v, n.ArgumentList)
	case *ast.ConditionalExpression:
		walkExpr(v, n.Test)
		walkExpr(v, n.Consequent)
		walkExpr(v, n.Alternate)
	case *ast.DotExpression:
		walkExpr(v, n.Left)
	case *ast.PrivateDotExpression:
		walkExpr(v, n.Left)
	case *ast.OptionalChain:
		walkExpr(v, n.Expression)
	case *ast.Optional:
		walkExpr(v, n.Expression)
	case *ast.SpreadElement:
		walkExpr(v, n.Expression)
	case *ast.SequenceExpression:
		walkExprs(v, n.Sequence)
	case *ast.TemplateLiteral:
		walkExpr(v, n.Tag)
		walkExprs(v, n.Expressions)
	case *ast.UnaryExpression:
		walkExpr(v, n.Operand)
	default:
		walkComposite(v, n)
	}
}

func walkComposite(v visitor, n ast.Node) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		walkParameters(v, n.ParameterList)
		walk(v, n.Body)
	case *ast.ArrowFunctionLiteral:
		walkParameters(v, n.ParameterList)
		if body, ok := n.Body.(*ast.ExpressionBody); ok {
			walkExpr(v, body.Expression)
		} else {
			walk(v, n.Body)
		}
	case *ast.ClassLiteral:
		walkExpr(v, n.SuperClass)
		for _, element := range n.Body {
			walkClassElement(v, element)
		}
	case *ast.ObjectLiteral:
		for _, p := range n.Value {
			walkExpr(v, p)
		}
	case *ast.PropertyShort:
		walkExpr(v, n.Initializer)
	case *ast.PropertyKeyed:
		walkExpr(v, n.Key)
		walkExpr(v, n.Value)
	case *ast.ObjectPattern:
		for _, p := range n.Properties {
			walkExpr(v, p)
		}
		walkExpr(v, n.Rest)
	case *ast.ArrayPattern:
		walkExprs(v, n.Elements)
		walkExpr(v, n.Rest)
	case *ast.Binding:
		walkBindings(v, []*ast.Binding{n})
	}
}

func walkClassElement(v visitor, element ast.ClassElement) {
	switch e := element.(type) {
	case *ast.FieldDefinition:
		walkExpr(v, e.Key)
		walkExpr(v, e.Initializer)
	case *ast.MethodDefinition:
		walkExpr(v, e.Key)
		walk(v, e.Body)
	case *ast.ClassStaticBlock:
		walk(v, e.Block)
	}
}

func walkParameters(v visitor, list *ast.ParameterList) {
	if list != nil {
		walkBindings(v, list.List)
		walkExpr(v, list.Rest)
	}
}

func walkBindings(v visitor, list []*ast.Binding) {
	for _, b := range list {
		walkTarget(v, b.Target)
		walkExpr(v, b.Initializer)
	}
}

func walkTarget(v visitor, t ast.BindingTarget) {
	if t != nil {
		walk(v, t)
	}
}

func walkExpr(v visitor, e ast.Expression) {
	if e != nil {
		walk(v, e)
	}
}

func walkExprs(v visitor, list []ast.Expression) {
	for _, e := range list {
		walkExpr(v, e)
	}
}

func walkStmt(v visitor, s ast.Statement) {
	if s != nil {
		walk(v, s)
	}
}

func walkList(v visitor, list []ast.Statement) {
	for _, s := range list {
		walkStmt(v, s)
	}
}
