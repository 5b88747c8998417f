package runtime

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// internalPrefix marks files of the runtime itself; their frames are left out of stacks.
const internalPrefix = "egod:"

// The matcher for regular expressions with lookaround or backreferences can run
// for ever and cannot be interrupted. Its own timeout is not used: the engine
// takes a match that timed out for no match, which would be a silent wrong
// answer. The deadline of the run kills the worker instead.

//go:embed js/*.js
var libraryFiles embed.FS

// gojaEngine implements engine. It belongs to the executor of a worker.
type gojaEngine struct {
	surfaceSource string
	table         json.RawMessage
	files         bool              // node:fs may ask the host
	env           map[string]string // process.env
	surface       *goja.Program
	library       map[string]*goja.Program // the runtime's own JavaScript, by file
}

func newGojaEngine(head *initHead) *gojaEngine {
	return &gojaEngine{
		surfaceSource: head.Surface, table: head.Table, files: head.Files, env: head.Env,
		library: map[string]*goja.Program{},
	}
}

// load compiles what every realm needs, once.
func (e *gojaEngine) load() error {
	if e.surface != nil {
		return nil
	}
	source := e.surfaceSource
	if strings.TrimSpace(source) == "" {
		source = "(host, table) => ({ctx: {}, globals: {}})"
	}
	prog, err := compileText(internalPrefix+"surface.js", "("+source+"\n)", nil)
	if err != nil {
		return fmt.Errorf("compiling the surface: %w", err)
	}
	e.surface = prog
	return nil
}

func compileLibrary(name string) (*goja.Program, error) {
	text, err := libraryFiles.ReadFile("js/" + name)
	if err != nil {
		return nil, err
	}
	prog, err := compileText(internalPrefix+name, string(text), nil)
	if err != nil {
		return nil, fmt.Errorf("compiling %s: %w", name, err)
	}
	return prog, nil
}

// compileText parses, repairs and compiles.
func compileText(name, text string, sourceMap []byte) (*goja.Program, error) {
	tree, _, err := parseText(name, text, sourceMap)
	if err != nil {
		return nil, err
	}
	return goja.CompileAST(tree, true)
}

// parseText parses and repairs. Text of the runtime itself, which has no map, does
// not note its throws: the program's position is what people want to see. The
// regular expressions that were rewritten are returned too.
func parseText(name, text string, sourceMap []byte) (tree *ast.Program, patterns map[string]string, err error) {
	loader := parser.WithSourceMapLoader(func(string) ([]byte, error) { return sourceMap, nil })
	if tree, err = parser.ParseFile(nil, name, text, 0, loader); err != nil {
		return nil, nil, err
	}
	if sourceMap == nil {
		return tree, nil, nil
	}
	problems, patterns := repair(text, tree)
	if len(problems) > 0 {
		return nil, nil, &CompileError{Problems: problems}
	}
	return tree, patterns, nil
}

// gojaProgram is a compiled program.
type gojaProgram struct {
	main    *goja.Program // a function (builtin, thrown, caught, require) => Promise<{ns}>
	exports []string
	// commonJS tells that the only export is what the entry set module.exports to.
	commonJS bool
	entry    string
	helpers  string   // shipped with functions whose text uses them
	patches  []string // files of the runtime to run first
	patterns map[string]string
	// showsStacks tells that the program looks at the stacks of errors.
	showsStacks bool
	// reads are those of the export named readsOf.
	reads   []Read
	readsOf string
}

// patchFiles add functions of the language that the engine lacks or gets wrong.
// They cost something, so they are run only for programs whose text mentions them.
var patchFiles = []struct {
	mention *regexp.Regexp
	file    string
}{
	{regexp.MustCompile(`\.(try|any)\b|\b(groupBy|withResolvers|fromAsync|isWellFormed|toWellFormed|captureStackTrace)\b`), "polyfill.js"},
	{regexp.MustCompile(`\bRegExp\b`), "regexp.js"},
	{regexp.MustCompile(`\bProxy\b`), "proxy.js"},
	{regexp.MustCompile(`\bDate\b`), "date.js"},
	{regexp.MustCompile(`\b(toLocale\w*|localeCompare)\b`), "locale.js"},
}

var stackMention = regexp.MustCompile(`\bstack\b`)

// compile implements engine.
func (e *gojaEngine) compile(head *runHead) (compiled, error) {
	if head.Kind == Function {
		return compileFunction(head)
	}
	b, err := makeBundle(head)
	if err != nil {
		return nil, err
	}
	removed := 0
	if head.Kind == Script {
		removed = scriptLines
	}
	sourceMap, err := adjustSourceMap(b.sourceMap, b.code, 1, removed)
	if err != nil {
		return nil, err
	}
	tree, patterns, err := parseText("bundle.js", wrapBundle(b), sourceMap)
	if err != nil {
		return nil, engineProblem(head, err)
	}
	p := &gojaProgram{entry: head.Entry, helpers: b.helpers, commonJS: b.commonJS, patterns: patterns}
	if head.Kind == Module {
		p.readsOf, p.reads = head.Export, moduleReads(tree, b, head.Export)
	}
	if p.main, err = goja.CompileAST(tree, true); err != nil {
		return nil, engineProblem(head, err)
	}
	p.showsStacks = stackMention.MatchString(b.code)
	for _, patch := range patchFiles {
		if patch.mention.MatchString(b.code) {
			p.patches = append(p.patches, patch.file)
		}
	}
	for _, x := range b.exports {
		p.exports = append(p.exports, x.name)
	}
	return p, nil
}

// wrapBundle makes the module an async function, so that await works at its top
// level, which resolves to its exports as live getters. The namespace is boxed:
// a module that exports "then" must not be taken for a promise.
func wrapBundle(b *bundle) string {
	var s strings.Builder
	s.WriteString("(async function (" + builtinParam + ", " + thrownParam + ", " + caughtParam + ", require) {\n")
	s.WriteString(b.code)
	s.WriteString("\nreturn {ns: {")
	for _, x := range b.exports {
		fmt.Fprintf(&s, "get %s() { return %s; },", jsString(x.name), x.local)
	}
	// The engine finds the map only when nothing but "})" follows its comment.
	s.WriteString("}};\n//# sourceMappingURL=bundle.js.map\n})")
	return s.String()
}

// engineProblem reports what the bundler accepts and the engine does not.
func engineProblem(head *runHead, err error) error {
	if ce := (*CompileError)(nil); errors.As(err, &ce) {
		for i := range ce.Problems {
			ce.Problems[i].File = cmp.Or(ce.Problems[i].File, head.Entry)
		}
		return err
	}
	var list parser.ErrorList
	var compiler *goja.CompilerSyntaxError
	p := Problem{File: head.Entry, Code: "tool.unsupported", Hint: "write it in another way; see docs/runtime.md for what the engine does not know"}
	var position file.Position
	switch {
	case errors.As(err, &list) && len(list) > 0:
		position, p.Message = list[0].Position, list[0].Message
	case errors.As(err, &compiler):
		p.Message = compiler.Message
		if compiler.File != nil {
			position = compiler.File.Position(compiler.Offset)
		}
	default:
		return err
	}
	if position.Line > 0 && path.Base(position.Filename) != "bundle.js" {
		p.File, p.Line, p.Column = packFile(position.Filename), position.Line, position.Column
	}
	return &CompileError{Problems: []Problem{p}}
}

// moduleReads finds what the function that the module is entered by reads.
func moduleReads(tree *ast.Program, b *bundle, name string) []Read {
	statement, _ := tree.Body[0].(*ast.ExpressionStatement)
	if statement == nil {
		return nil
	}
	body, ok := statement.Expression.(*ast.FunctionLiteral)
	if !ok || b.commonJS {
		return nil
	}
	for _, x := range b.exports {
		if x.name == name || name == "" && (x.name == "default" || len(b.exports) == 1) {
			return readsOf(tree, body, x.local)
		}
	}
	return nil
}

// readsIn implements compiled.
func (p *gojaProgram) readsIn(export string) []Read {
	if export != p.readsOf {
		return nil
	}
	return p.reads
}

// missing implements compiled.
func (p *gojaProgram) missing(name string) *Problem {
	if p.commonJS || name == "" && len(p.exports) > 0 {
		return nil // decided when the values are known
	}
	for _, x := range p.exports {
		if x == name {
			return nil
		}
	}
	problem := &Problem{File: p.entry, Code: "tool.missing-callable", Message: fmt.Sprintf("file %s does not export %q", p.entry, name)}
	switch {
	case len(p.exports) == 0:
		problem.Message = fmt.Sprintf("file %s exports nothing", p.entry)
		problem.Hint = "put export in front of the tool's function"
	default:
		problem.Hint = "it exports " + strings.Join(p.exports, ", ")
	}
	return problem
}
