package process

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare keeps the console's signals from the child, beside what cmd asks for.
func prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
}

// group is a job object that ends its members when its last handle, ours, is
// closed, also by the death of egod.
type group struct {
	job     windows.Handle
	process *os.Process
}

func newGroup(p *os.Process) group {
	g := group{process: p}
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
	if err != nil { // without the job the pipe's end still ends the child
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

func (g group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	if g.process != nil {
		_ = g.process.Kill()
	}
}

func (g group) release(func() int) {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}
