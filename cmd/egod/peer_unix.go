//go:build unix

package main

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// watchPeer calls gone once when nobody can read from out any more. A write
// would tell the same, but an idle daemon writes nothing. It returns at once;
// its goroutine ends with the context. Files and terminals are never gone.
func watchPeer(ctx context.Context, out *os.File, gone func()) error {
	raw, err := out.SyscallConn()
	if err != nil {
		return err
	}
	var fd int32
	// Out's own Fd method would make it block.
	if err := raw.Control(func(n uintptr) { fd = int32(n) }); err != nil {
		return err
	}
	var wake [2]int
	if err := unix.Pipe(wake[:]); err != nil {
		return err
	}
	for _, end := range wake {
		unix.CloseOnExec(end)
	}
	context.AfterFunc(ctx, func() { _ = unix.Close(wake[1]) })
	go func() {
		defer func() { _ = unix.Close(wake[0]) }()
		// No events are asked for: errors and hang-ups are always reported.
		fds := []unix.PollFd{{Fd: fd}, {Fd: int32(wake[0])}}
		for {
			_, err := unix.Poll(fds, -1)
			switch {
			case err != nil && !errors.Is(err, unix.EINTR):
				return
			case fds[1].Revents != 0:
				return
			case fds[0].Revents != 0:
				gone()
				return
			}
		}
	}()
	return nil
}
