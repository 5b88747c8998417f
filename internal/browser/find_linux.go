package browser

import (
	"bytes"
	"os"
)

func chromeNames() []string {
	return []string{"google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome", "microsoft-edge-stable"}
}

func chromePlaces() []string {
	return []string{
		"/usr/lib/chromium/chromium",
		"/usr/lib/chromium-browser/chromium-browser",
		"/opt/google/chrome/chrome",
		"/usr/bin/google-chrome",
		"/usr/bin/chromium",
		"/snap/bin/chromium",
		"/opt/chromium.org/chromium/chromium",
	}
}

// preferDirect returns the binary behind Debian's shell wrapper when path is
// that wrapper: it starts faster and prints nothing of its own.
func preferDirect(path string) string {
	const direct = "/usr/lib/chromium/chromium"
	if path != "/usr/bin/chromium" || !isExecutable(direct) {
		return path
	}
	head := make([]byte, 2)
	f, err := os.Open(path)
	if err != nil {
		return path
	}
	defer f.Close()
	if _, err := f.Read(head); err != nil || !bytes.Equal(head, []byte("#!")) {
		return path
	}
	return direct
}

// defaultProfiles are Chrome's own user data directories, relative to the home
// directory: https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md
func defaultProfiles() []string {
	return []string{
		".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable",
		".config/chromium", ".config/microsoft-edge", "snap/chromium/common/chromium",
	}
}
