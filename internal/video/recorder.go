package video

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"egod/internal/process"
)

// FramesPerSecond is the constant rate of every film.
const FramesPerSecond = 25

const (
	// stallAfter is how long ffmpeg may take to accept one picture.
	stallAfter = 10 * time.Second
	// lastHeld is how many frames the last picture is shown at least.
	lastHeld = FramesPerSecond
	// atOnce is how long one call gives pictures to ffmpeg. What it has no time for is
	// left out: an ffmpeg that is slower than the film would never catch up.
	atOnce = time.Second
	// lastWords is how long ffmpeg, once it takes nothing more, may take to say why.
	lastWords = time.Second
	// stderrLines is how much of ffmpeg's output an error shows.
	stderrLines = 4
)

// Config is what a film is made with.
type Config struct {
	FFmpeg        string   // path of the binary, see Find
	Path          string   // absolute, of the film; it is there only once it is whole
	Width, Height int      // pixels, even; pictures are scaled to fit and centred
	Env           []string // environment of ffmpeg; nil: our own
	// Mark is the path of a file that names the unfinished film, which lies beside
	// its place, for as long as there is one: see RemoveMarked. Empty: none.
	Mark string
}

// Recorder turns pictures into a film of constant rate: a picture is repeated for
// as long as it is shown, or for less where ffmpeg does not keep up: such a film is
// shorter than what it shows. One goroutine owns it. It must be ended by Finish or Abort.
type Recorder struct {
	cfg     Config
	child   *process.Child
	in      io.WriteCloser
	part    string // the unfinished film, beside its place
	stalled atomic.Bool
	// patience and atOnce are stallAfter and atOnce, and less in tests.
	patience, atOnce time.Duration

	began   time.Time
	image   []byte // shown now
	written int    // frames given to ffmpeg
	since   int    // frame at which image began
}

// Error says that ffmpeg did not make a film of what it was given.
type Error struct {
	Reason string
	Stderr string // last lines ffmpeg printed
	Cause  error
}

func (e *Error) Error() string {
	if e.Stderr != "" {
		return e.Reason + ": " + e.Stderr
	}
	return e.Reason
}

func (e *Error) Unwrap() error { return e.Cause }

// Start starts ffmpeg. The directory of the film is made if need be.
func Start(cfg Config) (*Recorder, error) {
	dir, name := filepath.Split(cfg.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the film: %w", err)
	}
	part, err := os.CreateTemp(dir, "."+name+".*.part") // mode 0600; ffmpeg keeps it
	if err != nil {
		return nil, fmt.Errorf("making the film %s: %w", cfg.Path, err)
	}
	r := &Recorder{cfg: cfg, part: part.Name(), patience: stallAfter, atOnce: atOnce}
	if err := part.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("making the film %s: %w", cfg.Path, err), os.Remove(r.part))
	}
	if err := r.mark(); err != nil {
		return nil, errors.Join(fmt.Errorf("making the film %s: %w", cfg.Path, err), r.discard())
	}
	cmd := exec.Command(cfg.FFmpeg, r.args()...)
	cmd.Env = cfg.Env
	if r.in, err = cmd.StdinPipe(); err == nil {
		r.child, err = process.Start(cmd)
	}
	if err != nil {
		_ = r.discard()
		return nil, &MissingError{
			Path: cfg.FFmpeg, Reason: "it could not be started: " + err.Error(), Cause: err,
			Hint: "run it by hand to see what it needs, or set " + PathVariable + " to another",
		}
	}
	return r, nil
}

// args reads JPEG pictures from stdin without looking ahead, and writes VP8
// without sound. The file: prefix keeps a colon in the path from naming a protocol.
func (r *Recorder) args() []string {
	w, h := strconv.Itoa(r.cfg.Width), strconv.Itoa(r.cfg.Height)
	fit := "scale=" + w + ":" + h + ":force_original_aspect_ratio=decrease,pad=" + w + ":" + h + ":(ow-iw)/2:(oh-ih)/2,setsar=1"
	rate := strconv.Itoa(FramesPerSecond)
	return []string{
		"-hide_banner", "-nostdin", "-loglevel", "error", "-y",
		"-fpsprobesize", "0", "-probesize", "32", "-analyzeduration", "0",
		"-f", "image2pipe", "-c:v", "mjpeg", "-framerate", rate, "-i", "pipe:0",
		"-an", "-vf", fit, "-pix_fmt", "yuv420p",
		"-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-threads", "1",
		"-b:v", "1M", "-crf", "8", "-qmin", "0", "-qmax", "50",
		"-f", "webm", "file:" + r.part,
	}
}

// Done is closed when ffmpeg ended, which before Finish is too early.
func (r *Recorder) Done() <-chan struct{} { return r.child.Done() }

// Empty tells that no picture was shown yet.
func (r *Recorder) Empty() bool { return r.image == nil }

// Show makes image, a JPEG, what the film shows from now on. The first one begins it.
func (r *Recorder) Show(image []byte, now time.Time) error {
	if r.image == nil {
		r.began = now
	} else if err := r.keepUp(now); err != nil {
		return err
	}
	r.image, r.since = image, r.written
	return nil
}

// Advance gives ffmpeg the frames up to now, so that little is left to do at the end.
func (r *Recorder) Advance(now time.Time) error {
	if r.image == nil {
		return nil
	}
	return r.keepUp(now)
}

// keepUp gives ffmpeg the frames up to now, and lets the film run late by what it
// has no time for.
func (r *Recorder) keepUp(now time.Time) error {
	due := r.frameAt(now)
	err := r.fill(due, r.atOnce)
	if missing := due - r.written; missing > 0 {
		r.began = r.began.Add(time.Duration(missing) * time.Second / FramesPerSecond)
	}
	return err
}

// frameAt is the number of frames before a moment.
func (r *Recorder) frameAt(now time.Time) int {
	return int(now.Sub(r.began) * FramesPerSecond / time.Second)
}

// fill repeats the picture until n frames are written, or the time for it is up.
func (r *Recorder) fill(n int, within time.Duration) error {
	end := time.Now().Add(within)
	for r.written < n && time.Now().Before(end) {
		if err := r.write(); err != nil {
			return err
		}
		r.written++
	}
	return nil
}

func (r *Recorder) write() error {
	watchdog := time.AfterFunc(r.patience, r.giveUp)
	defer watchdog.Stop()
	if _, err := r.in.Write(r.image); err != nil {
		return r.failed(err)
	}
	return nil
}

// giveUp ends an ffmpeg that takes too long; the write or the wait under way fails.
func (r *Recorder) giveUp() {
	r.stalled.Store(true)
	r.child.Kill()
}

// failed says why ffmpeg takes no more pictures.
func (r *Recorder) failed(err error) error {
	r.end(lastWords)
	e := &Error{Stderr: r.child.Stderr(stderrLines), Cause: err}
	switch {
	case r.stalled.Load():
		e.Reason = "ffmpeg stopped taking pictures and was ended"
	case r.child.Err() != nil:
		e.Reason = fmt.Sprintf("ffmpeg ended (%v)", r.child.Err())
	default:
		e.Reason = "ffmpeg ended before the film did"
	}
	return e
}

// end waits for ffmpeg to end by itself for a while, and reaps it.
func (r *Recorder) end(grace time.Duration) {
	_ = r.in.Close() // it may have been closed by the end of ffmpeg
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	r.child.Stop(ctx)
}

// Finish ends the film at now, with the last picture shown for a second at least,
// and puts it in its place. It takes at most within, half of it for pictures.
func (r *Recorder) Finish(now time.Time, within time.Duration) error {
	if r.image == nil {
		r.Abort()
		return &Error{Reason: "there was no picture to make a film of"}
	}
	watchdog := time.AfterFunc(within, r.giveUp)
	defer watchdog.Stop()
	err := r.fill(max(r.frameAt(now), r.since+lastHeld), within/2)
	if err == nil {
		r.end(within)
		if r.stalled.Load() || r.child.Err() != nil {
			err = r.failed(r.child.Err())
		}
	}
	if err == nil {
		if err = os.Rename(r.part, r.cfg.Path); err == nil {
			return r.unmark()
		}
		err = fmt.Errorf("putting the film in its place: %w", err)
	}
	return errors.Join(err, r.discard())
}

// Fail ends a film whose ffmpeg ended by itself and says why.
func (r *Recorder) Fail() error { return errors.Join(r.failed(r.child.Err()), r.discard()) }

// Abort ends ffmpeg and leaves nothing behind.
func (r *Recorder) Abort() {
	r.end(0)
	_ = r.discard()
}

// discard deletes the unfinished film.
func (r *Recorder) discard() error {
	if err := os.Remove(r.part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing an unfinished film: %w", err)
	}
	return r.unmark()
}
