package ops

import "fmt"

// Kind is the stable name of a failure, sent as data.kind (docs/protocol.md,
// "Errors"). A face maps it to its own code; nothing else may.
type Kind string

// The kinds of docs/protocol.md.
const (
	KindParseError         Kind = "parse_error"
	KindInvalidRequest     Kind = "invalid_request"
	KindMethodNotFound     Kind = "method_not_found"
	KindInvalidParams      Kind = "invalid_params"
	KindInternal           Kind = "internal"
	KindCancelled          Kind = "cancelled"
	KindSkillNotFound      Kind = "skill_not_found"
	KindToolNotFound       Kind = "tool_not_found"
	KindSkillBroken        Kind = "skill_broken"
	KindToolFailed         Kind = "tool_failed"
	KindTimeout            Kind = "timeout"
	KindLimitExceeded      Kind = "limit_exceeded"
	KindResultInvalid      Kind = "result_invalid"
	KindBrowserUnavailable Kind = "browser_unavailable"
	KindBrowserGone        Kind = "browser_gone"
	KindPageError          Kind = "page_error"
	KindPolicyDenied       Kind = "policy_denied"
	KindBusy               Kind = "busy"
)

// Error is the one error type that leaves this package: what happened to what
// and why (Message: lower case, one line), what to do next (Hint), and the
// members of the wire's data object beyond kind, retryable and hint (Data).
type Error struct {
	Kind      Kind
	Message   string
	Hint      string
	Retryable bool
	Data      map[string]any
	// Err is the cause, for errors.Is and the log. It is never sent.
	Err error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// HostError tells the JS side what kind of failure a host call met, so that a
// tool can branch on error.kind instead of on wording.
func (e *Error) HostError() (kind string, data any) { return string(e.Kind), e.Data }

// Errorf makes an Error of a kind with a formatted message.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// WithHint returns e with the next step set.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// With returns e with one member of data set.
func (e *Error) With(name string, value any) *Error {
	if e.Data == nil {
		e.Data = make(map[string]any)
	}
	e.Data[name] = value
	return e
}
