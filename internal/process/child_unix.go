//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// group is the process group that a child leads.
type group struct{ id int }

func newGroup(p *os.Process) group { return group{id: p.Pid} }

// kill ends every member; it is no error when none is left.
func (g group) kill() {
	if g.id > 0 {
		_ = syscall.Kill(-g.id, syscall.SIGKILL)
	}
}

// release takes the exit status of descendants that fell to us because we are the
// first process of a container: nobody else would, and they would stay defunct. It
// asks only for members of the group and for strays, so no other child loses its
// status.
func (g group) release(strays func() int) {
	if g.id <= 0 {
		return
	}
	end := time.Now().Add(reapGrace)
	for time.Now().Before(end) {
		left := reapGroup(g.id)
		if strays != nil {
			left += strays()
		}
		if left == 0 {
			return
		}
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
