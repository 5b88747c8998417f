package browser

import (
	"os/exec"

	"egod/internal/process"
)

// startProcess starts path with a devtools pipe. env nil means our own environment.
// Stdin and stdout of the child are the null device.
func startProcess(path string, args, env []string) (*process.Child, *pipe, error) {
	ends, err := newPipeEnds()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(path, append(ends.args(), args...)...)
	cmd.Env = env
	ends.inherit(cmd)
	child, err := process.Start(cmd)
	ends.closeChildSide()
	if err != nil {
		ends.closeOurSide()
		return nil, nil, err
	}
	child.Strays = reapHelpers
	return child, newPipe(ends.read, ends.write), nil
}
