package browser

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock of a directory that lasts until the returned file is closed.
// held: somebody else has it.
func tryLock(dir string) (lock *os.File, held bool, err error) {
	lock, err = os.OpenFile(filepath.Join(dir, "egod-owner.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(lock.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	if err == nil {
		return lock, false, nil
	}
	lock.Close()
	return nil, errors.Is(err, windows.ERROR_LOCK_VIOLATION), err
}
