//go:build unix

package audit

import (
	"log/slog"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: a pipe would wait for a reader, at the start and when one takes the place
// of the file.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	pipe, path := filepath.Join(dir, "pipe"), filepath.Join(dir, "audit.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a pipe was opened")
	}
	l := open(t, path, slog.New(slog.DiscardHandler))
	if err := syscall.Rename(pipe, path); err != nil {
		t.Fatal(err)
	}
	l.Audit(Record{Op: "x", Outcome: "ok"})
	closeLog(t, l)
}
