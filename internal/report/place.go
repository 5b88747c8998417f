package report

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"egod/internal/skills"
)

// filePath is the path of a finding's file on this system; empty when the file is
// on no disk.
func filePath(d skills.Diagnostic) string {
	u, err := url.Parse(d.URI)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
		if u.Host != "" {
			path = "//" + u.Host + "/" + path
		}
	}
	return filepath.FromSlash(path)
}

// shownPath is the path of a finding's file for people: relative to dir when it
// is below it, else absolute, and the address of a file that is on no disk.
func shownPath(d skills.Diagnostic, dir string) string {
	path := filePath(d)
	if path == "" {
		return d.URI
	}
	if below, ok := relative(path, dir); ok {
		return below
	}
	return path
}

// relative is path seen from dir; ok is false when it is not below dir.
func relative(path, dir string) (string, bool) {
	below, err := filepath.Rel(dir, path)
	if dir == "" || err != nil || !filepath.IsLocal(below) {
		return "", false
	}
	return below, true
}
