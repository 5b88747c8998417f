package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

func runRows() []*Operation {
	return []*Operation{
		definePlanned(spec{
			name: "runTool", run: true,
			doc: "Run a node tool of a pack in a worker and return its value.",
		}, planNodeTool),
		definePlanned(spec{
			name: "runBrowserTool", run: true,
			doc: "Run a browser tool of a pack in the current page of the space and return its value.",
		}, planBrowserTool),
		define(spec{
			name: "site.skills", js: args(value("url")),
			doc: "List the skills that match a URL, or the current page.",
		}, siteSkills),
		define(spec{
			name: "site.skillsForUrl", js: args(value("url")),
			doc: "List the skills that match a URL or host name.",
		}, func(ctx context.Context, sc *Scope, p skillsForURLParams) ([]SkillEntry, error) {
			result, err := skillsForURL(ctx, sc, p)
			return result.Skills, err
		}),
		define(spec{
			name: "site.learnContext", js: args(value("url"), options()),
			doc: "Return the notes and tools that match a URL, or the current page.",
		}, learnContext),
		definePlanned(spec{
			name: "site.runTool", js: args(value("siteId"), value("toolName"), value("args")), run: true,
			doc: "Run a node tool of a pack and return its bare value.",
		}, valueOnly(planNodeTool)),
		definePlanned(spec{
			name: "site.runBrowserTool", js: args(value("siteId"), value("toolName"), value("args")), run: true,
			doc: "Run a browser tool of a pack in the current page and return its bare value.",
		}, valueOnly(planBrowserTool)),
	}
}

type siteSkillsParams struct {
	URL   string   `json:"url,omitempty" doc:"a URL or host name; the current page when left out"`
	Space SpaceRef `json:"space,omitempty" doc:"name or number of the task space whose page is meant"`
}

func (p siteSkillsParams) taskSpace() (SpaceRef, bool) { return p.Space, p.URL == "" }

func siteSkills(ctx context.Context, sc *Scope, p siteSkillsParams) ([]SkillEntry, error) {
	url := p.URL
	if url == "" {
		page, err := sc.page(ctx)
		if err != nil {
			return nil, err
		}
		if url, err = page.URL(ctx); err != nil {
			return nil, err
		}
	}
	result, err := skillsForURL(ctx, sc, skillsForURLParams{URL: url})
	return result.Skills, err
}

// runParams are the params of runTool, and of runBrowserTool with AnyOrigin.
type runParams struct {
	SiteID   string          `json:"siteId" doc:"id of the pack"`
	ToolName string          `json:"toolName" doc:"name of the tool in the manifest"`
	Args     json.RawMessage `json:"args,omitempty" doc:"the tool's arguments, checked against the manifest"`
	inSpace
	TimeoutMs *Milliseconds `json:"timeoutMs,omitempty" doc:"deadline of the run in milliseconds; the daemon's --tool-timeout when left out"`
}

type browserRunParams struct {
	runParams
	AnyOrigin bool `json:"anyOrigin,omitempty" doc:"run on a page that the pack does not declare (needs --allow-any-origin)"`
}

// RunResult is the result of runTool and runBrowserTool. Dialogs and Page are
// of browser tools.
type RunResult struct {
	Value      json.RawMessage  `json:"value"`
	Logs       []LogLine        `json:"logs"`
	Dialogs    []browser.Dialog `json:"dialogs,omitempty"`
	Page       *PageRef         `json:"page,omitempty"`
	Warnings   []string         `json:"warnings,omitempty"`
	DurationMs float64          `json:"durationMs"`
	Generation uint64           `json:"generation"`
}

// LogLine is one line of a tool's console, timeMs after the run began.
type LogLine struct {
	Level   string `json:"level"`
	Message string `json:"message"`
	TimeMs  int64  `json:"timeMs"`
}

// PageRef names the page a browser tool ran on.
type PageRef struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// toolRun is a checked run: a tool of a pack of one generation of the index,
// its args, and its deadline. A script has no pack and no tool.
type toolRun struct {
	subject          string // what messages are about: "x-com.search-users"
	siteID, toolName string
	pack             *skills.Pack
	tool             *skills.Tool
	args             json.RawMessage
	timeout          time.Duration
	generation       uint64
}

func (sc *Scope) planRun(p runParams, kind skills.ToolKind) (toolRun, error) {
	s := sc.svc
	sc.note.tool(p.SiteID, p.ToolName)
	catalog := s.store().Catalog()
	pack, err := findPack(catalog, p.SiteID)
	if err != nil {
		return toolRun{}, err
	}
	tool, err := findTool(pack, p.ToolName, kind)
	if err != nil {
		return toolRun{}, toolRemoved(catalog, pack.ID, p.ToolName, kind, err)
	}
	if err := s.policy.Of(pack.ID).checkTool(pack.ID, tool.Name); err != nil {
		return toolRun{}, err
	}
	checked, err := checkArguments(tool, p.Args)
	if err != nil {
		return toolRun{}, err
	}
	timeout, err := s.deadline(p.TimeoutMs)
	return toolRun{
		subject: pack.ID + "." + tool.Name, siteID: pack.ID, toolName: tool.Name,
		pack: pack, tool: tool, args: checked, timeout: timeout, generation: catalog.Generation(),
	}, err
}

// deadline is the time a run may take: what the caller asks for, or the
// service's own limit.
func (s *Service) deadline(asked *Milliseconds) (time.Duration, error) {
	switch {
	case asked == nil:
		return s.toolTimeout, nil
	case *asked <= 0:
		return 0, invalidParam("$.timeoutMs", "more than zero", "0", "timeoutMs must be more than zero")
	}
	return asked.value(), nil
}

// observe returns a function that tells the log and the request's observer of
// console lines as they come: whoever watches a run that hangs sees how far it
// got.
func (s *Service) observe(ctx context.Context, run toolRun) teller {
	o := observerFrom(ctx)
	return func(level, message string, fromPage bool) {
		s.logger.Info("console", "siteId", run.siteID, "toolName", run.toolName, "level", level, "message", message)
		if o != nil {
			o.Log(LogEvent{Level: level, Message: s.secrets.Text(message), SiteID: run.siteID, ToolName: run.toolName, FromPage: fromPage})
		}
	}
}

func planNodeTool(sc *Scope, p runParams) (func(context.Context) (RunResult, error), error) {
	run, err := sc.planRun(p, skills.NodeTool)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (RunResult, error) { return sc.runNodeTool(ctx, run) }, nil
}

func (sc *Scope) runNodeTool(ctx context.Context, run toolRun) (RunResult, error) {
	if sc.depth >= maxNesting {
		return RunResult{}, Errorf(KindLimitExceeded, "%s is nested %d tools deep, which is the most that is run", run.subject, sc.depth).
			With("limit", "nesting")
	}
	log := newRunLog(sc.svc.observe(ctx, run))
	program := toolProgram(run.pack, run.tool)
	program.Context = sc.svc.contexts.of(run.tool, run.pack.Files)
	result, err := sc.svc.runner.Run(ctx, jsruntime.Request{
		Program: program,
		Args:    run.args,
		Host:    &runHost{scope: sc.nested(log, &run)},
		Timeout: run.timeout,
		OnLog:   log.own,
	})
	filmErr := sc.endRecordings(ctx)
	if err != nil {
		return RunResult{}, runFailure(err, run)
	}
	out := RunResult{
		Value: result.Value, Logs: log.all(),
		DurationMs: milliseconds(result.Duration), Generation: run.generation,
	}
	if filmErr != nil {
		out.Warnings = append(out.Warnings, filmErr.Error())
	}
	return out, sc.svc.checked(run, &out)
}

func planBrowserTool(sc *Scope, p browserRunParams) (func(context.Context) (RunResult, error), error) {
	run, err := sc.planRun(p.runParams, skills.BrowserTool)
	if err != nil {
		return nil, err
	}
	if err := sc.svc.policy.Of(run.siteID).checkAnyOrigin(p.AnyOrigin); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (RunResult, error) { return sc.runBrowserTool(ctx, run, p.AnyOrigin) }, nil
}

func (sc *Scope) runBrowserTool(ctx context.Context, run toolRun, anyOrigin bool) (RunResult, error) {
	start := time.Now()
	deadline := &deadlineError{timeout: run.timeout}
	ctx, cancel := context.WithTimeoutCause(ctx, run.timeout, deadline)
	defer cancel()
	page, err := sc.nested(sc.log, &run).page(ctx)
	if err != nil {
		return RunResult{}, runFailure(err, run)
	}
	tell := sc.svc.observe(ctx, run)
	outcome, err := page.Call(ctx, browser.Function{
		OnLog:  func(m browser.ConsoleMessage) { tell(m.Level, m.Message, true) },
		Source: run.tool.Source, Args: run.args, Name: run.tool.Path,
		Allow: func(url string) error {
			return sc.svc.policy.checkOrigin(run.pack, run.tool.Name, url, anyOrigin)
		},
	})
	if err != nil {
		return RunResult{}, runFailure(sc.svc.explained(ctx, run, err), run)
	}
	out := RunResult{
		Value: outcome.Value, Logs: make([]LogLine, 0, len(outcome.Logs)), Dialogs: outcome.Dialogs,
		Page:       &PageRef{URL: outcome.URL, Title: outcome.Title},
		DurationMs: milliseconds(time.Since(start)), Generation: run.generation,
	}
	for _, l := range outcome.Logs {
		out.Logs = append(out.Logs, LogLine{l.Level, l.Message, l.TimeMs})
	}
	return out, sc.svc.checked(run, &out)
}

// valueOnly turns a plan for a wire result into one for the bare value, which
// is what a tool gets from site.runTool.
func valueOnly[P any](plan func(*Scope, P) (func(context.Context) (RunResult, error), error)) func(*Scope, P) (func(context.Context) (json.RawMessage, error), error) {
	return func(sc *Scope, p P) (func(context.Context) (json.RawMessage, error), error) {
		work, err := plan(sc, p)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (json.RawMessage, error) {
			result, err := work(ctx)
			return result.Value, err
		}, nil
	}
}

// checked is the last step of a run: what is reported beside the value shows no
// secret, and the value is what the manifest declares.
func (s *Service) checked(run toolRun, result *RunResult) error {
	err := s.checkReturns(run, result)
	s.secrets.hideLogs(result)
	return err
}

// checkReturns compares the value with the declared type. A difference is a
// warning, or an error when results are strict, and counted either way.
func (s *Service) checkReturns(run toolRun, result *RunResult) error {
	want := run.tool.Returns
	if want == nil || want.Type == "" {
		return nil
	}
	right := hasType(result.Value, want.Type)
	count := s.drift.note(run, right)
	if right {
		return nil
	}
	message := fmt.Sprintf("%s declares that it returns %s but returned %s, as in %s", run.subject, typeWords(want.Type), jsonType(result.Value), count)
	if s.strictResults {
		return Errorf(KindResultInvalid, "%s", message).
			With("path", "$").With("expected", want.Type).With("actual", jsonType(result.Value)).
			With("runs", count.Runs).With("otherType", count.OtherType).
			WithHint("correct returns.type in the manifest, or the tool")
	}
	result.Warnings = append(result.Warnings, message)
	return nil
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// runHost answers the host calls of one run from the table.
type runHost struct {
	scope *Scope
}

// Call runs the operation behind a ctx function. Its result is the tagged JSON
// that the runtime revives.
func (h *runHost) Call(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
	op, ok := h.scope.svc.table.hosted(name)
	if !ok {
		return nil, Errorf(KindMethodNotFound, "there is no operation %q on ctx", name)
	}
	result, err := op.host(ctx, h.scope, args)
	if err != nil {
		return nil, err
	}
	if raw, ok := result.(json.RawMessage); ok {
		return raw, nil
	}
	return json.Marshal(result)
}
