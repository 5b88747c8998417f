package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"egod/internal/ops"
)

const (
	// logQueueBytes bounds the lines that wait for a slow reader of the log.
	logQueueBytes = 1 << 20
	// logFlushTime bounds how long the end of the program waits for them.
	logFlushTime = time.Second
)

// logWriter is where the slog handlers write, one line a call. It hides secrets
// in the finished line, wherever they came from.
//
// Writing never waits: many hosts give egod a pipe as stderr and never read it,
// and whoever logs may be serving a request. A goroutine of the writer's own
// writes the lines; what does not fit its queue is dropped and counted. It ends
// with close, or at the first error: a log whose reader is gone is not tried
// again for every line.
type logWriter struct {
	w       io.Writer
	secrets *ops.Secrets
	more    chan struct{} // capacity 1: there are lines, or closing began
	done    chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards all below
	lines   [][]byte
	bytes   int
	dropped int
	closing bool
}

func newLogWriter(w io.Writer, secrets *ops.Secrets) *logWriter {
	l := &logWriter{w: w, secrets: secrets, more: make(chan struct{}, 1), done: make(chan struct{})}
	go l.run()
	return l
}

// Write queues a line. It never fails and never waits.
func (l *logWriter) Write(line []byte) (int, error) {
	shown := string(line)
	if l.secrets != nil {
		shown = l.secrets.Text(shown)
	}
	l.mu.Lock()
	if l.closing || l.bytes+len(shown) > logQueueBytes {
		l.dropped++
	} else {
		l.lines = append(l.lines, []byte(shown))
		l.bytes += len(shown)
	}
	l.mu.Unlock()
	l.signal()
	return len(line), nil
}

func (l *logWriter) signal() {
	select {
	case l.more <- struct{}{}:
	default:
	}
}

func (l *logWriter) run() {
	defer close(l.done)
	for range l.more {
		lines, closing := l.take()
		for _, line := range lines {
			if _, err := l.w.Write(line); err != nil {
				l.stop()
				return
			}
		}
		if closing {
			return
		}
	}
}

// take empties the queue. What was dropped since the last time is said in a
// line of its own.
func (l *logWriter) take() (lines [][]byte, closing bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines = l.lines
	if l.dropped > 0 && !l.closing {
		lines = append(lines, fmt.Appendf(nil, "egod: %d lines of the log were dropped: its reader is too slow\n", l.dropped))
		l.dropped = 0
	}
	l.lines, l.bytes = nil, 0
	return lines, l.closing
}

// stop makes every later line a dropped one.
func (l *logWriter) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closing, l.lines, l.bytes = true, nil, 0
}

// close waits a moment until the queued lines are written. A write that never
// returns ends with the process.
func (l *logWriter) close() {
	l.mu.Lock()
	l.closing = true
	l.mu.Unlock()
	l.signal()
	timer := time.NewTimer(logFlushTime)
	defer timer.Stop()
	select {
	case <-l.done:
	case <-timer.C:
	}
}
