package runtime

import (
	"regexp"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Names of the parameters of the function every program is wrapped in.
const (
	builtinParam = "__egodBuiltin" // (name) => module of the runtime
	thrownParam  = "__egodThrown"  // (value) => value, notes where it was thrown
	caughtParam  = "__egodCaught"  // (error), rewords what the engine says
	caughtError  = "__egodError"   // the error of a catch clause that has no name for it
)

// repairer repairs in a syntax tree what the engine gets wrong or lacks:
//
//   - the text of an arrow function whose expression body ends in a parenthesis
//     lacks it, so that toString() gives text that does not parse;
//   - regular expressions are read in another way (rewritePattern);
//   - a thrown value that is no Error carries no position, and a rejection never
//     does: each throw tells thrownParam first;
//   - errors of the engine have messages of its own: each catch clause tells
//     caughtParam first;
//   - what finally throws goes to the catch clause beside it: each gets a try
//     statement of its own;
//   - an error thrown into a generator that was left early and waits in finally
//     ends the engine: the statements of finally are in a try statement;
//   - jumps in a branch that a constant condition excludes land anywhere: no
//     condition is constant;
//   - a call stands in stacks at its parenthesis, here at its name as in Node.
type repairer struct {
	code     string
	spans    literalSpans
	arrows   int                // arrow functions around
	kinds    []bool             // of the functions around, whether each is a generator
	problems []Problem          // what cannot be repaired; positions are offsets into code
	catching []unistring.String // parameters of the catch clauses around
	imports  map[string]string  // variables that hold modules of the runtime
	patterns map[string]string  // regular expressions that were rewritten, with what was written
}

// repair works on the tree of code in place. It returns what it cannot repair, and
// the regular expressions that it wrote in another way.
func repair(code string, program *ast.Program) (problems []Problem, patterns map[string]string) {
	r := &repairer{code: code, spans: literalSpans{}, imports: namedImports(code), patterns: map[string]string{}}
	for _, s := range program.Body {
		walk(r.spans, s)
	}
	for _, s := range program.Body {
		walk(r, s)
	}
	for i := range r.problems {
		p := program.File.Position(r.problems[i].Column)
		if !inPack(p) {
			r.problems[i].Column = 0 // text of the bundler's own
			continue
		}
		r.problems[i].File, r.problems[i].Line, r.problems[i].Column = packFile(p.Filename), p.Line, p.Column
	}
	return r.problems, r.patterns
}

func (r *repairer) enter(n ast.Node) {
	switch n := n.(type) {
	case *ast.CatchStatement:
		r.catching = append(r.catching, parameterName(n))
	case *ast.RegExpLiteral:
		r.regExp(n)
	case *ast.DotExpression:
		r.member(n)
	case *ast.FunctionLiteral:
		r.kinds = append(r.kinds, n.Generator)
	case *ast.ArrowFunctionLiteral:
		r.kinds = append(r.kinds, false)
		r.arrows++
		r.arrow(n)
	}
}

func (r *repairer) leave(n ast.Node) {
	switch n := n.(type) {
	case *ast.CatchStatement:
		r.catching = r.catching[:len(r.catching)-1]
		tellCaught(n)
	case *ast.TryStatement:
		if len(r.kinds) > 0 && r.kinds[len(r.kinds)-1] {
			n.Finally = catchInFinally(n.Finally)
		}
		separateFinally(n)
	case *ast.IfStatement:
		n.Test = asked(n.Test)
	case *ast.WhileStatement:
		n.Test = asked(n.Test)
	case *ast.ForStatement:
		n.Test = asked(n.Test)
	case *ast.ThrowStatement:
		r.throw(n)
	case *ast.CallExpression:
		placeCall(n)
	case *ast.FunctionLiteral:
		r.kinds = r.kinds[:len(r.kinds)-1]
	case *ast.ArrowFunctionLiteral:
		r.kinds = r.kinds[:len(r.kinds)-1]
		r.arrows--
	}
}

// placeCall moves the position of a call to the name that is called.
func placeCall(n *ast.CallExpression) {
	switch callee := n.Callee.(type) {
	case *ast.Identifier:
		n.LeftParenthesis = callee.Idx
	case *ast.DotExpression:
		n.LeftParenthesis = callee.Identifier.Idx
	}
}

// member looks at members that are not there, so that they are not read as undefined.
func (r *repairer) member(n *ast.DotExpression) {
	if p, absent := absentImport(r.imports, n); absent {
		r.problems = append(r.problems, p)
	}
	if id, ok := n.Left.(*ast.Identifier); ok && id.Name == "RegExp" && lastMatchMember.MatchString(n.Identifier.Name.String()) {
		r.problems = append(r.problems, Problem{Code: "tool.unsupported", Message: "RegExp." + n.Identifier.Name.String() + " is not supported",
			Hint: "take the groups from what match() or exec() returns", Column: int(n.Identifier.Idx) - 1})
	}
}

// lastMatchMember is what the RegExp of old keeps of the last match.
var lastMatchMember = regexp.MustCompile(`^(\$[1-9]|lastMatch|lastParen|leftContext|rightContext)$`)

func (r *repairer) regExp(n *ast.RegExpLiteral) {
	pattern, err := rewritePattern(n.Pattern, n.Flags)
	if err != nil {
		r.problems = append(r.problems, Problem{Code: "tool.unsupported", Message: "regular expression: " + err.Error(),
			Hint: "write the characters out as a class", Column: int(n.Idx) - 1})
		return
	}
	if pattern != n.Pattern {
		r.patterns[pattern] = n.Pattern
		n.Pattern = pattern
	}
}

func parameterName(n *ast.CatchStatement) unistring.String {
	if id, ok := n.Parameter.(*ast.Identifier); ok {
		return id.Name
	}
	return ""
}

// throw wraps the thrown value. "catch (e) { throw e }" is left alone: where the
// error came from says more than where it was let go again.
func (r *repairer) throw(n *ast.ThrowStatement) {
	if id, ok := n.Argument.(*ast.Identifier); ok {
		for _, name := range r.catching {
			if name == id.Name {
				return
			}
		}
	}
	n.Argument = &ast.CallExpression{
		Callee:           &ast.Identifier{Name: thrownParam, Idx: n.Throw},
		LeftParenthesis:  n.Throw,
		ArgumentList:     []ast.Expression{n.Argument},
		RightParenthesis: n.Argument.Idx1(),
	}
}

// separateFinally gives catch and finally a try statement each. In one, the engine
// takes what finally throws to the catch clause.
func separateFinally(n *ast.TryStatement) {
	if n.Catch == nil || n.Finally == nil {
		return
	}
	inner := &ast.TryStatement{Try: n.Try, Body: n.Body, Catch: n.Catch}
	n.Body = &ast.BlockStatement{LeftBrace: n.Body.LeftBrace, List: []ast.Statement{inner}, RightBrace: n.Body.RightBrace}
	n.Catch = nil
}

// catchInFinally makes { statements } to { try { statements } catch (e) { throw e } }.
func catchInFinally(n *ast.BlockStatement) *ast.BlockStatement {
	if n == nil || len(n.List) == 0 {
		return n
	}
	at := n.RightBrace
	name := &ast.Identifier{Name: caughtError, Idx: at}
	again := &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{&ast.ThrowStatement{Throw: at, Argument: name}}, RightBrace: at}
	inner := &ast.TryStatement{Try: n.LeftBrace, Body: n, Catch: &ast.CatchStatement{Catch: at, Parameter: name, Body: again}}
	return &ast.BlockStatement{LeftBrace: n.LeftBrace, List: []ast.Statement{inner}, RightBrace: at}
}

// asked makes a condition whose value is known one that is not: the engine leaves
// out what such a condition excludes, but not the jumps in it, which then land on
// other instructions.
func asked(test ast.Expression) ast.Expression {
	if test == nil || !isConstant(test) {
		return test
	}
	at := test.Idx0()
	return &ast.SequenceExpression{Sequence: []ast.Expression{&ast.Identifier{Name: caughtParam, Idx: at}, test}}
}

func isConstant(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.BooleanLiteral, *ast.NumberLiteral, *ast.StringLiteral, *ast.NullLiteral:
		return true
	case *ast.TemplateLiteral:
		return len(e.Expressions) == 0
	case *ast.UnaryExpression:
		return isConstant(e.Operand)
	case *ast.BinaryExpression:
		return isConstant(e.Left) && isConstant(e.Right)
	case *ast.ConditionalExpression:
		return isConstant(e.Test) && isConstant(e.Consequent) && isConstant(e.Alternate)
	case *ast.SequenceExpression:
		for _, part := range e.Sequence {
			if !isConstant(part) {
				return false
			}
		}
		return true
	}
	return false
}

// tellCaught puts a call of caughtParam at the start of a catch clause. A clause that
// takes its error apart does so after it.
func tellCaught(n *ast.CatchStatement) {
	if n.Parameter == nil {
		return
	}
	at := n.Body.LeftBrace
	id, ok := n.Parameter.(*ast.Identifier)
	if !ok {
		id = &ast.Identifier{Name: caughtError, Idx: at}
		parts := &ast.Binding{Target: n.Parameter, Initializer: id}
		n.Parameter = id
		n.Body.List = append([]ast.Statement{&ast.LexicalDeclaration{Idx: at, Token: token.LET, List: []*ast.Binding{parts}}}, n.Body.List...)
	}
	call := &ast.CallExpression{
		Callee:           &ast.Identifier{Name: caughtParam, Idx: at},
		LeftParenthesis:  at,
		ArgumentList:     []ast.Expression{&ast.Identifier{Name: id.Name, Idx: at}},
		RightParenthesis: at,
	}
	n.Body.List = append([]ast.Statement{&ast.ExpressionStatement{Expression: call}}, n.Body.List...)
}

// maxArrowNesting bounds the work on arrows inside arrows, which is quadratic.
const maxArrowNesting = 64

// arrow corrects the text of an arrow function with an expression body. Such a
// body ends where its brackets are closed; the text of literals does not count.
func (r *repairer) arrow(n *ast.ArrowFunctionLiteral) {
	start := int(n.Start) - 1
	known := start + len(n.Source)
	if _, ok := n.Body.(*ast.ExpressionBody); !ok || start < 0 || known > len(r.code) || r.arrows > maxArrowNesting {
		return
	}
	depth, at, body := 0, start, false
	for at < len(r.code) {
		if end := r.spans.endAt(at); end > at {
			at = end
			continue
		}
		if next := skipBlank(r.code, at); next > at && depth > 0 {
			at = next
			continue
		}
		if at >= known && depth == 0 && !isIdentifierByte(r.code[at]) {
			break
		}
		switch c := r.code[at]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=':
			body = body || depth == 0 && strings.HasPrefix(r.code[at:], "=>")
		case ',', ';':
			if body && depth == 0 {
				depth = -1
			}
		}
		if depth < 0 {
			break
		}
		at++
	}
	n.Source = r.code[start:at]
}

func isIdentifierByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// skipBlank returns the offset of what follows white space and comments.
func skipBlank(code string, at int) int {
	for at < len(code) {
		rest := code[at:]
		switch {
		case strings.IndexByte(" \t\r\n", code[at]) >= 0:
			at++
		case strings.HasPrefix(rest, "//"):
			line := strings.IndexByte(rest, '\n')
			if line < 0 {
				return len(code)
			}
			at += line
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return len(code)
			}
			at += end + 4
		default:
			return at
		}
	}
	return at
}

// literalSpans are the places of string, template and regular expression
// literals, by the offset where they start.
type literalSpans map[int]int

// endAt returns the end of the literal that starts at the offset, or 0.
func (s literalSpans) endAt(at int) int { return s[at] }

func (s literalSpans) enter(n ast.Node) {
	switch n := n.(type) {
	case *ast.StringLiteral:
		s[int(n.Idx)-1] = int(n.Idx) - 1 + len(n.Literal)
	case *ast.RegExpLiteral:
		s[int(n.Idx)-1] = int(n.Idx) - 1 + len(n.Literal)
	case *ast.TemplateLiteral:
		s[int(n.OpenQuote)-1] = int(n.CloseQuote)
	}
}

func (s literalSpans) leave(ast.Node) {}
