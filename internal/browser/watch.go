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

// watchLimit bounds the events a Watch keeps for a reader that does not come.
const watchLimit = 10000

// Watch is a view on the events of a page from the moment it was opened. It must be closed.
type Watch struct {
	page  *Page
	kinds []EventKind

	mu     sync.Mutex
	events []Event
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
	w.events = w.events[1:]
	return e, true
}

// report gives an event to the watches that want its kind; Page.mu is held.
func (p *Page) report(e Event) {
	for w := range p.watches {
		if !slices.Contains(w.kinds, e.Kind) {
			continue
		}
		w.mu.Lock()
		w.events = append(w.events, e)
		if len(w.events) > watchLimit {
			w.events[0] = Event{}
			w.events = w.events[1:]
		}
		w.mu.Unlock()
		select {
		case w.more <- struct{}{}:
		default:
		}
	}
}
