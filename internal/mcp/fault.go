package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"egod/internal/ops"
	"egod/internal/wire"
)

// maxFaultText bounds the message of an error: the library quotes params in some.
const maxFaultText = 400

// fault is an error as the client sees it. Those of handlers have come through
// Server.around; the library's own may lack a code, when a method is called too early
// or with params that are none.
func (c *connection) fault(r *wire.Request, err error) *wire.Fault {
	var known *jsonrpc.Error
	coded := errors.As(err, &known) && known.Code != 0
	switch {
	case coded && known.Data != nil:
		return &wire.Fault{Code: known.Code, Message: known.Message, Data: known.Data}
	case coded && known.Code == wire.CodeInvalidParams, !coded && r.Method == methodInitialize:
		return c.server.FaultOfCode(wire.CodeInvalidParams, badParams(r.Method, err.Error()))
	case coded:
		return c.server.FaultOfCode(known.Code, shorten(err.Error(), maxFaultText))
	}
	return c.server.FaultOfCode(wire.CodeInvalidRequest, shorten(err.Error(), maxFaultText))
}

// ofKind is an error for the audit log, which takes the kind alone, made from the data
// that a client gets.
func ofKind(data json.RawMessage) error {
	e := &ops.Error{Kind: ops.KindInternal}
	_ = json.Unmarshal(data, &struct{ Kind *ops.Kind }{&e.Kind}) // what has no kind is internal
	return e
}

// misfit finds the member that does not fit in what the library says of params.
var misfit = regexp.MustCompile(`into Go struct field \S+?\.(\w+) of type (\S+)$`)

// badParams says in plain words what is wrong with params that the library could not
// decode: it quotes them whole, and names types of its own.
func badParams(method, message string) string {
	if found := misfit.FindStringSubmatch(message); found != nil {
		return fmt.Sprintf("the params of %s do not fit: %q must be of type %s", method, found[1], found[2])
	}
	if strings.Contains(message, "unmarshal") {
		return "the params of " + method + " do not fit"
	}
	return shorten(message, maxFaultText)
}

// shorten cuts a text at a length in bytes, between characters.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && text[limit]&0xC0 == 0x80 {
		limit--
	}
	return text[:limit] + "..."
}
