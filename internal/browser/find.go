package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Find returns the Chrome or Chromium to run. An explicit path (or a name in
// PATH) is taken or refused, never replaced by another browser; otherwise the
// usual names and places of the platform are searched in order. searched lists
// what was looked at, for the error message and for diagnosis.
func Find(explicit string) (path string, searched []string, err error) {
	if explicit != "" {
		found, err := findExplicit(explicit)
		return found, []string{explicit}, err
	}
	return findIn(chromeNames(), chromePlaces())
}

func findExplicit(explicit string) (string, error) {
	found, err := exec.LookPath(explicit)
	if err != nil {
		return "", &UnavailableError{
			Path: explicit, ExitCode: -1, Reason: "the configured browser is not an executable file",
			Hint: "check the path given for chrome, or leave it out to search the usual places", Cause: err,
		}
	}
	return absolute(found), nil
}

func findIn(names, places []string) (string, []string, error) {
	var searched []string
	for _, name := range names {
		searched = append(searched, name+" in PATH")
		if found, err := exec.LookPath(name); err == nil {
			return preferDirect(absolute(found)), searched, nil
		}
	}
	for _, place := range places {
		searched = append(searched, place)
		if isExecutable(place) {
			return preferDirect(place), searched, nil
		}
	}
	return "", searched, &UnavailableError{
		ExitCode: -1,
		Reason:   "no chrome or chromium found; searched " + strings.Join(searched, ", "),
		Hint:     installHint,
	}
}

const installHint = "install chromium or google chrome (debian: apt-get install chromium), or give its path with --chrome"

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return false
	}
	_, err = exec.LookPath(path)
	return err == nil
}
