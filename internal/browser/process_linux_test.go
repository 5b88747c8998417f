package browser

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// groupAlive reports whether a process group has a member that is no zombie.
func groupAlive(pgid int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) > 2 && fields[2] == strconv.Itoa(pgid) && fields[0] != "Z" {
			return true
		}
	}
	return false
}

// startHelper runs the test binary as a program that owns a Chrome.
func startHelper(t *testing.T, tempDir, profile string) (cmd *exec.Cmd, pid int, dir string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(exe)
	cmd.Env = append(os.Environ(), helperEnv+"="+tempDir, helperProfile+"="+profile)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the helper said nothing: %v", err)
	}
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("the helper said %q", line)
	}
	return cmd, pid, dir
}

func TestKilledOwnerLeavesNoChrome(t *testing.T) {
	tempDir := t.TempDir()
	helper, pid, dir := startHelper(t, tempDir, "")
	if !groupAlive(pid) {
		t.Fatal("chrome does not lead a process group")
	}
	helper.Process.Kill()
	helper.Wait()
	eventually(t, 3*time.Second, "chrome ended after its owner was killed", func() bool { return !groupAlive(pid) })
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the killed owner's profile: %v", err)
	}
	m := ownManager(t, Config{TempDir: tempDir})
	page, err := m.Space(DefaultSpace).Page(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the dead owner's profile was not swept: %v", err)
	}
	if _, err := os.Stat(page.chrome.profile.dir); err != nil {
		t.Errorf("our own profile: %v", err)
	}
}

func TestPersistentProfileOfKilledOwnerOpensAgain(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "profile")
	helper, pid, _ := startHelper(t, t.TempDir(), profile)
	second := ownManager(t, Config{Profile: profile})
	var inUse *UnavailableError
	_, err := second.Space(DefaultSpace).Page(testContext(t))
	if !errors.As(err, &inUse) || !strings.Contains(err.Error(), "pid "+strconv.Itoa(helper.Process.Pid)) {
		t.Errorf("a second owner of a live profile: %v", err)
	}
	helper.Process.Kill()
	helper.Wait()
	eventually(t, 3*time.Second, "chrome ended", func() bool { return !groupAlive(pid) })
	ctx := testContext(t)
	page, err := second.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatalf("after the owner was killed: %v", err)
	}
	tabs, err := second.Space(DefaultSpace).Tabs(ctx, true)
	if err != nil || len(tabs) != 1 || tabs[0].TargetID != page.TargetID() {
		t.Errorf("tabs were restored: %+v, %v", tabs, err)
	}
	if err := second.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(profile); err != nil {
		t.Errorf("a profile the user gave was deleted: %v", err)
	}
}

func TestCrashFailsTheCallAndTheNextWorks(t *testing.T) {
	m := ownManager(t, Config{})
	ctx := testContext(t)
	space := m.Space(DefaultSpace)
	page, err := space.Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	pid := page.chrome.proc.PID
	result := make(chan error, 1)
	entered := page.startCollecting(nil)
	go func() {
		_, err := page.Evaluate(ctx, Script{Function: `() => { console.log("in"); return new Promise(() => {}) }`})
		result <- err
	}()
	if err := page.await(ctx, func() bool { return len(entered.logs) > 0 }); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGSEGV); err != nil {
		t.Fatal(err)
	}
	// It fails with what ended the connection, and with no time of its own: Chrome
	// may take a second to die on a busy machine.
	conn := page.chrome.conn
	err = <-result
	var gone *GoneError
	select {
	case <-conn.done:
		if !errors.As(err, &gone) || !errors.Is(err, conn.err) || ctx.Err() != nil {
			t.Errorf("the call in flight: %v, want the end of the connection: %v", err, conn.err)
		}
	default:
		t.Errorf("the call in flight ended before the connection did: %v", err)
	}
	if m.Running() {
		t.Error("Running is true after the crash")
	}
	again, err := space.Page(ctx)
	if err != nil {
		t.Fatalf("the next call: %v", err)
	}
	if v, err := again.Evaluate(ctx, Script{Expression: "1+1"}); err != nil || string(v) != "2" {
		t.Errorf("on the fresh chrome: %s, %v", v, err)
	}
	eventually(t, 5*time.Second, "the crashed chrome's group ended", func() bool { return !groupAlive(pid) })
}

func TestCloseEndsAStoppedChrome(t *testing.T) {
	tempDir := t.TempDir()
	m := New(Config{TempDir: tempDir})
	page, err := m.Space(DefaultSpace).Page(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	pid := page.chrome.proc.PID
	if err := syscall.Kill(-pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := m.Close(testContext(t)); err != nil || time.Since(began) > 8*time.Second {
		t.Errorf("close: %v after %s", err, time.Since(began))
	}
	if groupAlive(pid) {
		t.Error("the stopped chrome is still there")
	}
	left, err := os.ReadDir(tempDir)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestUnavailable(t *testing.T) {
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, chrome, reason, stderr string }{
		{"missing", filepath.Join(dir, "nothing"), "not an executable file", ""},
		{"a directory", dir, "not an executable file", ""},
		{"exits", script("exits", "echo first >&2; echo no display here >&2; exit 7\n"), "exit code 7", "no display here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tempDir := t.TempDir()
			m := ownManager(t, Config{Chrome: tt.chrome, TempDir: tempDir})
			_, err := m.Space(DefaultSpace).Page(testContext(t))
			var missing *UnavailableError
			if !errors.As(err, &missing) || !strings.Contains(missing.Reason, tt.reason) || !strings.Contains(missing.Stderr, tt.stderr) ||
				missing.Path != tt.chrome || missing.Hint == "" {
				t.Errorf("got %+v", err)
			}
			if left, _ := os.ReadDir(tempDir); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Nobody else on the machine can reach our Chrome: it listens on no port.
func TestChromeListensOnNoPort(t *testing.T) {
	page, _ := newTestPage(t, "")
	listening := make(map[string]bool) // socket inodes
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue // a kernel without IPv6
		}
		for _, line := range strings.Split(string(data), "\n") {
			if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" {
				listening["socket:["+f[9]+"]"] = true
			}
		}
	}
	if len(listening) == 0 {
		t.Fatal("the fixture server's own socket is not listed")
	}
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", page.chrome.proc.PID))
	if err != nil || len(fds) == 0 {
		t.Fatalf("chrome's descriptors: %v", err)
	}
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil && listening[target] {
			t.Errorf("chrome listens on %s", target)
		}
	}
}
