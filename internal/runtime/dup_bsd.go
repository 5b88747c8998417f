//go:build unix && !linux

package runtime

import "golang.org/x/sys/unix"

// redirect makes descriptor to a copy of from.
func redirect(from, to int) error { return unix.Dup2(from, to) }
