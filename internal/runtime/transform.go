package runtime

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle is a program as one piece of text for the engine.
type bundle struct {
	code      string   // ES module without its export statement
	exports   []export // what it exports
	commonJS  bool     // the entry sets module.exports, which is the default export
	helpers   string   // the bundler's helper block at the head of code
	sourceMap []byte   // of code, to pack files
}

// export is one name a module exports and the expression that holds it.
type export struct {
	name, local string
}

// loweredFeatures are those the engine lacks; all else stays as written, because
// fn.toString() is what is sent to pages and must not refer to helpers without need.
var loweredFeatures = map[string]bool{
	"async-generator": false, "for-await": false, "dynamic-import": false, "using": false, "decorators": false,
	"regexp-set-notation": false, "regexp-match-indices": false, "import-meta": false, "hashbang": false,
}

// makeBundle resolves and bundles the program's files.
func makeBundle(head *runHead) (*bundle, error) {
	src := &sources{head: head}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{head.Entry},
		Bundle:      true, Write: false, Outdir: "/",
		Format: api.FormatESModule, Target: api.ESNext, Platform: api.PlatformNeutral,
		Charset: api.CharsetUTF8, Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		Supported: loweredFeatures, LogLevel: api.LogLevelSilent, LegalComments: api.LegalCommentsNone,
		TreeShaking: api.TreeShakingTrue,
		Define:      importMeta(head),
		Plugins:     []api.Plugin{src.plugin()},
	})
	if len(result.Errors) > 0 {
		return nil, src.compileError(result.Errors)
	}
	b := &bundle{}
	for _, f := range result.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			b.sourceMap = f.Contents
		} else {
			b.code = string(f.Contents)
		}
	}
	b.code = mendHelpers(blankHashbang(b.code))
	if err := b.takeExports(); err != nil {
		return nil, err
	}
	b.helpers = helperBlock(b.code)
	return b, nil
}

// The bundler's helper for async generators goes on with return() after an await in
// a finally that return() came to, and so leaves out what follows it. Only what
// yield* waits for has to be returned to once more.
const (
	helperReturn = `resume(k === "return" ? k : "next", v[1]`
	mendedReturn = `resume(v[1] && k === "return" ? k : "next", v[1]`
)

func mendHelpers(code string) string { return strings.Replace(code, helperReturn, mendedReturn, 1) }

// importMeta is what import.meta says. The bundler takes an eighth of its time for
// reading this, so that it is given for programs that mention it alone.
func importMeta(head *runHead) map[string]string {
	mentioned := false
	for _, text := range head.Files {
		mentioned = mentioned || strings.Contains(text, "meta")
	}
	if !mentioned {
		return nil
	}
	return map[string]string{
		"import.meta.url":      jsString("file:///" + path.Join(head.Site, head.Entry)),
		"import.meta.filename": jsString("/" + path.Join(head.Site, head.Entry)),
		"import.meta.dirname":  jsString("/" + path.Join(head.Site, path.Dir(head.Entry))),
	}
}

func jsString(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(raw)
}

// blankHashbang drops a #! line but keeps the count of lines.
func blankHashbang(code string) string {
	if !strings.HasPrefix(code, "#!") {
		return code
	}
	if i := strings.IndexByte(code, '\n'); i >= 0 {
		return code[i:]
	}
	return ""
}

var exportItem = regexp.MustCompile(`^(\S+?)(?: as (\S+|".*"))?$`)

// defaultExport is what esbuild prints last for an entry that is CommonJS.
var defaultExport = regexp.MustCompile(`(?m)^export default (require_\w+\(\));\z`)

// takeExports cuts off the export statement, which esbuild prints once and last.
func (b *bundle) takeExports() error {
	const open, end = "export {", "};"
	trimmed := strings.TrimRight(b.code, "\n \t")
	if m := defaultExport.FindStringSubmatchIndex(trimmed); m != nil {
		b.commonJS = true
		b.exports = []export{{name: "default", local: "__egodExports"}}
		b.code = trimmed[:m[0]] + "const __egodExports = " + trimmed[m[2]:m[3]] + ";\n"
		return nil
	}
	if !strings.HasSuffix(trimmed, end) {
		return nil
	}
	at := strings.LastIndex(trimmed, "\n"+open)
	if at < 0 {
		if !strings.HasPrefix(trimmed, open) {
			return nil
		}
		at = -1
	}
	list := trimmed[at+1+len(open) : len(trimmed)-len(end)]
	for _, item := range strings.Split(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		m := exportItem.FindStringSubmatch(item)
		if m == nil {
			return fmt.Errorf("export clause %q of the bundler is not understood", item)
		}
		name := m[2]
		if name == "" {
			name = m[1]
		}
		if strings.HasPrefix(name, `"`) {
			if err := json.Unmarshal([]byte(name), &name); err != nil {
				return fmt.Errorf("export name %s: %w", name, err)
			}
		}
		b.exports = append(b.exports, export{name: name, local: m[1]})
	}
	b.code = trimmed[:at+1]
	return nil
}

// helperBlock is what stands before the first "// path" comment that esbuild puts
// in front of each file.
func helperBlock(code string) string {
	at := strings.Index("\n"+code, "\n// "+packNamespace+":")
	if builtin := strings.Index("\n"+code, "\n// "+nodeNamespace+":"); builtin >= 0 && (at < 0 || builtin < at) {
		at = builtin
	}
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(code[:at])
}

// compileError turns the bundler's messages into problems in pack coordinates.
func (s *sources) compileError(messages []api.Message) *CompileError {
	ce := &CompileError{}
	for _, m := range messages {
		p, ok := m.Detail.(Problem)
		if !ok {
			p = s.syntaxProblem(m)
			for _, note := range m.Notes {
				if p.Hint == "" && note.Text != "" && !strings.Contains(note.Text, "esbuild") {
					p.Hint = note.Text
				}
			}
		}
		if m.Location != nil {
			p.File = strings.TrimPrefix(m.Location.File, packNamespace+":")
			p.Line = m.Location.Line
			p.Column = utf16Column(m.Location.LineText, m.Location.Column)
			p.LineText = m.Location.LineText
		}
		if p.File == "" {
			p.File = s.head.Entry
		}
		s.scriptPosition(&p)
		ce.Problems = append(ce.Problems, p)
	}
	return ce
}

// importDeclaration is one where a script, the body of a function, has none.
var importDeclaration = regexp.MustCompile(`^\s*import[\s{*"'][^(]`)

// syntaxProblem is what the bundler's parser says of a file.
func (s *sources) syntaxProblem(m api.Message) Problem {
	if m.Location != nil && s.head.Kind == Script && importDeclaration.MatchString(m.Location.LineText) {
		return Problem{Code: "tool.syntax", Message: "a script cannot hold an import declaration",
			Hint: `use import() instead: const { join } = await import("node:path")`}
	}
	return Problem{Code: "tool.syntax", Message: m.Text}
}

// utf16Column turns a zero-based byte offset in a line into a one-based column
// in UTF-16 units, which is what editors count.
func utf16Column(line string, offset int) int {
	offset = min(offset, len(line))
	column := 1
	for _, r := range line[:offset] {
		column += max(1, utf16Len(r))
	}
	return column
}

func utf16Len(r rune) int {
	if r > 0xFFFF && r <= utf8.MaxRune {
		return 2
	}
	return 1
}
