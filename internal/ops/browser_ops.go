package ops

import (
	"context"

	"egod/internal/browser"
)

func browserRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "browser.openOrReuseTab", js: args(value("url"), options()),
			doc: "Switch to a tab that shows a URL, or open one.",
		}, openOrReuseTab),
		define(spec{
			name: "browser.listTabs", js: args(options()),
			doc: "List the tabs of the space.",
		}, listTabs),
		define(spec{
			name: "browser.currentTab", js: args(),
			doc: "Return the active tab of the space.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) (browser.Tab, error) {
			return inBrowserSpace(ctx, sc, (*browser.Space).CurrentTab)
		}),
		define(spec{
			name: "browser.switchTab", js: args(value("target")),
			doc: "Make a tab of the space the current one and return its id.",
		}, func(ctx context.Context, sc *Scope, p targetParams) (string, error) {
			space, err := sc.browserSpace(ctx)
			if err != nil {
				return "", err
			}
			return space.SwitchTab(ctx, p.Target.id)
		}),
		define(spec{
			name: "browser.closeTab", js: args(value("target")),
			doc: "Close a tab, by default the active one, and return its id.",
		}, closeTab),
		define(spec{
			name: "browser.ensureRealTab", js: args(),
			doc: "Switch to a tab that shows a web page; null when there is none.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) (*browser.Tab, error) {
			return inBrowserSpace(ctx, sc, (*browser.Space).EnsureRealTab)
		}),
	}
}

// inBrowserSpace calls a method of the task space.
func inBrowserSpace[R any](ctx context.Context, sc *Scope, method func(*browser.Space, context.Context) (R, error)) (R, error) {
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return *new(R), err
	}
	return method(space, ctx)
}

type openTabParams struct {
	URL string `json:"url" doc:"address to show: http, https or about:blank"`
	inSpace
	Match   string        `json:"match,omitempty" doc:"how a tab is recognised: exact (default), origin, origin+path or includes"`
	Wait    *bool         `json:"wait,omitempty" doc:"wait for the load: by default only for a new tab"`
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the load; 20000 when left out"`
	Settle  Milliseconds  `json:"settle,omitempty" doc:"milliseconds to wait after the load"`
}

func openOrReuseTab(ctx context.Context, sc *Scope, p openTabParams) (browser.OpenedTab, error) {
	if err := sc.svc.policy.checkNavigation(p.URL); err != nil {
		return browser.OpenedTab{}, err
	}
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return browser.OpenedTab{}, err
	}
	return space.OpenOrReuse(ctx, p.URL, browser.OpenOptions{
		Match: p.Match, Wait: p.Wait, Timeout: p.Timeout.orDefault(), Settle: p.Settle.value(),
	})
}

type listTabsParams struct {
	inSpace
	IncludeChrome *bool `json:"includeChrome,omitempty" doc:"also list about: and chrome: tabs; true when left out"`
}

func listTabs(ctx context.Context, sc *Scope, p listTabsParams) ([]browser.Tab, error) {
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return nil, err
	}
	tabs, err := space.Tabs(ctx, p.IncludeChrome == nil || *p.IncludeChrome)
	return list(tabs), err
}

// targetRef names a tab: its id, or an object with targetId, as the original
// surface takes both.
type targetRef struct {
	id    string
	given bool
}

// UnmarshalJSON takes "ID" or {"targetId": "ID"}.
func (t *targetRef) UnmarshalJSON(raw []byte) error {
	id, err := parseTarget(raw)
	t.id, t.given = id, true
	return err
}

type targetParams struct {
	Target targetRef `json:"target" doc:"id of a tab, or an object with targetId"`
	inSpace
}

type closeTabParams struct {
	Target targetRef `json:"target,omitempty" doc:"id of a tab, or an object with targetId; the active tab when left out"`
	inSpace
}

func closeTab(ctx context.Context, sc *Scope, p closeTabParams) (string, error) {
	if p.Target.given && p.Target.id == "" {
		return "", invalidParam("$.target", "the id of a tab", "an empty string", `closeTab requires a targetId; received ""`)
	}
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return "", err
	}
	return space.CloseTab(ctx, p.Target.id)
}
