//go:build unix

package browser

import (
	"os"
	"os/exec"
)

// args is the flag that has Chrome read commands from descriptor 3 and write to
// descriptor 4.
func (e *pipeEnds) args() []string { return []string{"--remote-debugging-pipe"} }

func (e *pipeEnds) inherit(cmd *exec.Cmd) {
	cmd.ExtraFiles = []*os.File{e.childRead, e.childWrite}
}
