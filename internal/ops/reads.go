package ops

import (
	"slices"
	"strings"

	"egod/internal/skills"
)

// reads is what a tool takes from its first parameter, as far as the text tells.
// It is judged without a parser, so that the daemon can do it when a pack is
// loaded; the check of a tool, which has one, says what is wrong.
type reads struct {
	// names are the members read, in order.
	names []string
	// paths are those that were followed to their end, such as fetch.server.
	paths []string
	// unsure says that the parameter goes where it was not followed.
	unsure bool
	// function says that the function that is called was found.
	function bool
}

// Bounds of what is followed. Packs stay far below; hostile ones must not make
// loading slow.
const (
	maxFollowed  = 64      // names that hold the parameter or a part of it
	maxArguments = 400     // tokens of a call before the argument
	maxLookBack  = 200_000 // tokens looked at for that, in all
	maxReadPath  = 4
)

// readsOf follows the first parameter of a node tool through its file, and
// through functions of the pack that it is handed to.
func readsOf(tool *skills.Tool, files map[string]string) reads {
	r := reader{texts: files, files: map[string]*sourceFile{}, seen: map[holder]bool{}}
	if r.open(tool.Path, tool.Source) == nil {
		return reads{unsure: true}
	}
	name := tool.Callable
	if name == "" {
		name = "default"
	}
	r.function = r.enter(tool.Path, name, 0, "")
	for len(r.work) > 0 {
		next := r.work[0]
		r.work = r.work[1:]
		r.follow(next)
	}
	return r.reads
}

// holder is a name of a file that holds the parameter, or what is at a path of it.
type holder struct{ file, name, path string }

type reader struct {
	reads
	texts map[string]string
	files map[string]*sourceFile
	seen  map[holder]bool
	work  []holder
	// lookedBack is how many tokens were looked at to find what is called.
	lookedBack int
}

func (r *reader) file(name string) *sourceFile {
	if f, ok := r.files[name]; ok {
		return f
	}
	text, ok := r.texts[name]
	if !ok {
		return nil
	}
	return r.open(name, text)
}

// open takes a file apart; nil when it cannot be JavaScript.
func (r *reader) open(name, text string) *sourceFile {
	f, _ := readSource(name, text)
	r.files[name] = f
	r.unsure = r.unsure || f != nil && f.indirect
	return f
}

// enter has what is at a path followed into a function's parameter, which it need
// not have. It is false when there is no such function.
func (r *reader) enter(file, name string, parameter int, path string) bool {
	for range 8 { // names for names
		f := r.file(file)
		if f == nil {
			return false
		}
		lists := f.functions[name]
		if len(lists) == 0 {
			other, ok := f.elsewhere[name]
			if !ok {
				return false
			}
			file, name = other.file, other.name
			continue
		}
		r.unsure = r.unsure || len(lists) > 1
		r.bind(f, lists[0], parameter, path)
		return true
	}
	return false
}

// bind binds the parameter at an index of a list.
func (r *reader) bind(f *sourceFile, list, index int, path string) {
	if !f.at(list).is("(") { // an arrow function's only one
		if index == 0 {
			r.hold(f, list, path)
		}
		return
	}
	p, end := list+1, f.after(list)-1
	for ; index > 0 && p < end; index-- {
		r.unsure = r.unsure || f.at(p).is("...")
		p = f.nextItem(p, end)
	}
	if p < end {
		r.target(f, p, path)
	}
}

// target binds what stands at p in a pattern or list: a name or a pattern.
func (r *reader) target(f *sourceFile, p int, path string) {
	switch {
	case f.at(p).is("{"):
		r.pattern(f, p, path)
	case f.isName(p):
		r.hold(f, p, path)
	default:
		r.unsure = true
	}
}

// hold has every use of a name followed.
func (r *reader) hold(f *sourceFile, declared int, path string) {
	f.declares[declared] = true
	h := holder{f.name, f.at(declared).text, path}
	if r.seen[h] {
		return
	}
	if len(r.seen) >= maxFollowed {
		r.unsure = true
		return
	}
	r.seen[h] = true
	r.work = append(r.work, h)
}

// pattern binds {a, b: c, d: {e}} where what is taken apart is at a path.
func (r *reader) pattern(f *sourceFile, open int, path string) {
	end := f.after(open) - 1
	for p := open + 1; p < end; p = f.nextItem(p, end) {
		if !f.isName(p) {
			r.unsure = true // a rest, or a name that is computed
			continue
		}
		member := join(path, f.at(p).text)
		r.name(member)
		if f.at(p + 1).is(":") {
			r.target(f, p+2, member)
		} else {
			r.hold(f, p, member)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// name notes the member that a path begins with.
func (r *reader) name(path string) {
	name, _, _ := strings.Cut(path, ".")
	if name != "" && !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

// follow looks at every use of a name.
func (r *reader) follow(h holder) {
	f := r.files[h.file]
	for i := range f.tokens {
		if f.tokens[i].text != h.name || f.tokens[i].kind != tokenName {
			continue
		}
		switch before := f.at(i - 1); {
		case f.declares[i] || before.oneOf(".", "?."):
		case f.at(i+1).is(":") && before.oneOf("{", ","): // a key
		case before.oneOf("const", "let", "var", "class", "function", "import", "as"):
			r.unsure = true // another thing of that name
		default:
			r.use(f, i, h.path)
		}
	}
}

// use notes what a use at i takes from what is at a path.
func (r *reader) use(f *sourceFile, i int, path string) {
	end := i + 1
	for n := 0; n < maxReadPath && f.at(end).oneOf(".", "?.") && f.isName(end+1); n++ {
		path = join(path, f.at(end+1).text)
		end += 2
	}
	r.name(path)
	if r.passedOn(f, i, end, path) {
		return
	}
	if path == "" {
		r.unsure = true
	} else if !slices.Contains(r.paths, path) {
		r.paths = append(r.paths, path)
	}
}

// passedOn follows a use that gives what is at a path another name: a pattern, a
// variable, a parameter. It is false for all other uses.
func (r *reader) passedOn(f *sourceFile, i, end int, path string) bool {
	before, next := f.at(i-1), f.at(end)
	switch {
	case before.is("=") && f.at(i-2).is("}"):
		if open := f.partner[i-2]; open >= 0 && f.at(open-1).oneOf("const", "let", "var") {
			r.pattern(f, open, path)
			return true
		}
	case before.is("=") && f.isName(i-2) && f.at(i-3).oneOf("const", "let", "var"):
		if !next.oneOf("(", "[", "?", "?.", "|", "&") {
			r.hold(f, i-2, path)
			return true
		}
	case before.oneOf("(", ",") && next.oneOf(",", ")"):
		return r.argument(f, i, path)
	}
	return false
}

// argument follows what is handed to a function of the pack.
func (r *reader) argument(f *sourceFile, i int, path string) bool {
	index := 0
	for p := i - 1; p >= 0 && i-p < maxArguments && r.lookedBack < maxLookBack; p-- {
		r.lookedBack++
		switch {
		case f.at(p).is(","):
			index++
		case f.at(p).oneOf(")", "]", "}"):
			if f.partner[p] < 0 {
				return false
			}
			p = f.partner[p]
		case f.at(p).oneOf("[", "{"):
			return false
		case f.at(p).is("("):
			if !f.isName(p-1) || f.at(p-2).oneOf(".", "?.", "new") {
				return false
			}
			return r.enter(f.name, f.at(p-1).text, index, path)
		}
	}
	return false
}
