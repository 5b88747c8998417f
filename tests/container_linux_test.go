package tests

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestFirstProcess: egod as process 1 of a container without an init, as in
// xpzouying/xiaohongshu-mcp #351 and sensepost/gowitness #94, where each browser
// left a defunct process. Where the machine allows no namespaces, the tests of
// the init in cmd/egod are all there is.
func TestFirstProcess(t *testing.T) {
	t.Parallel()
	unshare := []string{"unshare", "--pid", "--fork", "--mount-proc"}
	if os.Geteuid() != 0 {
		unshare = append(unshare, "--user", "--map-root-user")
	}
	if out, err := exec.Command(unshare[0], append(unshare[1:], "true")...).CombinedOutput(); err != nil {
		t.Logf("no process can be made the first one here: %v: %s", err, out)
		return
	}
	p := servePages(t, map[string]string{"/": "<p>hello"})
	root, tempDir := t.TempDir(), t.TempDir()
	demoPack.write(t, root)
	args := append(unshare[1:], egodPath, "serve", "--root", root)
	cmd := exec.Command(unshare[0], append(args, p.args()...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	d := startCommand(t, cmd)
	first := childNamed(t, cmd.Process.Pid)

	// The client's pid means nothing in there, and is no reason to end.
	var info struct{ PID int }
	d.result("initialize", object{"processId": 1 << 21}, &info)
	if info.PID == 1 {
		t.Error("egod works as process 1 itself")
	}
	openPage := func() {
		page := object{"url": "http://page.test/"}
		if a := d.call("page.goto", page); a.Error != nil && a.Error.Data["kind"] == "browser_gone" {
			d.result("page.goto", page, nil) // the last Chrome's end was news
		}
	}
	for range 3 {
		openPage()
		killChrome(t, first.pid, tempDir)
		d.result("runTool", object{"siteId": "demo", "toolName": "echo"}, nil)
	}
	openPage()
	// A Chrome that lives reaps its own children in its own time.
	egod := descendants(first.pid)[0].pid
	eventually(t, 10*time.Second, "no defunct child of the first process and of egod", func() bool {
		for _, p := range descendants(first.pid) {
			if p.state == 'Z' && (p.parent == first.pid || p.parent == egod) {
				return false
			}
		}
		return true
	})
	below := descendants(first.pid)
	if err := syscall.Kill(first.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := d.endsWithin(10 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
	allGone(t, 3*time.Second, below)
	if left := leftIn(t, tempDir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// childNamed waits for the one child of a process.
func childNamed(t testing.TB, pid int) procStat {
	t.Helper()
	var found []procStat
	eventually(t, patience, "the first process", func() bool {
		found = descendants(pid)
		return len(found) > 0
	})
	return found[0]
}
