package ops

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
)

// maxPageLines and maxPageBytes bound what a run keeps of the consoles of pages; the
// runtime bounds its own.
const (
	maxPageLines = 1000
	maxPageBytes = 4 << 20
)

// teller hears of a console line as it comes.
type teller func(level, message string, fromPage bool)

// runLog is what a run says, and what pages say while its code is in them, in the
// order in which it came. Each line is told as it comes. A nil *runLog hears nothing.
type runLog struct {
	tell  teller
	began time.Time

	mu      sync.Mutex
	lines   []LogLine
	pages   int // lines of pages
	bytes   int // of their text
	dropped int

	hearing sync.Mutex // held while the set of pages that are heard changes
	heard   map[*browser.Page]*heardPage
}

// heardPage is a page that calls are at work in: all hear it once.
type heardPage struct {
	calls int
	stop  func()
}

func newRunLog(tell teller) *runLog {
	return &runLog{tell: tell, began: time.Now(), heard: make(map[*browser.Page]*heardPage)}
}

// during does work on a page and hears what the page says meanwhile.
func (l *runLog) during(page *browser.Page, work func() (json.RawMessage, error)) (json.RawMessage, error) {
	if l == nil {
		return work()
	}
	l.hear(page)
	defer l.leave(page)
	return work()
}

func (l *runLog) hear(page *browser.Page) {
	l.hearing.Lock()
	defer l.hearing.Unlock()
	h := l.heard[page]
	if h == nil {
		h = &heardPage{stop: page.Overhear(l.add)}
		l.heard[page] = h
	}
	h.calls++
}

func (l *runLog) leave(page *browser.Page) {
	l.hearing.Lock()
	defer l.hearing.Unlock()
	h := l.heard[page]
	if h.calls--; h.calls == 0 {
		h.stop()
		delete(l.heard, page)
	}
}

func (l *runLog) add(m browser.ConsoleMessage) {
	if l.keep(m) {
		l.tell(m.Level, m.Message, true)
	}
}

func (l *runLog) keep(m browser.ConsoleMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages >= maxPageLines || l.bytes+len(m.Message) > maxPageBytes {
		l.dropped++
		return false
	}
	l.pages++
	l.bytes += len(m.Message)
	l.lines = append(l.lines, LogLine{Level: m.Level, Message: m.Message, TimeMs: time.Since(l.began).Milliseconds()})
	return true
}

// own takes in a line of the run itself.
func (l *runLog) own(e jsruntime.LogEntry) {
	l.mu.Lock()
	l.lines = append(l.lines, LogLine(e))
	l.mu.Unlock()
	l.tell(e.Level, e.Message, false)
}

// all returns the lines of a run that is over.
func (l *runLog) all() []LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dropped > 0 {
		return append(l.lines, LogLine{
			Level: "warn", Message: fmt.Sprintf("%d more console messages of pages were dropped", l.dropped), TimeMs: time.Since(l.began).Milliseconds(),
		})
	}
	return list(l.lines)
}
