//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// prepare gives the child its own group. There is no parent-death signal here:
// the end of the pipe that egod holds is what ends a child that outlives it.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
