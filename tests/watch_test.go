//go:build unix

package tests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startWatch starts egod watch in a directory and returns what it prints.
func startWatch(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, stdout *lockedBuffer) {
	t.Helper()
	cmd = exec.Command(egodPath, append([]string{"watch"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	stdout, stderr := &lockedBuffer{}, &lockedBuffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("stderr: %s", stderr)
		}
	})
	return cmd, stdout
}

// TestWatchCommand: findings as they come and go, until an interrupt ends it well.
func TestWatchCommand(t *testing.T) {
	dir := t.TempDir()
	demoPack.write(t, filepath.Join(dir, "packs"))
	cmd, stdout := startWatch(t, dir, "packs")
	shown := func(what string) {
		t.Helper()
		eventually(t, patience, what, func() bool { return strings.HasSuffix(stdout.String(), what) })
	}
	shown("no errors, no warnings in 1 pack\n")
	tool := filepath.Join(dir, "packs", "demo", "tools", "echo.js")
	writeFile(t, tool, "export const run = () => ;\n")
	shown("packs/demo/tools/echo.js:1:26: error: Unexpected \";\" [tool.syntax]\n" +
		"  1 | export const run = () => ;\n    |                          ^\n    hint: correct the source at this place\n1 error, no warnings in 1 pack\n")
	writeFile(t, filepath.Join(dir, "packs", "demo", "notes", "about.md"), "press @12\n")
	shown("2 errors, no warnings in 1 pack\n")
	writeFile(t, tool, "export const run = () => 1;\n")
	shown("packs/demo/tools/echo.js: no findings any more\n1 error, no warnings in 1 pack\n")
	writeFile(t, filepath.Join(dir, "packs", "demo", "notes", "about.md"), "press Go\n")
	shown("packs/demo/notes/about.md: no findings any more\nno errors, no warnings in 1 pack\n")
	if strings.Count(stdout.String(), "tool.syntax") != 1 {
		t.Errorf("a finding was printed again:\n%s", stdout)
	}
	below := descendants(cmd.Process.Pid)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
	allGone(t, 3*time.Second, below)
}

// TestWatchCommandOfAPack watches one pack, and says what it finds as JSON.
func TestWatchCommandOfAPack(t *testing.T) {
	dir := t.TempDir()
	demoPack.write(t, dir)
	faultyPack.write(t, dir)
	cmd, stdout := startWatch(t, dir, "--json", "faulty")
	eventually(t, patience, "three files", func() bool { return strings.Count(stdout.String(), "\n") == 3 })
	writeFile(t, filepath.Join(dir, "faulty", "browser-tools", "es.js"), "() => 1\n")
	eventually(t, patience, "one is mended", func() bool { return strings.Count(stdout.String(), "\n") == 4 })
	for i, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n") {
		var f fileDiagnostics
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.SiteID != "faulty" || (len(f.Diagnostics) == 0) != (i == 3) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}
