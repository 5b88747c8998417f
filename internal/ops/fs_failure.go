package ops

import (
	"errors"
	"io/fs"
	"syscall"
)

// fileFault is a failure of the file system, with the name and the words that Node
// has for it.
type fileFault struct {
	is    error
	code  string
	words string
	errno int // as on Linux
}

var fileFaults = []fileFault{
	{syscall.ENOTEMPTY, "ENOTEMPTY", "directory not empty", 39}, // before EEXIST, which Go takes it for too
	{syscall.EISDIR, "EISDIR", "illegal operation on a directory", 21},
	{syscall.ENOTDIR, "ENOTDIR", "not a directory", 20},
	{syscall.EXDEV, "EXDEV", "cross-device link not permitted", 18},
	{syscall.ENAMETOOLONG, "ENAMETOOLONG", "name too long", 36},
	{syscall.ELOOP, "ELOOP", "too many symbolic links encountered", 40},
	{syscall.ENOSPC, "ENOSPC", "no space left on device", 28},
	{syscall.EROFS, "EROFS", "read-only file system", 30},
	{syscall.EBUSY, "EBUSY", "resource busy or locked", 16},
	{syscall.EMFILE, "EMFILE", "too many open files", 24},
	{syscall.EPERM, "EPERM", "operation not permitted", 1},
	{fs.ErrNotExist, "ENOENT", "no such file or directory", 2},
	{fs.ErrExist, "EEXIST", "file already exists", 17},
	{fs.ErrPermission, "EACCES", "permission denied", 13},
}

// fsFailure names a failure as Node does, so that tools can branch on its code. op
// is the call that failed; target is the second path of those that have two.
func fsFailure(op, path, target string, err error) error {
	if err == nil {
		return nil
	}
	fault := fileFault{err, "EIO", "i/o error", 5}
	for _, known := range fileFaults {
		if errors.Is(err, known.is) {
			fault = known
			break
		}
	}
	about := "'" + path + "'"
	if target != "" {
		about += " -> '" + target + "'"
	}
	e := Errorf(KindToolFailed, "%s: %s, %s %s", fault.code, fault.words, op, about).
		With("code", fault.code).With("errno", -fault.errno).With("syscall", op).With("path", path)
	if target != "" {
		e = e.With("dest", target)
	}
	e.Err = err
	return e
}
