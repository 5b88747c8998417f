package tests

import (
	"os"
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
