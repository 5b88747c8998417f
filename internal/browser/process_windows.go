package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

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

func prepareCommand(cmd *exec.Cmd) {
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
}

// processGroup is a job object that ends its members when its last handle, ours,
// is closed, also by the death of egod.
type processGroup struct {
	job     windows.Handle
	process *os.Process
}

func newProcessGroup(p *os.Process) processGroup {
	g := processGroup{process: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil { // without the job the pipe's end still ends Chrome
		windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

func assign(job windows.Handle, pid int) error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	h, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

func (g processGroup) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	if g.process != nil {
		_ = g.process.Kill()
	}
}

func (g processGroup) release() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}
