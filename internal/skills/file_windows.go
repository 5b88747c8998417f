package skills

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const openFlags = 0

// hardLinks is the number of names the file has.
func hardLinks(f *os.File, _ fs.FileInfo) uint64 {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}

// inode is not to be had from a directory listing here; size and time decide.
func inode(fs.FileInfo) uint64 { return 0 }
