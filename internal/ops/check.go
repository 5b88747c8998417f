package ops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// checkTimeout bounds the check of one tool, which takes some milliseconds.
const checkTimeout = 30 * time.Second

// SourceCheck returns the check of tools' sources for skills.Config: each tool is
// compiled, and not run, by the engine that runs it, and what it reads of ctx is
// compared with what is there.
func SourceCheck(pool *jsruntime.Pool) skills.Check {
	members := newMemberCheck(NewTable())
	return func(ctx context.Context, pack *skills.Pack, tool *skills.Tool) ([]skills.Diagnostic, error) {
		checked, err := checkTwice(ctx, pool, toolProgram(pack, tool))
		if ctx.Err() == nil {
			if d := uncheckable(pack, tool, err); d != nil {
				return []skills.Diagnostic{*d}, nil
			}
		}
		if err != nil {
			return nil, err
		}
		return append(problemDiagnostics(pack, tool, checked.Problems), members.findings(pack, tool, checked.Reads)...), nil
	}
}

var errCheckTimeout = fmt.Errorf("no answer within %s", checkTimeout)

// checkTwice checks a program, and once more when its worker ended: it may have
// been ended by somebody else.
func checkTwice(ctx context.Context, pool *jsruntime.Pool, program *jsruntime.Program) (jsruntime.Checked, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, errCheckTimeout)
	defer cancel()
	checked, err := pool.Check(ctx, program)
	if worker := (*jsruntime.WorkerError)(nil); errors.As(err, &worker) && worker.Ran {
		return pool.Check(ctx, program)
	}
	return checked, err
}

// uncheckable is the finding about a tool whose check failed because of the tool,
// so that it fails for this one alone; nil for all other failures.
func uncheckable(pack *skills.Pack, tool *skills.Tool, err error) *skills.Diagnostic {
	problem := jsruntime.Problem{File: tool.Path, Code: "tool.unchecked"}
	var worker *jsruntime.WorkerError
	var limit *jsruntime.LimitError
	switch {
	case errors.As(err, &worker) && worker.Ran:
		problem.Message = fmt.Sprintf("the engine ended while it read %s: %s", tool.Path, worker.Reason)
	case errors.As(err, &limit):
		problem.Message = fmt.Sprintf("%s asks too much of the engine: %v", tool.Path, limit)
	case errors.Is(err, errCheckTimeout):
		problem.Message = fmt.Sprintf("the engine did not finish reading %s within %s", tool.Path, checkTimeout)
	default:
		return nil
	}
	d := ProblemDiagnostic(pack, tool, problem)
	if errors.Is(err, errCheckTimeout) {
		d.Severity = skills.SeverityWarning
	}
	return &d
}

// toolProgram is what the engine needs to compile a tool, or to run a node tool.
func toolProgram(pack *skills.Pack, tool *skills.Tool) *jsruntime.Program {
	if tool.Kind == skills.BrowserTool {
		return &jsruntime.Program{
			Kind: jsruntime.Function, Site: pack.ID, Entry: tool.Path,
			Files: map[string]string{tool.Path: tool.Source}, Hash: tool.Hash,
		}
	}
	return &jsruntime.Program{
		Kind: jsruntime.Module, Site: pack.ID, Entry: tool.Path,
		Export: tool.Callable, Files: pack.Files, Hash: tool.Hash,
	}
}

func problemDiagnostics(pack *skills.Pack, tool *skills.Tool, problems []jsruntime.Problem) []skills.Diagnostic {
	list := make([]skills.Diagnostic, 0, len(problems))
	for _, p := range problems {
		list = append(list, ProblemDiagnostic(pack, tool, p))
	}
	return list
}

// explained replaces what a page says of a tool that it could not call by what
// the check of its source says, which is the same as every other face says.
func (s *Service) explained(ctx context.Context, run toolRun, err error) error {
	var eval *browser.EvalError
	if !errors.As(err, &eval) || eval.Stack != "" && !eval.Syntax {
		return err
	}
	checked, checkErr := s.runner.Check(ctx, toolProgram(run.pack, run.tool))
	if checkErr != nil || len(checked.Problems) == 0 {
		return err
	}
	return &jsruntime.CompileError{Problems: checked.Problems}
}
