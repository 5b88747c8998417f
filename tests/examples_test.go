package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExampleSession runs what `make run` shows.
func TestExampleSession(t *testing.T) {
	t.Parallel()
	session := filepath.Join(t.TempDir(), "session")
	build := exec.Command("go", "build", "-o", session, "egod/examples/session")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the session: %v\n%s", err, out)
	}
	out := runExample(t, session, "-egod", egodPath)
	for _, want := range []string{"skills/changed", "Springs come two days after a full moon.", "# egod exited with code 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("the session does not show %q:\n%s", want, out)
		}
	}
}

// TestExampleClients runs the plain clients: each prints what it learned and ran.
func TestExampleClients(t *testing.T) {
	for _, client := range [][]string{
		{"python3", "examples/client.py"},
		{"node", "examples/client.mjs"},
		{"go", "run", "examples/client.go"},
	} {
		t.Run(client[0], func(t *testing.T) {
			out := runExample(t, client[0], append(client[1:], egodPath)...)
			for _, want := range []string{
				"egod ", "packs: bakery", "note: Prices are in the `data-euros`",
				"7.4", "4.23", "cancelled: runScript was cancelled by the client (cancelled)",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in the output:\n%s", want, out)
				}
			}
		})
	}
}

// runExample runs a command in the top directory, which has to succeed, with a
// TMPDIR that it must leave empty, and returns its output.
func runExample(t *testing.T, name string, args ...string) string {
	t.Helper()
	tempDir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s\n(tools/setup.sh installs node and python)", cmd.Args, err, out)
	}
	checkLeftovers(t, tempDir)
	return string(out)
}
