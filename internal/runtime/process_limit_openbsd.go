package runtime

import "syscall"

// addressSpace is the nearest that OpenBSD has to a limit on what a process maps:
// its data, to which anonymous mappings count.
const addressSpace = syscall.RLIMIT_DATA
