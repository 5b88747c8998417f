package runtime

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
)

// Function is a file that holds one function expression, which runs in a page.
// Programs of this kind are for Check alone: they are never run here, and what
// Chrome knows and the engine does not is no problem.
const Function ProgramKind = 2

const codeNotAFunction = "browser-tool.not-a-function"

// lineEnds are the ends of lines of JavaScript.
var lineEnds = regexp.MustCompile("\r\n|[\n\r\u2028\u2029]")

// functionProgram is what is left of a Function that has no problems: nothing.
type functionProgram struct{}

// missing implements compiled: there is nothing to export.
func (functionProgram) missing(string) *Problem { return nil }

// readsIn implements compiled: what a page's function reads is the page's.
func (functionProgram) readsIn(string) []Read { return nil }

// functionText is the source of a function expression, taken apart.
type functionText struct {
	file, source string
	// start is the offset of the expression, behind comments and directives.
	start int
	// line is the zero-based line of start, column its offset in that line.
	line, column int
}

// assignment is put before the expression: behind it "function () {}" is an
// expression and not a declaration, and nothing but one expression can stand. Its
// space keeps its first line's end from joining a carriage return before it.
const assignment = " \nx=\n"

// compileFunction checks that a file is one function expression, with comments
// around it, a semicolon behind it and directives before it if its author likes.
func compileFunction(head *runHead) (compiled, error) {
	src := &sources{head: head}
	loaded, err := src.load(api.OnLoadArgs{Path: head.Entry})
	if err != nil {
		return nil, err
	}
	if len(loaded.Errors) > 0 {
		return nil, src.compileError(loaded.Errors)
	}
	t := takeApart(head.Entry, *loaded.Contents)
	if p := t.module(); p != nil {
		return nil, &CompileError{Problems: []Problem{*p}}
	}
	if isFunction(t.source[:t.start], strings.TrimRight(t.source[t.start:], " \t\r\n;")) {
		return functionProgram{}, nil // as nearly all are, so that one parse does
	}
	printed, problems := t.parse(t.source[:t.start] + assignment + t.source[t.start:])
	if len(problems) > 0 {
		return nil, &CompileError{Problems: problems}
	}
	if !isAssignedFunction(printed) {
		return nil, &CompileError{Problems: []Problem{*t.notAFunction("the file is not one function expression")}}
	}
	return functionProgram{}, nil
}

// takeApart finds where the expression begins.
func takeApart(file, source string) *functionText {
	t := &functionText{file: file, source: source, start: skipPrologue(source)}
	before := source[:t.start]
	t.line = len(lineEnds.FindAllString(before, -1))
	t.column = len(before)
	if ends := lineEnds.FindAllStringIndex(before, -1); len(ends) > 0 {
		t.column -= ends[len(ends)-1][1]
	}
	return t
}

// module reports what is right in a module and wrong in a page's function.
func (t *functionText) module() *Problem {
	rest := t.source[t.start:]
	word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, isNameRune))]
	switch {
	case rest == "":
		return t.notAFunction("the file holds no function")
	case word == "export":
		p := t.notAFunction("a browser tool is one function expression, not a module: it cannot have export")
		if strings.HasPrefix(strings.TrimLeftFunc(rest[len(word):], unicode.IsSpace), "default") {
			p.Hint = "remove export default and keep the function"
		}
		return p
	case word == "import" && !strings.HasPrefix(strings.TrimLeftFunc(rest[len(word):], unicode.IsSpace), "("):
		return t.notAFunction("a browser tool is one function expression, not a module: it cannot import")
	case word == "const" || word == "var":
		p := t.notAFunction("a browser tool is one function expression, and this is a " + word + " declaration")
		p.Hint = "put what the function needs inside it"
		return p
	case strings.HasPrefix(rest, "module.exports"):
		return t.notAFunction("a browser tool is one function expression, not a module: it cannot have module.exports")
	}
	return nil
}

func (t *functionText) notAFunction(message string) *Problem {
	line := t.source[t.start-t.column:]
	if end := lineEnds.FindStringIndex(line); end != nil {
		line = line[:end[0]]
	}
	return &Problem{
		File: t.file, Line: t.line + 1, Column: utf16Column(line, t.column), LineText: line,
		Code: codeNotAFunction, Message: message, Hint: "write async (args) => { ... } and nothing else",
	}
}

// parse has the bundler parse text, which is the source with an assignment put
// in at start. It returns how the bundler prints it, or problems in coordinates
// of the source.
func (t *functionText) parse(text string) (printed string, problems []Problem) {
	result := parseScript(text)
	for _, m := range result.Errors {
		p := Problem{File: t.file, Code: "tool.syntax", Message: m.Text}
		for _, note := range m.Notes {
			if p.Hint == "" {
				p.Hint = note.Text
			}
		}
		if m.Location != nil {
			t.place(&p, m.Location)
		}
		if m.Location != nil && m.Location.Line > t.line+2 && t.several(p) {
			p.Code, p.Message = codeNotAFunction, "the file has more than one function expression in it: "+p.Message
			p.Hint = "a browser tool is one function expression; put helpers inside it"
		}
		problems = append(problems, p)
	}
	return string(result.Code), problems
}

// place turns a place in the text with the assignment into one in the source.
func (t *functionText) place(p *Problem, at *api.Location) {
	inserted := strings.Count(assignment, "\n")
	offset := at.Column
	p.Line, p.LineText = at.Line, at.LineText
	switch first := t.line + 1 + inserted; {
	case at.Line > first:
		p.Line -= inserted
	case at.Line == first:
		head := t.source[t.start-t.column : t.start]
		p.Line, p.LineText, offset = t.line+1, head+at.LineText, offset+len(head)
	}
	p.Column = utf16Column(p.LineText, offset)
}

// several says that a problem of the file as an expression is none of the file
// as a list of statements: something stands before or behind the function.
func (t *functionText) several(p Problem) bool {
	return strings.HasPrefix(p.Message, "Expected \";\" but found") && len(parseScript(t.source).Errors) == 0
}

// isAssignedFunction says whether the printed assignment assigns a function.
func isAssignedFunction(printed string) bool {
	expression, ok := strings.CutPrefix(printed[max(strings.Index(printed, "x="), 0):], "x=")
	return ok && isFunction("", strings.TrimRight(expression, "\n;"))
}

// isFunction says whether a text is one function expression behind directives and
// comments: the bundler knows the type of one when it sees it.
func isFunction(before, expression string) bool {
	result := parseScript(before + " \nx=typeof(\n" + expression + "\n)")
	directives, ok := strings.CutSuffix(strings.TrimSpace(string(result.Code)), `x="function";`)
	return len(result.Errors) == 0 && ok && !strings.Contains(directives, "x=")
}

func parseScript(text string) api.TransformResult {
	return api.Transform(text, api.TransformOptions{
		Loader: api.LoaderJS, Target: api.ESNext, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent,
		LegalComments: api.LegalCommentsNone, MinifyWhitespace: true,
	})
}

// skipPrologue is the offset behind white space, comments and directives.
func skipPrologue(source string) int {
	at := skipTrivia(source, 0)
	for at < len(source) && (source[at] == '"' || source[at] == '\'') {
		end := strings.IndexByte(source[at+1:], source[at])
		if end < 0 || strings.ContainsAny(source[at+1:at+1+end], "\\\n\r") {
			return at
		}
		next := skipTrivia(source, at+end+2)
		switch {
		case next < len(source) && source[next] == ';':
			next = skipTrivia(source, next+1)
		case !strings.ContainsAny(source[at+end+2:next], "\n\r\u2028\u2029"):
			return at // it goes on: an expression that begins with a string
		}
		at = next
	}
	return at
}

// skipTrivia is the offset of the first thing from at on that is neither white
// space nor a comment.
func skipTrivia(source string, at int) int {
	for at < len(source) {
		rest := source[at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r), r == '\ufeff', r == '\u2028', r == '\u2029':
			at += size
		case strings.HasPrefix(rest, "//"):
			end := lineEnds.FindStringIndex(rest)
			if end == nil {
				return len(source)
			}
			at += end[0]
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return at
			}
			at += end + 4
		default:
			return at
		}
	}
	return at
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
