//go:build unix

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// cancelLimit is how long the answer to a cancelled request may take here. The
// protocol promises 200 ms; shared machines and the race detector take more.
const cancelLimit = 2 * time.Second

// stuckTools say "working" and then never end by themselves.
var stuckTools = map[string]string{
	"spin":        "for (;;) {}",
	"native":      "/^(?=x?)(a+)+$/.test('a'.repeat(60) + '!');",
	"fill":        "for (;;) new Array(1e6).fill(1).sort();",
	"host-call":   "await ctx.page.waitForTimeout(600000);",
	"many-calls":  "await Promise.all(Array.from({ length: 20 }, () => ctx.page.waitForTimeout(600000)));",
	"timer":       "await new Promise((resolve) => setTimeout(resolve, 600000));",
	"microtasks":  "for (;;) await null;",
	"deaf":        "for (;;) { try { for (;;) {} } finally { continue; } }",
	"nested":      "await ctx.site.runTool('stuck', 'spin');",
	"nested-wait": "await ctx.site.runTool('stuck', 'host-call');",
}

// startStuck runs egod with stuckTools, and with the log notification on.
func startStuck(t testing.TB, args ...string) *daemon {
	t.Helper()
	files := map[string]string{"tools/fine.js": "export const run = () => 'fine';\n"}
	for name, body := range stuckTools {
		files["tools/"+name+".js"] = fmt.Sprintf("export const run = async (ctx) => { console.log('working'); %s };\n", body)
	}
	root := t.TempDir()
	fixture{id: "stuck", domains: []string{"stuck.test"}, files: files}.write(t, root)
	d := startClean(t, append([]string{"serve", "--root", root, "--builtin=false"}, args...)...)
	d.result("initialize", object{"capabilities": object{"log": true}}, nil)
	return d
}

// working starts a tool and returns the request's id once the tool's own code
// runs.
func (d *daemon) working(tool string) string {
	d.t.Helper()
	id := d.begin("runTool", object{"siteId": "stuck", "toolName": tool})
	d.notification("log", func(params json.RawMessage) bool {
		return bytes.Contains(params, []byte(`"requestId":`+id+`}`))
	})
	return id
}

// cancel cancels a request, checks its answer and returns how long that took.
func (d *daemon) cancel(id, how string) time.Duration {
	d.t.Helper()
	began := time.Now()
	d.send(fmt.Sprintf(how, id))
	a := d.await(id)
	took := time.Since(began)
	if a.Error == nil || a.Error.Code != -32800 || a.Error.Data["kind"] != "cancelled" {
		d.t.Errorf("the cancelled request got %s", a.raw)
	}
	if took > cancelLimit {
		d.t.Errorf("the answer to a cancelled request took %v", took)
	}
	return took
}

const (
	cancelRequest = `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`
	cancelledNote = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"a test"}}`
)

// TestCancelNodeTools: openai/codex #20925 and #26956, anomalyco/opencode #24312.
// The answer comes at once, once, and the worker behind it ends, whatever it does.
func TestCancelNodeTools(t *testing.T) {
	d := startStuck(t)
	for name := range stuckTools {
		t.Run(name, func(t *testing.T) {
			for _, how := range []string{cancelRequest, cancelledNote} {
				id := d.working(name)
				busy := descendants(d.cmd.Process.Pid)
				t.Logf("answered after %v", d.cancel(id, how))
				var next struct{ Value string }
				d.result("runTool", object{"siteId": "stuck", "toolName": "fine"}, &next)
				if next.Value != "fine" {
					t.Errorf("the next run returned %q", next.Value)
				}
				idle(t, busy)
			}
		})
	}
	if n := d.count(func(a answer) bool { return a.Error != nil }); n != 2*len(stuckTools) {
		t.Errorf("%d errors for %d cancelled requests", n, 2*len(stuckTools))
	}
}

// idle waits until none of the workers is at work any more: it has ended, or
// sleeps.
func idle(t testing.TB, workers []procStat) {
	t.Helper()
	eventually(t, 10*time.Second, "the end of the cancelled work", func() bool {
		for _, w := range workers {
			if now, ok := readStat(w.pid); ok && now.started == w.started && now.state == 'R' {
				return false
			}
		}
		return true
	})
}

// count counts the answers that a condition holds for.
func (d *daemon) count(holds func(answer) bool) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.answers {
		if holds(a) {
			n++
		}
	}
	return n
}

// TestCancelQueued: a request that waits for its turn goes without running, and
// those behind it move up. They wait for the same task space, or for one of the
// runs that egod allows at once.
func TestCancelQueued(t *testing.T) {
	t.Run("space", func(t *testing.T) { testCancelQueued(t, startStuck(t), "default") })
	t.Run("runs", func(t *testing.T) { testCancelQueued(t, startStuck(t, "--max-concurrent-runs", "1"), "another") })
}

func testCancelQueued(t *testing.T, d *daemon, space string) {
	first := d.working("spin")
	second := d.begin("runTool", object{"siteId": "stuck", "toolName": "spin", "space": space})
	third := d.begin("runTool", object{"siteId": "stuck", "toolName": "fine", "space": space})
	t.Logf("queued: answered after %v", d.cancel(second, cancelRequest))
	t.Logf("running: answered after %v", d.cancel(first, cancelRequest))
	if a := d.await(third); a.Error != nil {
		t.Errorf("the third run got %s", a.raw)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.logged(); n != 1 {
		t.Errorf("%d runs printed something, want the first alone", n)
	}
}

// logged counts the lines that tools have printed; mu is held.
func (d *daemon) logged() (n int) {
	for _, notification := range d.notifications {
		if notification.Method == "log" {
			n++
		}
	}
	return n
}

// stuckPage are browser tools that never end by themselves. Each tells the
// server that it runs, in a way that also works from a page that loops.
var stuckPage = map[string]string{
	"loop":     "for (;;) {}",
	"promise":  "return new Promise(() => {});",
	"loop-try": "for (;;) { try { for (;;) {} } finally { continue; } }",
	"timer":    "return new Promise((resolve) => setTimeout(resolve, 600000));",
}

func startStuckPage(t testing.TB, args ...string) (*daemon, *pages) {
	t.Helper()
	files := map[string]string{
		"browser-tools/title.js": "() => document.title",
		"tools/fine.js":          "export const run = () => 'fine';\n",
		"tools/spin.js":          "export const run = () => { console.log('working'); for (;;) {} };\n",
	}
	for name, body := range stuckPage {
		files["browser-tools/"+name+".js"] = fmt.Sprintf(
			"() => { const r = new XMLHttpRequest(); r.open('GET', '/reached?%s', false); r.send(); %s }", name, body)
	}
	root := t.TempDir()
	fixture{id: "stuck", domains: []string{"stuck.test"}, files: files}.write(t, root)
	p := servePages(t, map[string]string{"/": "<p>hello"})
	d := startClean(t, append(append([]string{"serve", "--root", root, "--builtin=false"}, p.args()...), args...)...)
	return d, p
}

// TestCancelBrowserTools: a page that loops and a page that waits for ever are
// both left, and are of use afterwards.
func TestCancelBrowserTools(t *testing.T) {
	d, p := startStuckPage(t)
	d.result("page.goto", object{"url": "http://stuck.test/"}, nil)
	for name := range stuckPage {
		t.Run(name, func(t *testing.T) {
			id := d.begin("runBrowserTool", object{"siteId": "stuck", "toolName": name})
			p.await(t, name)
			t.Logf("answered after %v", d.cancel(id, cancelRequest))
			began := time.Now()
			var next struct{ Value string }
			d.result("runBrowserTool", object{"siteId": "stuck", "toolName": "title"}, &next)
			t.Logf("the page was of use again after %v", time.Since(began))
			if next.Value != "a page of the tests" {
				t.Errorf("the next tool on the page returned %q", next.Value)
			}
		})
	}
}

// TestControlWhileEverythingIsStuck: vercel-labs/agent-browser #1741, where a
// cancel waited behind the call it was to cancel. Every worker and the page are
// stuck here, and more calls wait.
func TestControlWhileEverythingIsStuck(t *testing.T) {
	d, p := startStuckPage(t, "--workers", "2", "--max-concurrent-runs", "4")
	d.result("initialize", object{"capabilities": object{"log": true}}, nil)
	d.result("page.goto", object{"url": "http://stuck.test/"}, nil)
	var open []string
	open = append(open, d.begin("runBrowserTool", object{"siteId": "stuck", "toolName": "loop"}))
	p.await(t, "loop")
	for i := range 6 { // three of them run, in spaces of their own, and three wait
		open = append(open, d.begin("runTool", object{"siteId": "stuck", "toolName": "spin", "space": "space " + itoa(i)}))
	}
	d.until("three runs", func() bool { return d.logged() == 3 })
	open = append(open, d.begin("page.title", nil)) // waits for the page
	for method, params := range map[string]any{
		"ping": nil, "skillsForUrl": []string{"http://stuck.test/"}, "listSkills": nil,
		"learnContext": object{"url": "http://stuck.test/"}, "toolHelp": object{"siteId": "stuck"},
	} {
		began := time.Now()
		if a := d.call(method, params); a.Error != nil {
			t.Errorf("%s: %s", method, a.raw)
		}
		took := time.Since(began)
		t.Logf("%s answered after %v", method, took)
		if took > cancelLimit {
			t.Errorf("%s took %v while everything else was stuck", method, took)
		}
	}
	for i := len(open) - 1; i >= 0; i-- { // the waiting ones first
		d.cancel(open[i], cancelRequest)
	}
	d.result("runTool", object{"siteId": "stuck", "toolName": "fine"}, nil)
	d.result("runBrowserTool", object{"siteId": "stuck", "toolName": "title"}, nil)
	d.result("shutdown", nil, nil)
	d.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
}

// TestShutdownWhileEverythingIsStuck ends in order and in time.
func TestShutdownWhileEverythingIsStuck(t *testing.T) {
	d, p := startStuckPage(t)
	d.result("page.goto", object{"url": "http://stuck.test/"}, nil)
	d.begin("runBrowserTool", object{"siteId": "stuck", "toolName": "loop"})
	p.await(t, "loop")
	d.begin("runTool", object{"siteId": "stuck", "toolName": "spin"})
	below := descendants(d.cmd.Process.Pid)
	d.result("shutdown", nil, nil)
	d.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := d.endsWithin(10 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
	allGone(t, 3*time.Second, below)
}

// TestProgress: anomalyco/opencode #24965. The token keeps its type, and nothing
// follows the answer.
func TestProgress(t *testing.T) {
	d := startDemo(t)
	for _, token := range []string{`"t"`, `7`} {
		d.send(`{"jsonrpc":"2.0","id":"p` + itoa(len(token)) + `","method":"runTool","params":{"siteId":"demo","toolName":"slow","args":{"ms":100},"_meta":{"progressToken":` + token + `}}}`)
	}
	d.await(`"p1"`)
	d.await(`"p3"`)
	d.result("runTool", object{"siteId": "demo", "toolName": "slow", "args": object{"ms": 100}}, nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	kinds := map[string]string{}
	for _, n := range d.notifications {
		var p struct {
			Token json.RawMessage
			Value struct{ Kind string }
		}
		if n.Method != "$/progress" {
			continue
		}
		if err := json.Unmarshal(n.Params, &p); err != nil {
			t.Fatal(err)
		}
		kinds[string(p.Token)] += p.Value.Kind + " "
	}
	if len(kinds) != 2 || kinds[`"t"`] != "begin end " || kinds[`7`] != "begin end " {
		t.Errorf("progress was %q, want a begin and an end for each token", kinds)
	}
}
