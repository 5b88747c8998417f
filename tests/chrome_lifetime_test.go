//go:build unix

package tests

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// withChrome runs egod with a Chrome that shows a page, in a TMPDIR that is
// returned, and returns the processes below egod.
func withChrome(t testing.TB, page string, args ...string) (d *daemon, tempDir string, below []procStat) {
	t.Helper()
	p := servePages(t, map[string]string{"/": page})
	tempDir = t.TempDir()
	t.Cleanup(func() {
		if left := processesNaming(tempDir); len(left) > 0 {
			t.Errorf("egod left processes behind:\n%s", strings.Join(left, "\n"))
		}
	})
	cmd := exec.Command(egodPath, append(append([]string{"serve", "--root", t.TempDir()}, p.args()...), args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	d = startCommand(t, cmd)
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
	below = descendants(cmd.Process.Pid)
	if !anyNames(below, "--type=renderer") {
		t.Fatal("no Chrome is found below egod")
	}
	return d, tempDir, below
}

// anyNames tells whether the command line of one of the processes holds a text.
func anyNames(processes []procStat, text string) bool {
	for _, p := range processes {
		line, _ := os.ReadFile("/proc/" + itoa(p.pid) + "/cmdline")
		if bytes.Contains(line, []byte(text)) {
			return true
		}
	}
	return false
}

func leftIn(t testing.TB, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// TestEndOfInputWithChrome: ChromeDevTools/chrome-devtools-mcp #2116, where the
// end of the input was not seen once Chrome ran.
func TestEndOfInputWithChrome(t *testing.T) {
	t.Parallel()
	d, tempDir, below := withChrome(t, "<p>hello")
	began := time.Now()
	_ = d.stdin.Close()
	if code := d.endsWithin(10 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
	t.Logf("ended after %v", time.Since(began))
	allGone(t, time.Second, below)
	if left := leftIn(t, tempDir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestKilledEgodLeavesNoChrome: microsoft/playwright #41013, playwright-mcp #1634
// and #1568. The whole tree of Chrome ends, and the next Chrome of an egod finds
// its files and removes them.
func TestKilledEgodLeavesNoChrome(t *testing.T) {
	t.Parallel()
	d, tempDir, below := withChrome(t, "<p>hello")
	d.signal(syscall.SIGKILL)
	t.Logf("%d processes were gone after %v", len(below), allGone(t, 3*time.Second, below))
	d.wait()
	if left := leftIn(t, tempDir); len(left) == 0 {
		t.Fatal("the killed egod left no profile: this test shows nothing")
	}
	cmd := exec.Command(egodPath, "serve", "--root", t.TempDir())
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	next := startCommand(t, cmd)
	next.result("page.url", nil, nil)
	_ = next.stdin.Close()
	next.wait()
	if left := leftIn(t, tempDir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestStubbornChrome: ChromeDevTools/chrome-devtools-mcp PR #2117. A page that
// asks before it is left, and a Chrome that does not react at all, are both gone
// in time.
func TestStubbornChrome(t *testing.T) {
	t.Parallel()
	const asks = `<p>hello<script>
addEventListener("beforeunload", (e) => { e.preventDefault(); e.returnValue = "stay"; return "stay"; });
</script>`
	t.Run("beforeunload", func(t *testing.T) {
		d, _, below := withChrome(t, asks)
		// Chrome asks only for pages that somebody has touched.
		d.result("page.evaluate", object{"pageFunction": "document.body.click()"}, nil)
		d.result("page.mouse.wheel", object{"dy": 10}, nil)
		began := time.Now()
		d.signal(syscall.SIGTERM)
		code := d.endsWithin(10 * time.Second)
		t.Logf("exit code %d after %v", code, time.Since(began))
		allGone(t, 3*time.Second, below)
	})
	t.Run("stopped", func(t *testing.T) {
		d, tempDir, below := withChrome(t, "<p>hello")
		for _, p := range below {
			if anyNames([]procStat{p}, tempDir) {
				if err := syscall.Kill(p.pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
		}
		began := time.Now()
		d.signal(syscall.SIGTERM)
		code := d.endsWithin(10 * time.Second)
		t.Logf("exit code %d after %v", code, time.Since(began))
		allGone(t, 3*time.Second, below)
	})
	t.Run("stopped-second-signal", func(t *testing.T) {
		d, tempDir, below := withChrome(t, "<p>hello")
		for _, p := range below {
			if anyNames([]procStat{p}, tempDir) {
				if err := syscall.Kill(p.pid, syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
		}
		d.signal(syscall.SIGTERM)
		d.signal(syscall.SIGINT)
		began := time.Now()
		d.endsWithin(5 * time.Second)
		t.Logf("ended after %v", time.Since(began))
		allGone(t, 3*time.Second, below)
	})
}

// TestIdleChrome is closed, its profile with it, and started again when it is
// needed.
func TestIdleChrome(t *testing.T) {
	t.Parallel()
	d, tempDir, _ := withChrome(t, "<p>hello", "--browser-idle-timeout", "300ms")
	eventually(t, patience, "the end of the idle Chrome", func() bool {
		return !anyNames(descendants(d.cmd.Process.Pid), tempDir) && len(leftIn(t, tempDir)) == 0
	})
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
	if !anyNames(descendants(d.cmd.Process.Pid), tempDir) {
		t.Error("a call that needs a page started no Chrome")
	}
}

// TestStdoutWithChrome: whatever Chrome prints, and in a terminal, stdout is
// frames. The daemon of the test fails for anything else.
func TestStdoutWithChrome(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("EGOD_LOG_LEVEL", "debug")
	d, _, _ := withChrome(t, "<p>hello<script>console.log('from the page')</script>",
		"--chrome-arg=--enable-logging=stderr", "--chrome-arg=--v=1", "--chrome-arg=--remote-debugging-port=0")
	d.result("page.evaluate", object{"pageFunction": "console.error('more')"}, nil)
	d.result("shutdown", nil, nil)
	d.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
}

// TestChildrenDoNotHoldTheWire: a child that inherits the client's pipes can
// write between two frames, and keeps them open when egod has ended.
func TestChildrenDoNotHoldTheWire(t *testing.T) {
	before := openPipes(t, os.Getpid()) // what a careless parent of this test left open is not ours
	d, _, _ := withChrome(t, "<p>hello")
	ours := openPipes(t, os.Getpid())
	maps.DeleteFunc(ours, func(pipe string, _ bool) bool { return before[pipe] })
	wire := 0
	for pipe := range openPipes(t, d.cmd.Process.Pid) {
		if ours[pipe] {
			wire++
		}
	}
	if wire < 2 {
		t.Fatalf("egod holds %d of our pipes, which should be its stdin and stdout at least", wire)
	}
	for _, child := range descendants(d.cmd.Process.Pid) {
		for pipe := range openPipes(t, child.pid) {
			if ours[pipe] {
				t.Errorf("process %d below egod holds the client's %s", child.pid, pipe)
			}
		}
	}
}

// openPipes are the pipes that a process has open, by the names that /proc gives
// them.
func openPipes(t testing.TB, pid int) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("/proc/" + itoa(pid) + "/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	pipes := map[string]bool{}
	for _, file := range files {
		if name, err := os.Readlink(file); err == nil && strings.HasPrefix(name, "pipe:") {
			pipes[name] = true
		}
	}
	return pipes
}

// TestKilledWithPersistentProfile: citrolabs/ego-lite #306, where a kill in the
// middle of a task made every later start fail. The profile of a dead egod is
// taken over at once; that of a living one is refused, naming it.
func TestKilledWithPersistentProfile(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	first, _, below := withChrome(t, "<p>hello", "--profile", profile)
	first.begin("page.evaluate", object{"pageFunction": "new Promise(() => {})"})
	first.signal(syscall.SIGKILL)
	allGone(t, 3*time.Second, below)
	first.wait()

	second, _, _ := withChrome(t, "<p>hello", "--profile", profile)
	third := startClean(t, "serve", "--profile", profile)
	refused := third.fails("browser_unavailable", "page.goto", object{"url": "http://page.test/"})
	if !strings.Contains(refused.Message, itoa(second.cmd.Process.Pid)) {
		t.Errorf("the refusal does not name process %d: %s", second.cmd.Process.Pid, refused.Message)
	}
	second.result("page.title", nil, nil)
}
