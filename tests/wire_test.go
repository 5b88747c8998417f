//go:build unix

package tests

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLongMessages: mark3labs/mcp-go #588 and #155, where a line of more than 64
// KiB ended the connection.
func TestLongMessages(t *testing.T) {
	d := startDemo(t)
	for _, n := range []int{70_000, 5 << 20} {
		text := strings.Repeat("x", n)
		var run struct{ Value struct{ Text string } }
		d.result("runTool", object{"siteId": "demo", "toolName": "echo", "args": object{"text": text}}, &run)
		if run.Value.Text != text {
			t.Errorf("%d characters came back as %d", n, len(run.Value.Text))
		}
		d.result("ping", nil, nil)
	}
}

// TestClientThatReadsLate sends everything before it reads anything: egod takes
// it, and every answer is there afterwards.
func TestClientThatReadsLate(t *testing.T) {
	const requests = 20_000
	root := t.TempDir()
	demoPack.write(t, root)
	w := startWire(t, root)
	var lines bytes.Buffer
	for id := range requests {
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"skillsForUrl","params":["https://demo.test/"]}`+"\n", id)
	}
	if _, err := lines.WriteTo(w.stdin); err != nil {
		t.Fatal(err)
	}
	_ = w.stdin.Close()
	answers := 0
	for in := bufio.NewScanner(w.out); in.Scan(); {
		answers++
	}
	if err := w.cmd.Wait(); err != nil || answers != requests {
		t.Errorf("%d answers to %d requests, %v", answers, requests, err)
	}
}

// TestKilledWorker: a worker that dies takes its own run along and nothing else.
func TestKilledWorker(t *testing.T) {
	d := startDemo(t)
	id := d.running("forever", nil)
	eventually(t, patience, "the tool's first line", func() bool { return strings.Contains(d.stderr.String(), "message=waiting") })
	for _, worker := range descendants(d.cmd.Process.Pid) {
		_ = syscall.Kill(worker.pid, syscall.SIGKILL) // it may be one that is leaving
	}
	if a := d.await(id); a.Error == nil {
		t.Errorf("the run of a killed worker got %s", a.raw)
	}
	d.result("runTool", object{"siteId": "demo", "toolName": "echo"}, nil)
}

// TestKilledChrome: vercel-labs/agent-browser #1017, where a call waited for ever
// for a Chrome that had crashed. It fails at once, and the next one gets another
// Chrome.
func TestKilledChrome(t *testing.T) {
	t.Parallel()
	d, tempDir, _ := withChrome(t, "<p>hello")
	id := d.begin("page.evaluate", object{"pageFunction": "fetch('/reached').then(() => new Promise(() => {}))"})
	d.result("ping", nil, nil)
	began := time.Now()
	killChrome(t, d.cmd.Process.Pid, tempDir)
	a := d.await(id)
	t.Logf("failed after %v", time.Since(began))
	if a.Error == nil || a.Error.Data["kind"] != "browser_gone" || a.Error.Data["retryable"] != true {
		t.Errorf("got %s, want browser_gone", a.raw)
	}
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
}

// TestChromeWithoutEnvironment: Chrome is found and started with nothing in the
// environment, in a working directory that cannot be written to.
func TestChromeWithoutEnvironment(t *testing.T) {
	p := servePages(t, map[string]string{"/": "<p>hello"})
	tempDir := t.TempDir()
	cmd := exec.Command(egodPath, append([]string{"serve"}, p.args()...)...)
	cmd.Dir = "/"
	cmd.Env = []string{"TMPDIR=" + tempDir}
	if chrome := os.Getenv("EGOD_CHROME"); chrome != "" {
		cmd.Env = append(cmd.Env, "EGOD_CHROME="+chrome)
	}
	d := startCommand(t, cmd)
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
	var title string
	d.result("page.title", nil, &title)
	if title != "a page of the tests" {
		t.Errorf("the page's title is %q", title)
	}
}

// TestSplitWrites: a message may come in any pieces, with time between them, and
// several in one.
func TestSplitWrites(t *testing.T) {
	const two = "Content-Length: 40\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` +
		"content-length:40\n\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	root := t.TempDir()
	for _, size := range []int{1, 7, len(two)} {
		w := startWire(t, root)
		for rest := two; rest != ""; {
			n := min(size, len(rest))
			if _, err := io.WriteString(w.stdin, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		_ = w.stdin.Close()
		out, err := io.ReadAll(w.out)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.cmd.Wait(); err != nil {
			t.Error(err)
		}
		for _, answer := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`} {
			if !bytes.Contains(out, []byte("Content-Length: 36\r\n\r\n"+answer)) {
				t.Errorf("pieces of %d: no %s in %q", size, answer, out)
			}
		}
	}
}
