package browser

import (
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// args tells Chrome the inherited handles by number: on Windows there are no
// descriptors to expect.
func (e *pipeEnds) args() []string {
	return []string{
		"--remote-debugging-pipe",
		fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", uint32(e.childRead.Fd()), uint32(e.childWrite.Fd())),
	}
}

func (e *pipeEnds) inherit(cmd *exec.Cmd) {
	handles := []syscall.Handle{syscall.Handle(e.childRead.Fd()), syscall.Handle(e.childWrite.Fd())}
	for _, h := range handles {
		// A handle that cannot be marked makes Chrome fail at start with its own message.
		_ = windows.SetHandleInformation(windows.Handle(h), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: handles}
}
