//go:build unix

package tests

import (
	"os"
	"os/exec"
	"testing"
)

// startMCP runs egod mcp with the pack of the clients, and says hello.
func startMCP(t *testing.T, args ...string) (d *daemon, tempDir string) {
	t.Helper()
	root, tempDir := t.TempDir(), t.TempDir()
	clientPack.write(t, root)
	cmd := exec.Command(egodPath, append([]string{"mcp", "--root", root, "--builtin=false"}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	d = startCommand(t, cmd)
	d.result("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"},
	}, nil)
	d.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return d, tempDir
}

// TestMCPEnd: modelcontextprotocol/go-sdk #1061, where the end of input dropped the
// answers that were owed.
func TestMCPEnd(t *testing.T) {
	d, tempDir := startMCP(t)
	var ids []string
	for range 50 {
		ids = append(ids, d.begin("tools/call", object{"name": "run_tool", "arguments": object{"siteId": "client", "toolName": "echo"}}))
	}
	if err := d.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if a := d.await(id); a.Error != nil {
			t.Errorf("request %s got %s", id, a.raw)
		}
	}
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
	checkLeftovers(t, tempDir)
}

// TestMCPKilled: microsoft/playwright-mcp #1634, where a host that was killed left
// browsers behind.
func TestMCPKilled(t *testing.T) {
	p := servePages(t, map[string]string{"/": mcpPage})
	d, tempDir := startMCP(t, p.args()...)
	d.result("tools/call", object{"name": "open_page", "arguments": object{"url": "http://client.test/"}}, nil)
	if len(processesNaming(tempDir)) == 0 {
		t.Fatal("no Chrome is found")
	}
	if err := d.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	took := eventually(t, patience, "the end of Chrome", func() bool { return len(processesNaming(tempDir)) == 0 })
	t.Logf("everything was gone after %v", took)
}
