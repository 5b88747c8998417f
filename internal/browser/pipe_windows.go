package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// pipeEnds are the four ends of the two pipes to Chrome. On Windows the child is
// told the inherited handles by number instead of expecting descriptors 3 and 4.
type pipeEnds struct {
	read, write           *os.File // ours
	childRead, childWrite *os.File
}

func newPipeEnds() (*pipeEnds, error) {
	e := &pipeEnds{}
	var err error
	if e.childRead, e.write, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("making the devtools pipe: %w", err)
	}
	if e.read, e.childWrite, err = os.Pipe(); err != nil {
		return nil, errors.Join(fmt.Errorf("making the devtools pipe: %w", err), e.childRead.Close(), e.write.Close())
	}
	return e, nil
}

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

func (e *pipeEnds) closeChildSide() {
	e.childRead.Close()
	e.childWrite.Close()
}

func (e *pipeEnds) closeOurSide() {
	e.read.Close()
	e.write.Close()
}
