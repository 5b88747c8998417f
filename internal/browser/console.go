package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// collectLimit and collectBytes bound what one call keeps of the page's console and
	// of its dialogs.
	collectLimit = 1000
	collectBytes = 4 << 20
	// messageLimit cuts a single message, in bytes.
	messageLimit = 64 << 10
)

// ConsoleMessage is one console call of a page.
type ConsoleMessage struct {
	Level   string `json:"level"` // "log", "info", "warn", "error" or "debug"
	Message string `json:"message"`
	TimeMs  int64  `json:"timeMs"` // since the call began
}

// collector gathers what a page says while one call runs; Page.mu guards it.
type collector struct {
	began    time.Time
	logs     []ConsoleMessage
	dialogs  []Dialog
	bytes    int
	dropped  int
	unlisted int // dialogs that were answered and are not kept

	// onLog hears of each message while the call runs; nil when nobody asks.
	onLog func(ConsoleMessage)
	told  int           // messages that onLog heard of
	more  chan struct{} // capacity 1: there are messages to tell
	over  chan struct{} // closed when there will be no more
	done  chan struct{} // closed when all is told
}

func (p *Page) startCollecting(onLog func(ConsoleMessage)) *collector {
	c := &collector{began: time.Now(), onLog: onLog}
	if onLog != nil {
		c.more, c.over, c.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
		go p.tell(c)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.collectors[c] = struct{}{}
	return c
}

// finish ends the collection. Events that Chrome sent before the call's answer
// were handled before it, so nothing of the call is missed.
func (p *Page) finishCollecting(c *collector) ([]ConsoleMessage, []Dialog) {
	p.mu.Lock()
	delete(p.collectors, c)
	if c.dropped > 0 {
		c.warn("%d more console messages were dropped", c.dropped)
	}
	if c.unlisted > 0 {
		c.warn("%d more dialogs were answered and are not listed", c.unlisted)
	}
	p.mu.Unlock()
	if c.onLog != nil {
		close(c.over)
		<-c.done
	}
	return c.logs, c.dialogs
}

// tell passes messages on in order, off the reader, which must not wait for whoever
// hears of them.
func (p *Page) tell(c *collector) {
	defer close(c.done)
	for over := false; !over; {
		select {
		case <-c.more:
		case <-c.over:
			over = true
		}
		p.mu.Lock()
		fresh := c.logs[c.told:]
		c.told = len(c.logs)
		p.mu.Unlock()
		for _, m := range fresh {
			c.onLog(m)
		}
	}
}

// add keeps a message, or counts it when there are too many.
func (c *collector) add(level, text string) {
	if len(c.logs) >= collectLimit || c.bytes+len(text) > collectBytes {
		c.dropped++
		return
	}
	c.bytes += len(text)
	c.logs = append(c.logs, ConsoleMessage{Level: level, Message: text, TimeMs: time.Since(c.began).Milliseconds()})
	if c.onLog != nil {
		select {
		case c.more <- struct{}{}:
		default:
		}
	}
}

// addDialog keeps a dialog, or counts it when there are too many.
func (c *collector) addDialog(d Dialog) {
	size := len(d.Message) + len(d.DefaultValue) + len(d.URL)
	if len(c.dialogs) >= collectLimit || c.bytes+size > collectBytes {
		c.unlisted++
		return
	}
	c.bytes += size
	c.dialogs = append(c.dialogs, d)
}

// warn is the last word of a collection.
func (c *collector) warn(format string, args ...any) {
	c.logs = append(c.logs, ConsoleMessage{Level: "warn", Message: fmt.Sprintf(format, args...), TimeMs: time.Since(c.began).Milliseconds()})
}

// Overhear tells onLog of what the page says on its console until the function it
// returns is called, which returns when all was told.
func (p *Page) Overhear(onLog func(ConsoleMessage)) (stop func()) {
	c := p.startCollecting(onLog)
	return func() { p.finishCollecting(c) }
}

func (p *Page) consoleCalled(_ *session, e *struct {
	Type string          `json:"type"`
	Args []consoleObject `json:"args"`
}) {
	if len(p.collectors) == 0 && len(p.watches) == 0 {
		return
	}
	level := consoleLevel(e.Type)
	if level == "" {
		return
	}
	text := cutText(formatConsole(e.Args), messageLimit)
	p.report(Event{Kind: EventConsole, Console: &ConsoleMessage{Level: level, Message: text}})
	for c := range p.collectors {
		c.add(level, text)
	}
}

// cutText shortens text to about limit bytes, at a character, and says how much is gone.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return fmt.Sprintf("%s... (%d more bytes)", text[:limit], len(text)-limit)
}

// consoleLevel maps Chrome's console call types; grouping and timing calls have no text of their own.
func consoleLevel(kind string) string {
	switch kind {
	case "log", "dir", "dirxml", "table", "trace", "count", "timeEnd":
		return "log"
	case "info", "debug", "error":
		return kind
	case "warning":
		return "warn"
	case "assert":
		return "error"
	}
	return ""
}

// consoleObject is the part of a remote object that a log line shows.
type consoleObject struct {
	Type                string          `json:"type"`
	Subtype             string          `json:"subtype"`
	Value               json.RawMessage `json:"value"`
	UnserializableValue string          `json:"unserializableValue"`
	Description         string          `json:"description"`
	Preview             *objectPreview  `json:"preview"`
}

type objectPreview struct {
	Subtype    string            `json:"subtype"`
	Overflow   bool              `json:"overflow"`
	Properties []previewProperty `json:"properties"`
}

type previewProperty struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Value   string `json:"value"`
}

func formatConsole(args []consoleObject) string {
	parts := make([]string, len(args))
	for i := range args {
		parts[i] = args[i].text()
	}
	return strings.Join(parts, " ")
}

func (o *consoleObject) text() string {
	if o.Type == "string" {
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
	}
	switch {
	case o.UnserializableValue != "":
		return o.UnserializableValue
	case o.Type == "undefined":
		return "undefined"
	case o.Preview != nil && (o.Subtype == "" || o.Subtype == "array"):
		return o.Preview.text()
	case o.Description != "":
		return o.Description
	}
	return string(o.Value)
}

func (v *objectPreview) text() string {
	open, end := "{", "}"
	if v.Subtype == "array" {
		open, end = "[", "]"
	}
	var parts []string
	for _, prop := range v.Properties {
		value := prop.Value
		if prop.Type == "string" {
			value = `"` + value + `"`
		}
		if v.Subtype != "array" {
			value = prop.Name + ": " + value
		}
		parts = append(parts, value)
	}
	if v.Overflow {
		parts = append(parts, "...")
	}
	return open + strings.Join(parts, ", ") + end
}
