package ops

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"egod/internal/process"
)

// TestSweepFiles: what a killed egod left goes, with its unfinished film beside the
// user's path; what a live one uses, and what is the user's, stays.
func TestSweepFiles(t *testing.T) {
	parent, users := t.TempDir(), t.TempDir()
	dead := process.Self()
	dead.PID = 1 << 30
	room := func(name string, owner process.Owner) (dir, part string) {
		t.Helper()
		dir, part = filepath.Join(parent, filesPrefix+name), filepath.Join(users, "."+name+".webm.77.part")
		text, err := json.Marshal(owner)
		for _, err := range []error{
			err, os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, process.OwnerFile), text, 0o600),
			os.WriteFile(filepath.Join(dir, "screenshot-1.png"), nil, 0o600), os.WriteFile(part, nil, 0o600),
			os.WriteFile(filepath.Join(dir, "screencast-2."+unfinishedFilm), []byte(part), 0o600),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return dir, part
	}
	deadRoom, deadPart := room("dead", dead)
	liveRoom, livePart := room("live", process.Self())
	film := filepath.Join(users, "dead.webm")
	if err := os.WriteFile(film, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	files := &fileRoom{parent: parent}
	own, err := files.next("screenshot", "png")
	if err != nil {
		t.Fatal(err)
	}
	if err := sweepFiles(parent); err != nil {
		t.Error(err)
	}
	for path, gone := range map[string]bool{
		deadRoom: true, deadPart: true, liveRoom: false, livePart: false, film: false, filepath.Dir(own): false,
	} {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) != gone {
			t.Errorf("%s: stat says %v, want gone: %v", path, err, gone)
		}
	}
	if err := files.remove(); err != nil {
		t.Error(err)
	}
}
