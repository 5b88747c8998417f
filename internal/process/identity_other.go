//go:build !linux && !darwin && !windows

package process

import (
	"errors"
	"syscall"
)

// startTime knows only whether the process exists: these systems have no
// portable way to ask for more.
func startTime(pid int) (string, bool) {
	err := syscall.Kill(pid, 0)
	return "", err == nil || errors.Is(err, syscall.EPERM)
}
