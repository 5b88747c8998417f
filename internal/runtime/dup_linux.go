//go:build linux

package runtime

import "syscall"

// redirect makes descriptor to a copy of from; not every Linux port has dup2.
func redirect(from, to int) error { return syscall.Dup3(from, to, 0) }
