package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// maxQueued is how many records may wait to be written. Past it records are counted
// and not kept: a call never waits for a disk.
const maxQueued = 4096

// denied is the outcome that is made sure of on disk at once.
const denied = "policy_denied"

// Log appends records to a file. It is safe for concurrent use. One goroutine writes;
// Close ends it.
type Log struct {
	path   string
	logger *slog.Logger
	pid    int
	queue  chan Record
	lost   atomic.Uint64

	closing sync.RWMutex // guards closed, and the queue against its end
	closed  bool
	done    chan struct{}

	// The rest is the writer's own.

	file *os.File // nil while the path cannot be opened
	// torn says that the last write ended inside a line.
	torn bool
	// failing says that the log was told that nothing can be written.
	failing bool
}

// Open opens or makes the file and starts the writer. logger hears once when nothing
// can be written any more, and once when it can again.
func Open(path string, logger *slog.Logger) (*Log, error) {
	l := &Log{path: path, logger: logger, pid: os.Getpid(), queue: make(chan Record, maxQueued), done: make(chan struct{})}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && info.Mode()&os.ModeCharDevice == 0 {
		return nil, fmt.Errorf("%s is not a file", path) // opening a pipe would wait for a reader
	}
	var err error
	if l.file, err = openAppend(path); err != nil {
		return nil, err
	}
	go l.write()
	return l, nil
}

func openAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// Audit takes a record in. It never waits.
func (l *Log) Audit(r Record) {
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return
	}
	r.PID = l.pid
	select {
	case l.queue <- r:
	default:
		l.lost.Add(1)
	}
}

// Close writes what waits and closes the file. What is audited later is dropped.
func (l *Log) Close() error {
	l.closing.Lock()
	wasClosed := l.closed
	l.closed = true
	l.closing.Unlock()
	if !wasClosed {
		close(l.queue)
	}
	<-l.done
	return nil
}

// write is the goroutine of the log. It ends when the queue is closed and empty.
func (l *Log) write() {
	defer close(l.done)
	for r := range l.queue {
		var lines bytes.Buffer
		urgent := false
		for more := true; more; {
			l.encode(&lines, r)
			urgent = urgent || r.Outcome == denied
			if lines.Len() >= 64<<10 {
				break
			}
			select {
			case r, more = <-l.queue:
			default:
				more = false
			}
		}
		l.append(lines.Bytes(), urgent)
	}
	if l.file != nil {
		l.append(nil, true)
		_ = l.file.Close() // it was synced
	}
}

func (l *Log) encode(lines *bytes.Buffer, r Record) {
	enc := json.NewEncoder(lines) // ends each value with a line end
	enc.SetEscapeHTML(false)
	if n := l.lost.Swap(0); n > 0 {
		l.encoded(enc.Encode(lost{Time: time.Now().UTC(), PID: l.pid, Outcome: "lost", Records: n}))
	}
	l.encoded(enc.Encode(r))
}

// encoded hears of records without a JSON form: a duration that is no number.
func (l *Log) encoded(err error) {
	if err != nil {
		l.logger.Error("an audit record has no JSON form", "error", err.Error())
	}
}

// append writes whole lines with one call, so that those of other processes do not
// come between. sync makes sure of them on the disk.
func (l *Log) append(lines []byte, sync bool) {
	err := l.follow()
	if err == nil && len(lines) > 0 {
		if l.torn {
			lines = append([]byte("\n"), lines...)
		}
		var n int
		n, err = l.file.Write(lines)
		if n > 0 {
			l.torn = lines[n-1] != '\n'
		}
	}
	if err == nil && sync {
		if syncErr := l.file.Sync(); syncErr != nil && !errors.Is(syncErr, errors.ErrUnsupported) {
			l.logger.Debug("the audit log was not synced", "error", syncErr.Error()) // devices cannot be
		}
	}
	switch {
	case err != nil && !l.failing:
		l.logger.Warn("the audit log cannot be written: what happens meanwhile is missing in it", "file", l.path, "error", err.Error())
	case err == nil && l.failing && len(lines) > 0:
		l.logger.Warn("the audit log is written again", "file", l.path)
	}
	if len(lines) > 0 || err != nil {
		l.failing = err != nil
	}
	if err != nil {
		l.lost.Add(uint64(bytes.Count(lines, []byte("\n"))))
	}
}

// follow makes sure that the file is the one at the path: it may have been renamed or
// removed since.
func (l *Log) follow() error {
	at, err := os.Stat(l.path)
	if err == nil && l.file != nil {
		if have, err := l.file.Stat(); err == nil && os.SameFile(at, have) {
			return nil
		}
	}
	file, err := openAppend(l.path)
	if err != nil {
		return err
	}
	if l.file != nil {
		_ = l.file.Close() // its lines are written; the name is another file's now
	}
	l.file, l.torn = file, false
	return nil
}
