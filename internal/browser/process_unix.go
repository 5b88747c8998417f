//go:build unix

package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
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

// processGroup is the process group that Chrome leads.
type processGroup struct{ id int }

func newProcessGroup(p *os.Process) processGroup { return processGroup{id: p.Pid} }

// kill ends every member; it is no error when none is left.
func (g processGroup) kill() {
	if g.id > 0 {
		_ = syscall.Kill(-g.id, syscall.SIGKILL)
	}
}

// release takes the exit status of descendants that fell to us because we are the
// first process of a container: nobody else would, and they would stay defunct. It
// asks only for members of the group and for Chrome's own detached helpers, so no
// other child loses its status.
func (g processGroup) release() {
	if g.id <= 0 {
		return
	}
	end := time.Now().Add(reapGrace)
	for reapGroup(g.id)+reapHelpers() > 0 && time.Now().Before(end) {
		pause := time.NewTimer(5 * time.Millisecond)
		<-pause.C
	}
}

// reapGroup reaps the ended children in a group and returns 1 while others live.
func reapGroup(id int) int {
	for {
		pid, err := syscall.Wait4(-id, nil, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR) || pid > 0:
		case err != nil: // no child in the group: the usual case
			return 0
		default:
			return 1
		}
	}
}

// reapGrace bounds the wait for killed descendants to end.
const reapGrace = time.Second
