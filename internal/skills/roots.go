package skills

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// rootState is what the store knows of one root.
type rootState struct {
	Root
	// real is Dir with all links followed, empty while it does not exist.
	real string
	info fs.FileInfo
	// parents are the watched directories above the root, chain the paths in them
	// that lead to the root: an event about one of these may replace the root.
	parents     []string
	chain       map[string]struct{}
	diagnostics []Diagnostic
	reported    bool // that it is missing
}

// openRoots opens the roots that exist, by index.
func (s *Store) openRoots() []*packRoot {
	out := make([]*packRoot, len(s.state.roots))
	for i := range s.state.roots {
		out[i], _ = openRoot(s.state.roots[i].Root, i) // rootChanged has said why not
	}
	return out
}

// rootChanged watches a root anew, lists it, and marks every pack that is or was
// in it.
func (s *Store) rootChanged(i int, p *pending) {
	r := &s.state.roots[i]
	s.arm(r)
	for key := range s.state.slots {
		if key.root == i {
			p.dirt(key)
		}
	}
	for _, name := range s.list(i) {
		p.dirt(slotKey{i, name})
	}
}

// list returns the names of the pack directories of a root.
func (s *Store) list(i int) []string {
	r := &s.state.roots[i]
	root, err := openRoot(r.Root, i)
	if err != nil {
		if !r.reported {
			s.log.Debug("skill root cannot be read, waiting for it", "root", r.Dir, "error", plainError(err))
		}
		r.reported = true
		return nil
	}
	defer root.close()
	r.reported, r.diagnostics = false, nil
	names, err := root.names(s.state.limits.RootEntries)
	if err != nil {
		s.log.Warn("skill root cannot be listed", "root", r.Dir, "error", plainError(err))
	}
	if len(names) > s.state.limits.RootEntries {
		names = names[:s.state.limits.RootEntries]
		r.diagnostics = []Diagnostic{{
			Severity: codeRootTooManyPacks.Severity, Code: codeRootTooManyPacks.Name, Hint: codeRootTooManyPacks.Hint, URI: fileURI(r.Dir), File: ".",
			Message: fmt.Sprintf("more than %d directories in %s; the others are not loaded", s.state.limits.RootEntries, r.Dir),
		}}
	}
	return names
}

// names lists what may be a pack, sorted.
func (r *packRoot) names(limit int) ([]string, error) {
	if r.root.only != "" {
		return []string{r.root.only}, nil
	}
	var list []fs.DirEntry
	var err error
	if r.disk == nil {
		list, err = fs.ReadDir(r.root.FS, ".")
	} else {
		list, err = os.ReadDir(r.real)
	}
	names := make([]string, 0, min(len(list), limit+1))
	for _, e := range list {
		if len(names) > limit {
			break
		}
		if isPackName(e.Name()) && (e.IsDir() || e.Type()&fs.ModeSymlink != 0 && r.isPack(e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// isPack says whether a name is a directory, or a link to one - wherever the
// link leads, so that one out of the root is reported rather than ignored.
func (r *packRoot) isPack(name string) bool {
	if r.disk == nil {
		fi, err := fs.Stat(r.root.FS, name)
		return err == nil && fi.IsDir()
	}
	fi, err := r.disk.Lstat(name)
	if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		fi, err = os.Stat(filepath.Join(r.real, name))
	}
	return err == nil && fi.IsDir()
}

// arm watches a root and the directory it is in. When the root does not exist,
// the nearest directory above that does is watched until it does.
func (s *Store) arm(r *rootState) {
	w := s.state.watcher
	if r.FS != nil {
		return
	}
	s.pollRemote(r)
	old := append(r.parents, r.real)
	r.parents, r.chain, r.real, r.info = nil, map[string]struct{}{}, "", nil
	for _, dir := range old {
		if w == nil || dir == "" {
			continue
		}
		w.remove(dir)
		if s.isRootDir(dir) || s.state.owners[dir] != nil { // somebody else's as well
			w.add(dir)
		}
	}
	for range 8 { // each round ends unless a directory appeared meanwhile
		dir, child := nearest(r.Dir)
		r.watchParent(w, dir, child)
		if real, err := filepath.EvalSymlinks(r.Dir); err == nil {
			r.real = real
			if w != nil {
				w.add(real)
			}
		}
		r.info, _ = os.Stat(r.Dir)
		if again, _ := nearest(r.Dir); again == dir {
			return
		}
	}
}

// watchParent watches dir for what happens to child, the next directory on the
// way to the root.
func (r *rootState) watchParent(w *watcher, dir, child string) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || child == "" {
		return
	}
	r.chain[filepath.Join(real, child)] = struct{}{}
	r.parents = append(r.parents, real)
	if w != nil {
		w.add(real)
	}
}

// nearest finds the nearest directory above dir that exists, and the name in it
// that leads to dir.
func nearest(dir string) (parent, child string) {
	for {
		parent, child = filepath.Dir(dir), filepath.Base(dir)
		if parent == dir {
			return parent, ""
		}
		if fi, err := os.Stat(parent); err == nil && fi.IsDir() {
			return parent, child
		}
		dir = parent
	}
}

// isRootDir says whether a root or what is above it is watched as dir.
func (s *Store) isRootDir(dir string) bool {
	return slices.ContainsFunc(s.state.roots, func(r rootState) bool {
		return r.real == dir || slices.Contains(r.parents, dir)
	})
}

// moved says whether a root is another directory than it was.
func (r *rootState) moved() bool {
	if r.FS != nil {
		return false
	}
	now, err := os.Stat(r.Dir)
	if (err != nil) != (r.info == nil) {
		return true
	}
	return err == nil && !os.SameFile(now, r.info)
}
