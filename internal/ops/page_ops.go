package ops

import (
	"context"
	"encoding/json"
	"time"

	"egod/internal/browser"
)

func pageRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.goto", js: args(value("url"), options()),
			doc: "Navigate the current page and wait for it to load.",
		}, pageGoto),
		define(spec{
			name: "page.reload", js: args(options()),
			doc: "Reload the current page; true when it loaded in time.",
		}, pageReload),
		define(spec{
			name: "page.info", js: args(),
			doc: "Return the page's URL, title, viewport, scroll position and size, or the dialog that is open.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) (browser.Info, error) {
			return onPage(ctx, sc, (*browser.Page).Info)
		}),
		define(spec{
			name: "page.url", js: args(),
			doc: "Return the page's URL.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) (string, error) {
			return onPage(ctx, sc, (*browser.Page).URL)
		}),
		define(spec{
			name: "page.title", js: args(),
			doc: "Return the page's title.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) (string, error) {
			return onPage(ctx, sc, (*browser.Page).Title)
		}),
		define(spec{
			name: "page.evaluate", js: args(function("pageFunction"), value("arg")),
			doc: "Run a function or an expression in the page and return its value.",
		}, pageEvaluate),
		define(spec{
			name: "page.waitForTimeout", js: args(value("timeoutMs")),
			doc: "Wait for a time.",
		}, waitForTimeout),
		define(spec{
			name: "page.waitForLoadState", js: args(value("state"), options()),
			doc: "Wait until the page reached a load state; false when it did not in time.",
		}, pageWaitForLoadState),
		define(spec{
			name: "page.waitForSelector", js: args(value("selector"), options()),
			doc: "Wait for an element; false when it did not come in time.",
		}, pageWaitForSelector),
		define(spec{
			name: "page.setDefaultTimeout", js: args(value("timeoutMs")),
			doc: "Set how long operations on elements wait in the rest of the run.",
		}, setDefaultTimeout),
	}
}

// onPage calls a method of the current page.
func onPage[R any](ctx context.Context, sc *Scope, method func(*browser.Page, context.Context) (R, error)) (R, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return *new(R), err
	}
	return method(page, ctx)
}

type gotoParams struct {
	URL string `json:"url" doc:"address to open: http, https or about:blank"`
	inSpace
	WaitUntil string        `json:"waitUntil,omitempty" doc:"load (default), domcontentloaded or commit"`
	Timeout   *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the load; 20000 when left out"`
	Settle    Milliseconds  `json:"settle,omitempty" doc:"milliseconds to wait after the load"`
}

func pageGoto(ctx context.Context, sc *Scope, p gotoParams) (browser.GotoResult, error) {
	sc.note.visit(p.URL)
	if err := sc.policy.checkNavigation(p.URL); err != nil {
		return browser.GotoResult{}, err
	}
	page, err := sc.page(ctx)
	if err != nil {
		return browser.GotoResult{}, err
	}
	return page.Goto(ctx, p.URL, browser.GotoOptions{
		WaitUntil: p.WaitUntil, Timeout: p.Timeout.orDefault(), Settle: p.Settle.value(),
	})
}

type reloadParams struct {
	inSpace
	IgnoreCache bool          `json:"ignoreCache,omitempty" doc:"load everything anew"`
	WaitUntil   string        `json:"waitUntil,omitempty" doc:"load (default), domcontentloaded, networkidle or commit"`
	Timeout     *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the load; 15000 when left out"`
}

func pageReload(ctx context.Context, sc *Scope, p reloadParams) (bool, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return false, err
	}
	return page.Reload(ctx, browser.ReloadOptions{
		IgnoreCache: p.IgnoreCache, WaitUntil: p.WaitUntil, Timeout: p.Timeout.orDefault(),
	})
}

type evaluateParams struct {
	PageFunction string          `json:"pageFunction" doc:"source of a function, or an expression"`
	Arg          json.RawMessage `json:"arg,omitempty" doc:"value passed to the function"`
	IsFunction   bool            `json:"isFunction,omitempty" doc:"pageFunction is a function; found out by itself when left out"`
	TargetID     string          `json:"targetId,omitempty" doc:"another tab of the space to run it in"`
	inSpace
}

func pageEvaluate(ctx context.Context, sc *Scope, p evaluateParams) (json.RawMessage, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return nil, err
	}
	script := pageScript(p.PageFunction, p.IsFunction, p.Arg)
	script.TargetID = p.TargetID
	return sc.log.during(page, func() (json.RawMessage, error) { return page.Evaluate(ctx, script) })
}

// pageScript is code for the page: a function, or an expression that may turn
// out to be one.
func pageScript(source string, isFunction bool, arg json.RawMessage) browser.Script {
	if isFunction {
		return browser.Script{Function: source, Arg: arg}
	}
	return browser.Script{Expression: source, Arg: arg}
}

type timeoutParams struct {
	TimeoutMs *Milliseconds `json:"timeoutMs,omitempty" doc:"milliseconds to wait; 1000 when left out"`
}

func waitForTimeout(ctx context.Context, _ *Scope, p timeoutParams) (Nothing, error) {
	wait := time.Second
	if p.TimeoutMs != nil {
		wait = p.TimeoutMs.value()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return Nothing{}, nil
	case <-ctx.Done():
		return Nothing{}, context.Cause(ctx)
	}
}

type loadStateParams struct {
	State string `json:"state,omitempty" doc:"load (default), domcontentloaded or networkidle"`
	inSpace
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds; 15000 when left out, 10000 for networkidle"`
	IdleMs  *Milliseconds `json:"idleMs,omitempty" doc:"milliseconds without traffic that count as idle; 500 when left out"`
}

func pageWaitForLoadState(ctx context.Context, sc *Scope, p loadStateParams) (bool, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return false, err
	}
	return page.WaitForLoadState(ctx, p.State, browser.LoadOptions{Timeout: p.Timeout.orDefault(), Idle: p.IdleMs.orDefault()})
}

type waitForSelectorParams struct {
	selectorParams
	State   string        `json:"state,omitempty" doc:"attached (default), visible, hidden or detached"`
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds; 10000 when left out"`
}

func pageWaitForSelector(ctx context.Context, sc *Scope, p waitForSelectorParams) (bool, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return false, err
	}
	return page.WaitForSelector(ctx, p.Selector, browser.SelectorOptions{State: p.State, Timeout: sc.timeout(p.Timeout)})
}

type defaultTimeoutParams struct {
	TimeoutMs Milliseconds `json:"timeoutMs" doc:"milliseconds; 0 looks once and does not wait"`
}

// setDefaultTimeout holds for the run that calls it. From the wire it has
// nothing to hold for: every request says its own timeout.
func setDefaultTimeout(_ context.Context, sc *Scope, p defaultTimeoutParams) (Nothing, error) {
	sc.place.setDefaultTimeout(p.TimeoutMs)
	return Nothing{}, nil
}

// value returns the span as a Go duration.
func (m Milliseconds) value() time.Duration {
	return time.Duration(float64(m) * float64(time.Millisecond))
}

// orDefault returns the span as leaf packages take it, where zero asks for the
// operation's own default. A caller's own zero, which means one look and no
// wait, is negative there.
func (m *Milliseconds) orDefault() time.Duration {
	switch {
	case m == nil:
		return 0
	case *m == 0:
		return -1
	}
	return m.value()
}
