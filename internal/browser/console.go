package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// collectLimit bounds what one call keeps of the page's console.
const collectLimit = 1000

// ConsoleMessage is one console call of a page.
type ConsoleMessage struct {
	Level   string `json:"level"` // "log", "info", "warn", "error" or "debug"
	Message string `json:"message"`
	TimeMs  int64  `json:"timeMs"` // since the call began
}

// collector gathers what a page says while one call runs; Page.mu guards it.
type collector struct {
	began   time.Time
	logs    []ConsoleMessage
	dialogs []Dialog
	dropped int
}

func (p *Page) startCollecting() *collector {
	c := &collector{began: time.Now()}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.collectors[c] = struct{}{}
	return c
}

// finish ends the collection. Events that Chrome sent before the call's answer
// were handled before it, so nothing of the call is missed.
func (p *Page) finishCollecting(c *collector) ([]ConsoleMessage, []Dialog) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.collectors, c)
	if c.dropped > 0 {
		c.logs = append(c.logs, ConsoleMessage{
			Level: "warn", Message: fmt.Sprintf("%d more console messages were dropped", c.dropped), TimeMs: time.Since(c.began).Milliseconds(),
		})
	}
	return c.logs, c.dialogs
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
	text := formatConsole(e.Args)
	p.report(Event{Kind: EventConsole, Console: &ConsoleMessage{Level: level, Message: text}})
	for c := range p.collectors {
		if len(c.logs) >= collectLimit {
			c.dropped++
			continue
		}
		c.logs = append(c.logs, ConsoleMessage{Level: level, Message: text, TimeMs: time.Since(c.began).Milliseconds()})
	}
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
