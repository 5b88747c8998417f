package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
		}, switchTab),
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
	sc.note.visit(p.URL)
	if err := sc.policy.checkNavigation(p.URL); err != nil {
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
// surface takes both. What is neither is kept for the error of the operation.
type targetRef struct {
	id    string
	given json.RawMessage // nil: left out
}

// UnmarshalJSON takes "ID" or {"targetId": "ID"}.
func (t *targetRef) UnmarshalJSON(raw []byte) error {
	t.given = slices.Clone(raw)
	var object struct {
		TargetID string `json:"targetId"`
	}
	if json.Unmarshal(raw, &t.id) != nil && json.Unmarshal(raw, &object) == nil {
		t.id = object.TargetID
	}
	return nil
}

// named returns the id that an operation was given.
func (t targetRef) named(operation string) (string, error) {
	if t.id == "" {
		return "", invalidParam("$.target", "the id of a tab, or an object with targetId", jsonType(t.given),
			fmt.Sprintf("%s requires a targetId; received %.100s", operation, t.given)).
			WithHint("take a targetId from browser.listTabs")
	}
	return t.id, nil
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
	if p.Target.given != nil {
		if _, err := p.Target.named("closeTab"); err != nil {
			return "", err
		}
	}
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return "", err
	}
	return space.CloseTab(ctx, p.Target.id)
}

func switchTab(ctx context.Context, sc *Scope, p targetParams) (string, error) {
	id, err := p.Target.named("switchTab")
	if err != nil {
		return "", err
	}
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return "", err
	}
	return space.SwitchTab(ctx, id)
}
