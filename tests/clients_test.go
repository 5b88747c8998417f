package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// clientPack is what the clients of tests/clients talk about.
var clientPack = fixture{
	id: "client", domains: []string{"client.test"}, args: map[string]string{"text": "string", "list": "array", "zwei Wörter": "string"},
	files: map[string]string{
		"notes/about.md":         "# Client\n\n京都 ünïcode 😀\n",
		"tools/echo.js":          "export const run = (ctx, args) => { console.log('echo runs'); return args; };\n",
		"tools/fail.js":          "export const run = () => {\n  throw new Error('on purpose');\n};\n",
		"tools/spin.js":          "export const run = () => { console.log('spin runs'); for (;;) {} };\n",
		"tools/slow.js":          "export const run = (ctx, args) => new Promise((done) => setTimeout(() => done('late'), Number(args.text)));\n",
		"tools/wait.js":          "export const run = (ctx) => { console.log('wait runs'); return ctx.page.waitForTimeout(600000); };\n",
		"browser-tools/title.js": "() => document.title",
	},
}

// installing is held while a client is looked for and installed.
var installing sync.Mutex

// installed returns the directory of a client whose library is there, or is
// installed now as its package-lock.json says. It needs Node, which `make test`
// sees to.
func installed(t *testing.T, client, library string) string {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	dir := filepath.Join("clients", client)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", library)); err == nil {
		return dir
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("installing %s: %v\n%s\ninstall Node and npm, or run tools/setup.sh node", library, err, out)
	}
	return dir
}

// TestVSCodeClient drives egod with vscode-jsonrpc in header framing: the four
// methods, errors, cancellation, progress, many requests at once, the end.
func TestVSCodeClient(t *testing.T) {
	t.Parallel()
	client := installed(t, "vscode-jsonrpc", "vscode-jsonrpc")
	root, tempDir := t.TempDir(), t.TempDir()
	clientPack.write(t, root)
	p := servePages(t, map[string]string{"/": "<p>hello"})
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	args := append([]string{"client.js", egodPath, "--root", root, "--builtin=false"}, p.args()...)
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = client
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir, "CLIENT_PAGE=http://client.test/")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	checkLeftovers(t, tempDir)
}

// TestLineClient is a plain client of the line framing, from the first request
// to the last: the four methods, an error, cancellation, progress, the end.
func TestLineClient(t *testing.T) {
	root := t.TempDir()
	clientPack.write(t, root)
	p := servePages(t, map[string]string{"/": "<p>hello"})
	d := startClean(t, append([]string{"serve", "--root", root, "--builtin=false"}, p.args()...)...)
	d.result("initialize", object{"clientInfo": object{"name": "line", "version": "1"}, "capabilities": object{"log": true}}, nil)
	d.send(`{"jsonrpc":"2.0","method":"initialized"}`)

	var found struct{ Skills []struct{ ID string } }
	d.result("skillsForUrl", []string{"https://client.test/a"}, &found)
	var learned struct{ Knowledge []struct{ Content string } }
	d.result("learnContext", object{"url": "https://client.test/"}, &learned)
	if len(found.Skills) != 1 || found.Skills[0].ID != "client" || len(learned.Knowledge) != 1 {
		t.Errorf("found %+v, learned %+v", found, learned)
	}
	var run struct{ Value struct{ Text string } }
	d.result("runTool", object{"siteId": "client", "toolName": "echo", "args": object{"text": "京都 ünïcode 😀"}}, &run)
	var title struct{ Value string }
	d.result("page.goto", object{"url": "http://client.test/"}, nil)
	d.result("runBrowserTool", object{"siteId": "client", "toolName": "title"}, &title)
	if run.Value.Text != "京都 ünïcode 😀" || title.Value != "a page of the tests" {
		t.Errorf("the tools returned %+v and %+v", run, title)
	}
	d.fails("tool_failed", "runTool", object{"siteId": "client", "toolName": "fail"})

	id := d.begin("runTool", object{"siteId": "client", "toolName": "spin", "_meta": object{"progressToken": "a token"}})
	d.notification("log", func(params json.RawMessage) bool { return bytes.Contains(params, []byte("spin runs")) })
	d.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
	if a := d.await(id); a.Error == nil || a.Error.Code != -32800 {
		t.Errorf("the cancelled request got %s", a.raw)
	}
	d.notification("$/progress", func(params json.RawMessage) bool { return bytes.Contains(params, []byte(`"kind":"end"`)) })

	d.result("shutdown", nil, nil)
	d.fails("invalid_request", "ping", nil)
	d.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := d.wait(); code != 0 {
		t.Errorf("exit code %d, want 0\n%s", code, d.stderr)
	}
}
