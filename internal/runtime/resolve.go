package runtime

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Namespaces of the bundler: files of the pack and modules of the runtime.
const (
	packNamespace = "pack"
	nodeNamespace = "node"
)

// sources gives the bundler the files of one program.
type sources struct {
	head *runHead
}

func (s *sources) plugin() api.Plugin {
	return api.Plugin{Name: "pack", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, s.resolve)
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: packNamespace}, s.load)
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nodeNamespace}, loadNodeModule)
	}}
}

// resolve finds what an import means. Whatever it refuses carries a Problem.
func (s *sources) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	if args.Kind == api.ResolveEntryPoint {
		return api.OnResolveResult{Path: args.Path, Namespace: packNamespace}, nil
	}
	name := args.Path
	switch {
	case strings.HasPrefix(name, "./"), strings.HasPrefix(name, "../"), name == ".", name == "..":
		return s.resolveSibling(args)
	case isURL(name):
		if args.Kind == api.ResolveJSDynamicImport {
			// Most likely inside a function for the page, where it is right.
			return api.OnResolveResult{Path: name, External: true}, nil
		}
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("import of %q: modules are not loaded from the network", name),
			Hint: "put the code into a file of the pack and import it by relative path"})
	case strings.HasPrefix(name, "/"):
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("import of absolute path %q: only files of the pack can be imported", name),
			Hint: "use a relative path such as \"./post-data.js\""})
	}
	result, err := resolveBare(name)
	if len(result.Errors) > 0 && s.head.Kind == Script && args.Kind != api.ResolveJSImportStatement {
		// A script is not checked before it runs: it may try, and do without.
		return api.OnResolveResult{Path: name, External: true}, nil
	}
	return result, err
}

func isURL(name string) bool {
	for _, scheme := range []string{"http:", "https:", "data:", "blob:"} {
		if strings.HasPrefix(name, scheme) {
			return true
		}
	}
	return false
}

// deniedModule tells why a module of Node is not there, if that is known.
func deniedModule(name string) (denial, bool) {
	first, _, _ := strings.Cut(strings.TrimPrefix(name, "node:"), "/")
	why, ok := deniedModules[first]
	switch {
	case ok:
		return why, true
	case name != first && slices.Contains(nodeModules, first):
		return denial{"only some modules of Node are there", "import node:" + first, ""}, true
	case hasWord(otherModules, first):
		return denial{"only some modules of Node are there", "available: node:" + strings.Join(nodeModules, ", node:"), ""}, true
	}
	return denial{}, false
}

// resolveBare resolves modules of the runtime, with and without "node:".
func resolveBare(name string) (api.OnResolveResult, error) {
	module := strings.TrimPrefix(name, "node:")
	if slices.Contains(nodeModules, module) {
		return api.OnResolveResult{Path: module, Namespace: nodeNamespace}, nil
	}
	if why, ok := deniedModule(name); ok {
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("module %q is not available to tools: %s", name, why.reason), Hint: why.hint})
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("import of %q: the name of a file is put together when the tool runs", name),
			Hint: "write it out in import(), so that the file is bundled with the tool"})
	}
	if strings.HasPrefix(name, "node:") {
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("module %q is not available to tools", name),
			Hint: "available: node:" + strings.Join(nodeModules, ", node:")})
	}
	return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("module %q cannot be found: packages are not installed for tools", name),
		Hint: "copy the code into a file of the pack and import it by relative path; available modules: node:" + strings.Join(nodeModules, ", node:")})
}

// resolveSibling resolves a relative path inside the pack.
func (s *sources) resolveSibling(args api.OnResolveArgs) (api.OnResolveResult, error) {
	target := path.Join(path.Dir(args.Importer), args.Path)
	if target == ".." || strings.HasPrefix(target, "../") {
		return refuse(Problem{Code: "tool.import", Message: fmt.Sprintf("import of %q leaves the pack", args.Path), Hint: "only files inside the pack can be imported"})
	}
	for _, candidate := range siblingCandidates(target) {
		if _, ok := s.head.Files[candidate]; ok {
			return api.OnResolveResult{Path: candidate, Namespace: packNamespace}, nil
		}
	}
	p := Problem{Code: "tool.import", Message: fmt.Sprintf("import of %q: the pack has no file %s", args.Path, target)}
	if near := nearestName(target, s.head.Files); near != "" {
		p.Hint = fmt.Sprintf("did you mean %q?", relativeImport(path.Dir(args.Importer), near))
	}
	return refuse(p)
}

// siblingCandidates are the files a specifier may mean: the file itself, a
// TypeScript file imported by the name of its output, or one without extension.
func siblingCandidates(target string) []string {
	list := []string{target}
	for _, swap := range [][2]string{{".js", ".ts"}, {".mjs", ".mts"}, {".jsx", ".tsx"}} {
		if base, ok := strings.CutSuffix(target, swap[0]); ok {
			list = append(list, base+swap[1])
		}
	}
	for _, suffix := range []string{".js", ".mjs", ".ts", ".json", "/index.js", "/index.ts"} {
		list = append(list, target+suffix)
	}
	return list
}

// relativeImport writes file as a specifier seen from dir.
func relativeImport(dir, file string) string {
	up := ""
	for dir != "." && dir != "" && !strings.HasPrefix(file, dir+"/") {
		up += "../"
		dir = path.Dir(dir)
	}
	if dir != "." && dir != "" {
		file = strings.TrimPrefix(file, dir+"/")
	}
	if up == "" {
		up = "./"
	}
	return up + file
}

// nearestName finds the file whose name is most like target's, if any is alike.
func nearestName(target string, files map[string]string) string {
	best, bestDistance := "", 4
	for file := range files {
		d := editDistance(path.Base(target), path.Base(file))
		if d < bestDistance || d == bestDistance && best != "" && file < best {
			best, bestDistance = file, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes; names are short.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func refuse(p Problem) (api.OnResolveResult, error) {
	return api.OnResolveResult{Errors: []api.Message{{Text: p.Message, Detail: p}}}, nil
}

// load gives the bundler one file of the pack.
func (s *sources) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	text, ok := s.head.Files[args.Path]
	if !ok {
		return refuseLoad(Problem{File: args.Path, Code: "tool.missing-file", Message: fmt.Sprintf("file %s is not in the pack", args.Path)})
	}
	if limit := s.head.Limits.SourceBytes; int64(len(text)) > limit {
		return refuseLoad(Problem{File: args.Path, Code: "tool.too-large",
			Message: fmt.Sprintf("file %s has %d bytes, more than the %d allowed for a source file", args.Path, len(text), limit),
			Hint:    "split it, or load data from the page or a host call"})
	}
	text = strings.TrimPrefix(text, "\ufeff")
	result := api.OnLoadResult{Contents: &text, Loader: loaderFor(args.Path)}
	if s.head.Kind == Script && args.Path == s.head.Entry {
		if rest, ok := strings.CutPrefix(text, "#!"); ok {
			text = "//" + rest // it stands at the start of a file alone
		}
		text = scriptPrefix + text + scriptSuffix
	}
	return result, nil
}

func refuseLoad(p Problem) (api.OnLoadResult, error) {
	return api.OnLoadResult{Errors: []api.Message{{Text: p.Message, Detail: p}}}, nil
}

func loaderFor(file string) api.Loader {
	switch path.Ext(file) {
	case ".json":
		return api.LoaderJSON
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	}
	return api.LoaderJS
}

// loadNodeModule makes a module of the runtime out of what the realm provides
// under its name.
func loadNodeModule(args api.OnLoadArgs) (api.OnLoadResult, error) {
	text := "module.exports = " + builtinParam + "(" + jsString(args.Path) + ");\n"
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
}

// A script is the body of an async function, so that return works at its top
// level. The wrapper takes a line of its own, which the source map takes off again.
const (
	scriptPrefix = "export default async function () {\n"
	scriptSuffix = "\n}\n"
	scriptLines  = 1
)

// scriptPosition takes the wrapper's line off a problem in a script.
func (s *sources) scriptPosition(p *Problem) {
	if s.head.Kind != Script || p.File != s.head.Entry || p.Line <= scriptLines {
		return
	}
	p.Line -= scriptLines
	lines := strings.Split(strings.TrimRight(s.head.Files[s.head.Entry], " \t\r\n"), "\n")
	if p.Line > len(lines) {
		last := lines[len(lines)-1]
		p.Message, p.Hint = "Unexpected end of the script", "is a bracket not closed, or an expression not complete?"
		p.Line, p.Column, p.LineText = len(lines), utf16Column(last, len(last)), last
	}
}
