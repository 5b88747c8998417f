package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// The first process of a container inherits every orphan in it, and has to reap
// them: each Chrome leaves some behind. Reaping whatever ends would take the
// exit codes of egod's own children from those who wait for them, so as process
// 1 egod is two processes: this one passes signals on and reaps, and its child,
// the same binary with the same arguments and streams, does the work.

// firstProcess tells whether this process is the init of its pid namespace.
func firstProcess() bool { return os.Getpid() == 1 }

// runAsInit runs a program with this process's streams and environment until it
// ends, and returns its exit code.
func runAsInit(argv []string, stderr io.Writer) int {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	defer signal.Stop(signals)
	child, err := startUnderInit(argv)
	if err != nil {
		fmt.Fprintf(stderr, "egod: starting egod as a child of process %d: %v\n", os.Getpid(), err)
		return exitFailure
	}
	done := make(chan struct{})
	defer close(done)
	go forwardSignals(signals, child, done)
	return reapUntil(child)
}

// startUnderInit starts the program in a process group of its own, so that a
// signal from the terminal reaches it once: from the terminal or from us.
func startUnderInit(argv []string) (pid int, err error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return 0, err
	}
	attr := &os.ProcAttr{
		Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys: &syscall.SysProcAttr{Setpgid: true},
	}
	if _, err := unix.IoctlGetTermios(0, unix.TCGETS); err == nil {
		attr.Sys.Foreground, attr.Sys.Ctty = true, 0
	}
	child, err := os.StartProcess(path, argv, attr)
	if err != nil && attr.Sys.Foreground {
		// The terminal controls another session. Without job control the child
		// may read from it all the same, if it stays in our group.
		attr.Sys = nil
		child, err = os.StartProcess(path, argv, attr)
	}
	if err != nil {
		return 0, err
	}
	pid = child.Pid
	return pid, child.Release() // reapUntil waits for it
}

// forwardSignals passes on what this process is sent, until done.
func forwardSignals(signals <-chan os.Signal, pid int, done <-chan struct{}) {
	for {
		select {
		case s := <-signals:
			switch s {
			// SIGCHLD tells of our own children, SIGURG is Go's, and a child that
			// writes to a closed pipe gets its own SIGPIPE.
			case syscall.SIGCHLD, syscall.SIGURG, syscall.SIGPIPE:
			default:
				if n, ok := s.(syscall.Signal); ok {
					_ = syscall.Kill(pid, n) // it may have ended meanwhile
				}
			}
		case <-done:
			return
		}
	}
}

// reapUntil reaps every child until the given one has ended, and returns that
// one's exit code as a shell would show it.
func reapUntil(pid int) int {
	for {
		var status unix.WaitStatus
		ended, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return exitFailure // no child is left, which cannot be
		case ended == pid && status.Signaled():
			return 128 + int(status.Signal())
		case ended == pid && status.Exited():
			return status.ExitStatus()
		}
	}
}

// foreignClient tells that whoever started egod lives in another pid namespace,
// as with "docker run": pids it speaks of mean nothing here.
func foreignClient() bool {
	if os.Getppid() == 0 {
		return true
	}
	if os.Getppid() != 1 {
		return false
	}
	init, err := os.Stat("/proc/1/exe")
	if err != nil {
		return false
	}
	self, err := os.Stat("/proc/self/exe")
	return err == nil && os.SameFile(init, self)
}
