package browser

import (
	"os"
	"path/filepath"
)

func chromeNames() []string { return []string{"chromium", "google-chrome"} }

func chromePlaces() []string {
	apps := []string{
		"Google Chrome.app/Contents/MacOS/Google Chrome",
		"Chromium.app/Contents/MacOS/Chromium",
		"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
		"Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	}
	roots := []string{"/Applications"}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, "Applications"))
	}
	var places []string
	for _, root := range roots {
		for _, app := range apps {
			places = append(places, filepath.Join(root, app))
		}
	}
	return places
}

func preferDirect(path string) string { return path }

// defaultProfiles are Chrome's own user data directories, relative to the home
// directory: https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md
func defaultProfiles() []string {
	return []string{
		"Library/Application Support/Google/Chrome", "Library/Application Support/Google/Chrome Beta",
		"Library/Application Support/Chromium", "Library/Application Support/Microsoft Edge",
	}
}
