package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// reapHelpers reaps Chrome's crash handlers that became our children: they leave
// the process group when they start. It returns how many are still running.
func reapHelpers() int {
	alive := 0
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	for _, path := range stats {
		pid, ok := crashHandler(path, os.Getpid())
		if !ok {
			continue
		}
		if got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); err == nil && got == 0 {
			alive++
		}
	}
	return alive
}

// crashHandler reads /proc/PID/stat: is it a crash handler and a child of parent?
func crashHandler(stat string, parent int) (pid int, ok bool) {
	data, err := os.ReadFile(stat)
	if err != nil {
		return 0, false
	}
	head, rest, ok := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	number, name, named := strings.Cut(head, " (")
	if !ok || !named || len(fields) < 2 || !strings.HasPrefix(name, "chrome_crashpad") || fields[1] != strconv.Itoa(parent) {
		return 0, false
	}
	pid, err = strconv.Atoi(number)
	return pid, err == nil
}
