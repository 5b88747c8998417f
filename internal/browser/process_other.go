//go:build !linux

package browser

// reapHelpers has nothing to do here: Chrome's detached helpers fall to the system's first process.
func reapHelpers() int { return 0 }
