package browser

import (
	"strconv"

	"golang.org/x/sys/windows"
)

// processStart identifies a process together with its pid: the kernel reuses
// pids, not pairs. It is empty when there is no such process.
func processStart(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return ""
	}
	var code uint32
	const stillActive = 259
	if err := windows.GetExitCodeProcess(h, &code); err != nil || code != stillActive {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// usesProfile cannot see another process's arguments here and trusts the lock.
func usesProfile(pid int, _ string) bool { return processStart(pid) != "" }
