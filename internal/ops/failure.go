package ops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/video"
)

// deadlineError is the cause of a context that ended at a run's own deadline.
type deadlineError struct{ timeout time.Duration }

func (e *deadlineError) Error() string {
	return fmt.Sprintf("the deadline of %d ms was reached", e.timeout.Milliseconds())
}

// Is lets errors.Is take it for an expired deadline.
func (e *deadlineError) Is(target error) bool { return target == context.DeadlineExceeded }

// failure turns an error of a leaf package into an *Error. Context errors pass
// unchanged: whoever ended the context knows why.
func failure(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if e := browserFailure(err); e != nil {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Kind: KindTimeout, Message: "the deadline was reached", Retryable: true, Err: err}
	}
	return err
}

func browserFailure(err error) *Error {
	var (
		unavailable *browser.UnavailableError
		ffmpeg      *video.MissingError
		gone        *browser.GoneError
		page        *browser.PageError
		element     *browser.ElementError
		eval        *browser.EvalError
		result      *browser.ResultError
		large       *browser.TooLargeError
	)
	switch {
	case errors.As(err, &large):
		return (&Error{Kind: KindLimitExceeded, Message: err.Error(), Err: err, Hint: "give back less: a part at a time, or what matters of it"}).
			With("limit", "output").With("size", large.Size).With("max", large.Limit)
	case errors.As(err, &unavailable):
		return (&Error{Kind: KindBrowserUnavailable, Message: err.Error(), Hint: unavailable.Hint, Err: err}).
			With("path", unavailable.Path).With("exitCode", unavailable.ExitCode).With("stderr", unavailable.Stderr)
	case errors.As(err, &ffmpeg):
		return (&Error{Kind: KindBrowserUnavailable, Message: err.Error(), Hint: ffmpeg.Hint, Err: err}).With("path", ffmpeg.Path)
	case errors.As(err, &gone):
		return &Error{Kind: KindBrowserGone, Message: err.Error(), Hint: "call again: a fresh browser is started", Retryable: true, Err: err}
	case errors.As(err, &element):
		return &Error{Kind: KindPageError, Message: err.Error(), Hint: element.Hint, Retryable: !element.Permanent, Err: err}
	case errors.As(err, &page):
		return &Error{Kind: KindPageError, Message: err.Error(), Hint: page.Hint, Retryable: !page.Permanent, Err: err}
	case errors.As(err, &eval):
		return (&Error{Kind: KindPageError, Message: err.Error(), Err: err}).With("error", scriptError{
			Name: eval.Name, Message: eval.Message, Stack: eval.Stack, File: eval.File, Line: eval.Line, Column: eval.Column,
		})
	case errors.As(err, &result):
		return (&Error{Kind: KindResultInvalid, Message: err.Error(), Err: err}).With("path", result.Path)
	}
	return nil
}

// scriptError is data.error: what the tool threw, in the pack's coordinates.
type scriptError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// runFailure turns whatever ended a run into an *Error about that run.
func runFailure(err error, run toolRun) error {
	var (
		deadline *deadlineError
		timeout  *jsruntime.TimeoutError
		limit    *jsruntime.LimitError
		result   *jsruntime.ResultError
		compile  *jsruntime.CompileError
		thrown   *jsruntime.ScriptError
		eval     *browser.EvalError

		pageResult *browser.ResultError
		pageLarge  *browser.TooLargeError
	)
	switch {
	case errors.As(err, &timeout):
		return timeoutFailure(run, timeout.Stopped, true, err)
	case errors.As(err, &deadline):
		return timeoutFailure(run, true, true, err)
	case errors.As(err, &limit):
		return (&Error{Kind: KindLimitExceeded, Message: fmt.Sprintf("%s was stopped: %v", run.subject, err), Err: err}).
			With("limit", limit.Limit)
	case errors.As(err, &result):
		return (&Error{Kind: KindResultInvalid, Message: fmt.Sprintf("the result of %s cannot be sent: %v", run.subject, err), Err: err}).
			With("path", result.Path)
	case errors.As(err, &compile):
		return compileFailure(run, compile)
	case errors.As(err, &thrown):
		return thrownFailure(run, thrown)
	case errors.As(err, &pageResult):
		return (&Error{Kind: KindResultInvalid, Message: fmt.Sprintf("the result of %s cannot be sent: %v", run.subject, err), Hint: pageResult.Hint, Err: err}).
			With("path", pageResult.Path)
	case errors.As(err, &pageLarge):
		e := browserFailure(err)
		e.Message = run.subject + ": " + e.Message
		return e
	case errors.As(err, &eval):
		return (&Error{Kind: KindToolFailed, Message: fmt.Sprintf("%s threw: %s", run.subject, oneLine(eval.Message)), Err: err}).
			With("error", scriptError{eval.Name, eval.Message, eval.Stack, eval.File, eval.Line, eval.Column})
	}
	return failure(err)
}

func timeoutFailure(run toolRun, stopped, late bool, err error) *Error {
	e := &Error{
		Kind: KindTimeout, Retryable: true, Err: err,
		Message: fmt.Sprintf("%s did not end within %d ms", run.subject, run.timeout.Milliseconds()),
		Hint:    "pass a larger timeoutMs, or make the tool do less in one run",
	}
	// A page that knows what held it says so: a dialog that nobody answered.
	if page := (*browser.PageError)(nil); errors.As(err, &page) {
		e.Message += ": " + oneLine(page.Reason)
		e.Hint = cmp.Or(page.Hint, e.Hint)
	}
	return e.With("timeoutMs", run.timeout.Milliseconds()).With("executionStopped", stopped).With("mayHaveLateEffects", late)
}

// thrownFailure reports an uncaught exception. A failure of the daemon's own
// that the tool merely let through keeps its kind when the caller has to act on
// it rather than the pack's author.
func thrownFailure(run toolRun, thrown *jsruntime.ScriptError) *Error {
	e := (&Error{
		Kind: KindToolFailed, Err: thrown,
		Message: fmt.Sprintf("%s threw: %s", run.subject, oneLine(thrown.Message)),
	}).With("error", scriptError{thrown.Name, thrown.Message, thrown.Stack, thrown.File, thrown.Line, thrown.Column})
	e.Hint = thrown.Hint
	var cause *Error
	if !errors.As(thrown.Cause, &cause) {
		if Kind(thrown.Kind) == KindPolicyDenied { // the runtime's own refusals
			e.Kind = KindPolicyDenied
			e.Message = fmt.Sprintf("%s: %s", run.subject, oneLine(thrown.Message))
			if thrown.Rule != "" {
				e.With("rule", thrown.Rule)
			}
		}
		return e
	}
	e.Hint, e.Retryable = cause.Hint, cause.Retryable
	switch cause.Kind {
	case KindBrowserUnavailable, KindBrowserGone, KindPolicyDenied, KindBusy, KindCancelled:
		e.Kind = cause.Kind
		e.Message = fmt.Sprintf("%s: %s", run.subject, oneLine(cause.Message))
		for name, value := range cause.Data {
			if name != "error" {
				e.With(name, value)
			}
		}
	default:
		e.With("cause", map[string]any{"kind": cause.Kind, "message": cause.Message})
	}
	return e
}

// compileFailure reports source that cannot run as findings of the pack.
func compileFailure(run toolRun, compile *jsruntime.CompileError) *Error {
	if run.pack == nil {
		return scriptCompileFailure(run, compile)
	}
	e := (&Error{Kind: KindSkillBroken, Message: fmt.Sprintf("%s cannot run: %v", run.subject, compile), Err: compile}).
		With("diagnostics", problemDiagnostics(run.pack, run.tool, compile.Problems))
	if len(compile.Problems) > 0 && compile.Problems[0].Hint != "" {
		return e.WithHint("%s", compile.Problems[0].Hint)
	}
	return e.WithHint("validateSkills shows every finding of the pack")
}

// scriptCompileFailure reports a script that does not parse as what it would be
// in JavaScript: a SyntaxError that it threw.
func scriptCompileFailure(run toolRun, compile *jsruntime.CompileError) *Error {
	e := &Error{Kind: KindToolFailed, Message: fmt.Sprintf("%s cannot run: %v", run.subject, compile), Err: compile}
	if len(compile.Problems) == 0 {
		return e
	}
	p := compile.Problems[0]
	e.Hint = p.Hint
	return e.With("error", scriptError{Name: "SyntaxError", Message: p.Message, File: p.File, Line: p.Line, Column: p.Column})
}
