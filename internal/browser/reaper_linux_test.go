package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// runReaper acts as the first process of a container: orphans fall to it. It runs
// and ends two browsers, one by a crash, and prints how many defunct children it has.
func runReaper(tempDir string) int {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Println("error", err)
		return 1
	}
	m := New(Config{TempDir: tempDir})
	ctx := context.Background()
	for range 2 {
		if _, err := m.Space(DefaultSpace).Page(ctx); err != nil {
			fmt.Println("error", err)
			return 1
		}
		c := m.running()
		unix.Kill(c.proc.PID, unix.SIGKILL)
		<-c.reaped
	}
	if err := m.Close(ctx); err != nil {
		fmt.Println("error", err)
		return 1
	}
	fmt.Println("defunct", defunctChildren(os.Getpid()))
	return 0
}

func defunctChildren(parent int) int {
	n := 0
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) > 1 && fields[0] == "Z" && fields[1] == strconv.Itoa(parent) {
			n++
		}
	}
	return n
}

func TestNoDefunctProcessesAsFirstProcess(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(testContext(t), exe)
	cmd.Env = append(os.Environ(), helperEnv+"="+t.TempDir(), helperReaper+"=1")
	out, err := cmd.Output()
	if err != nil || strings.TrimSpace(string(out)) != "defunct 0" {
		t.Errorf("%s, %v", out, err)
	}
}
