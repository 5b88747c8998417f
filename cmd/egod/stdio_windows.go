package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// claimStdio takes the wire for egod alone: private handles that no child
// inherits, the standard handles pointing at NUL and at stderr.
func claimStdio() (in, out *os.File, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range []struct {
		std  uint32
		to   windows.Handle
		file **os.File
		name string
	}{
		{windows.STD_INPUT_HANDLE, windows.Handle(null.Fd()), &in, "stdin"},
		{windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd()), &out, "stdout"},
	} {
		handle, err := windows.GetStdHandle(h.std)
		if err != nil {
			return nil, nil, fmt.Errorf("taking %s: %w", h.name, err)
		}
		if err := windows.SetHandleInformation(handle, windows.HANDLE_FLAG_INHERIT, 0); err != nil {
			return nil, nil, fmt.Errorf("keeping %s from children: %w", h.name, err)
		}
		if err := windows.SetStdHandle(h.std, h.to); err != nil {
			return nil, nil, fmt.Errorf("re-pointing %s: %w", h.name, err)
		}
		*h.file = os.NewFile(uintptr(handle), h.name)
	}
	os.Stdin, os.Stdout = null, os.Stderr
	return in, out, nil
}
