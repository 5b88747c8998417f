package browser

import (
	"os/exec"
	"syscall"
)

// prepareCommand gives the child its own group and the kernel's order to kill it
// when the thread that started it dies; process.runLocked keeps that thread.
func prepareCommand(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
