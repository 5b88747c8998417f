package mcp

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
	"egod/internal/wire"
)

// progressParams are those of notifications/progress.
type progressParams struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress int             `json:"progress"`
	Message  string          `json:"message"`
}

// progress returns what reports on a request to a token, nil when there is none. The
// protocol wants a number that grows: it is that of the report. Begin and end are not
// told: a client that reads them together with the answer has forgotten the token by
// then, and takes them for a fault.
func (s *Server) progress(token json.RawMessage) func(wire.Progress) {
	if token == nil {
		return nil
	}
	count := 0 // reports come one after the other
	return func(p wire.Progress) {
		if p.Kind != "report" {
			return
		}
		count++
		s.Notify("notifications/progress", progressParams{Token: token, Progress: count, Message: p.Message})
	}
}

// observer passes what a tool prints on to the client while it runs, as far as the
// client has asked for it with logging/setLevel.
type observer struct {
	// ctx has what the library keeps of the request.
	ctx     context.Context //nolint:containedctx // of this one request
	server  *Server
	session *mcp.ServerSession
	request *wire.Request
}

var _ ops.Observer = (*observer)(nil)

// Log queues one line. Lines that come after the answer are dropped.
func (o *observer) Log(e ops.LogEvent) {
	if o.session == nil || o.server.Answered(o.request) {
		return
	}
	logger := e.SiteID
	if e.ToolName != "" {
		logger += "." + e.ToolName
	}
	err := o.session.Log(o.ctx, &mcp.LoggingMessageParams{Level: logLevel(e.Level), Logger: logger, Data: e.Message, Meta: PackOrigin(e.SiteID).Meta()})
	if err != nil {
		o.server.Log.Debug("a console line was not passed on", "error", err.Error())
	}
}

// logLevel is the severity of a level of a JavaScript console.
func logLevel(console string) mcp.LoggingLevel {
	switch console {
	case "error":
		return "error"
	case "warn":
		return "warning"
	case "debug", "trace":
		return "debug"
	}
	return "info"
}
