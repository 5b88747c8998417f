package video

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func picture(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		img.Set(i%width, i/width, c)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func ffmpegPath(t *testing.T) string {
	t.Helper()
	path, err := Find("")
	if err != nil {
		t.Fatalf("these tests need ffmpeg: %v", err)
	}
	return path
}

// probe is what ffprobe says of a film.
type probe struct {
	Streams []struct {
		Codec  string `json:"codec_name"`
		Width  int    `json:"width"`
		Height int    `json:"height"`
		Rate   string `json:"avg_frame_rate"`
		Frames string `json:"nb_read_frames"`
	} `json:"streams"`
	Format struct {
		Duration string `json:"duration"`
	} `json:"format"`
}

func inspect(t *testing.T, path string) probe {
	t.Helper()
	text, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path).Output()
	if err != nil {
		t.Fatalf("ffprobe: %v", err)
	}
	var p probe
	if err := json.Unmarshal(text, &p); err != nil || len(p.Streams) != 1 {
		t.Fatalf("%v: want one stream in %s", err, text)
	}
	return p
}

// colours are the middle pixels of all frames: "r", "g", "b" for what they are most of.
func colours(t *testing.T, path string) string {
	t.Helper()
	raw, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-vf", "crop=2:2,scale=1:1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-").Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v", err)
	}
	var out strings.Builder
	for ; len(raw) >= 3; raw = raw[3:] {
		switch max(raw[0], raw[1], raw[2]) {
		case raw[0]:
			out.WriteByte('r')
		case raw[1]:
			out.WriteByte('g')
		default:
			out.WriteByte('b')
		}
	}
	return out.String()
}

var (
	red  = color.RGBA{R: 230, A: 255}
	blue = color.RGBA{B: 230, A: 255}
)

func TestFilmShowsEachPictureForItsTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "a: film.webm")
	r, err := Start(Config{FFmpeg: ffmpegPath(t), Path: path, Width: 64, Height: 48})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	steps := []error{
		r.Show(picture(t, 64, 48, red), at),
		r.Advance(at.Add(240 * time.Millisecond)),
		r.Show(picture(t, 100, 20, blue), at.Add(400*time.Millisecond)), // another shape, as after a change of the viewport
		r.Show(picture(t, 64, 48, red), at.Add(410*time.Millisecond)),   // shown for no whole frame
		r.Show(picture(t, 64, 48, blue), at.Add(430*time.Millisecond)),
		r.Finish(at.Add(600*time.Millisecond), time.Minute),
	}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	p := inspect(t, path)
	if s := p.Streams[0]; s.Codec != "vp8" || s.Width != 64 || s.Height != 48 || s.Rate != "25/1" || s.Frames != "35" || p.Format.Duration != "1.400000" {
		t.Errorf("got %+v, want 35 frames of VP8 at 25 a second: 400 ms, and a second of the last picture", p)
	}
	if got, want := colours(t, path), strings.Repeat("r", 10)+strings.Repeat("b", 25); got != want {
		t.Errorf("the frames are %s, want %s", got, want)
	}
	checkAlone(t, path)
}

// An ffmpeg that is too slow for the film gets fewer frames, and no backlog that the
// end of the film would have to wait for.
func TestSlowFFmpegGetsFewerFrames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "film.webm")
	r, err := Start(Config{FFmpeg: ffmpegPath(t), Path: path, Width: 64, Height: 48})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	r.atOnce = 0 // no time for any frame
	err = errors.Join(
		r.Show(picture(t, 64, 48, red), at),
		r.Advance(at.Add(10*time.Minute)),
		r.Show(picture(t, 64, 48, blue), at.Add(20*time.Minute)),
	)
	r.atOnce = time.Minute // and then enough
	err = errors.Join(err,
		r.Show(picture(t, 64, 48, red), at.Add(20*time.Minute+400*time.Millisecond)),
		r.Finish(at.Add(20*time.Minute+600*time.Millisecond), time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := colours(t, path), strings.Repeat("b", 10)+strings.Repeat("r", 25); got != want {
		t.Errorf("the frames are %s, want %s", got, want)
	}
}

// checkAlone fails when anything but the film is in its directory.
func checkAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

func fakeFFmpeg(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFailingFFmpeg(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"ends at once", "echo no such encoder >&2; exit 3", "no such encoder"},
		{"ends at the end", "cat >/dev/null; echo disk full >&2; exit 4", "disk full"},
		{"takes nothing", "exec sleep 1000", "stopped taking pictures"},
		{"does not end", "cat >/dev/null; exec sleep 1000", "stopped taking pictures"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "film.webm")
			if err := os.WriteFile(path, []byte("an older film"), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Start(Config{FFmpeg: fakeFFmpeg(t, tt.body), Path: path, Width: 64, Height: 48})
			if err != nil {
				t.Fatal(err)
			}
			r.patience = 200 * time.Millisecond
			at := time.Now()
			image := bytes.Repeat(picture(t, 64, 48, red), 100) // more than a pipe holds, within seconds
			err = r.Show(image, at)
			if err == nil {
				err = r.Finish(at.Add(time.Second), time.Second)
			} else {
				r.Abort()
			}
			var failed *Error
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want it to say %q", err, tt.want)
			}
			checkAlone(t, path)
			if text, err := os.ReadFile(path); err != nil || string(text) != "an older film" {
				t.Errorf("the older film: %q, %v", text, err)
			}
		})
	}
}

func TestNoPictureNoFilm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "film.webm")
	r, err := Start(Config{FFmpeg: ffmpegPath(t), Path: path, Width: 64, Height: 48})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(time.Now(), time.Minute); err == nil {
		t.Error("a film of nothing was made")
	}
	checkAlone(t, path)
}

func TestMissingFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, configured := range []string{"", "/no/such/ffmpeg"} {
		_, err := Find(configured)
		var missing *MissingError
		if !errors.As(err, &missing) || !strings.Contains(missing.Hint, PathVariable) || !strings.Contains(err.Error(), PathVariable) {
			t.Errorf("Find(%q): %v", configured, err)
		}
	}
	path := filepath.Join(t.TempDir(), "film.webm")
	_, err := Start(Config{FFmpeg: t.TempDir(), Path: path, Width: 64, Height: 48})
	var missing *MissingError
	if !errors.As(err, &missing) {
		t.Errorf("starting a directory: %v", err)
	}
	checkAlone(t, path)
}
