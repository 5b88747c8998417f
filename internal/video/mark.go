package video

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// partName is what unfinished films are called.
var partName = regexp.MustCompile(`^\..+\.webm\.[0-9]+\.part$`)

// mark notes where the unfinished film is, for whoever comes after a process that
// was killed.
func (r *Recorder) mark() error {
	if r.cfg.Mark == "" {
		return nil
	}
	return os.WriteFile(r.cfg.Mark, []byte(r.part), 0o600)
}

func (r *Recorder) unmark() error {
	if r.cfg.Mark == "" {
		return nil
	}
	if err := os.Remove(r.cfg.Mark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting an unfinished film: %w", err)
	}
	return nil
}

// RemoveMarked deletes the unfinished film that a mark names, and nothing that is not
// called like one. Whoever wrote the mark must be gone.
func RemoveMarked(mark string) error {
	part, err := os.ReadFile(mark)
	if err != nil {
		return fmt.Errorf("reading which film is unfinished: %w", err)
	}
	path := string(part)
	info, err := os.Lstat(path)
	if err != nil || !filepath.IsAbs(path) || !info.Mode().IsRegular() || !partName.MatchString(filepath.Base(path)) {
		return nil //nolint:nilerr // it is gone, or no film of ours
	}
	return os.Remove(path)
}
