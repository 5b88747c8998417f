//go:build unix

package tests

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEndOfInputAtOnce: puppetlabs #49, openlawlibrary/pygls #173, where the end
// of the input was a busy loop. /dev/null and a file end like a pipe.
func TestEndOfInputAtOnce(t *testing.T) {
	requests := t.TempDir() + "/requests"
	writeFile(t, requests, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	for _, input := range []string{os.DevNull, requests} {
		stdin, err := os.Open(input)
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		cmd := exec.Command(egodPath, "serve", "--root", t.TempDir())
		cmd.Stdin = stdin
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		began := time.Now()
		out, err := cmd.Output()
		took, used := time.Since(began), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
		t.Logf("%s: ended after %v with %v of CPU time", input, took, used)
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		if used > 2*time.Second {
			t.Errorf("%s: %v of CPU time went into nothing", input, used)
		}
		if answered := strings.Contains(string(out), `"result":{}`); answered != (input == requests) {
			t.Errorf("%s: got %q", input, out)
		}
	}
}

// TestSignals: each signal is the same path as the end of the input. What was
// read is answered, and the exit code is 0.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			d := startDemo(t)
			id := d.running("slow", object{"ms": 300})
			d.signal(s)
			if a := d.await(id); a.Error != nil {
				t.Errorf("a request that was read got %s", a.raw)
			}
			if code := d.wait(); code != 0 {
				t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
			}
		})
	}
}

// TestSignalOfACommand: a command that is interrupted says so, and exits as
// shells expect.
func TestSignalOfACommand(t *testing.T) {
	root := t.TempDir()
	demoPack.write(t, root)
	cmd := exec.Command(egodPath, "run", "demo", "forever", "--root", root)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	stderr := &lockedBuffer{}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "the tool's first line", func() bool { return stderr.String() == "log: waiting\n" })
	below := descendants(cmd.Process.Pid)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasSuffix(stderr.String(), "\negod: stopped by signal interrupt\n") {
		t.Errorf("got %v and on stderr %q", err, stderr)
	}
	allGone(t, 3*time.Second, below)
}

// TestSecondSignal ends egod at once, whatever still runs.
func TestSecondSignal(t *testing.T) {
	d := startDemo(t, "--drain-timeout", "1h")
	d.running("spin", nil)
	below := descendants(d.cmd.Process.Pid)
	d.signal(syscall.SIGTERM)
	d.signal(syscall.SIGINT)
	if code := d.endsWithin(5 * time.Second); code != 128+int(syscall.SIGTERM) && code != 128+int(syscall.SIGINT) {
		t.Errorf("exit code %d, want that of a signal\n%s", code, d.stderr)
	}
	allGone(t, 3*time.Second, below)
}

// TestSignalIgnoredByParent: nohup means it.
func TestSignalIgnoredByParent(t *testing.T) {
	root := t.TempDir()
	d := startCommand(t, exec.Command("sh", "-c", `trap "" HUP; exec "$0" serve --root "$1"`, egodPath, root))
	d.result("ping", nil, nil)
	d.signal(syscall.SIGHUP)
	d.result("ping", nil, nil)
	_ = d.stdin.Close()
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
}

// TestDrainIsBounded: a tool that does not end holds nothing up for longer than
// --drain-timeout.
func TestDrainIsBounded(t *testing.T) {
	d := startDemo(t, "--drain-timeout", "300ms")
	id := d.running("spin", nil)
	began := time.Now()
	_ = d.stdin.Close()
	a := d.await(id)
	if a.Error == nil || a.Error.Code != -32800 {
		t.Errorf("got %s, want a cancelled request", a.raw)
	}
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if took := time.Since(began); took < 300*time.Millisecond || took > 10*time.Second {
		t.Errorf("the end took %v, want a little more than 300 ms", took)
	}
}

// TestParentWatch: microsoft/playwright-mcp #1512, where a wrapper kept stdin
// open and hid the end of the host. The input of these daemons never ends.
func TestParentWatch(t *testing.T) {
	t.Parallel()
	t.Run("parent-pid", func(t *testing.T) {
		pid, end := child(t)
		d := startDemo(t, "--parent-pid", itoa(pid))
		d.result("ping", nil, nil)
		end()
		d.endsWithin(5 * time.Second)
	})
	t.Run("initialize", func(t *testing.T) {
		pid, end := child(t)
		d := startDemo(t)
		d.result("initialize", object{"processId": pid}, nil)
		d.running("forever", nil)
		below := descendants(d.cmd.Process.Pid)
		end()
		d.endsWithin(5 * time.Second)
		allGone(t, 3*time.Second, below)
	})
	t.Run("ended-before", func(t *testing.T) {
		pid, end := child(t)
		end()
		d := startDemo(t)
		d.begin("initialize", object{"processId": pid})
		d.endsWithin(5 * time.Second)
	})
	t.Run("wrapper", func(t *testing.T) {
		pid, end := child(t)
		d := startCommand(t, exec.Command("sh", "-c", `cat | "$0" serve; cat >/dev/null`, egodPath))
		var info struct{ PID int }
		d.result("initialize", object{"processId": pid}, &info)
		daemon, ok := readStat(info.PID)
		if !ok {
			t.Fatalf("initialize named pid %d, which does not run", info.PID)
		}
		end()
		allGone(t, 5*time.Second, []procStat{daemon})
	})
}

// TestKilledEgodLeavesNoWorker: the workers of a killed egod end, also one that
// listens to nothing.
func TestKilledEgodLeavesNoWorker(t *testing.T) {
	d := startDemo(t)
	d.running("spin", nil)
	below := descendants(d.cmd.Process.Pid)
	if len(below) == 0 {
		t.Fatal("a tool runs and no worker is there")
	}
	d.signal(syscall.SIGKILL)
	t.Logf("%d workers were gone after %v", len(below), allGone(t, 3*time.Second, below))
}

// TestStdoutClosed: a client that does not read any more is not there any more,
// even if it never closes stdin, and whether or not there is something to say.
func TestStdoutClosed(t *testing.T) {
	for _, busy := range []bool{false, true} {
		root := t.TempDir()
		demoPack.write(t, root)
		cmd := exec.Command(egodPath, "serve", "--root", root, "--builtin=false")
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		request := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
		if busy {
			request += `{"jsonrpc":"2.0","id":2,"method":"runTool","params":["demo","spin"]}` + "\n"
		}
		if _, err := io.WriteString(stdin, request); err != nil {
			t.Fatal(err)
		}
		if _, err := stdout.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		_ = stdout.Close()
		began := time.Now()
		_ = cmd.Wait()
		took := time.Since(began)
		t.Logf("busy %v: ended %v after its stdout was closed", busy, took)
		if took > 3*time.Second {
			t.Errorf("busy %v: egod lived for %v after its stdout was closed", busy, took)
		}
	}
}

// TestStderrWithoutReader: a log that nobody takes ends, and nothing else does.
func TestStderrWithoutReader(t *testing.T) {
	root := t.TempDir()
	demoPack.write(t, root)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(egodPath, "serve", "--root", root, "--log-level", "debug")
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.Stderr = write
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","id":2,"method":"runTool","params":["demo","say"]}
{"jsonrpc":"2.0","id":3,"method":"ping"}
`)
	_ = read.Close()
	out, err := cmd.Output()
	_ = write.Close()
	if err != nil {
		t.Errorf("egod ended with %v", err)
	}
	if n := strings.Count(string(out), "\n"); n != 3 {
		t.Errorf("%d answers, want 3:\n%s", n, out)
	}
}

// TestStderrNeverRead: many hosts give a pipe and never read it. A log that is
// full holds up neither answers nor the end.
func TestStderrNeverRead(t *testing.T) {
	root := t.TempDir()
	fixture{id: "demo", domains: []string{"demo.test"}, files: map[string]string{
		"tools/chat.js": "export const run = () => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(200)); return 'done'; };\n",
	}}.write(t, root)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(egodPath, "serve", "--root", root)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	cmd.Stderr = write
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"runTool","params":["demo","chat"]}
{"jsonrpc":"2.0","id":2,"method":"runTool","params":["demo","chat"]}
`)
	began := time.Now()
	out, err := cmd.Output()
	_ = write.Close()
	t.Logf("ended after %v", time.Since(began))
	if err != nil || strings.Count(string(out), `"value":"done"`) != 2 {
		t.Errorf("%v and %.300s", err, out)
	}
}

// TestConsoleIsVisibleAtOnce: citrolabs/ego-lite #307, where what a tool printed
// was seen at its end. Here it is in the log while the tool runs.
func TestConsoleIsVisibleAtOnce(t *testing.T) {
	root := t.TempDir()
	fixture{id: "demo", domains: []string{"demo.test"}, files: map[string]string{
		"tools/tick.js": "export const run = async (ctx) => { for (let i = 1; ; i++) { console.log('tick ' + i); await ctx.page.waitForTimeout(50); } };\n",
	}}.write(t, root)
	d := startClean(t, "serve", "--root", root)
	id := d.running("tick", nil)
	eventually(t, patience, "three lines in the log", func() bool {
		return strings.Contains(d.stderr.String(), `message="tick 3"`)
	})
	d.mu.Lock()
	_, answered := d.answers[id]
	d.mu.Unlock()
	if answered {
		t.Error("the tool had ended when its lines were seen")
	}
	d.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
	if a := d.await(id); a.Error == nil || a.Error.Code != -32800 {
		t.Errorf("got %s, want a cancelled request", a.raw)
	}
}

// TestTwoDaemonsInOneWorkspace: vercel-labs/agent-browser #1118 and #1397, where
// files of a dead daemon kept the next one from starting. egod leaves none.
func TestTwoDaemonsInOneWorkspace(t *testing.T) {
	workspace := t.TempDir()
	demoPack.write(t, workspace+"/skills/ego-browser/learnings")
	before := listTree(t, workspace)
	start := func() *daemon {
		d := startClean(t, "serve", "--workspace", workspace)
		d.result("runTool", object{"siteId": "demo", "toolName": "echo"}, nil)
		return d
	}
	first, second := start(), start()
	first.signal(syscall.SIGKILL)
	first.wait()
	third := start()
	second.result("runTool", object{"siteId": "demo", "toolName": "echo"}, nil)
	third.result("runTool", object{"siteId": "demo", "toolName": "echo"}, nil)
	if after := listTree(t, workspace); after != before {
		t.Errorf("the workspace changed:\n%s\nbefore:\n%s", after, before)
	}
}

func listTree(t testing.TB, dir string) string {
	t.Helper()
	out, err := exec.Command("find", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func itoa(n int) string {
	text, _ := json.Marshal(n) // a number always has a form
	return string(text)
}
