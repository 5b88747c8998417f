//go:build unix && !linux

package runtime

import (
	"os/exec"
	"syscall"
)

// setProcessAttributes gives the worker its own process group. Without a
// parent-death signal it ends when its stdin ends.
func setProcessAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func keepThread() {}
