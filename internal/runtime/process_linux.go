//go:build linux

package runtime

import (
	"os/exec"
	goruntime "runtime"
	"syscall"
)

// setProcessAttributes gives the worker its own process group, so that a signal
// from the terminal does not reach it, and has the kernel kill it when we die.
func setProcessAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// keepThread locks the calling goroutine to its thread for good: the thread ends
// with the goroutine.
func keepThread() { goruntime.LockOSThread() }
