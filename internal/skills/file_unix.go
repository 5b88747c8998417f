//go:build unix

package skills

import (
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep open(2) from waiting for a writer of a pipe and from making a
// terminal ours.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

// hardLinks is the number of names the file has.
func hardLinks(_ *os.File, fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// inode sets a file apart from another one of the same name, size and time.
func inode(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}
