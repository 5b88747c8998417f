package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// clientPack is what the clients of tests/clients talk about.
var clientPack = fixture{
	id: "client", domains: []string{"client.test"}, args: map[string]string{"text": "string"},
	files: map[string]string{
		"notes/about.md":         "# Client\n\n京都 ünïcode 😀\n",
		"tools/echo.js":          "export const run = (ctx, args) => { console.log('echo runs'); return args; };\n",
		"tools/fail.js":          "export const run = () => {\n  throw new Error('on purpose');\n};\n",
		"tools/spin.js":          "export const run = () => { console.log('spin runs'); for (;;) {} };\n",
		"tools/wait.js":          "export const run = (ctx) => { console.log('wait runs'); return ctx.page.waitForTimeout(600000); };\n",
		"browser-tools/title.js": "() => document.title",
	},
}

// TestVSCodeClient drives egod with vscode-jsonrpc in header framing: the four
// methods, errors, cancellation, progress, many requests at once, the end. It
// needs Node; `make test` sees to it, and to the library, which is installed as
// tests/clients/vscode-jsonrpc/package-lock.json says.
func TestVSCodeClient(t *testing.T) {
	client := filepath.Join("clients", "vscode-jsonrpc")
	if _, err := os.Stat(filepath.Join(client, "node_modules", "vscode-jsonrpc")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts")
		install.Dir = client
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("installing vscode-jsonrpc: %v\n%s\ninstall Node and npm, or run tools/setup.sh node", err, out)
		}
	}
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
