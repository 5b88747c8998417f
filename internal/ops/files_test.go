package ops

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egod/internal/process"
)

// inFiles is a scope that may write below dir.
func inFiles(dir string) *Scope {
	return &Scope{svc: &Service{files: &fileRoom{}}, policy: Policy{AllowFS: []AllowedDir{{Dir: dir}}}}
}

// tree makes files of texts, and links of texts that begin with "-> ".
func tree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			err = errors.Join(err, os.Symlink(target, path))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLinksAreThemselves: what removes, moves or describes a link is about the link,
// and never about what it leads to.
func TestLinksAreThemselves(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"file": "text", "sub/kept": "text", "one": "-> file", "two": "-> sub", "three": "-> file", "dead": "-> nowhere", "out": "-> /", "other": "-> sub",
	})
	sc, at := inFiles(dir), func(name string) pathParams { return pathParams{filepath.Join(dir, name)} }
	if s, err := fsStat(os.Lstat, (*Scope).readableEntry)(t.Context(), sc, at("out")); err != nil || s.Type != "symlink" {
		t.Errorf("lstat of a link: %+v, %v", s, err)
	}
	for name, do := range map[string]func() (Nothing, error){
		"one": func() (Nothing, error) { return onEntry("unlink", removeFile)(t.Context(), sc, at("one")) },
		"two": func() (Nothing, error) {
			return fsRemove(t.Context(), sc, removeParams{pathParams: at("two"), Recursive: true})
		},
		"three": func() (Nothing, error) {
			return fsRename(t.Context(), sc, twoPathParams{at("three"), at("moved").Path})
		},
		"dead": func() (Nothing, error) { return onEntry("unlink", removeFile)(t.Context(), sc, at("dead")) },
	} {
		if _, err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(at(name).Path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	for _, name := range []string{"file", "sub/kept", "moved"} {
		if text, err := os.ReadFile(at(name).Path); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := fsRemove(t.Context(), sc, removeParams{pathParams: at("out/tmp"), Recursive: true}); !denied(err) {
		t.Errorf("removing through a link that leads out: %v", err)
	}
}

// TestNoWayOut: a path is used as it was checked, and what is made lies where it was
// checked.
func TestNoWayOut(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "open")
	tree(t, parent, map[string]string{"secret": "text", "elsewhere/x": "", "open/file": "text", "open/link": "-> " + filepath.Join(parent, "elsewhere")})
	sc := inFiles(dir)
	around := dir + "/link/../secret" // the system would follow the link first
	for op, stat := range map[string]func(context.Context, *Scope, pathParams) (fileStat, error){
		"stat": fsStat(os.Stat, (*Scope).readable), "lstat": fsStat(os.Lstat, (*Scope).readableEntry),
	} {
		if s, err := stat(t.Context(), sc, pathParams{around}); err == nil {
			t.Errorf("%s of what lies outside: %+v", op, s)
		}
	}
	if made, err := fsMkdtemp(t.Context(), sc, pathParams{dir}); !denied(err) {
		t.Errorf("a directory beside the one that is open: %s, %v", made, err)
	}
	for _, prefix := range []string{dir + "/", dir + "/a-", dir + "/.."} {
		made, err := fsMkdtemp(t.Context(), sc, pathParams{prefix})
		if err != nil || filepath.Dir(made) != dir || !strings.HasPrefix(made, prefix) {
			t.Errorf("mkdtemp(%q): %s, %v", prefix, made, err)
		}
	}
}

// TestOwnFilesBehindLink: files of a run are its own when the temporary directory is a
// link, as on some systems.
func TestOwnFilesBehindLink(t *testing.T) {
	parent := t.TempDir()
	tree(t, parent, map[string]string{"real/x": "", "link": "-> real"})
	sc := inFiles(filepath.Join(parent, "none"))
	sc.svc.files.parent = filepath.Join(parent, "link")
	path, err := sc.newFile("screenshot", "png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sc.readable(path); err != nil {
		t.Error(err)
	}
}

// TestRunsHaveTheirFilesForThemselves: a run reads, lists and removes what it made, and
// nothing of another one; a client has the files of all.
func TestRunsHaveTheirFilesForThemselves(t *testing.T) {
	client := inFiles(filepath.Join(t.TempDir(), "none"))
	client.svc.files.parent = t.TempDir()
	run := func() *Scope { return (&Scope{svc: client.svc, place: &place{}}).nested(nil, nil) }
	first, second := run(), run()
	made := make(map[*Scope]string)
	for _, sc := range []*Scope{client, first, second} {
		path, err := sc.newFile("screenshot", "png")
		if err != nil {
			t.Fatal(err)
		}
		made[sc] = path
		if sc != client && sc.nested(nil, nil).corner() != sc.corner() {
			t.Error("a run inside a run has its files elsewhere")
		}
	}
	for sc, path := range made {
		for who, allowed := range map[*Scope]bool{client: true, first: sc == first, second: sc == second} {
			for _, path := range []string{path, filepath.Dir(path)} {
				_, readErr := who.readable(path)
				_, writeErr := who.writableEntry(path)
				if (readErr == nil) != allowed || (writeErr == nil) != allowed {
					t.Errorf("%s: %v, %v; allowed: %t", path, readErr, writeErr, allowed)
				}
			}
		}
	}
}

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
	own, err := files.next(nil, "screenshot", "png")
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
