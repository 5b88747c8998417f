package browser

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"egod/internal/process"
)

// usesProfile reports whether a live process was started with dir as its
// profile. One whose command line may not be read is taken for one.
func usesProfile(pid int, dir string) bool {
	if _, alive := process.Identify(pid); !alive {
		return false
	}
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return errors.Is(err, fs.ErrPermission)
	}
	return bytes.Contains(cmdline, []byte("--user-data-dir="+dir))
}
