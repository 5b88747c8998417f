package main

import (
	"errors"
	"fmt"

	"egod/internal/ops"
)

// exitError ends the program with a code. A quiet one has said all it has to
// say already.
type exitError struct {
	code int
	err  error
	hint string
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError reports a wrong command line.
func usageError(hint, format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// exitCode derives the exit code of an error, and whether it was reported.
func exitCode(err error) (code int, quiet bool) {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code, exit.err == nil
	}
	var stopped *stoppedError
	if errors.As(err, &stopped) {
		return 128 + signalNumber(stopped.signal), false
	}
	var failed *ops.Error
	if errors.As(err, &failed) && failed.Kind == ops.KindInvalidParams {
		return exitUsage, false
	}
	return exitFailure, false
}

func hintOf(err error) string {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.hint
	}
	var failed *ops.Error
	if errors.As(err, &failed) {
		return failed.Hint
	}
	return ""
}
