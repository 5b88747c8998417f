package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal and returns the side that a program writes to.
func terminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return slave
}

// TestColorOnATerminalAlone: plain text on a pipe, in a file, and where it is asked
// for.
func TestColorOnATerminalAlone(t *testing.T) {
	tty := terminal(t)
	reader, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer pipe.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, tt := range []struct {
		name string
		out  *os.File
		env  []string
		want bool
	}{
		{"terminal", tty, []string{"TERM=xterm-256color"}, true},
		{"terminal with NO_COLOR", tty, []string{"TERM=xterm", "NO_COLOR=1"}, false},
		{"dumb terminal", tty, []string{"TERM=dumb"}, false},
		{"unknown terminal", tty, nil, false},
		{"pipe", pipe, []string{"TERM=xterm"}, false},
		{"file", file, []string{"TERM=xterm"}, false},
		{"nowhere", null, []string{"TERM=xterm"}, false},
	} {
		c := &command{program: &program{env: tt.env}}
		if got := c.style(tt.out, "").Color; got != tt.want {
			t.Errorf("%s: colour %v, want %v", tt.name, got, tt.want)
		}
	}
}
