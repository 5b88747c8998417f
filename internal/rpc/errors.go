package rpc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/ops"
)

// codeCancelled is the code language servers use for cancelled requests.
const codeCancelled = -32800

// code returns the error code of a kind, as docs/protocol.md, "Errors", has it,
// and whether the kind is known.
func code(kind ops.Kind) (int64, bool) {
	switch kind {
	case ops.KindParseError:
		return jsonrpc2.CodeParseError, true
	case ops.KindInvalidRequest:
		return jsonrpc2.CodeInvalidRequest, true
	case ops.KindMethodNotFound:
		return jsonrpc2.CodeMethodNotFound, true
	case ops.KindInvalidParams:
		return jsonrpc2.CodeInvalidParams, true
	case ops.KindInternal:
		return jsonrpc2.CodeInternalError, true
	case ops.KindCancelled:
		return codeCancelled, true
	case ops.KindSkillNotFound:
		return -32010, true
	case ops.KindToolNotFound:
		return -32011, true
	case ops.KindSkillBroken:
		return -32012, true
	case ops.KindToolFailed:
		return -32020, true
	case ops.KindTimeout:
		return -32021, true
	case ops.KindLimitExceeded:
		return -32022, true
	case ops.KindResultInvalid:
		return -32023, true
	case ops.KindBrowserUnavailable:
		return -32030, true
	case ops.KindBrowserGone:
		return -32031, true
	case ops.KindPageError:
		return -32032, true
	case ops.KindPolicyDenied:
		return -32040, true
	case ops.KindBusy:
		return -32050, true
	}
	return jsonrpc2.CodeInternalError, false
}

// panicError is a panic of a handler, caught at the edge of this package.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// wireError is the one place where an error becomes what the client sees. An
// error that nobody foresaw is not shown to the client: it gets an id, and the
// log has the error under the same id. method says what failed.
func (s *Server) wireError(method string, err error) *jsonrpc2.Error {
	var known *ops.Error
	switch {
	case errors.As(err, &known):
		if _, ok := code(known.Kind); !ok || known.Kind == ops.KindInternal {
			known = s.internalError(method, err)
		}
	case errors.Is(err, context.Canceled):
		known = ops.Errorf(ops.KindCancelled, "the request was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		known = ops.Errorf(ops.KindTimeout, "%s did not end in time", method)
	default:
		known = s.internalError(method, err)
	}
	number, _ := code(known.Kind)
	return &jsonrpc2.Error{Code: number, Message: oneLine(known.Message), Data: s.errorData(known)}
}

// internalError logs err under a new id and returns what the client is told.
func (s *Server) internalError(method string, err error) *ops.Error {
	id := errorID()
	attrs := []any{"errorId", id, "method", method, "error", err.Error()}
	var p *panicError
	if errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.stack))
	}
	s.log.Error("a request failed in a way nobody foresaw", attrs...)
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
func (s *Server) errorData(e *ops.Error) *json.RawMessage {
	data := make(map[string]any, len(e.Data)+3)
	maps.Copy(data, e.Data)
	data["kind"] = string(e.Kind)
	data["retryable"] = e.Retryable || e.Kind == ops.KindBusy
	if e.Hint != "" {
		data["hint"] = e.Hint
	}
	text, err := encode(data)
	if err != nil {
		s.log.Error("the data of an error has no JSON form", "kind", string(e.Kind), "error", err.Error())
		text = []byte(fmt.Sprintf(`{"kind":%q,"retryable":false}`, string(e.Kind)))
	}
	return (*json.RawMessage)(&text)
}

// oneLine makes a message fit one line of a log or a status bar.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}
