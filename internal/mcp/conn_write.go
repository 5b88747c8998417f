package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

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
		c.answer(served.Request, wire.Answer{Error: c.fault(served.Request, response.Error)}, "failed")
		return nil
	}
	result := json.RawMessage(frame.ValidText(response.Result))
	if served.Method == methodListen {
		result = replaceSubscription(result, func(uint64) *call { return served })
	}
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
	text = c.subscription(frame.ValidText(text))
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

// subscriptionKey marks the number of the request that a notification belongs to.
var subscriptionKey = []byte(`"io.modelcontextprotocol/subscriptionId":`)

// subscription puts the client's own id where the library wrote the number of the
// request that listens.
func (c *connection) subscription(text []byte) []byte {
	return replaceSubscription(text, func(seq uint64) *call {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.calls[seq]
	})
}

func replaceSubscription(text []byte, find func(seq uint64) *call) []byte {
	before, rest, found := bytes.Cut(text, subscriptionKey)
	if !found {
		return text
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return text
	}
	seq, err := strconv.ParseUint(string(rest[:end]), 10, 64)
	if err != nil {
		return text
	}
	served := find(seq)
	if served == nil {
		return text
	}
	return slices.Concat(before, subscriptionKey, served.ID, rest[end:])
}
