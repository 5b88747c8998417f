package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"egod/internal/frame"
	"egod/internal/wire"
)

// Write writes a message of the library. It never waits.
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	switch m := message.(type) {
	case *jsonrpc.Response:
		return c.writeAnswer(m)
	case *jsonrpc.Request:
		return c.writeRequest(m)
	}
	return fmt.Errorf("cannot write a %T", message)
}

// writeAnswer writes what the library answers, under the client's own id.
func (c *connection) writeAnswer(response *jsonrpc.Response) error {
	seq, ok := response.ID.Raw().(int64)
	if !ok {
		return nil // to a message that had no id
	}
	c.mu.Lock()
	served := c.calls[uint64(seq)]
	delete(c.calls, uint64(seq))
	c.mu.Unlock()
	if served == nil {
		return fmt.Errorf("no request has the number %d", seq)
	}
	defer c.server.FinishWork(served.Request)
	served.tool.drop()
	served.cancel(nil)
	if response.Error != nil {
		fault := c.fault(served.Request, response.Error)
		if !served.reached.Load() { // an unknown method, or params that do not fit
			c.server.session.Asked(served.Method, ofKind(fault.Data))
		}
		c.answer(served.Request, wire.Answer{Error: fault}, "failed")
		return nil
	}
	result := json.RawMessage(frame.ValidText(response.Result))
	if served.revised {
		result = complete(result)
	}
	c.answer(served.Request, wire.Answer{Result: result}, "done")
	return nil
}

// writeRequest writes a notification, which a client that does not keep up misses,
// or a request of ours.
func (c *connection) writeRequest(m *jsonrpc.Request) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	text = frame.ValidText(text)
	switch {
	case m.IsCall():
		c.server.Send(text)
	case !c.ready.Load():
	case m.Method == "notifications/message":
		c.server.Queue(text, frame.LogShare)
	default:
		c.server.Queue(text, frame.NotifyShare)
	}
	return nil
}
