package browser

import (
	"errors"
	"fmt"
	"os"
)

// pipeEnds are the four ends of the two pipes to Chrome. How the child is told of its
// two, and inherits them, is a matter of the system: see args and inherit.
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

func (e *pipeEnds) closeChildSide() {
	e.childRead.Close()
	e.childWrite.Close()
}

func (e *pipeEnds) closeOurSide() {
	e.read.Close()
	e.write.Close()
}
