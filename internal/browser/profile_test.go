package browser

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"egod/internal/process"
)

// makeProfile makes a private profile directory with the given owner (nil: none).
func makeProfile(t *testing.T, tempDir, name string, o *process.Owner, age time.Duration) string {
	t.Helper()
	dir := filepath.Join(tempDir, profilePrefix+name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if o != nil {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, process.OwnerFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	when := time.Now().Add(-age)
	if err := os.Chtimes(dir, when, when); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSweepProfiles(t *testing.T) {
	tempDir := t.TempDir()
	us := process.Self()
	dead, reused, elsewhere := us, us, us
	dead.PID = 1 << 30
	reused.Started = "1"
	elsewhere.Host, elsewhere.PID = "another-machine.test", 1<<30
	tests := []struct {
		name string
		dir  string
		gone bool
	}{
		{"live owner", makeProfile(t, tempDir, "live", &us, 0), false},
		{"dead owner", makeProfile(t, tempDir, "dead", &dead, 0), true},
		{"pid given to another process", makeProfile(t, tempDir, "reused", &reused, 0), true},
		{"owner on another machine", makeProfile(t, tempDir, "elsewhere", &elsewhere, 0), false},
		{"no owner yet", makeProfile(t, tempDir, "new", nil, 0), false},
		{"never owned", makeProfile(t, tempDir, "old", nil, time.Hour), true},
	}
	foreign := filepath.Join(tempDir, "foreign")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	sweepProfiles(t.Context(), tempDir, slog.New(slog.DiscardHandler))
	for _, tt := range tests {
		if _, err := os.Stat(tt.dir); errors.Is(err, os.ErrNotExist) != tt.gone {
			t.Errorf("%s: stat says %v, want gone: %v", tt.name, err, tt.gone)
		}
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a directory that is not ours: %v", err)
	}
}

func TestDefaultProfileIsRefused(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "USERPROFILE=" + home}
	for _, rel := range defaultProfiles() {
		dir := filepath.Join(home, filepath.FromSlash(rel))
		for _, path := range []string{dir, filepath.Join(dir, "Default")} {
			var refused *UnavailableError
			if _, err := openProfile(path, "", env); !errors.As(err, &refused) || !strings.Contains(err.Error(), "136") {
				t.Errorf("%s: %v", path, err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s was touched: %v", path, err)
			}
		}
	}
	link := filepath.Join(home, "link")
	if err := os.MkdirAll(filepath.Join(home, filepath.FromSlash(defaultProfiles()[0])), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, filepath.FromSlash(defaultProfiles()[0])), link); err == nil {
		if _, err := openProfile(link, "", env); err == nil {
			t.Error("a link to the default profile was accepted")
		}
	}
}

func TestPersistentProfileLocks(t *testing.T) {
	host := process.Self().Host
	tests := []struct {
		name, lock string
		ok         bool
	}{
		{"no lock", "", true},
		{"dead holder", host + "-1073741824", true},
		{"pid of a process that is no chrome with this profile", host + "-1", true},
		{"unreadable", "nonsense", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "profile")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			lock := filepath.Join(dir, "SingletonLock")
			if tt.lock != "" {
				if err := os.Symlink(tt.lock, lock); err != nil {
					t.Fatal(err)
				}
			}
			p, err := openProfile(dir, t.TempDir(), []string{})
			if (err == nil) != tt.ok {
				t.Fatalf("open: %v", err)
			}
			if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the stale lock is still there: %v", err)
			}
			if err := p.close(context.Background()); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(dir); err != nil {
				t.Errorf("the profile was deleted: %v", err)
			}
		})
	}
}

// Two that take a profile in the same moment do so one after the other, and one that
// stopped in the middle is not waited for.
func TestProfileIsTakenByOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lock, held, err := tryLock(dir)
	if err != nil || held {
		t.Fatalf("held %v, %v", held, err)
	}
	if _, held, err := tryLock(dir); !held {
		t.Fatalf("it was locked twice: %v", err)
	}
	began := time.Now()
	var refused *UnavailableError
	if err := takeProfile(dir); !errors.As(err, &refused) || time.Since(began) > 10*time.Second {
		t.Errorf("got %v after %s", err, time.Since(began))
	}
	waited := make(chan error, 1)
	go func() { waited <- takeProfile(dir) }()
	lock.Close()
	if err := <-waited; err != nil {
		t.Error(err)
	}
	if o, err := process.ReadOwner(dir); err != nil || o != process.Self() {
		t.Errorf("the owner is %+v, %v", o, err)
	}
}
