//go:build unix

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// procStat is what /proc/PID/stat says of a process, enough to know it again.
type procStat struct {
	pid, parent int
	state       byte
	started     string
}

func readStat(pid int) (procStat, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procStat{}, false
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return procStat{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return procStat{pid: pid, parent: parent, state: fields[0][0], started: string(fields[19])}, err == nil
}

// gone tells whether a process has ended. One that only waits to be reaped has.
func (p procStat) gone() bool {
	now, ok := readStat(p.pid)
	return !ok || now.started != p.started || now.state == 'Z' || now.state == 'X'
}

// descendants are the processes below a pid, the nearest first.
func descendants(pid int) []procStat {
	children := map[int][]procStat{}
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range dirs {
		n, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if stat, ok := readStat(n); ok {
			children[stat.parent] = append(children[stat.parent], stat)
		}
	}
	var found []procStat
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for _, child := range children[queue[0]] {
			found = append(found, child)
			queue = append(queue, child.pid)
		}
	}
	return found
}

// eventually looks until a condition holds, and returns how long that took. What
// other processes do can only be looked at.
func eventually(t testing.TB, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	took, ok := within(limit, holds)
	if !ok {
		t.Fatalf("not within %v: %s", limit, what)
	}
	return took
}

// within looks until a condition holds, for at most a time.
func within(limit time.Duration, holds func() bool) (took time.Duration, ok bool) {
	began := time.Now()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		if time.Since(began) > limit {
			return time.Since(began), false
		}
		<-again.C
	}
	return time.Since(began), true
}

// allGone waits until every process has ended.
func allGone(t testing.TB, limit time.Duration, processes []procStat) time.Duration {
	t.Helper()
	return eventually(t, limit, "the end of every process that egod had started", func() bool { return ended(processes) })
}

func ended(processes []procStat) bool {
	for _, p := range processes {
		if !p.gone() {
			return false
		}
	}
	return true
}

// signal sends the daemon a signal.
func (d *daemon) signal(s syscall.Signal) {
	d.t.Helper()
	if err := d.cmd.Process.Signal(s); err != nil {
		d.t.Fatalf("sending %v: %v", s, err)
	}
}

// endsWithin waits for the process to end by itself within a time, and returns
// its exit code.
func (d *daemon) endsWithin(limit time.Duration) int {
	d.t.Helper()
	began := time.Now()
	code := d.wait()
	if took := time.Since(began); took > limit {
		d.t.Errorf("egod took %v to end, want at most %v\n%s", took, limit, d.stderr)
	}
	return code
}

// running starts a tool and returns the id of its request once it runs.
func (d *daemon) running(tool string, args object) string {
	d.t.Helper()
	d.mu.Lock()
	token := fmt.Sprintf("token-%d", d.nextID)
	d.mu.Unlock()
	id := d.begin("runTool", object{
		"siteId": "demo", "toolName": tool, "args": args, "_meta": object{"progressToken": token},
	})
	d.notification("$/progress", func(params json.RawMessage) bool { return bytes.Contains(params, []byte(token)) })
	return id
}

// startDemo runs egod with the demo pack and nothing else.
func startDemo(t testing.TB, args ...string) *daemon {
	t.Helper()
	root := t.TempDir()
	demoPack.write(t, root)
	return startClean(t, append([]string{"serve", "--root", root, "--builtin=false"}, args...)...)
}

// child runs a program that lives until the test or the returned function ends
// it: cat, which waits for its input.
func child(t testing.TB) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("cat")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if ended {
			return
		}
		ended = true
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(end)
	return cmd.Process.Pid, end
}

// killChrome kills the main process of a Chrome, whose children become orphans.
func killChrome(t testing.TB, pid int, tempDir string) {
	t.Helper()
	for _, p := range descendants(pid) {
		line, _ := os.ReadFile("/proc/" + itoa(p.pid) + "/cmdline")
		if bytes.Contains(line, []byte(tempDir)) && !bytes.Contains(line, []byte("--type=")) {
			if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("no Chrome is running")
}
