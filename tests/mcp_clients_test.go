package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mcpPage is what the clients of tests/clients/mcp work on.
const mcpPage = `<label>Name <input id="name"></label>
<button id="greet" onclick="setTimeout(() => {
	const p = document.createElement('p');
	p.id = 'greeting';
	p.textContent = 'Hello ' + document.querySelector('#name').value;
	document.body.append(p);
}, 50)">Greet</button>`

// mcpClient runs a program of tests/clients/mcp on egod with arguments and lines
// of environment, and checks that egod leaves nothing behind.
func mcpClient(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	dir := installed(t, "mcp", "@modelcontextprotocol/client")
	tempDir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{program, egodPath}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "TMPDIR="+tempDir), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "DATA RACE") {
		t.Errorf("the race detector spoke up:\n%s", out)
	}
	t.Logf("%s", out)
	checkLeftovers(t, tempDir)
	return string(out)
}

// TestMCPClient drives egod mcp with the official TypeScript client and a browser.
func TestMCPClient(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clientPack.write(t, root)
	p := servePages(t, map[string]string{"/": mcpPage})
	mcpClient(t, "session.js", []string{"CLIENT_PAGE=http://client.test/"},
		append(p.args(), "--root", root, "--builtin=false", "--max-concurrent-runs", "1")...)
}

// TestMCPPackTools lists the tools of many packs as tools of their own, calls some,
// and edits a pack.
func TestMCPPackTools(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clientPack.write(t, root)
	const packs = 300
	for i := range packs {
		fixture{
			id: fmt.Sprintf("site-%d", i), domains: []string{fmt.Sprintf("site-%d.test", i)},
			files: map[string]string{"tools/look.js": "export const run = () => 1;\n"},
		}.write(t, root)
	}
	mcpClient(t, "packs.js", []string{"CLIENT_ROOT=" + root, fmt.Sprintf("CLIENT_TOOLS=%d", packs+5)},
		"--root", root, "--builtin=false")
}

// TestMCPBrokenFrames: modelcontextprotocol/servers PR #4228, where one broken
// line ended the session. Here 1,000 of many kinds come between the messages of the
// official client.
func TestMCPBrokenFrames(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clientPack.write(t, root)
	out := mcpClient(t, "frames.js", []string{"PROXY_LINES=1000"}, "--root", root, "--builtin=false")
	var written, answered, owed, code int
	_, summary, _ := strings.Cut(out, "proxy: ")
	if _, err := fmt.Sscanf(summary, "%d broken lines, %d of %d answered, exit code %d", &written, &answered, &owed, &code); err != nil {
		t.Fatal(err)
	}
	if written != 1000 || answered != owed || code != 0 {
		t.Error(summary)
	}
}

// TestMCPNextClient drives egod mcp with the client that speaks the revision of
// 2026-07-28, and may ask what a server speaks before it begins.
func TestMCPNextClient(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	clientPack.write(t, root)
	mcpClient(t, "modern.js", []string{"CLIENT_ROOT=" + root}, "--root", root, "--builtin=false", "--max-concurrent-runs", "1")
}

// TestMCPInspector drives egod mcp with the command-line mode of the inspector.
func TestMCPInspector(t *testing.T) {
	t.Parallel()
	root, tempDir := t.TempDir(), t.TempDir()
	clientPack.write(t, root)
	p := servePages(t, map[string]string{"/": mcpPage})
	dir := filepath.Join(installed(t, "mcp", "@modelcontextprotocol/inspector-cli"), "node_modules", "@modelcontextprotocol", "inspector-cli", "build")
	inspect := func(into any, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		args = append([]string{"index.js", egodPath, "mcp", "--method"}, args...)
		args = append(append(args, "--", "--root", root, "--builtin=false"), p.args()...)
		cmd := exec.CommandContext(ctx, "node", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if err := json.Unmarshal(out, into); err != nil {
			t.Fatalf("%v: %v in %s", args, err, out)
		}
	}
	var listed struct{ Tools []struct{ Name string } }
	inspect(&listed, "tools/list")
	if len(listed.Tools) != 14 {
		t.Errorf("%d tools, want 14", len(listed.Tools))
	}
	var run struct {
		StructuredContent struct{ Value struct{ Text string } }
		IsError           bool
	}
	inspect(&run, "tools/call", "--tool-name", "run_tool", "--tool-arg", "siteId=client", "toolName=echo", `args={"text":"京都 😀"}`)
	if run.IsError || run.StructuredContent.Value.Text != "京都 😀" {
		t.Errorf("the tool returned %+v", run)
	}
	var opened struct{ IsError bool }
	inspect(&opened, "tools/call", "--tool-name", "open_page", "--tool-arg", "url=http://client.test/")
	if opened.IsError {
		t.Error("the page was not opened")
	}
	checkLeftovers(t, tempDir)
}
