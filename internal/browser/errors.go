package browser

import (
	"errors"
	"fmt"
	"strings"
)

// UnavailableError says that Chrome was not found or did not start.
type UnavailableError struct {
	Path     string // the binary that was tried; empty when none was found
	ExitCode int    // exit code of the child; -1 when it did not exit by itself
	Stderr   string // last lines Chrome printed
	Reason   string // what went wrong
	Hint     string // what to do
	Cause    error
}

func (e *UnavailableError) Error() string {
	var b strings.Builder
	b.WriteString("chrome is not available: ")
	b.WriteString(e.Reason)
	if e.Path != "" {
		fmt.Fprintf(&b, " (%s)", e.Path)
	}
	if last := lastLine(e.Stderr); last != "" {
		fmt.Fprintf(&b, ": %s", last)
	}
	return b.String()
}

func (e *UnavailableError) Unwrap() error { return e.Cause }

// GoneError says that Chrome ended while a call was running. The next call
// starts a fresh one.
type GoneError struct {
	Cause error
	Hint  string
}

func (e *GoneError) Error() string {
	if e.Cause == nil {
		return "chrome is gone"
	}
	return "chrome is gone: " + e.Cause.Error()
}

func (e *GoneError) Unwrap() error { return e.Cause }

// PageError says that a page could not do what it was asked: the navigation
// was refused, the document went away, the tab closed or crashed.
type PageError struct {
	Op     string // what was asked, e.g. "goto"
	URL    string // the page or the address it is about, when known
	Reason string
	Hint   string
	// Permanent: the call is wrong as it is, and fails again when it is repeated.
	Permanent bool
	Cause     error
}

func (e *PageError) Error() string {
	msg := e.Reason
	if e.Op != "" {
		msg = e.Op + ": " + msg
	}
	if e.URL != "" {
		msg += " (" + e.URL + ")"
	}
	return oneLine(msg)
}

func (e *PageError) Unwrap() error { return e.Cause }

// EvalError is an exception or a rejection that left page code.
type EvalError struct {
	Name    string // constructor name of an Error; empty for other thrown values
	Message string
	Stack   string // frames in the page, without those of egod's wrapper
	File    string // name given to the script, when the position is inside it
	Line    int    // one-based; 0 when unknown
	Column  int    // one-based; 0 when unknown
	// Value is the thrown value in tagged JSON when it was not an Error.
	Value []byte
	// Expression is the start of the source that ran, newlines shown as \n.
	Expression string
	// Syntax reports that the source did not parse, so nothing of it ran.
	Syntax bool
}

// Error keeps the wording of the original helper, so that scripts that match on it go on working.
func (e *EvalError) Error() string {
	var b strings.Builder
	b.WriteString("JavaScript evaluation failed")
	if e.Line > 0 {
		fmt.Fprintf(&b, " at line %d, column %d", e.Line, e.Column)
	}
	b.WriteString(": ")
	b.WriteString(oneLine(e.text()))
	if e.Expression != "" {
		b.WriteString("; expression: ")
		b.WriteString(e.Expression)
	}
	return b.String()
}

func (e *EvalError) text() string {
	switch {
	case e.Name != "" && e.Message != "":
		return e.Name + ": " + e.Message
	case e.Name != "":
		return e.Name
	}
	return e.Message
}

// ResultError says that a value cannot leave the page as JSON.
type ResultError struct {
	Path   string // where in the value, e.g. "$.a.b"
	Reason string // e.g. "a function"
	Hint   string
}

func (e *ResultError) Error() string {
	return fmt.Sprintf("result not serialisable at %s: %s", e.Path, e.Reason)
}

// ElementError says that a selector did not give the one element an operation needs.
type ElementError struct {
	Op        string // e.g. "click"
	Selector  string
	Reason    string
	Matches   int  // how many elements matched, when that is the problem
	Permanent bool // waiting longer cannot help: bad selector, ambiguous
	Hint      string
}

func (e *ElementError) Error() string {
	if e.Op == "" {
		return oneLine(e.Reason)
	}
	return oneLine(e.Op + ": " + e.Reason)
}

// errClosed ends calls on a Manager that was closed on purpose.
var errClosed = errors.New("the browser was closed")

// errDetached marks a session whose target went away.
var errDetached = errors.New("target closed")

func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
