package tests

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// egodPath is the binary under test, built once from this tree.
var egodPath string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runTests(m))
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
