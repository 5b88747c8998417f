package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// resident is how much memory a process holds, in MiB.
func resident(t testing.TB, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	var kib int
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

// TestLargeResults: hangwin/mcp-chrome #163, where results took all there was. One
// that fits is whole, one that does not is refused with its size by the page
// itself, and the memory that they took is given back.
func TestLargeResults(t *testing.T) {
	p, root := servePages(t, map[string]string{"/": ""}), t.TempDir()
	fixture{id: "large", domains: []string{"page.test"}, args: map[string]string{"n": "integer"}, files: map[string]string{
		"browser-tools/text.js": "(args) => 'x'.repeat(args.n << 20)",
		"tools/evaluate.js":     "export const run = (ctx, { n }) => ctx.page.evaluate((n) => 'x'.repeat(n << 20), n);",
	}}.write(t, root)
	d := startClean(t, append(p.args(), "serve", "--root", root)...)
	d.result("page.goto", object{"url": "http://page.test/"}, nil)
	before := resident(t, d.cmd.Process.Pid)
	var result struct{ Value string }
	d.result("runBrowserTool", object{"siteId": "large", "toolName": "text", "args": object{"n": 20}}, &result)
	if len(result.Value) != 20<<20 {
		t.Errorf("the value has %d bytes", len(result.Value))
	}
	for _, call := range []struct {
		kind, method string
		params       object
	}{
		{"limit_exceeded", "runBrowserTool", object{"siteId": "large", "toolName": "text", "args": object{"n": 120}}},
		{"limit_exceeded", "page.evaluate", object{"pageFunction": "() => 'x'.repeat(120 << 20)"}},
		{"tool_failed", "runTool", object{"siteId": "large", "toolName": "evaluate", "args": object{"n": 120}}},
	} {
		if e := d.fails(call.kind, call.method, call.params); !strings.Contains(e.Message, "is too large: 12582") || !strings.Contains(e.Message, "33554432") {
			t.Errorf("%s: %+v", call.method, e)
		}
	}
	if raceEnabled {
		return // the detector keeps memory of its own; make test-plain runs without it
	}
	eventually(t, 30*time.Second, "the memory of the results was given back", func() bool { return resident(t, d.cmd.Process.Pid) < before+64 })
}
