package video

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"time"
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
			Path: "ffmpeg", Reason: "it is not on PATH, and " + PathVariable + " is not set", Cause: err,
			Hint: "install ffmpeg (Debian: apt-get install ffmpeg), or set " + PathVariable + " to its path; nothing else needs it",
		}
	}
	return path, nil
}

// checkWithin bounds what is asked of ffmpeg by Check.
const checkWithin = 10 * time.Second

// vp8Encoder is the line of the encoder that films are made with.
var vp8Encoder = regexp.MustCompile(`(?m)^ V\S* libvpx\s`)

// Check runs ffmpeg and tells what keeps it from making films: it does not start, or
// was built without the VP8 encoder. The error is a *MissingError.
func Check(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-hide_banner", "-nostdin", "-loglevel", "error", "-encoders")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	switch {
	case err != nil:
		return &MissingError{
			Path: path, Reason: "it does not run: " + err.Error(), Cause: err,
			Hint: "run it by hand to see what it needs, or set " + PathVariable + " to another",
		}
	case !vp8Encoder.Match(out):
		return &MissingError{
			Path: path, Reason: "it was built without libvpx, the encoder of VP8",
			Hint: "install an ffmpeg that has it (Debian's does), or set " + PathVariable + " to its path",
		}
	}
	return nil
}
