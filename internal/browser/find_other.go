//go:build !linux && !darwin && !windows

package browser

func chromeNames() []string { return []string{"chromium", "chrome", "google-chrome"} }

func chromePlaces() []string { return []string{"/usr/local/bin/chrome", "/usr/local/bin/chromium"} }

func preferDirect(path string) string { return path }

func defaultProfiles() []string { return []string{".config/chromium", ".config/google-chrome"} }
