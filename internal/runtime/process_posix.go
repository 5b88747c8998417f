//go:build unix

package runtime

import (
	"os"
	"os/exec"
	"syscall"
)

// killProcess kills the worker and what it may have started.
func killProcess(cmd *exec.Cmd) {
	if cmd.Process == nil {
		return
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		_ = cmd.Process.Kill()
	}
}

// limitAddressSpace bounds the address space of this process, so that a single
// native call that wants it all fails here and does not take the machine along.
func limitAddressSpace(bytes int64) error {
	var limit syscall.Rlimit
	assign(&limit.Cur, bytes)
	assign(&limit.Max, bytes)
	return syscall.Setrlimit(addressSpace, &limit)
}

// assign sets a field whose type differs between systems.
func assign[T int64 | uint64](field *T, value int64) { *field = T(value) }

// claimStream takes the frame stream away from the process's standard
// descriptors when it is one of them: nothing that a library prints by mistake
// can reach it then. What is printed goes to stderr.
func claimStream(f *os.File) (*os.File, error) {
	if f.Fd() != 1 {
		return f, nil
	}
	fd, err := syscall.Dup(1)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := redirect(2, 1); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "frames"), nil
}
