package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"egod/internal/ops"
)

// controlParams takes the params of a control method apart: one value for each
// name, in order, nil where it is absent or null. Names may be given by
// position, as everywhere.
func controlParams(params []byte, names ...string) ([]json.RawMessage, error) {
	values := make([]json.RawMessage, len(names))
	set := func(i int, value []byte) {
		if string(value) != "null" {
			values[i] = value
		}
	}
	if len(params) == 0 {
		return values, nil
	}
	if params[0] == '[' {
		i := 0
		for item, rest := nextItem(params[1:]); item != nil; item, rest = nextItem(rest) {
			if i == len(names) {
				return nil, ops.Errorf(ops.KindInvalidParams, "too many positional params: at most %d are taken", len(names))
			}
			set(i, item)
			i++
		}
		return values, nil
	}
	var unknown error
	eachMember(params, func(key, value []byte) {
		name := string(key)
		if i := slices.Index(names, name); i >= 0 {
			set(i, value)
		} else if name != "_meta" {
			unknown = unknownParam(name, names)
		}
	})
	return values, unknown
}

func unknownParam(name string, names []string) error {
	err := ops.Errorf(ops.KindInvalidParams, "unknown parameter %q", name).With("path", "$."+name)
	if near := ops.Suggest(name, names); len(near) > 0 {
		return err.WithHint("did you mean %q?", near[0])
	}
	if len(names) == 0 {
		return err.WithHint("this method takes no parameters")
	}
	return err.WithHint("the parameters are %s", strings.Join(names, ", "))
}

// decodeParam decodes one value into dst; want names the type in words.
func decodeParam(name, want string, value json.RawMessage, dst any) error {
	if value == nil {
		return nil
	}
	if err := json.Unmarshal(value, dst); err != nil {
		return ops.Errorf(ops.KindInvalidParams, "parameter %q must be %s, got %s", name, want, describe(value)).
			With("path", "$."+name).With("expected", want).With("actual", describe(value))
	}
	return nil
}

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

// parseClient reads the params of initialize. Members of clientInfo and
// capabilities that are not known are for other versions and left alone.
func parseClient(params []byte) (Client, error) {
	values, err := controlParams(params, "protocolVersion", "clientInfo", "processId", "workspace", "roots", "capabilities")
	if err != nil {
		return Client{}, err
	}
	var c Client
	var info struct{ Name, Version string }
	var capabilities struct{ Log bool }
	for _, p := range []struct {
		name, want string
		value      json.RawMessage
		dst        any
	}{
		{"clientInfo", "an object with name and version", values[1], &info},
		{"processId", "an integer", values[2], &c.ProcessID},
		{"workspace", "a string", values[3], &c.Workspace},
		{"roots", "an array of strings", values[4], &c.Roots},
		{"capabilities", "an object", values[5], &capabilities},
	} {
		if err := decodeParam(p.name, p.want, p.value, p.dst); err != nil {
			return Client{}, err
		}
	}
	if values[2] != nil && c.ProcessID <= 0 {
		return Client{}, ops.Errorf(ops.KindInvalidParams, "parameter %q must be the id of a process, got %d", "processId", c.ProcessID).
			With("path", "$.processId")
	}
	c.Name, c.Version, c.Log = info.Name, info.Version, capabilities.Log
	c.ProtocolVersion, err = negotiate(values[0])
	return c, err
}

// negotiate answers the version a client asks for: a later one is met with the
// latest there is, as the client can then decide (OpenCLI #1861: a client of
// another version must never half work); what is no version is refused.
func negotiate(asked json.RawMessage) (string, error) {
	if asked == nil {
		return protocolVersion, nil
	}
	if n, ok := digits(bytes.Trim(asked, `"`)); ok && n >= 1 {
		return protocolVersion, nil
	}
	return "", ops.Errorf(ops.KindInvalidParams, "protocol version %s is not supported", describe(asked)).
		With("path", "$.protocolVersion").With("supported", []string{protocolVersion}).
		WithHint("%s", fmt.Sprintf("ask for %q, or leave protocolVersion out", protocolVersion))
}
