//go:build unix

package browser

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of a directory that lasts until the returned file is closed.
// held: somebody else has it.
func tryLock(dir string) (lock *os.File, held bool, err error) {
	lock, err = os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return lock, false, nil
	}
	lock.Close()
	return nil, errors.Is(err, unix.EWOULDBLOCK), err
}
