package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// stopRenderers stops the renderers of a Chrome, as if its tabs were asleep.
func stopRenderers(t testing.TB, group int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	stopped := 0
	for _, path := range lines {
		text, err := os.ReadFile(path)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || !strings.Contains(string(text), "--type=renderer") {
			continue
		}
		if pgid, err := syscall.Getpgid(pid); err == nil && pgid == group && syscall.Kill(pid, syscall.SIGSTOP) == nil {
			stopped++
		}
	}
	if stopped == 0 {
		t.Fatal("no renderer was found")
	}
}
