package skills

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// seen is what a walk saw of a pack, kept to notice changes without reading.
type seen struct {
	// dirs are the directories, with all links followed.
	dirs []string
	// links are the symbolic links on the way, which no watch follows.
	links []link
	// signature covers names, types, sizes and times of everything below.
	signature uint64
	// newest is the latest change time seen. A file changed so shortly before
	// the walk that another change may bear the same time is looked at again.
	newest time.Time
}

// link is a symbolic link and where it led, with all links followed; target is
// empty when it led nowhere.
type link struct{ path, target string }

// readLink looks where a link leads now.
func readLink(path string) link {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return link{path: path}
	}
	return link{path, target}
}

// walk lists a pack within the limits. Directories that begin with a dot and
// node_modules are not part of a pack.
func (l *loader) walk(t tree) *walked {
	w := &walker{loader: l, tree: t, reals: map[string]bool{}, out: &walked{
		files: map[string]fs.FileMode{}, lower: map[string]string{}, refused: map[string]*refusal{},
	}}
	w.dir(".", t.realPath("."), 0)
	if w.left < 0 {
		w.problem(codePackTooManyFiles, manifestName, fmt.Sprintf("more than %d files; those past it are not looked at", l.limits.PackEntries))
	}
	w.out.seen.signature = w.sum
	return w.out
}

type walker struct {
	*loader
	tree  tree
	out   *walked
	used  int
	left  int // negative once the limit is passed
	sum   uint64
	reals map[string]bool // directories entered, against loops of links
	deep  bool
}

func (w *walker) problem(code Code, file, message string) {
	w.out.problems = append(w.out.problems, walkProblem{code, file, message})
}

// dir lists a directory whose path with all links followed is real.
func (w *walker) dir(name, real string, depth int) {
	if depth > w.limits.PackDepth {
		if !w.deep {
			w.deep = true
			w.problem(codePackTooDeep, manifestName, fmt.Sprintf("directories deeper than %d levels; %s and below are not looked at", w.limits.PackDepth, name))
		}
		return
	}
	if real != "" {
		if w.reals[real] {
			return
		}
		w.reals[real] = true
		w.follow(real)
	}
	list, more, refused := w.tree.readDir(name, w.limits.PackEntries-w.used)
	if refused != nil {
		if name == "." {
			w.problem(codePackUnreadable, manifestName, refused.message)
		} else if !refused.missing {
			w.out.refused[name] = refused
		}
		return
	}
	w.used += len(list)
	for _, e := range list {
		w.entry(path.Join(name, e.name), real, e, depth)
	}
	if more {
		w.left = -1
	}
}

// follow has a directory watched, before anything in it is read.
func (w *walker) follow(real string) {
	w.out.seen.dirs = append(w.out.seen.dirs, real)
	if w.watch != nil {
		w.watch(real)
	}
}

func (w *walker) entry(name, parent string, e entry, depth int) {
	w.sign(name, e)
	mode, real := e.mode, ""
	if parent != "" {
		real = filepath.Join(parent, e.name)
	}
	if mode&fs.ModeSymlink != 0 && real != "" {
		mode, real = w.link(name, real)
	}
	if mode.IsDir() {
		if e.name[0] == '.' || e.name == "node_modules" {
			return
		}
		w.add(name, mode)
		w.dir(name, real, depth+1)
		return
	}
	w.add(name, mode)
	if ext := path.Ext(name); isSourceExt(ext) || ext == ".json" {
		w.out.sources = append(w.out.sources, name)
	}
}

// link looks where a link leads. What it leads to is watched in its own place,
// since a directory's watch says nothing about the targets of its links.
func (w *walker) link(name, abs string) (fs.FileMode, string) {
	w.out.seen.links = append(w.out.seen.links, readLink(abs))
	fi, refused := w.tree.stat(name)
	if refused != nil {
		return fs.ModeSymlink, abs
	}
	real := w.tree.realPath(name)
	if fi.IsDir() {
		return fs.ModeDir | fs.ModeSymlink, real
	}
	w.follow(filepath.Dir(real))
	return fs.ModeSymlink, real
}

func (w *walker) add(name string, mode fs.FileMode) {
	w.out.files[name] = mode
	w.out.lower[strings.ToLower(name)] = name
}

// sign mixes an entry into the signature.
func (w *walker) sign(name string, e entry) {
	h := fnv.New64a()
	h.Write([]byte(name))
	var buf [8]byte
	number := func(n uint64) {
		binary.LittleEndian.PutUint64(buf[:], n)
		h.Write(buf[:])
	}
	number(uint64(e.mode))
	if e.info != nil && !e.mode.IsDir() {
		number(uint64(e.info.Size()))
		number(uint64(e.info.ModTime().UnixNano()))
		number(uint64(e.info.Mode()))
		number(inode(e.info))
		if t := e.info.ModTime(); t.After(w.out.seen.newest) {
			w.out.seen.newest = t
		}
	}
	w.sum = w.sum*1099511628211 ^ h.Sum64()
}

// isPackName says whether a directory of a root can be a pack. The others are
// no finding: a root may hold what its owner keeps there.
func isPackName(name string) bool {
	return name != "" && name[0] != '.' && name[0] != '_' && name != "node_modules" && filepath.Base(name) == name
}
