package browser

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// processStart identifies a process together with its pid: the kernel reuses
// pids, not pairs. It is empty when there is no such process (zombies count as none).
func processStart(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The second field is the name in parentheses and may hold anything.
	end := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[end+1:]))
	const state, start = 0, 19 // fields 3 and 22 of proc(5)
	if len(fields) <= start || fields[state] == "Z" || fields[state] == "X" {
		return ""
	}
	if _, err := strconv.ParseUint(fields[start], 10, 64); err != nil {
		return ""
	}
	return fields[start]
}

// usesProfile reports whether a live process was started with dir as its profile.
func usesProfile(pid int, dir string) bool {
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return os.IsPermission(err)
	}
	return bytes.Contains(cmdline, []byte("--user-data-dir="+dir))
}
