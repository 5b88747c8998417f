package tests

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// egodPath is the binary under test, built once from this tree.
var egodPath string

func TestMain(m *testing.M) {
	flag.Parse()
	passSignalsOn()
	os.Exit(runTests(m))
}

// passSignalsOn: what this process ignores, the processes it starts ignore from their
// first moment on, and egod means that. A shell's & and nohup start tests like that.
// A signal that has a receiver is back to its default in a new process.
func passSignalsOn() {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "egod-tests-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "tests:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	egodPath = filepath.Join(dir, "egod")
	if runtime.GOOS == "windows" {
		egodPath += ".exe"
	}
	args := []string{"build", "-o", egodPath}
	if raceEnabled {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "egod/cmd/egod")...)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "tests: building egod:", err)
		return 1
	}
	return m.Run()
}
