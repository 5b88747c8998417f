//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// claimStdio takes the wire for egod alone. It returns private copies of stdin
// and stdout that no child inherits, and leaves descriptor 0 reading nothing
// and descriptor 1 writing to stderr: whatever a library or a child prints
// lands in the log and never between two frames.
func claimStdio() (in, out *os.File, err error) {
	inFD, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, fmt.Errorf("copying stdin: %w", err)
	}
	outFD, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, fmt.Errorf("copying stdout: %w", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = null.Close() }()
	if err := redirect(int(null.Fd()), 0); err != nil {
		return nil, nil, fmt.Errorf("closing stdin to children: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		return nil, nil, fmt.Errorf("pointing stdout at stderr: %w", err)
	}
	return os.NewFile(uintptr(inFD), "stdin"), os.NewFile(uintptr(outFD), "stdout"), nil
}
