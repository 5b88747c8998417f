package rpc

import (
	"bytes"
	"encoding/json"

	"egod/internal/frame"
	"egod/internal/ops"
	"egod/internal/wire"
)

// notifications are the methods this server may notify its client of.
func notifications() []string {
	return []string{"$/progress", "log", "skills/changed", "skills/diagnostics"}
}

// Change is one swap of the skill index, as "skills/changed" tells it.
type Change struct {
	Generation uint64   `json:"generation"`
	Added      []string `json:"added"`
	Updated    []string `json:"updated"`
	Removed    []string `json:"removed"`
	Reason     string   `json:"reason"`
	// Diagnostics are the files whose set of diagnostics changed; each is sent
	// as "skills/diagnostics".
	Diagnostics []FileDiagnostics `json:"-"`
}

// FileDiagnostics is the set of diagnostics of one file, empty when there are
// none any more.
type FileDiagnostics struct {
	URI    string `json:"uri"`
	SiteID string `json:"siteId"`
	// Diagnostics is a slice whose items have the JSON form of docs/protocol.md.
	Diagnostics any `json:"diagnostics"`
}

// Changed tells the client of a new skill index. It never blocks, and does
// nothing before Run and after it. It may be called by any goroutine.
func (s *Server) Changed(c Change) {
	for _, list := range []*[]string{&c.Added, &c.Updated, &c.Removed} {
		if *list == nil {
			*list = []string{}
		}
	}
	if len(c.Added)+len(c.Updated)+len(c.Removed) > 0 { // else only findings changed
		s.Notify("skills/changed", c)
	}
	for _, file := range c.Diagnostics {
		text, err := wire.Encode(file.Diagnostics)
		if err != nil {
			s.Log.Error("diagnostics have no JSON form", "uri", file.URI, "error", err.Error())
			continue
		}
		if bytes.Equal(text, []byte("null")) {
			text = []byte("[]")
		}
		file.Diagnostics = json.RawMessage(text)
		s.Notify("skills/diagnostics", file)
	}
}

// observer passes what a tool prints on to the client while it runs.
type observer struct {
	server  *Server
	request *wire.Request
}

var _ ops.Observer = (*observer)(nil)

type logParams struct {
	ops.LogEvent
	RequestID json.RawMessage `json:"requestId,omitempty"`
}

// Log queues one line. Lines that come after the answer are dropped.
func (o *observer) Log(e ops.LogEvent) {
	text := o.server.Notification("log", logParams{LogEvent: e, RequestID: o.request.ID})
	o.server.WhileOpen(o.request, func() { o.server.Queue(text, frame.LogShare) })
}

// progress returns what reports on a request to a token, nil when there is none.
func (s *Server) progress(token json.RawMessage) func(wire.Progress) {
	if token == nil {
		return nil
	}
	return func(p wire.Progress) {
		s.Notify("$/progress", progressParams{
			Token: token,
			Value: progressValue{Kind: p.Kind, Message: p.Message, ElapsedMs: p.Elapsed.Milliseconds()},
		})
	}
}

type progressParams struct {
	Token json.RawMessage `json:"token"`
	Value progressValue   `json:"value"`
}

type progressValue struct {
	Kind      string `json:"kind"`
	Message   string `json:"message,omitempty"`
	ElapsedMs int64  `json:"elapsedMs"`
}
