//go:build unix && !openbsd

package runtime

import "syscall"

// addressSpace is the limit of a process on all the memory that it maps.
const addressSpace = syscall.RLIMIT_AS
