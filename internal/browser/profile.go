package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"egod/internal/process"
)

const profilePrefix = "egod-profile-"

// profile is the user data directory of one Chrome.
type profile struct {
	dir     string
	private bool   // ours to delete
	scratch string // private directory for files of this Chrome; dir itself when that is private
	// socket is Chrome's singleton socket, empty until it is up. A Chrome that ends
	// removes the link to it before the socket, and may be killed in between.
	socket atomic.Value // string
}

// openProfile makes a private profile below tempDir, or takes the persistent one
// at dir for us. env is searched for the home directory (nil: our own).
func openProfile(dir, tempDir string, env []string) (*profile, error) {
	if dir == "" {
		return newPrivateProfile(tempDir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolving the profile directory %s: %w", dir, err)
	}
	if err := refuseDefaultProfile(abs, homeDir(env)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return nil, fmt.Errorf("making the profile directory: %w", err)
	}
	if err := takeProfile(abs); err != nil {
		return nil, err
	}
	scratch, err := newPrivateProfile(tempDir)
	if err != nil {
		return nil, err
	}
	return &profile{dir: abs, scratch: scratch.dir}, nil
}

func newPrivateProfile(tempDir string) (*profile, error) {
	dir, err := process.OwnTemp(tempDir, profilePrefix)
	if err != nil {
		return nil, fmt.Errorf("making a profile directory: %w", err)
	}
	return &profile{dir: dir, private: true, scratch: dir}, nil
}

// takeWithin bounds the wait for another egod that looks at the same profile in the
// same moment. It takes milliseconds, unless that one was stopped.
const takeWithin = 2 * time.Second

// takeProfile makes us the owner of a persistent profile, or says who is. Of several
// that try at once, one succeeds.
func takeProfile(dir string) error {
	for end := time.Now().Add(takeWithin); ; {
		lock, held, err := tryLock(dir)
		switch {
		case err == nil:
			defer lock.Close()
			return takeLocked(dir)
		case !held: // a file system without locks
			return takeLocked(dir)
		case time.Now().After(end):
			return &UnavailableError{
				ExitCode: -1, Reason: fmt.Sprintf("the profile %s is being taken by another egod, which does not go on", dir),
				Hint: "end that process, or give another --profile directory",
			}
		}
		pause := time.NewTimer(5 * time.Millisecond)
		<-pause.C
	}
}

func takeLocked(dir string) error {
	if o, err := process.ReadOwner(dir); err == nil && o != process.Self() && o.Alive() {
		return profileInUse(dir, "egod", o.PID)
	}
	if err := releaseDeadLock(dir); err != nil {
		return err
	}
	if err := process.Own(dir); err != nil {
		return fmt.Errorf("marking the profile directory: %w", err)
	}
	return nil
}

func profileInUse(dir, who string, pid int) error {
	return &UnavailableError{
		ExitCode: -1,
		Reason:   fmt.Sprintf("the profile %s is in use by %s with pid %d", dir, who, pid),
		Hint:     "end that process, or give another --profile directory",
	}
}

// releaseDeadLock removes the lock of a Chrome that no longer runs. Chrome makes
// SingletonLock a symbolic link to "host-pid"; after a kill it stays behind.
func releaseDeadLock(dir string) error {
	target, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return nil //nolint:nilerr // no lock, or a platform where it is not a link and dies with its holder
	}
	if i := strings.LastIndexByte(target, '-'); i >= 0 {
		pid, err := strconv.Atoi(target[i+1:])
		sameHost := target[:i] == process.Self().Host
		if err == nil && sameHost && usesProfile(pid, dir) {
			return profileInUse(dir, "chrome", pid)
		}
	}
	removeSocketDir(linkedSocket(dir))
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a stale profile lock: %w", err)
		}
	}
	return nil
}

// refuseDefaultProfile keeps egod away from the profile of the user's own Chrome:
// since version 136 Chrome ignores remote debugging there, so it would only hang.
func refuseDefaultProfile(dir, home string) error {
	if home == "" {
		return nil
	}
	for _, rel := range defaultProfiles() {
		root := filepath.Join(home, filepath.FromSlash(rel))
		if samePath(dir, root) || strings.HasPrefix(dir, root+string(filepath.Separator)) {
			return &UnavailableError{
				ExitCode: -1,
				Reason:   fmt.Sprintf("%s is chrome's own default profile, which cannot be automated since chrome 136", dir),
				Hint:     "give a directory of its own to --profile; log in there once with --headed",
			}
		}
	}
	return nil
}

func samePath(a, b string) bool {
	if a == b {
		return true
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

func homeDir(env []string) string {
	if env == nil {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		return home
	}
	for _, name := range []string{"HOME=", "USERPROFILE="} {
		for _, kv := range env {
			if rest, ok := strings.CutPrefix(kv, name); ok && rest != "" {
				return rest
			}
		}
	}
	return ""
}

// close gives the profile up: a private one is deleted, a persistent one only
// loses its owner file. Chrome's last helpers may still write for a moment, so
// deleting is retried until ctx ends; what stays is swept at the next start.
func (p *profile) close(ctx context.Context) error {
	if socket, ok := p.socket.Load().(string); ok {
		removeSocketDir(socket)
	}
	if !p.private {
		removeSocketDir(linkedSocket(p.dir))
		return errors.Join(os.Remove(filepath.Join(p.dir, process.OwnerFile)), removeAll(ctx, p.scratch))
	}
	return removeProfile(ctx, p.dir)
}

func removeAll(ctx context.Context, dir string) error {
	for {
		err := os.RemoveAll(dir)
		if err == nil {
			return nil
		}
		retry := time.NewTimer(20 * time.Millisecond)
		select {
		case <-ctx.Done():
			retry.Stop()
			return err
		case <-retry.C:
		}
	}
}

// sweepProfiles deletes private profiles below tempDir whose owner is dead.
func sweepProfiles(ctx context.Context, tempDir string, log *slog.Logger) {
	for _, dir := range process.Leftovers(tempDir, profilePrefix) {
		if err := removeProfile(ctx, dir); err != nil {
			log.Warn("could not remove a leftover profile", "dir", dir, "error", err)
			continue
		}
		log.Info("removed the profile of a dead process", "dir", dir)
	}
}
