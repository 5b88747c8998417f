package browser

import (
	"strings"
	"testing"
)

// What a page says while a call runs is bounded, and the call tells what is left out.
func TestCollectionIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kept       int
	}{
		{"in number", "x", collectLimit},
		{"in bytes", strings.Repeat("x", collectBytes/8), 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &Page{collectors: make(map[*collector]struct{})}
			c := p.startCollecting(nil)
			for range tt.kept + 5 {
				c.addDialog(Dialog{Type: "alert", Message: tt.text})
			}
			logs, dialogs := p.finishCollecting(c)
			if len(dialogs) != tt.kept || len(logs) != 1 || logs[0].Message != "5 more dialogs were answered and are not listed" {
				t.Errorf("%d dialogs, want %d, and a word on 5 more in %+v", len(dialogs), tt.kept, logs)
			}
		})
	}
}

// A watch that nobody reads keeps the newest events, up to a number and a size.
func TestWatchIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kept       int
	}{
		{"in number", "x", watchLimit},
		{"in bytes", strings.Repeat("x", watchBytes/8), 8},
		{"but for the newest", strings.Repeat("x", watchBytes+1), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &Page{watches: make(map[*Watch]struct{})}
			w := p.Watch(EventConsole, EventRequest, EventDialog)
			for i := range tt.kept + 5 {
				switch text := tt.text; i % 3 {
				case 0:
					p.report(Event{Kind: EventConsole, Console: &ConsoleMessage{Message: text}})
				case 1:
					p.report(Event{Kind: EventRequest, Request: &Request{PostData: &text}})
				default:
					p.report(Event{Kind: EventDialog, Dialog: &Dialog{Message: text}})
				}
			}
			if len(w.events) != tt.kept || w.bytes != tt.kept*len(tt.text) {
				t.Errorf("%d events of %d bytes are kept, want %d", len(w.events), w.bytes, tt.kept)
			}
			for range tt.kept {
				if _, ok := w.take(); !ok {
					t.Fatal("an event is missing")
				}
			}
			if _, more := w.take(); more || w.bytes != 0 {
				t.Errorf("%d bytes are left of no events", w.bytes)
			}
		})
	}
}
