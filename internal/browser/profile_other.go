//go:build !linux

package browser

import "egod/internal/process"

// usesProfile reports whether a process lives: what it was started with is not
// read on this system.
func usesProfile(pid int, _ string) bool {
	_, alive := process.Identify(pid)
	return alive
}
