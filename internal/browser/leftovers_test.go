//go:build unix

package browser

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"egod/internal/process"
)

// TestSweepTakesTheSocketDirectory that a killed Chrome left beside its profile.
// A link that leads elsewhere is not followed.
func TestSweepTakesTheSocketDirectory(t *testing.T) {
	tempDir := t.TempDir()
	leftover := func(profile, socketDir string) {
		t.Helper()
		dead := process.Self()
		dead.PID = 1 << 30
		profile, socketDir = makeProfile(t, tempDir, profile, &dead, 0), filepath.Join(tempDir, socketDir)
		socket := filepath.Join(socketDir, "SingletonSocket")
		for _, err := range []error{
			os.Mkdir(socketDir, 0o700), os.WriteFile(socket, nil, 0o600), os.Symlink("1", filepath.Join(socketDir, "SingletonCookie")),
			os.Symlink(socket, filepath.Join(profile, "SingletonSocket")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	leftover("1", "org.chromium.Chromium.AbCdEf")
	leftover("2", "documents")
	New(Config{TempDir: tempDir, Logger: slog.New(slog.DiscardHandler)}).Sweep(t.Context())
	left, err := filepath.Glob(filepath.Join(tempDir, "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "documents" {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestCloseTakesTheSocketOfAChromeThatWasEnding: killed after it had removed the
// link and before it removed the socket.
func TestCloseTakesTheSocketOfAChromeThatWasEnding(t *testing.T) {
	tempDir := t.TempDir()
	p, err := newPrivateProfile(tempDir)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(tempDir, "org.chromium.Chromium.AbCdEf", "SingletonSocket")
	if err := os.Mkdir(filepath.Dir(socket), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(socket, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.socket.Store(socket)
	if err := p.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(tempDir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
