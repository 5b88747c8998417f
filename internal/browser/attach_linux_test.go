package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopRenderers stops the renderers of a Chrome, as if its tabs were asleep. A new
// one is called a zygote first, so there may be none at once.
func stopRenderers(t testing.TB, group int) {
	t.Helper()
	eventually(t, 10*time.Second, "a renderer", func() bool { return stopped(t, group) > 0 })
}

// stopped stops the renderers that there are and returns their number.
func stopped(t testing.TB, group int) (n int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		text, err := os.ReadFile(path)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || !strings.Contains(string(text), "--type=renderer") {
			continue
		}
		if pgid, err := syscall.Getpgid(pid); err == nil && pgid == group && syscall.Kill(pid, syscall.SIGSTOP) == nil {
			n++
		}
	}
	return n
}
