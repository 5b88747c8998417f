package skills

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// refusal is why a file or directory was not read.
type refusal struct {
	code    *Code
	message string
	// missing says that there is nothing of that name.
	missing bool
	// tooLarge says that only the size is against it.
	tooLarge bool
}

func (r *refusal) Error() string { return r.message }

// entry is one directory entry.
type entry struct {
	name string
	mode fs.FileMode // type bits; a link's target decides once it is followed
	info fs.FileInfo // nil for embedded files and where it could not be had
}

// tree reads the files of one pack and nothing else. Names are slash paths
// relative to the pack, valid by [fs.ValidPath].
type tree interface {
	// readDir lists a directory sorted by name, at most limit entries; more says
	// that there were others.
	readDir(name string, limit int) (list []entry, more bool, err *refusal)
	// readFile reads a regular file of at most limit bytes. known says that a
	// listing showed it as one, which saves a look before opening it.
	readFile(name string, limit int64, known bool) ([]byte, *refusal)
	// stat follows links within the root.
	stat(name string) (fs.FileInfo, *refusal)
	// realPath is a name's absolute path with all links followed, or empty when
	// the pack is not on disk.
	realPath(name string) string
	close()
}

// packRoot is an opened root: what packs are opened in.
type packRoot struct {
	root  Root
	disk  *os.Root // nil for embedded packs
	real  string   // disk's path with all links followed
	index int
}

// openRoot opens a root for one round of reading. The caller closes it.
func openRoot(r Root, index int) (*packRoot, error) {
	if r.FS != nil {
		return &packRoot{root: r, index: index}, nil
	}
	real, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return nil, err
	}
	disk, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &packRoot{root: r, disk: disk, real: real, index: index}, nil
}

func (r *packRoot) close() {
	if r.disk != nil {
		r.disk.Close()
	}
}

// openPack opens a pack directory, which may be a link within the root.
func (r *packRoot) openPack(name string, isLink bool) (tree, *refusal) {
	if r.disk == nil {
		sub, err := fs.Sub(r.root.FS, name)
		if err != nil {
			return nil, &refusal{code: &codePackUnreadable, message: fmt.Sprintf("cannot open pack %s: %v", name, err)}
		}
		return embeddedTree{sub}, nil
	}
	rel := name
	if isLink {
		within, refused := r.within(filepath.Join(r.real, name))
		if refused != nil {
			if !refused.missing {
				refused.code = &codePackOutsideRoot
			}
			return nil, refused
		}
		rel = within
	}
	sub, err := r.disk.OpenRoot(rel)
	if err != nil {
		return nil, &refusal{code: &codePackUnreadable, missing: errors.Is(err, fs.ErrNotExist),
			message: fmt.Sprintf("cannot open pack %s: %s", name, plainError(err))}
	}
	return &diskTree{root: r, pack: sub, real: filepath.Join(r.real, rel)}, nil
}

// packLink describes a pack directory that is a link; the zero link otherwise.
func (r *packRoot) packLink(name string) link {
	if r.disk == nil {
		return link{}
	}
	if fi, err := r.disk.Lstat(name); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
		return link{}
	}
	return readLink(filepath.Join(r.real, name))
}

// within follows the links of an absolute path and returns what it leads to
// relative to the root, refusing what is not below it. Nothing is opened.
func (r *packRoot) within(abs string) (string, *refusal) {
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", &refusal{code: &codeFileUnreadable, missing: errors.Is(err, fs.ErrNotExist),
			message: fmt.Sprintf("cannot follow the link %s: %s", filepath.Base(abs), plainError(err))}
	}
	rel, err := filepath.Rel(r.real, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", &refusal{code: &codeFileOutsideRoot,
			message: fmt.Sprintf("%s is a link that leads out of the root", filepath.Base(abs))}
	}
	return rel, nil
}

// plainError drops the operation and path that os puts before the reason.
func plainError(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), "EvalSymlinks: ")
}

// diskTree reads a pack directory through [os.Root], so that no name and no link
// can lead out of it, and lets links go to other places of the same root.
type diskTree struct {
	root *packRoot
	pack *os.Root
	real string
}

func (t *diskTree) close() { t.pack.Close() }

func (t *diskTree) realPath(name string) string {
	if name == "." {
		return t.real
	}
	abs := filepath.Join(t.real, filepath.FromSlash(name))
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

// open opens a name without waiting for the other end of a pipe. A link that
// leaves the pack is followed when it stays in the root.
func (t *diskTree) open(name string) (*os.File, *refusal) {
	f, err := t.pack.OpenFile(filepath.FromSlash(name), os.O_RDONLY|openFlags, 0)
	if err == nil {
		return f, nil
	}
	if !t.throughLink(name) {
		return nil, unreadable(name, err)
	}
	rel, refused := t.follow(name)
	if refused != nil {
		return nil, refused
	}
	if f, err = t.root.disk.OpenFile(rel, os.O_RDONLY|openFlags, 0); err != nil {
		return nil, unreadable(name, err)
	}
	return f, nil
}

// follow resolves a name whose links leave the pack, relative to the root.
func (t *diskTree) follow(name string) (string, *refusal) {
	rel, refused := t.root.within(filepath.Join(t.real, filepath.FromSlash(name)))
	if refused != nil {
		refused.message = strings.Replace(refused.message, path.Base(name), name, 1)
	}
	return rel, refused
}

func unreadable(name string, err error) *refusal {
	return &refusal{code: &codeFileUnreadable, missing: errors.Is(err, fs.ErrNotExist),
		message: fmt.Sprintf("cannot read %s: %s", name, plainError(err))}
}

// throughLink says whether a component of name is a link.
func (t *diskTree) throughLink(name string) bool {
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		fi, err := t.pack.Lstat(filepath.FromSlash(name[:i]))
		if err != nil {
			return false
		}
		if fi.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

func (t *diskTree) readDir(name string, limit int) ([]entry, bool, *refusal) {
	f, refused := t.open(name)
	if refused != nil {
		return nil, false, refused
	}
	defer f.Close()
	list, err := f.ReadDir(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, &refusal{code: &codeFileUnreadable, message: fmt.Sprintf("cannot list %s: %s", name, plainError(err))}
	}
	return entries(list, limit, true)
}

func (t *diskTree) stat(name string) (fs.FileInfo, *refusal) {
	fi, err := t.pack.Stat(filepath.FromSlash(name))
	if err == nil {
		return fi, nil
	}
	if !t.throughLink(name) {
		return nil, unreadable(name, err)
	}
	rel, refused := t.follow(name)
	if refused != nil {
		return nil, refused
	}
	if fi, err = t.root.disk.Stat(rel); err != nil {
		return nil, unreadable(name, err)
	}
	return fi, nil
}

func (t *diskTree) readFile(name string, limit int64, known bool) ([]byte, *refusal) {
	// Opening a device can do things, so that its type is looked at first; the
	// type of what was then opened is what counts.
	if !known {
		fi, refused := t.stat(name)
		if refused == nil {
			refused = refuseFile(name, fi, limit)
		}
		if refused != nil {
			return nil, refused
		}
	}
	f, refused := t.open(name)
	if refused != nil {
		return nil, refused
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, unreadable(name, err)
	}
	if refused := refuseFile(name, fi, limit); refused != nil {
		return nil, refused
	}
	if n := hardLinks(f, fi); n > 1 {
		return nil, &refusal{code: &codeFileHardLink, message: fmt.Sprintf("%s has %d hard links", name, n)}
	}
	return readCapped(f, name, fi.Size(), limit)
}

func refuseFile(name string, fi fs.FileInfo, limit int64) *refusal {
	switch {
	case fi.IsDir():
		return &refusal{code: &codeFileNotRegular, message: name + " is a directory"}
	case !fi.Mode().IsRegular():
		return &refusal{code: &codeFileNotRegular, message: name + " is not a regular file but " + typeName(fi.Mode())}
	case fi.Size() > limit:
		return &refusal{tooLarge: true, message: fmt.Sprintf("%s has %d bytes, more than the cap of %d", name, fi.Size(), limit)}
	}
	return nil
}

func typeName(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// readCapped reads what is there now, which may be more than the size said when
// the file is being written.
func readCapped(r io.Reader, name string, size, limit int64) ([]byte, *refusal) {
	buf := make([]byte, 0, min(size, limit)+1)
	for int64(len(buf)) <= limit {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), int(limit)+1)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, unreadable(name, err)
		}
	}
	return nil, &refusal{tooLarge: true, message: fmt.Sprintf("%s has more bytes than the cap of %d", name, limit)}
}

// embeddedTree reads a pack that is part of the binary or of a test.
type embeddedTree struct{ fsys fs.FS }

func (t embeddedTree) close()                 {}
func (t embeddedTree) realPath(string) string { return "" }

func (t embeddedTree) readDir(name string, limit int) ([]entry, bool, *refusal) {
	list, err := fs.ReadDir(t.fsys, name)
	if err != nil {
		return nil, false, &refusal{code: &codeFileUnreadable, missing: errors.Is(err, fs.ErrNotExist),
			message: fmt.Sprintf("cannot list %s: %s", name, plainError(err))}
	}
	return entries(list, limit, false)
}

func (t embeddedTree) stat(name string) (fs.FileInfo, *refusal) {
	fi, err := fs.Stat(t.fsys, name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return fi, nil
}

func (t embeddedTree) readFile(name string, limit int64, _ bool) ([]byte, *refusal) {
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, unreadable(name, err)
	}
	if refused := refuseFile(name, fi, limit); refused != nil {
		return nil, refused
	}
	return readCapped(f, name, fi.Size(), limit)
}

func entries(list []fs.DirEntry, limit int, stat bool) ([]entry, bool, *refusal) {
	more := len(list) > limit
	list = list[:min(len(list), limit)]
	out := make([]entry, len(list))
	for i, e := range list {
		out[i] = entry{name: e.Name(), mode: e.Type()}
		if stat {
			out[i].info, _ = e.Info() // gone again: the event that says so follows
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out, more, nil
}
