package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"egod/internal/ops"
	"egod/internal/wire"
)

// errUnknownMethod says that there is no such method, and which one is near.
func errUnknownMethod(name string, methods []string) *ops.Error {
	err := ops.Errorf(ops.KindMethodNotFound, "unknown method %q", name)
	if near := ops.Suggest(name, methods); len(near) > 0 {
		return err.WithHint("did you mean %q?", near[0])
	}
	return err.WithHint("the answer to initialize lists the methods")
}

// Client is what a client says about itself when it initializes.
type Client struct {
	Name, Version string
	// ProtocolVersion is the version that was agreed on.
	ProtocolVersion string
	// ProcessID is the process to end with, 0 when the client names none.
	ProcessID int
	// Workspace and Roots are as the client gave them; empty when it did not.
	Workspace string
	Roots     []string
	// Log says that the client wants "log" notifications.
	Log bool
}

// protocolVersion is the only version there is.
const protocolVersion = "1"

// initializeParams are the params of initialize.
type initializeParams struct {
	ProtocolVersion json.RawMessage `json:"protocolVersion,omitempty" doc:"the version the client speaks"`
	ClientInfo      clientInfo      `json:"clientInfo,omitempty" doc:"who the client is"`
	ProcessID       *int            `json:"processId,omitempty" doc:"the process to end with"`
	Workspace       string          `json:"workspace,omitempty" doc:"where packs are looked for"`
	Roots           []string        `json:"roots,omitempty" doc:"directories of packs"`
	Capabilities    clientWants     `json:"capabilities,omitempty" doc:"what the client wants"`
}

// Members of clientInfo and capabilities that are not known are for other versions
// and left alone.
type (
	clientInfo struct {
		Name    string `json:"name,omitempty"`
		Version string `json:"version,omitempty"`
	}
	clientWants struct {
		Log bool `json:"log,omitempty" doc:"log notifications"`
	}
)

func (clientInfo) TakesMore()  {}
func (clientWants) TakesMore() {}

// cancelParams are the params of both forms of cancelling.
type (
	cancelParams struct {
		ID json.RawMessage `json:"id,omitempty" doc:"id of the request"`
	}
	cancelledParams struct {
		RequestID json.RawMessage `json:"requestId,omitempty" doc:"id of the request"`
		Reason    json.RawMessage `json:"reason,omitempty" doc:"why, for the log"`
	}
)

var (
	noParams         = ops.NewDecoder[struct{}]()
	decodeInitialize = ops.NewDecoder[initializeParams]()
	decodeCancel     = ops.NewDecoder[cancelParams]()
	decodeCancelled  = ops.NewDecoder[cancelledParams]()
)

// parseClient reads the params of initialize.
func parseClient(params []byte) (Client, error) {
	p, err := decodeInitialize.Decode(params)
	if err != nil {
		return Client{}, err
	}
	c := Client{
		Name: p.ClientInfo.Name, Version: p.ClientInfo.Version, Log: p.Capabilities.Log,
		Workspace: p.Workspace, Roots: p.Roots,
	}
	if p.ProcessID != nil {
		if c.ProcessID = *p.ProcessID; c.ProcessID <= 0 {
			return Client{}, ops.Errorf(ops.KindInvalidParams, "parameter %q must be the id of a process, got %d", "processId", c.ProcessID).
				With("path", "$.processId")
		}
	}
	c.ProtocolVersion, err = negotiate(p.ProtocolVersion)
	return c, err
}

// negotiate answers the version a client asks for: a later one is met with the
// latest there is, as the client can then decide (OpenCLI #1861: a client of
// another version must never half work); what is no version is refused.
func negotiate(asked json.RawMessage) (string, error) {
	if asked == nil || string(asked) == "null" {
		return protocolVersion, nil
	}
	number := bytes.Trim(asked, `"`)
	if len(bytes.Trim(number, "0123456789")) == 0 && len(bytes.Trim(number, "0")) > 0 {
		return protocolVersion, nil
	}
	return "", ops.Errorf(ops.KindInvalidParams, "protocol version %s is not supported", wire.Describe(asked)).
		With("path", "$.protocolVersion").With("supported", []string{protocolVersion}).
		WithHint("%s", fmt.Sprintf("ask for %q, or leave protocolVersion out", protocolVersion))
}
