package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPNotes drives the resources, prompts and completions of egod mcp with the
// official TypeScript client, which names the folders it has open as roots.
func TestMCPNotes(t *testing.T) {
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "ein Ordner #2")
	clientPack.write(t, learnings(first))
	fixture{id: "other", domains: []string{"other.test"}, files: map[string]string{
		"notes/about.md": "# Other\n", "tools/look.js": "export const run = () => 1;\n",
	}}.write(t, learnings(second))
	mcpClient(t, "notes.js", []string{"CLIENT_FOLDERS=" + strings.Join([]string{first, second}, string(os.PathListSeparator))}, "--builtin=false")
}

// learnings is where the packs of a workspace are.
func learnings(workspace string) string {
	return filepath.Join(workspace, "skills", "ego-browser", "learnings")
}

// TestMCPRootsAreSaidAlready: who starts egod knows better than the client where packs
// are.
func TestMCPRootsAreSaidAlready(t *testing.T) {
	dir := t.TempDir()
	for name, start := range map[string]func(*exec.Cmd){
		"root":        func(cmd *exec.Cmd) { cmd.Args = append(cmd.Args, "--root", dir) },
		"workspace":   func(cmd *exec.Cmd) { cmd.Args = append(cmd.Args, "--workspace", dir) },
		"variable":    func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "EGOD_ROOT="+dir) },
		"environment": func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "EGO_BROWSER_AGENT_WORKSPACE="+dir) },
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(egodPath, "mcp", "--builtin=false")
			cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
			start(cmd)
			d := startCommand(t, cmd)
			d.result("initialize", object{
				"protocolVersion": "2025-11-25", "capabilities": object{"roots": object{}}, "clientInfo": object{"name": "test", "version": "1"},
			}, nil)
			d.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			d.result("resources/list", nil, nil)
			d.mu.Lock()
			defer d.mu.Unlock()
			for _, m := range d.notifications {
				if m.Method == "roots/list" {
					t.Errorf("the client was asked for its roots")
				}
			}
		})
	}
}
