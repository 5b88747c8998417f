//go:build unix

package policy

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: reading one would wait for a writer.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, operations); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
