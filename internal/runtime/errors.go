package runtime

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrClosed is returned by the methods of a closed Pool.
var ErrClosed = errors.New("runtime pool is closed")

// Printed is part of the errors that end a program that had begun.
type Printed struct {
	// Output is what a script had printed before.
	Output string `json:"-"`
}

func (p *Printed) printed() *Printed { return p }

// PrintedBefore finds what a script had printed before err ended it; nil when err
// is about no program that had begun.
func PrintedBefore(err error) *Printed {
	var ended interface{ printed() *Printed }
	if errors.As(err, &ended) {
		return ended.printed()
	}
	return nil
}

// ScriptError is an exception that the program did not catch.
type ScriptError struct {
	// Name is the error's name, "Error" for thrown values that are no Error.
	Name string `json:"name"`
	// Message is its message, or the text of a thrown value that is no Error.
	Message string `json:"message"`
	// Stack is in pack coordinates: "Name: message" and lines "    at f (file:line:column)".
	Stack string `json:"stack"`
	// File is relative to the pack; "" when no line of the pack is known.
	File string `json:"file,omitempty"`
	// Line and Column are one-based, of the throw where the value was first
	// thrown, or of the failed operation; 0 when not known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Kind is the kind property of errors made by the host or by a policy of the
	// runtime ("policy_denied"), else "".
	Kind string `json:"kind,omitempty"`
	// Rule is the rule of the policy that such an error names, else "".
	Rule string `json:"rule,omitempty"`
	// Hint is the next step, where there is one.
	Hint string `json:"hint,omitempty"`
	// Cause is the Go error of the host call when that call's rejection reached
	// the end of the program uncaught.
	Cause error `json:"-"`
	Printed
}

func (e *ScriptError) Error() string {
	text := oneLine(e.Message)
	switch {
	case text == "":
		text = e.Name
	case e.Name != "" && e.Name != "Error":
		text = e.Name + ": " + text
	}
	if e.File != "" {
		text += fmt.Sprintf(" (%s:%d:%d)", e.File, e.Line, e.Column)
	}
	return text
}

// Unwrap returns the host call's error.
func (e *ScriptError) Unwrap() error { return e.Cause }

// Problem is one thing that keeps a program from being compiled or entered.
type Problem struct {
	// File is relative to the pack; Line and Column are one-based, 0 = not known.
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Code is a stable dotted name: tool.syntax, tool.import, tool.too-large,
	// tool.missing-callable, tool.unsupported, tool.too-deep, tool.missing-file.
	Code     string `json:"code"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	LineText string `json:"lineText,omitempty"`
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// CompileError says why a program cannot be run at all.
type CompileError struct {
	Problems []Problem
}

func (e *CompileError) Error() string {
	if len(e.Problems) == 0 {
		return "program does not compile"
	}
	text := oneLine(e.Problems[0].String())
	if n := len(e.Problems) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// TimeoutError says that a run reached Request.Timeout.
type TimeoutError struct {
	Timeout time.Duration
	// Stopped tells that the execution has ended, by interrupt or by the end of its worker.
	Stopped bool
	Printed
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("run did not end within %s and was stopped", e.Timeout)
}

// LimitError says which limit of Limits ended a run.
type LimitError struct {
	// Limit is memory, stack, output, log, timers or calls.
	Limit string
	// Detail is one line for people.
	Detail string
	Hint   string
	Printed
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s limit exceeded: %s", e.Limit, e.Detail)
}

// ResultError says that the returned value has no JSON form.
type ResultError struct {
	// Path is where, for example "$.a.b" or "$[3]".
	Path   string
	Reason string
	Hint   string
	Printed
}

func (e *ResultError) Error() string {
	return fmt.Sprintf("result not serialisable at %s: %s", e.Path, e.Reason)
}

// WorkerError says that a worker died of itself or could not be started.
type WorkerError struct {
	// Reason is the exit status, or why it did not start.
	Reason string
	// Stderr is the tail of what it printed.
	Stderr string
	Hint   string
	// Ran says that it had been given a program, which may be the cause.
	Ran bool
}

func (e *WorkerError) Error() string {
	text := "worker process failed: " + oneLine(e.Reason)
	if line, _, _ := strings.Cut(strings.TrimSpace(e.Stderr), "\n"); line != "" {
		text += ": " + line
	}
	return text
}

// hostError is what Go errors may have to say more to JavaScript than their text.
type hostError interface {
	HostError() (kind string, data any)
}

func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
