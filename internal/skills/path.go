package skills

import (
	"fmt"
	"os"
	"path/filepath"
)

// PathError says why a path is neither a pack nor a root.
type PathError struct {
	Path   string
	Reason string
}

func (e *PathError) Error() string { return fmt.Sprintf("cannot validate %s: %s", e.Path, e.Reason) }

// RootAt is the root to load for a path that an author names: a root, a pack
// directory, or the manifest.json of one. Of a pack's directory it loads that pack
// alone. The error is a *PathError.
func RootAt(path string) (Root, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Root{}, &PathError{path, err.Error()}
	}
	fi, err := os.Stat(abs)
	if err != nil {
		return Root{}, &PathError{path, plainError(err)}
	}
	if filepath.Base(abs) == manifestName {
		abs = filepath.Dir(abs)
	} else if !fi.IsDir() {
		return Root{}, &PathError{path, "it is neither a directory nor a " + manifestName}
	}
	if looksLikePack(abs) {
		return Root{Dir: filepath.Dir(abs), only: filepath.Base(abs)}, nil
	}
	return Root{Dir: abs}, nil
}
