package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// consolePack says things in the page, before and after the test lets it go on.
var consolePack = fixture{id: "talker", domains: []string{"page.test"}, args: map[string]string{"n": "integer"}, files: map[string]string{
	"browser-tools/wait.js": `async () => {
  console.log("first", 1); console.warn("the password is swordfish");
  fetch("/reached?in");
  await fetch("/held");
  console.log("last"); return {};
}`,
	"browser-tools/much.js": `(args) => { for (let i = 0; i < args.n; i++) console.log("line " + i); console.log("x".repeat(100000)); return {}; }`,
	"tools/evaluate.js": `
export const run = async (ctx) => {
  console.log("before");
  const work = () => ctx.page.evaluate(async () => {
    console.log("in the page");
    window.entered = (window.entered ?? 0) + 1;
    if (entered === 2) fetch("/reached?in");
    await fetch("/held");
    console.error("the password is swordfish");
  });
  await Promise.all([work(), work()]);
  console.log("after");
  await ctx.page.locator("title").evaluate(() => console.info("by a locator"));
  return {};
};`,
}}

func startTalker(t testing.TB) (*daemon, *pages) {
	t.Helper()
	p, root := servePages(t, map[string]string{"/": ""}), t.TempDir()
	consolePack.write(t, root)
	tempDir := t.TempDir()
	t.Cleanup(func() { checkLeftovers(t, tempDir) })
	cmd := exec.Command(egodPath, append(p.args(), "serve", "--root", root, "--secret", "PASSWORD")...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir, "PASSWORD=swordfish")
	d := startCommand(t, cmd)
	d.result("initialize", object{"capabilities": object{"log": true}}, nil)
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
	return d, p
}

// told returns the messages of the log notifications of a request so far.
func (d *daemon) told(id string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.toldLocked(id)
}

func (d *daemon) toldLocked(id string) []string {
	var messages []string
	for _, n := range d.notifications {
		var p struct {
			Level, Message, SiteID string
			RequestID              json.RawMessage
		}
		if n.Method == "log" && json.Unmarshal(n.Params, &p) == nil && string(p.RequestID) == id && p.SiteID == "talker" {
			messages = append(messages, p.Level+" "+p.Message)
		}
	}
	return messages
}

// TestPageConsoleIsLive: what a page says while a tool is in it is told while the
// tool runs, in order and once, without the secrets, and is in the answer too.
func TestPageConsoleIsLive(t *testing.T) {
	d, p := startTalker(t)
	tests := []struct {
		method, tool, first string
		held                int // requests of the page that wait
		want                []string
	}{
		{"runBrowserTool", "wait", "log first 1", 1, []string{"log first 1", "warn the password is [redacted]", "log last"}},
		{"runTool", "evaluate", "log in the page\nlog in the page", 2, []string{
			"log before", "log in the page", "log in the page", "error the password is [redacted]", "error the password is [redacted]", "log after", "info by a locator",
		}},
	}
	for _, tt := range tests {
		id := d.begin(tt.method, object{"siteId": "talker", "toolName": tt.tool})
		p.await(t, "in")
		d.until("the lines that came first", func() bool { return strings.Contains(strings.Join(d.toldLocked(id), "\n"), tt.first) })
		d.mu.Lock()
		_, answered := d.answers[id]
		d.mu.Unlock()
		if answered {
			t.Fatalf("%s ended before it was let go", tt.tool)
		}
		for range tt.held {
			p.held <- struct{}{}
		}
		a := d.await(id)
		var result struct {
			Logs []struct{ Level, Message string }
		}
		if a.Error != nil || json.Unmarshal(a.Result, &result) != nil {
			t.Fatalf("%s: %s", tt.tool, a.raw)
		}
		var logs []string
		for _, l := range result.Logs {
			logs = append(logs, l.Level+" "+l.Message)
		}
		if want := strings.Join(tt.want, "\n"); strings.Join(d.told(id), "\n") != want || strings.Join(logs, "\n") != want {
			t.Errorf("%s: told %q, logs %q, want %q", tt.tool, d.told(id), logs, tt.want)
		}
	}
	if strings.Contains(d.stderr.String(), "swordfish") {
		t.Error("the log shows the secret")
	}
}

// TestPageConsoleIsBounded: a page that says much is cut, and the rest counted.
func TestPageConsoleIsBounded(t *testing.T) {
	d, _ := startTalker(t)
	id := d.begin("runBrowserTool", object{"siteId": "talker", "toolName": "much", "args": object{"n": 1500}})
	var result struct{ Logs []struct{ Message string } }
	if a := d.await(id); a.Error != nil || json.Unmarshal(a.Result, &result) != nil {
		t.Fatal(a.raw)
	}
	told := d.told(id)
	if n := len(result.Logs); n != 1001 || len(told) != 1001 || result.Logs[1000].Message != "501 more console messages were dropped" {
		t.Fatalf("%d lines in the answer, %d told, the last %+v", n, len(told), result.Logs[n-1])
	}
	for i, line := range told[:1000] {
		if line != fmt.Sprintf("log line %d", i) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
	d.result("runBrowserTool", object{"siteId": "talker", "toolName": "much", "args": object{"n": 1}}, &result)
	if last := result.Logs[1].Message; len(last) > 70_000 || !strings.HasSuffix(last, "(34464 more bytes)") {
		t.Errorf("a long line has %d bytes and ends in %q", len(last), last[len(last)-30:])
	}
}
