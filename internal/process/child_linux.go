package process

import (
	"os/exec"
	"syscall"
)

// prepare gives the child its own group and the kernel's order to kill it when
// the thread that started it dies; runLocked keeps that thread.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
