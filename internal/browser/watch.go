package browser

import (
	"context"
	"slices"
	"sync"
)

// EventKind names what a Watch reports.
type EventKind string

// The events of a page.
const (
	EventRequest  EventKind = "request"
	EventResponse EventKind = "response"
	EventConsole  EventKind = "console"
	EventDialog   EventKind = "dialog"
	EventPopup    EventKind = "popup"
	EventDownload EventKind = "download"
)

// Event is something that happened on a page; the field of its kind is set.
type Event struct {
	Kind     EventKind
	Request  *Request
	Response *Response
	Console  *ConsoleMessage
	Dialog   *Dialog
	Popup    string // target id of the new tab
	Download *Download
}

// watchLimit and watchBytes bound the events a Watch keeps for a reader that does not
// come; the oldest go first.
const (
	watchLimit = 10000
	watchBytes = 16 << 20
)

// size is about what an event takes, in bytes.
func (e *Event) size() int {
	n := len(e.Popup)
	r := e.Request
	if e.Response != nil {
		n, r = n+len(e.Response.URL)+headerBytes(e.Response.Headers), e.Response.Request
	}
	if r != nil {
		n += len(r.URL) + headerBytes(r.Headers)
		if r.PostData != nil {
			n += len(*r.PostData)
		}
	}
	if e.Console != nil {
		n += len(e.Console.Message)
	}
	if e.Dialog != nil {
		n += len(e.Dialog.Message) + len(e.Dialog.DefaultValue) + len(e.Dialog.URL)
	}
	return n
}

func headerBytes(headers map[string]string) int {
	n := 0
	for name, value := range headers {
		n += len(name) + len(value)
	}
	return n
}

// Watch is a view on the events of a page from the moment it was opened. It must be closed.
type Watch struct {
	page  *Page
	kinds []EventKind

	mu     sync.Mutex
	events []Event
	bytes  int
	more   chan struct{} // capacity 1: there are events
}

// Watch starts to keep events of the given kinds. It is in effect when it returns.
func (p *Page) Watch(kinds ...EventKind) *Watch {
	w := &Watch{page: p, kinds: kinds, more: make(chan struct{}, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watches[w] = struct{}{}
	return w
}

// Close ends the view.
func (w *Watch) Close() {
	w.page.mu.Lock()
	defer w.page.mu.Unlock()
	delete(w.page.watches, w)
}

// Next returns the oldest event not yet returned, waiting for one. It ends with
// ctx or with the page.
func (w *Watch) Next(ctx context.Context) (Event, error) {
	for {
		if e, ok := w.take(); ok {
			return e, nil
		}
		select {
		case <-w.more:
		case <-ctx.Done():
			return Event{}, context.Cause(ctx)
		case <-w.page.session.done:
			if e, ok := w.take(); ok {
				return e, nil
			}
			return Event{}, w.page.session.err
		}
	}
}

func (w *Watch) take() (Event, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) == 0 {
		return Event{}, false
	}
	e := w.events[0]
	w.dropFirst()
	return e, true
}

// dropFirst forgets the oldest event; mu is held.
func (w *Watch) dropFirst() {
	w.bytes -= w.events[0].size()
	w.events[0] = Event{} // its memory goes now, its place with the next growth
	w.events = w.events[1:]
}

// report gives an event to the watches that want its kind; Page.mu is held.
func (p *Page) report(e Event) {
	for w := range p.watches {
		if !slices.Contains(w.kinds, e.Kind) {
			continue
		}
		w.mu.Lock()
		w.events = append(w.events, e)
		w.bytes += e.size()
		for len(w.events) > watchLimit || w.bytes > watchBytes && len(w.events) > 1 {
			w.dropFirst()
		}
		w.mu.Unlock()
		select {
		case w.more <- struct{}{}:
		default:
		}
	}
}
