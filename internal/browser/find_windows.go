package browser

import (
	"os"
	"path/filepath"
)

func chromeNames() []string { return []string{"chrome.exe", "chromium.exe"} }

func chromePlaces() []string {
	binaries := []string{
		`Google\Chrome\Application\chrome.exe`,
		`Chromium\Application\chrome.exe`,
		`Microsoft\Edge\Application\msedge.exe`,
	}
	roots := []string{`C:\Program Files`, `C:\Program Files (x86)`}
	if local, err := os.UserCacheDir(); err == nil { // %LocalAppData%
		roots = append(roots, local)
	}
	var places []string
	for _, root := range roots {
		for _, binary := range binaries {
			places = append(places, filepath.Join(root, binary))
		}
	}
	return places
}

func preferDirect(path string) string { return path }

// defaultProfiles are Chrome's own user data directories, relative to the home
// directory: https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md
func defaultProfiles() []string {
	return []string{
		`AppData\Local\Google\Chrome\User Data`, `AppData\Local\Chromium\User Data`, `AppData\Local\Microsoft\Edge\User Data`,
	}
}
