package skills

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// notes reads the notes that the manifest names.
func (p *packLoad) notes() {
	for _, d := range p.manifest.notes {
		clean, why := cleanPath(d.text)
		if why == "" && !strings.HasSuffix(clean, ".md") {
			why = "must end in .md"
		}
		if why != "" {
			p.findings.add(codeNotePath, manifestName, d.at, fmt.Sprintf("note %q %s", d.text, why), "")
			continue
		}
		if !canonicalPath(d.text, "notes", ".md") && !productPath(d.text, "prompt.md") {
			p.findings.add(codeNotePath, manifestName, d.at, fmt.Sprintf("note %q is not notes/<name>.md", d.text), "")
		}
		if p.named[clean] {
			p.findings.add(codeNoteDuplicate, manifestName, d.at, fmt.Sprintf("note %q is named twice", clean), "")
			continue
		}
		p.named[clean] = true
		if note, ok := p.note(clean, d); ok {
			p.pack.Notes = append(p.pack.Notes, note)
		}
	}
}

func (p *packLoad) note(clean string, d declared) (Note, bool) {
	if p.noteBytes > p.limits.PackBytes {
		p.findings.add(codePackTooLarge, manifestName, d.at, fmt.Sprintf("notes of more than %d bytes; %s was not read", p.limits.PackBytes, clean), "")
		return Note{}, false
	}
	raw, refused := p.tree.readFile(clean, p.limits.NoteBytes, p.walked.regular(clean))
	if refused != nil {
		p.refused(refused, nil, clean, d.at, codeNoteMissing, codeNoteTooLarge)
		return Note{}, false
	}
	p.sameCase(clean, d.at)
	text := p.decode(raw, clean, codeNoteEncoding)
	p.temporaryRefs(text, clean, codeNoteTemporaryRef)
	p.noteBytes += int64(len(raw))
	return Note{
		Path: clean, File: filepath.Join(p.pack.Dir, filepath.FromSlash(clean)),
		Content: text.text, Hash: ContentHash(text.text),
	}, true
}

// decode reports what is wrong with the encoding once for each file.
func (p *packLoad) decode(raw []byte, file string, code Code) *textFile {
	d := decodeText(raw)
	text := &textFile{text: d.text}
	if d.problem != "" {
		p.findings.add(code, file, text.span(d.at, d.at), d.problem, "")
	}
	return text
}

// refused reports a declared file that was not read, at the place that names it.
func (p *packLoad) refused(r *refusal, stops *Tool, file string, at Range, missing, tooLarge Code) {
	delete(p.walked.refused, file)
	code, hint := missing, ""
	switch {
	case r.tooLarge:
		code = tooLarge
	case r.missing:
		if other, ok := p.walked.otherCase(file); ok {
			p.findings.addStop(stops, codeFileCase, manifestName, at,
				fmt.Sprintf("%s does not exist, but %s does", file, other), fmt.Sprintf("write %q, or rename the file", other))
			return
		}
		hint = didYouMean(file, p.walked.sameKind(file))
		r.message = file + " does not exist"
	default:
		code = *r.code
	}
	p.findings.addStop(stops, code, manifestName, at, r.message, hint)
}

// sameCase reports a name that the file system took although it is spelled in
// another case.
func (p *packLoad) sameCase(file string, at Range) {
	if other, ok := p.walked.otherCase(file); ok {
		p.findings.add(codeFileCase, manifestName, at, fmt.Sprintf("the file is called %s, not %s", other, file), fmt.Sprintf("write %q", other))
	}
}

// tools reads the files of the tools and everything they may import.
func (p *packLoad) tools() {
	p.sources()
	for _, spec := range slices.Concat(p.manifest.node, p.manifest.browser) {
		p.tool(spec)
	}
}

// sources reads every file that a node tool may import.
func (p *packLoad) sources() {
	for _, file := range p.walked.sources {
		limit := p.limits.SourceBytes
		if path.Ext(file) == ".json" {
			limit = p.limits.DataBytes
		}
		raw, refused := p.tree.readFile(file, limit, p.walked.regular(file))
		if refused != nil {
			p.walked.refused[file] = refused
			continue
		}
		if p.sourceBytes += int64(len(raw)); p.sourceBytes > p.limits.PackBytes {
			p.findings.add(codePackTooLarge, file, Range{},
				fmt.Sprintf("sources of more than %d bytes; %s and those after it are not importable", p.limits.PackBytes, file), "")
			return
		}
		if file == manifestName { // its encoding was looked at
			p.pack.Files[file] = decodeText(raw).text
			continue
		}
		p.pack.Files[file] = p.decode(raw, file, codeToolEncoding).text
	}
}

func (p *packLoad) tool(spec *toolSpec) {
	if spec.path.text == "" {
		return
	}
	clean, ok := p.toolPath(spec)
	if !ok {
		return
	}
	spec.Path = clean
	source, read := p.pack.Files[clean]
	if !read {
		raw, refused := p.readTool(clean)
		if refused != nil {
			p.refused(refused, &spec.Tool, clean, spec.path.at, codeToolFileMissing, codeToolTooLarge)
			return
		}
		source = p.decode(raw, clean, codeToolEncoding).text
		p.pack.Files[clean] = source
	}
	p.sameCase(clean, spec.path.at)
	spec.Source = source
	p.temporaryRefs(&textFile{text: source}, clean, codeToolTemporaryRef)
	if spec.shorthand && spec.Kind == NodeTool {
		p.pickCallable(spec)
	}
}

// readTool reads a tool's file that is not among the sources: one with another
// extension, or past a limit.
func (p *packLoad) readTool(file string) ([]byte, *refusal) {
	if refused := p.walked.refused[file]; refused != nil {
		return nil, refused
	}
	if p.sourceBytes > p.limits.PackBytes {
		return nil, &refusal{tooLarge: true, message: fmt.Sprintf("%s was not read: the pack's sources have more than %d bytes", file, p.limits.PackBytes)}
	}
	raw, refused := p.tree.readFile(file, p.limits.SourceBytes, p.walked.regular(file))
	p.sourceBytes += int64(len(raw))
	return raw, refused
}

// toolPath checks the path of a tool; ok says that it can be read all the same.
func (p *packLoad) toolPath(spec *toolSpec) (string, bool) {
	declared, dir := spec.path.text, toolDir(spec.Kind)
	clean, why := cleanPath(declared)
	if why == "" && slices.Contains(strings.Split(declared, "/"), "..") {
		why = "must not have a .. part"
	}
	if why != "" {
		p.findings.addStop(&spec.Tool, codeToolPath, manifestName, spec.path.at,
			fmt.Sprintf("path %q of tool %q %s", declared, spec.Name, why), fmt.Sprintf("write %s/<name>.js", dir))
		return "", false
	}
	switch {
	case canonicalPath(declared, dir, ".js"), productPath(declared, "functions.js"):
	case path.Dir(declared) == dir && path.Clean(declared) == declared && isSourceExt(path.Ext(declared)) && spec.Kind == NodeTool:
		p.findings.add(codeToolPathExtension, manifestName, spec.path.at,
			fmt.Sprintf("path %q of tool %q does not end in .js", declared, spec.Name), "")
	default:
		p.findings.add(codeToolPath, manifestName, spec.path.at,
			fmt.Sprintf("path %q of tool %q is not %s/<name>.js", declared, spec.Name, dir), "move the file to "+dir+"/ and name it there")
	}
	return clean, true
}

// pickCallable decides what a tool declared by its path alone calls: the only
// export, the default one, or the one named like the file.
func (p *packLoad) pickCallable(spec *toolSpec) {
	exports, all := exportNames(spec.Source)
	switch {
	case len(exports) == 1 && all:
		spec.Callable = exports[0]
	case slices.Contains(exports, "default"):
		spec.Callable = "default"
	case slices.Contains(exports, spec.Callable) || !all:
	case len(exports) == 0:
		p.findings.addStop(&spec.Tool, codeToolMissingCall, manifestName, spec.path.at, spec.Path+" exports nothing", "write export async function "+cmp.Or(spec.Callable, "run")+"(ctx, args)")
	default:
		p.findings.addStop(&spec.Tool, codeToolMissingCall, manifestName, spec.path.at,
			fmt.Sprintf("%s exports %s, and none of them is default or %s", spec.Path, strings.Join(exports, ", "), spec.Callable),
			"declare the tool in full with the callable that is meant")
	}
}

// leftovers reports source files that no tool names and no import can reach.
func (p *packLoad) leftovers() {
	for _, more := range p.walked.problems {
		p.findings.add(more.code, more.file, Range{}, more.message, "")
	}
	files := make([]string, 0, len(p.walked.refused))
	for file := range p.walked.refused {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		r := p.walked.refused[file]
		if r.missing { // gone since it was listed
			continue
		}
		code := codeToolTooLarge
		if !r.tooLarge {
			code = *r.code
		}
		code.Severity = SeverityWarning
		p.findings.add(code, file, Range{}, r.message, "tools cannot import it")
	}
}

// isSourceExt knows the files that a tool may be or import, data apart.
func isSourceExt(ext string) bool {
	switch ext {
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return true
	}
	return false
}

// walked is what is below a pack directory.
type walked struct {
	// sources are the files a tool may import, sorted.
	sources []string
	// files maps every file and directory to its type.
	files map[string]fs.FileMode
	// lower maps names in lower case to names.
	lower    map[string]string
	refused  map[string]*refusal
	problems []walkProblem
	seen     seen
}

type walkProblem struct {
	code          Code
	file, message string
}

// regular says that a listing showed a regular file, not a link to one.
func (w *walked) regular(file string) bool {
	mode, ok := w.files[file]
	return ok && mode.IsRegular()
}

// otherCase finds a file whose name differs by upper and lower case alone.
func (w *walked) otherCase(file string) (string, bool) {
	if _, exact := w.files[file]; exact {
		return "", false
	}
	other, ok := w.lower[strings.ToLower(file)]
	return other, ok && other != file
}

// sameKind lists the files with the same extension, for a did-you-mean.
func (w *walked) sameKind(file string) []string {
	var names []string
	for name, mode := range w.files {
		if !mode.IsDir() && path.Ext(name) == path.Ext(file) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
