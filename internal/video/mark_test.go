package video

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMarkNamesTheUnfinishedFilm for as long as there is one, so that what a killed
// process left can be found.
func TestMarkNamesTheUnfinishedFilm(t *testing.T) {
	dir, mark := t.TempDir(), filepath.Join(t.TempDir(), "mark")
	begin := func() *Recorder {
		t.Helper()
		r, err := Start(Config{FFmpeg: ffmpegPath(t), Path: filepath.Join(dir, "film.webm"), Width: 64, Height: 48, Mark: mark})
		if err != nil {
			t.Fatal(err)
		}
		if named, err := os.ReadFile(mark); err != nil || string(named) != r.part {
			t.Errorf("the mark names %s, %v, want %s", named, err, r.part)
		}
		return r
	}
	noMark := func() {
		t.Helper()
		if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the mark is left: %v", err)
		}
	}
	begin().Abort()
	noMark()
	r := begin()
	if err := errors.Join(r.Show(picture(t, 64, 48, red), time.Now()), r.Finish(time.Now(), time.Minute)); err != nil {
		t.Fatal(err)
	}
	noMark()
	checkAlone(t, filepath.Join(dir, "film.webm"))
}

func TestRemoveMarkedTakesOnlyUnfinishedFilms(t *testing.T) {
	dir := t.TempDir()
	for name, gone := range map[string]bool{
		".film.webm.123.part": true, "film.webm": false, ".film.webm": false, "letter.123.part": false, ".ssh.part": false,
	} {
		path, mark := filepath.Join(dir, name), filepath.Join(t.TempDir(), "mark")
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.WriteFile(mark, []byte(path), 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := RemoveMarked(mark); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) != gone {
			t.Errorf("%s: stat says %v, want gone: %v", name, err, gone)
		}
		if err := RemoveMarked(mark); err != nil {
			t.Errorf("%s a second time: %v", name, err)
		}
	}
}

func TestCheckAsksFFmpeg(t *testing.T) {
	if err := Check(t.Context(), ffmpegPath(t)); err != nil {
		t.Errorf("the ffmpeg of the tests: %v", err)
	}
	for body, want := range map[string]string{
		"exit 1": "does not run", "echo ' V....D libx264  H.264'": "without libvpx", "exec sleep 1000": "does not run",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		err := Check(ctx, fakeFFmpeg(t, body))
		cancel()
		var missing *MissingError
		if !errors.As(err, &missing) || !strings.Contains(missing.Reason, want) || missing.Hint == "" {
			t.Errorf("%s: %v, want it to say %q", body, err, want)
		}
	}
}
