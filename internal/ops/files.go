package ops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"egod/internal/process"
	"egod/internal/video"
)

// AllowedDir is a directory that --allow-fs opens to tools and scripts.
type AllowedDir struct {
	// Dir is absolute.
	Dir      string
	ReadOnly bool
}

// fileRoom is where a service puts files of its own, such as screenshots without a
// path: those of a run into the run's corner, those of calls from the wire beside the
// corners. It is made when it is first needed and removed with the service, so that a
// client finds the files that the result of a run names.
type fileRoom struct {
	parent string

	mu   sync.Mutex
	dir  string // empty until it is needed
	last int
}

// fileCorner is the part of a fileRoom that one run has for itself. The runs inside it
// share it; no other run may read what is there, which may be of another pack.
type fileCorner struct {
	dir string // empty until it is needed; guarded by the mu of the room
}

const (
	filesPrefix = "egod-files-"
	// unfinishedFilm is what the marks of films under way end in.
	unfinishedFilm = "unfinished"
)

// sweepFiles deletes the rooms of services that were killed, and the unfinished films
// that those left beside the paths of their users.
func sweepFiles(parent string) error {
	if parent == "" {
		parent = os.TempDir()
	}
	var errs []error
	for _, dir := range process.Leftovers(parent, filesPrefix) {
		marks, err := filepath.Glob(filepath.Join(dir, "*."+unfinishedFilm))
		errs = append(errs, err)
		for _, mark := range marks {
			errs = append(errs, video.RemoveMarked(mark))
		}
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}

// next returns a path for a new file of a kind; corner is nil for calls from the wire.
func (r *fileRoom) next(corner *fileCorner, name, extension string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(corner); err != nil {
		return "", fmt.Errorf("making a directory for files: %w", err)
	}
	r.last++
	return filepath.Join(r.dirOf(corner), fmt.Sprintf("%s-%d.%s", name, r.last, extension)), nil
}

// open makes the room and the corner, unless they are there; mu is held.
func (r *fileRoom) open(corner *fileCorner) error {
	if r.dir == "" {
		dir, err := process.OwnTemp(r.parent, filesPrefix)
		if err != nil {
			return err
		}
		if r.dir, err = filepath.EvalSymlinks(dir); err != nil { // holds compares real paths
			return errors.Join(err, os.RemoveAll(dir))
		}
	}
	if corner == nil || corner.dir != "" {
		return nil
	}
	var err error
	corner.dir, err = os.MkdirTemp(r.dir, "run-")
	return err
}

// dirOf is the corner's directory, or without a corner that of all; mu is held.
func (r *fileRoom) dirOf(corner *fileCorner) string {
	if corner != nil {
		return corner.dir
	}
	return r.dir
}

// holds tells whether a path is in a corner, or for calls from the wire in the room.
func (r *fileRoom) holds(corner *fileCorner, path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	dir := r.dirOf(corner)
	return dir != "" && inside(dir, path)
}

// remove deletes the room and all that is in it.
func (r *fileRoom) remove() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dir == "" {
		return nil
	}
	dir := r.dir
	r.dir = ""
	return os.RemoveAll(dir)
}

// inside tells whether a clean absolute path is dir or below it.
func inside(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

// corner is where the run around a call has its files; nil from the wire.
func (sc *Scope) corner() *fileCorner {
	if sc.depth == 0 {
		return nil
	}
	return &sc.place.files
}

// newFile returns a path for a file that the call makes of its own.
func (sc *Scope) newFile(name, extension string) (string, error) {
	return sc.svc.files.next(sc.corner(), name, extension)
}

// readable returns the real path of a file that the policy lets be read. The path that
// was given must not be used: the system would follow its links in another order.
func (sc *Scope) readable(path string) (string, error) { return sc.allowedPath(path, false, realPath) }

// writable returns the real path of a file that the policy lets be written.
func (sc *Scope) writable(path string) (string, error) { return sc.allowedPath(path, true, realPath) }

// readableEntry is readable for what is about the link itself when a path names one.
func (sc *Scope) readableEntry(path string) (string, error) {
	return sc.allowedPath(path, false, entryPath)
}

// writableEntry is writable for what removes or moves: never what a link leads to.
func (sc *Scope) writableEntry(path string) (string, error) {
	return sc.allowedPath(path, true, entryPath)
}

// allowedPath checks a path after resolve followed the links in it, so that a link
// below an allowed directory does not lead out of it.
func (sc *Scope) allowedPath(path string, write bool, resolve func(string) (string, error)) (string, error) {
	sc.note.file(path, write)
	if !filepath.IsAbs(path) {
		return "", invalidParam("", "an absolute path", path, fmt.Sprintf("the path %q is not absolute", path)).
			WithHint("write the path out: egod's working directory is not yours")
	}
	real, err := resolve(path)
	if err != nil {
		return "", Errorf(KindPageError, "the path %q cannot be used: %v", path, err)
	}
	if sc.svc.files.holds(sc.corner(), real) {
		return real, nil
	}
	for _, allowed := range sc.policy.AllowFS {
		if dir, err := realPath(allowed.Dir); err == nil && inside(dir, real) && (!write || !allowed.ReadOnly) {
			return real, nil
		}
	}
	verb, flag := "reading", "--allow-fs "+filepath.Dir(path)+":ro"
	if write {
		verb, flag = "writing", "--allow-fs "+filepath.Dir(path)
	}
	return "", sc.policy.allow(Errorf(KindPolicyDenied, "%s %q is refused: it lies below no directory that was allowed", verb, path).
		With("rule", "file.access").With("path", path), "allowFs", flag)
}

// unwritable says why a file could not be written.
func unwritable(path string, err error) *Error {
	e := Errorf(KindPageError, "%s cannot be written: %v", path, err)
	e.Err = err
	return e
}

// realPath follows the links in a path whose last parts need not exist yet.
func realPath(path string) (string, error) {
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	// A dangling link would be followed by whoever writes: refuse it.
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", errors.New("it is a link to nothing")
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	dir, err := realPath(parent)
	return filepath.Join(dir, filepath.Base(path)), err
}

// entryPath follows the links on the way to an entry of a directory, and not the entry.
func entryPath(path string) (string, error) {
	path = filepath.Clean(path)
	dir, err := realPath(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

// prefixPath is the real directory of a name that is only begun: what ends in a
// separator names the directory itself.
func prefixPath(path string) (string, error) {
	dir, _ := filepath.Split(path)
	return realPath(dir)
}
