package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Sweep deletes the private profiles of egods that were killed. Every start of a
// Chrome does the same; calling it when egod starts frees the disk of one that
// may never start a Chrome.
func (m *Manager) Sweep(ctx context.Context) { sweepProfiles(ctx, m.cfg.TempDir, m.cfg.Logger) }

// removeProfile deletes a profile, and what a Chrome that was killed left beside
// it.
func removeProfile(ctx context.Context, dir string) error {
	removeSocketDir(linkedSocket(dir))
	return removeAll(ctx, dir)
}

// linkedSocket is the path of the singleton socket of the Chrome that uses a
// profile; empty when there is none. Chrome makes the socket in the temporary
// directory, because paths of sockets must be short, links to it from the
// profile, and removes it unless it is killed.
func linkedSocket(profile string) string {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil {
		return ""
	}
	return socket
}

// removeSocketDir deletes the directory of a singleton socket. Nothing but the
// names that Chrome gives is touched.
func removeSocketDir(socket string) {
	dir := filepath.Dir(socket)
	name := strings.TrimPrefix(filepath.Base(dir), ".")
	if !strings.HasPrefix(name, "org.chromium.") && !strings.HasPrefix(name, "com.google.") {
		return
	}
	for _, file := range []string{socket, filepath.Join(dir, "SingletonCookie"), dir} {
		_ = os.Remove(file) // it may be gone; a directory with anything else in it stays
	}
}
