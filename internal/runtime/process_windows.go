//go:build windows

package runtime

import (
	"os"
	"os/exec"
)

// setProcessAttributes has nothing to set: the worker ends when its stdin ends.
func setProcessAttributes(*exec.Cmd) {}

func keepThread() {}

// killProcess kills the worker.
func killProcess(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// limitAddressSpace does nothing: there is no such limit without a job object.
// The heap watchdog still stops loops that allocate.
func limitAddressSpace(int64) error { return nil }

// claimStream returns f: standard handles cannot be exchanged under a running
// process, and nothing in a worker prints to stdout.
func claimStream(f *os.File) (*os.File, error) { return f, nil }
