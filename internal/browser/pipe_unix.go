//go:build unix

package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// pipeEnds are the four ends of the two pipes to Chrome, which expects to read
// commands from descriptor 3 and writes to descriptor 4.
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

func (e *pipeEnds) args() []string { return []string{"--remote-debugging-pipe"} }

func (e *pipeEnds) inherit(cmd *exec.Cmd) {
	cmd.ExtraFiles = []*os.File{e.childRead, e.childWrite}
}

func (e *pipeEnds) closeChildSide() {
	e.childRead.Close()
	e.childWrite.Close()
}

func (e *pipeEnds) closeOurSide() {
	e.read.Close()
	e.write.Close()
}
