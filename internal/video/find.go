package video

import (
	"fmt"
	"os/exec"
)

// PathVariable is the environment variable that names the ffmpeg to use.
const PathVariable = "EGO_BROWSER_FFMPEG_PATH"

// MissingError says that there is no ffmpeg to record with, or that it did not start.
type MissingError struct {
	Path   string // what was tried
	Reason string
	Hint   string // what to install or to set
	Cause  error
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("ffmpeg is not available: %s (%s)", e.Reason, e.Path)
}

func (e *MissingError) Unwrap() error { return e.Cause }

// Find returns the path of ffmpeg: the one configured, else the one on PATH. The
// error is a *MissingError.
func Find(configured string) (string, error) {
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", &MissingError{
				Path: configured, Reason: "what " + PathVariable + " names is not an executable file", Cause: err,
				Hint: "set " + PathVariable + " to the path of ffmpeg, or unset it to use the one on PATH",
			}
		}
		return path, nil
	}
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", &MissingError{
			Path: "ffmpeg", Reason: "it is not on PATH", Cause: err,
			Hint: "install ffmpeg (Debian: apt-get install ffmpeg), or set " + PathVariable + " to its path; nothing else needs it",
		}
	}
	return path, nil
}
