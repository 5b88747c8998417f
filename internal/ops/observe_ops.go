package ops

import (
	"context"
	"encoding/json"
	"sync"

	"egod/internal/browser"
)

func observeRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.snapshot", js: args(options()),
			doc: "Return the page as text, a line for each node of its accessibility tree.",
		}, func(ctx context.Context, sc *Scope, p snapshotParams) (string, error) {
			snapshot, err := takeSnapshot(ctx, sc, p)
			if err != nil {
				return "", err
			}
			return snapshot.Content, nil
		}),
		define(spec{
			name: "page.snapshotRaw", js: args(options()),
			doc: "Return the page as text together with the elements that its refs name.",
		}, takeSnapshot),
		define(spec{
			name: "page.drainEvents", js: args(),
			doc: "Return the DevTools events of the page since the last call.",
		}, func(ctx context.Context, sc *Scope, _ inSpace) ([]browser.RawEvent, error) {
			page, err := sc.page(ctx)
			if err != nil {
				return nil, err
			}
			return page.DrainEvents(), nil
		}),
		define(spec{
			name: "cdp", js: args(value("method"), value("params"), value("sessionId")),
			doc: "Send a DevTools command to the page, or to the browser for Target and Browser commands.",
		}, sendCDP),
	}
}

type snapshotParams struct {
	inSpace
	Scope                string `json:"scope,omitempty" doc:"full_page (default), only_within_viewport or subtree"`
	Root                 string `json:"root,omitempty" doc:"selector of the element, for the scope subtree"`
	IncludeActionMarks   *bool  `json:"includeActionMarks,omitempty" doc:"false leaves the refs out of the text"`
	IncludeStableLocator *bool  `json:"includeStableLocator,omitempty" doc:"false leaves the locators out of the text"`
	MaxResultLength      int    `json:"maxResultLength,omitempty" doc:"characters of text, cut at a line; 0 means no limit"`
}

func takeSnapshot(ctx context.Context, sc *Scope, p snapshotParams) (browser.Snapshot, error) {
	if p.MaxResultLength < 0 {
		return browser.Snapshot{}, invalidParam("$.maxResultLength", "zero or more", "a negative number", "maxResultLength must not be negative")
	}
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return browser.Snapshot{}, err
	}
	// A space without a tab has nothing to show, and is not worth a browser.
	tabs, err := space.Tabs(ctx, true)
	if err != nil || len(tabs) == 0 {
		return browser.Snapshot{Refs: []browser.Ref{}}, err
	}
	page, err := space.Page(ctx)
	if err != nil {
		return browser.Snapshot{}, err
	}
	snapshot, err := page.Snapshot(ctx, browser.SnapshotOptions{
		Scope: p.Scope, Root: p.Root, MaxResultLength: p.MaxResultLength,
		NoRefs:     p.IncludeActionMarks != nil && !*p.IncludeActionMarks,
		NoLocators: p.IncludeStableLocator != nil && !*p.IncludeStableLocator,
	})
	if err != nil {
		return browser.Snapshot{}, err
	}
	snapshot.Refs = list(snapshot.Refs)
	return *snapshot, nil
}

type cdpParams struct {
	Method    string          `json:"method" doc:"Domain.name"`
	Params    json.RawMessage `json:"params,omitempty" doc:"parameters of the command"`
	SessionID string          `json:"sessionId,omitempty" doc:"a session of this page; the page's own when left out"`
	inSpace
}

// answersDialog is the command that answers a dialog, out of turn as page.acceptDialog.
const answersDialog = "Page.handleJavaScriptDialog"

func (p cdpParams) taskSpace() (SpaceRef, bool) { return p.Space, p.Method != answersDialog }

// sendCDP passes a command on. Navigation stays under the policy, and so do the
// commands that would reach past the space: other tabs, other contexts, files.
func sendCDP(ctx context.Context, sc *Scope, p cdpParams) (json.RawMessage, error) {
	if url, ok := commandAddress(p.Method, p.Params); ok {
		sc.note.visit(url)
	}
	if err := sc.policy.checkCommand(p.Method, p.Params); err != nil {
		return nil, err
	}
	pageOf := func() (*browser.Page, error) { return sc.page(ctx) }
	if p.Method == answersDialog {
		pageOf = func() (*browser.Page, error) { return sc.pageBeside(ctx, p.Space) }
	}
	page, err := pageOf()
	if err != nil {
		return nil, err
	}
	if sc.depth == 0 { // what a client sets itself stays
		return page.CDP(ctx, p.Method, p.Params, p.SessionID)
	}
	tap, err := sc.place.taps.on(ctx, page)
	if err != nil {
		return nil, err
	}
	return tap.CDP(ctx, p.Method, p.Params, p.SessionID)
}

// tapSet holds the DevTools sessions of a run, one for each tab that it sends
// commands to. What they set ends with the run.
type tapSet struct {
	mu   sync.Mutex // held while one is opened
	taps map[*browser.Page]*browser.Tap
}

func (s *tapSet) on(ctx context.Context, page *browser.Page) (*browser.Tap, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tap := s.taps[page]; tap != nil {
		return tap, nil
	}
	tap, err := page.Tap(ctx)
	if err != nil {
		return nil, err
	}
	if s.taps == nil {
		s.taps = make(map[*browser.Page]*browser.Tap)
	}
	s.taps[page] = tap
	return tap, nil
}

func (s *tapSet) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tap := range s.taps {
		tap.Close()
	}
	s.taps = nil
}
