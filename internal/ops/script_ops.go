package ops

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	jsruntime "egod/internal/runtime"
)

func scriptRows() []*Operation {
	return []*Operation{
		definePlanned(spec{
			name: "runScript", run: true, floating: true,
			doc: "Run an agent script, the body of an async function with the helpers as globals.",
		}, planScript),
	}
}

type scriptParams struct {
	Source string          `json:"source" doc:"body of an async function: await, return and import() may be used"`
	Args   json.RawMessage `json:"args,omitempty" doc:"what the script sees as args"`
	inSpace
	TimeoutMs *Milliseconds `json:"timeoutMs,omitempty" doc:"deadline of the run in milliseconds; the daemon's --tool-timeout when left out"`
}

// ScriptResult is the result of runScript. Output is what the script printed
// with console.log.
type ScriptResult struct {
	Value      json.RawMessage `json:"value"`
	Logs       []LogLine       `json:"logs"`
	Output     string          `json:"output"`
	DurationMs float64         `json:"durationMs"`
}

// scriptFile is what a script is called in the positions of its errors.
const scriptFile = "script.js"

func planScript(sc *Scope, p scriptParams) (func(context.Context) (ScriptResult, error), error) {
	timeout, err := sc.svc.deadline(p.TimeoutMs)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (ScriptResult, error) { return sc.runScript(ctx, p, timeout) }, nil
}

func (sc *Scope) runScript(ctx context.Context, p scriptParams, timeout time.Duration) (ScriptResult, error) {
	run := toolRun{subject: "the script", timeout: timeout}
	log := newRunLog(sc.svc.observe(ctx, run))
	result, err := sc.svc.runner.Run(ctx, jsruntime.Request{
		Program: &jsruntime.Program{
			Kind: jsruntime.Script, Site: "script", Entry: scriptFile,
			Files: map[string]string{scriptFile: p.Source}, Context: sc.svc.scriptContext,
		},
		Args: p.Args, Host: &runHost{scope: sc.nested(log, nil)}, Timeout: timeout,
		OnLog: log.own,
	})
	filmErr := sc.endRecordings(ctx)
	// A script that met a user in control has nothing to report but that, even if
	// it caught the error.
	guidance := sc.place.guidance()
	if err != nil {
		return ScriptResult{}, scriptFailure(err, run, guidance != "")
	}
	out := ScriptResult{Value: result.Value, Logs: log.all(), Output: result.Output, DurationMs: milliseconds(result.Duration)}
	if filmErr != nil {
		out.Logs = append(out.Logs, LogLine{Level: "warn", Message: filmErr.Error(), TimeMs: int64(out.DurationMs)})
	}
	if guidance != "" {
		out.Output = guidance + "\n"
	}
	sc.svc.secrets.hideScript(&out)
	return out, nil
}

// scriptFailure adds what the script had printed before it failed, unless that is
// to be dropped.
func scriptFailure(err error, run toolRun, drop bool) error {
	failed := runFailure(err, run)
	var e *Error
	if !errors.As(failed, &e) {
		return failed
	}
	if drop {
		return e.With("output", "")
	}
	if before := jsruntime.PrintedBefore(err); before != nil {
		e.With("output", before.Output)
	}
	return e
}
