package fetch

import (
	"fmt"
	"time"
)

// Rules that a DeniedError names.
const (
	// RuleScheme refuses URLs that are neither http nor https.
	RuleScheme = "fetch.scheme"
	// RulePrivate refuses addresses that are not public.
	RulePrivate = "fetch.private-net"
)

// DeniedError says that the client does not go where it was sent.
type DeniedError struct {
	Rule string
	// URL is the one that was refused: the request's own, or that of a redirect.
	URL string
	// Address is the IP address that was refused; empty for other rules.
	Address string
	// Reason says what is wrong with it.
	Reason string
}

func (e *DeniedError) Error() string {
	if e.URL == "" {
		return "refused: " + e.Reason
	}
	return fmt.Sprintf("fetching %s is refused: %s", e.URL, e.Reason)
}

// RequestError says what is wrong with a request. Field is the member it is
// about: url, method, headers, body or redirect.
type RequestError struct {
	Field  string
	Reason string
}

func (e *RequestError) Error() string { return e.Reason }

// TransportError says that no answer came: the name does not resolve, the
// connection was refused or broke, TLS failed, there were too many redirects.
type TransportError struct {
	Method, URL string
	Err         error
}

func (e *TransportError) Error() string {
	return fmt.Sprintf("%s %s failed: %v", e.Method, e.URL, e.Err)
}

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// TimeoutError says that the answer was not complete in time.
type TimeoutError struct {
	Method, URL string
	Timeout     time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s %s did not end within %v", e.Method, e.URL, e.Timeout)
}

// LimitError says that a body is longer than the client takes.
type LimitError struct {
	Method, URL string
	Bytes       int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s %s answered with more than %d bytes", e.Method, e.URL, e.Bytes)
}

// checkError carries the error of a request's own check through net/http.
type checkError struct{ error }
