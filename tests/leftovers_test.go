package tests

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// object is a JSON object in a request.
type object = map[string]any

// startClean runs egod in an empty directory, with the arguments and a TMPDIR of
// its own, and without the caller's EGO... settings but the place of the browser.
// The test fails when egod leaves a process or a temporary file behind.
func startClean(t testing.TB, args ...string) *daemon {
	t.Helper()
	tempDir := t.TempDir()
	t.Cleanup(func() { checkLeftovers(t, tempDir) }) // after the daemon's own, which ends egod
	cmd := exec.Command(egodPath, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"TMPDIR=" + tempDir}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "EGO") || strings.HasPrefix(variable, "EGOD_CHROME=") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	return startCommand(t, cmd)
}

func checkLeftovers(t testing.TB, tempDir string) {
	if left := processesNaming(tempDir); len(left) > 0 {
		t.Errorf("egod left processes behind:\n%s", strings.Join(left, "\n"))
	}
	left, err := filepath.Glob(filepath.Join(tempDir, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("egod left files behind: %q, %v", left, err)
	}
}

// processesNaming lists the command lines that name the directory. It reads /proc
// and finds nothing where there is none.
func processesNaming(dir string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is right
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte(dir)) {
			continue // ended meanwhile, or another's
		}
		found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}
