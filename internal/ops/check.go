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
		ctx, cancel := context.WithTimeoutCause(ctx, checkTimeout, fmt.Errorf("no answer within %s", checkTimeout))
		defer cancel()
		checked, err := pool.Check(ctx, toolProgram(pack, tool))
		if err != nil {
			return nil, err
		}
		return append(problemDiagnostics(pack, checked.Problems), members.findings(pack, tool, checked.Reads)...), nil
	}
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

func problemDiagnostics(pack *skills.Pack, problems []jsruntime.Problem) []skills.Diagnostic {
	list := make([]skills.Diagnostic, 0, len(problems))
	for _, p := range problems {
		list = append(list, ProblemDiagnostic(pack, p))
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
