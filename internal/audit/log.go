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
	var err error
	if l.file, err = openAppend(path); err != nil {
		return nil, err
	}
	go l.write()
	return l, nil
}

func openAppend(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && info.Mode()&os.ModeCharDevice == 0 {
		return nil, fmt.Errorf("%s is not a file", path) // opening a pipe would wait for a reader
	}
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
		var b batch
		urgent := false
		for more := true; more; {
			l.encode(&b, r)
			urgent = urgent || r.Outcome == denied
			if b.lines.Len() >= 64<<10 {
				break
			}
			select {
			case r, more = <-l.queue:
			default:
				more = false
			}
		}
		l.append(b, urgent)
	}
	var last batch
	l.encodeLost(&last) // no record comes that could tell of them
	if l.file != nil || len(last.records) > 0 {
		l.append(last, true)
	}
	if l.file != nil {
		_ = l.file.Close() // it was synced
	}
}

// batch is what is written with one call: lines, and for each the number of records
// that are missing when it is.
type batch struct {
	lines   bytes.Buffer
	records []uint64
}

// missing is the number of records that are lost when that many lines are whole.
func (b *batch) missing(whole int) (n uint64) {
	for _, records := range b.records[whole:] {
		n += records
	}
	return n
}

func (l *Log) encode(b *batch, r Record) {
	l.encodeLost(b)
	l.line(b, r, 1)
}

// encodeLost tells of the records that could not be kept before.
func (l *Log) encodeLost(b *batch) {
	if n := l.lost.Swap(0); n > 0 {
		l.line(b, lost{Time: time.Now().UTC(), PID: l.pid, Outcome: "lost", Records: n}, n)
	}
}

func (l *Log) line(b *batch, value any, records uint64) {
	enc := json.NewEncoder(&b.lines) // ends each value with a line end
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil { // a duration that is no number
		l.logger.Error("an audit record has no JSON form", "error", err.Error())
		return
	}
	b.records = append(b.records, records)
}

// append writes whole lines with one call, so that those of other processes do not
// come between. sync makes sure of them on the disk.
func (l *Log) append(b batch, sync bool) {
	lines, whole := b.lines.Bytes(), 0
	err := l.follow()
	if err == nil && len(lines) > 0 {
		if l.torn {
			lines, whole = append([]byte("\n"), lines...), -1
		}
		var n int
		n, err = l.file.Write(lines)
		if n > 0 {
			l.torn = lines[n-1] != '\n'
		}
		whole += bytes.Count(lines[:n], []byte("\n"))
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
		l.lost.Add(b.missing(max(whole, 0)))
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
