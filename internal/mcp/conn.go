package mcp

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
	"egod/internal/wire"
)

// call is a request that the library serves.
type call struct {
	*wire.Request
	// ctx ends when the client cancels the request, and when egod ends.
	ctx    context.Context //nolint:containedctx // of this one request
	cancel context.CancelCauseFunc
	// token is where progress goes, nil when the client asked for none.
	token json.RawMessage
	// revised says that the request is of the revision 2026-07-28 or later.
	revised bool
	// tool is what a tools/call was prepared for; nil for other methods.
	tool *toolCall
	// reached says that the library passed the request on to around, which tells the
	// audit log of it.
	reached atomic.Bool
}

// connection is the library's view of the client: it reads requests that are fit to
// be served, and writes what the library has to say.
//
// Read is called by one goroutine of the library, Write by any.
type connection struct {
	server *Server

	// ready is set once the client has come to know the server: what has changed before
	// is no news to it.
	ready atomic.Bool
	// greeted is set once initialize was answered. Clients of revisions that have none
	// are told of changes where they listen.
	greeted atomic.Bool

	mu sync.Mutex
	// calls are the requests that the library has not answered, by number; those
	// that were cancelled are still among them.
	calls map[uint64]*call
	// deaf is set with the end of listening: what wants to listen then ends at once.
	deaf bool
}

var (
	_ mcp.Transport  = (*connection)(nil)
	_ mcp.Connection = (*connection)(nil)
)

// Connect returns the connection itself.
func (c *connection) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: a pair of streams has one session.
func (c *connection) SessionID() string { return "" }

// Close does nothing: the Server decides what ends, and the reader and writer are
// the caller's.
func (c *connection) Close() error { return nil }

// Read returns the next message for the library. When the input has ended it waits
// until the connection is done with, because the library cancels all it serves when
// it hears of an end.
func (c *connection) Read(context.Context) (jsonrpc.Message, error) {
	for {
		text, err := c.server.Next()
		if err != nil {
			c.endListening()
			c.server.InputEnded(err)
			return nil, io.EOF
		}
		if message := c.accept(text); message != nil {
			return message, nil
		}
	}
}

// endListening ends the requests that the client keeps open to be told of changes:
// they would be waited for.
func (c *connection) endListening() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deaf = true
	for _, served := range c.calls {
		if served.Method == methodListen {
			served.cancel(wire.ErrEnding)
		}
	}
}

// accept checks one message. It returns nil when the message is dealt with.
func (c *connection) accept(text []byte) jsonrpc.Message {
	switch text[0] {
	case '{':
	case '[':
		c.server.Refuse(nil, wire.InvalidRequest("batches are not part of the Model Context Protocol").
			WithHint("send each message by itself"))
		return nil
	default:
		c.server.Refuse(nil, wire.InvalidRequest("a message must be an object, got %s", wire.Describe(text)))
		return nil
	}
	m := wire.ParseMessage(text)
	if m.IsResponse() {
		return c.response(text)
	}
	if err := m.Check(); err != nil {
		c.server.Refuse(m.Usable(), err)
		return nil
	}
	r := c.server.Request(m)
	if r.ID == nil {
		return c.notification(r)
	}
	return c.request(m, r)
}

// response passes on what the client answers to a request of ours.
func (c *connection) response(text []byte) jsonrpc.Message {
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		c.server.Log.Debug("a response was ignored", "error", err.Error())
		return nil
	}
	return message
}

const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodListen     = "subscriptions/listen"
	methodCallTool   = "tools/call"
	methodListTools  = "tools/list"
	methodCancelled  = "notifications/cancelled"
	notifications    = "notifications/"
)

// notification passes on a message that is not answered. A request without an id is
// none: it is not run.
func (c *connection) notification(r *wire.Request) jsonrpc.Message {
	switch {
	case r.Method == methodCancelled:
		c.cancelled(r.Params)
		return nil
	case !strings.HasPrefix(r.Method, notifications):
		c.server.Log.Debug("a notification was ignored", "method", r.Method)
		return nil
	}
	c.ready.Store(true)
	return &jsonrpc.Request{Method: r.Method, Params: r.Params}
}

// request registers a request and prepares it.
func (c *connection) request(m wire.Message, r *wire.Request) jsonrpc.Message {
	if !c.server.Register(r) {
		err := wire.ErrIDInUse(r)
		c.server.session.Asked(r.Method, err)
		c.server.Refuse(r.ID, err)
		return nil
	}
	if r.Method == "" {
		c.refuse(r, wire.ErrNoSuchMethod(m))
		return nil
	}
	if r.Method != methodInitialize && r.Method != methodPing {
		c.ready.Store(true)
	}
	token, err := checkRequest(r)
	if err != nil {
		c.refuse(r, err)
		return nil
	}
	served := &call{Request: r, token: token, revised: saysRevision(r.Params)}
	c.server.introduce(r, served.revised)
	served.ctx, served.cancel = context.WithCancelCause(c.server.Base)
	switch answered, err := c.server.StartWork(r, served.cancel); {
	case err != nil:
		served.cancel(nil)
		c.refuse(r, err)
		return nil
	case answered: // egod is ending
		served.cancel(nil)
		return nil
	}
	if r.Method == methodCallTool {
		served.tool = c.server.prepare(r.Params)
	}
	id, err := jsonrpc.MakeID(float64(r.Seq))
	if err != nil { // a number always is one
		c.refuse(r, err)
		return nil
	}
	c.mu.Lock()
	c.calls[r.Seq] = served
	if c.deaf && r.Method == methodListen {
		served.cancel(wire.ErrEnding)
	}
	c.mu.Unlock()
	params := r.Params
	r.Params = nil
	return &jsonrpc.Request{ID: id, Method: r.Method, Params: params, Extra: extra(served)}
}

// withParams are the methods that make no sense without params.
var withParams = []string{methodInitialize, methodCallTool, methodListen, "prompts/get", "resources/read", "resources/subscribe",
	"resources/unsubscribe", "completion/complete", "logging/setLevel"}

// checkRequest refuses what the library would take for something else, and returns
// the progress token.
func checkRequest(r *wire.Request) (token json.RawMessage, err error) {
	switch {
	case strings.HasPrefix(r.Method, notifications):
		return nil, wire.InvalidRequest("%s is a notification: it has no id", r.Method)
	case r.Params == nil && slices.Contains(withParams, r.Method):
		return nil, ops.Errorf(ops.KindInvalidParams, "%s needs params", r.Method).With("path", "$")
	case r.Params != nil && r.Params[0] != '{':
		return nil, ops.Errorf(ops.KindInvalidParams, "the params of %s must be an object, got %s", r.Method, wire.Describe(r.Params)).With("path", "$")
	}
	return wire.ProgressToken(r.Params)
}

// extra carries the call through the library to whoever serves it.
func extra(served *call) *mcp.RequestExtra {
	return &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{"call": served}}}
}

// callOf returns the call that a request was read as, nil for a notification.
func callOf(req mcp.Request) *call {
	extra := req.GetExtra()
	if extra == nil || extra.TokenInfo == nil {
		return nil
	}
	served, _ := extra.TokenInfo.Extra["call"].(*call)
	return served
}

// refuse answers a request that was registered and does not reach the library.
func (c *connection) refuse(r *wire.Request, err error) {
	if r.Method != methodPing {
		c.server.session.Asked(r.Method, err)
	}
	c.fail(r, err)
}

// fail answers a request that the audit log hears of by itself.
func (c *connection) fail(r *wire.Request, err error) {
	c.answer(r, wire.Answer{Error: c.server.Fault(r.Method, err)}, "failed")
}

// answer writes the one answer to r, unless somebody has.
func (c *connection) answer(r *wire.Request, answer wire.Answer, outcome string) {
	if !c.server.Settle(r, outcome) {
		return
	}
	c.server.Send(wire.AppendAnswer(nil, r.ID, answer))
	c.server.Remove(r)
}

type cancelledParams struct {
	RequestID json.RawMessage `json:"requestId"`
}

// cancelled ends a request. As the protocol wants, it is not answered. Ids that are
// unknown or were answered are ignored.
func (c *connection) cancelled(params json.RawMessage) {
	var p cancelledParams
	if err := json.Unmarshal(params, &p); err != nil {
		c.server.Log.Debug("a cancel names no request")
		return
	}
	r := c.server.ByID(p.RequestID)
	if r == nil || !c.server.Settle(r, "cancelled") {
		return
	}
	c.server.Remove(r)
	c.server.StopWork(r, wire.ErrCancelledByClient)
}
