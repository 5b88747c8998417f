//go:build unix && !linux

package browser

import (
	"os/exec"
	"syscall"
)

// prepareCommand gives the child its own group. There is no parent-death signal
// here: the end of the devtools pipe is what ends an orphaned Chrome.
func prepareCommand(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// reapHelpers has nothing to do here: Chrome's detached helpers fall to the system's first process.
func reapHelpers() int { return 0 }
