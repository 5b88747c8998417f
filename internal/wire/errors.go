package wire

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"

	"egod/internal/ops"
)

// The codes of JSON-RPC 2.0, and the one that language servers use for cancelled
// requests.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
	CodeCancelled      = -32800
)

// Code is one row of the table of errors.
type Code struct {
	// Code is the code of the JSON-RPC error, Kind its data.kind.
	Code int64
	Kind ops.Kind
	// Meaning is one line for the reference.
	Meaning string
}

// Codes returns every kind of error with its code, in the order of
// docs/protocol.md, "Errors", which is made from it.
func Codes() []Code {
	return []Code{
		{CodeParseError, ops.KindParseError, "the frame is not one JSON text"},
		{CodeInvalidRequest, ops.KindInvalidRequest, "not a request: wrong shape, too large, an id in use, or after `shutdown`"},
		{CodeMethodNotFound, ops.KindMethodNotFound, "no such method; the hint has a near one"},
		{CodeInvalidParams, ops.KindInvalidParams, "`data.path`, and where it helps `data.expected` and `data.actual`"},
		{CodeInternalError, ops.KindInternal, "a fault of egod; the log has the cause under `data.errorId`"},
		{CodeCancelled, ops.KindCancelled, "cancelled by the client, or because egod is ending"},
		{-32010, ops.KindSkillNotFound, "no pack with that id; near ids and the searched roots"},
		{-32011, ops.KindToolNotFound, "the pack has no such tool of that kind; says so if it is of the other kind"},
		{-32012, ops.KindSkillBroken, "the pack has errors that stop this tool, in `data.diagnostics`"},
		{-32020, ops.KindToolFailed, "the tool threw; `data.error` has name, message, stack, file, line and column in the pack"},
		{-32021, ops.KindTimeout, "the deadline passed; `data.timeoutMs`, `data.executionStopped`, `data.mayHaveLateEffects`"},
		{-32022, ops.KindLimitExceeded, "a limit on memory, stack, output or log, named in `data.limit`"},
		{-32023, ops.KindResultInvalid, "the value is not serialisable, or not of the declared type"},
		{-32030, ops.KindBrowserUnavailable, "Chrome was not found or did not start: path, exit code, last lines of its stderr"},
		{-32031, ops.KindBrowserGone, "Chrome died during the call; the next call starts a fresh one"},
		{-32032, ops.KindPageError, "navigation failed, the page went away, no such element, or a dialog in the way"},
		{-32040, ops.KindPolicyDenied, "refused by the policy: which rule, and how to allow it"},
		{-32050, ops.KindBusy, "too much is under way; retry later"},
	}
}

// code returns the code of a kind, and whether there is such a kind.
func code(kind ops.Kind) (int64, bool) {
	for _, row := range Codes() {
		if row.Kind == kind {
			return row.Code, true
		}
	}
	return CodeInternalError, false
}

// PanicError is a panic of a handler, caught at the edge of a face.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Fault is the one place where an error becomes what the client sees. An
// error that nobody foresaw is not shown to the client: it gets an id, and the
// log has the error under the same id. method says what failed.
func (c *Conn) Fault(method string, err error) *Fault {
	var known *ops.Error
	switch {
	case errors.As(err, &known):
		if _, ok := code(known.Kind); !ok || known.Kind == ops.KindInternal {
			known = c.internalError(method, err)
		}
	case errors.Is(err, context.Canceled):
		known = ops.Errorf(ops.KindCancelled, "the request was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		known = ops.Errorf(ops.KindTimeout, "%s did not end in time", method)
	default:
		known = c.internalError(method, err)
	}
	number, _ := code(known.Kind)
	return &Fault{Code: number, Message: oneLine(known.Message), Data: c.errorData(known)}
}

// FaultOfCode is an error that a library has given its code.
func (c *Conn) FaultOfCode(code int64, message string) *Fault {
	fault := &Fault{Code: code, Message: oneLine(message)}
	for _, row := range Codes() {
		if row.Code == code {
			fault.Data = c.errorData(&ops.Error{Kind: row.Kind})
		}
	}
	return fault
}

// internalError logs err under a new id and returns what the client is told.
func (c *Conn) internalError(method string, err error) *ops.Error {
	id := errorID()
	attrs := []any{"errorId", id, "method", method, "error", err.Error()}
	var p *PanicError
	if errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.Stack))
	}
	c.Log.Error("a request failed in a way nobody foresaw", attrs...)
	return ops.Errorf(ops.KindInternal, "internal error %s in %q", id, method).
		With("errorId", id).
		WithHint("the log of egod has the cause under this id; egod goes on")
}

// errorID returns a short random id. crypto/rand never fails.
func errorID() string {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// errorData encodes the data member of an error.
func (c *Conn) errorData(e *ops.Error) json.RawMessage {
	data := make(map[string]any, len(e.Data)+3)
	maps.Copy(data, e.Data)
	data["kind"] = string(e.Kind)
	data["retryable"] = e.Retryable || e.Kind == ops.KindBusy
	if e.Hint != "" {
		data["hint"] = e.Hint
	}
	text, err := Encode(data)
	if err != nil {
		c.Log.Error("the data of an error has no JSON form", "kind", string(e.Kind), "error", err.Error())
		text = []byte(fmt.Sprintf(`{"kind":%q,"retryable":false}`, string(e.Kind)))
	}
	return text
}

// oneLine makes a message fit one line of a log or a status bar.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}

// Recovered turns a panic of the function that defers it into *err.
func Recovered(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}
