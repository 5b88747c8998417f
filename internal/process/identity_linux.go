package process

import (
	"bytes"
	"fmt"
	"os"
)

// startTime reads field 22 of /proc/PID/stat, the start in clock ticks since
// boot. The command name before it may hold spaces and brackets.
func startTime(pid int) (string, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false
	}
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return "", false
	}
	fields := bytes.Fields(stat[end+1:])
	const state, start = 0, 19 // fields 3 and 22
	if len(fields) <= start || fields[state][0] == 'Z' || fields[state][0] == 'X' {
		return "", false
	}
	return string(fields[start]), true
}
