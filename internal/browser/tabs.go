package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Tab is one entry of a space's list of tabs.
type Tab struct {
	TargetID string `json:"targetId"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Active   bool   `json:"active"`
	Index    int    `json:"index"`
}

// closeWait bounds the wait for a closed tab to go. It takes milliseconds, and
// seconds where the machine has better things to do.
const closeWait = 10 * time.Second

// Tabs lists the tabs in the order they were opened. It never starts Chrome: the
// list is empty then. Without includeChrome, Chrome's own pages and about: are left out.
func (s *Space) Tabs(ctx context.Context, includeChrome bool) ([]Tab, error) {
	c, set, err := s.existing(ctx)
	if c == nil || err != nil {
		return nil, err
	}
	tabs, err := c.list(ctx, set)
	if err != nil || includeChrome {
		return tabs, err
	}
	return slices.DeleteFunc(tabs, func(t Tab) bool { return isInternal(t.URL) }), nil
}

// AllTabs lists the tabs of every space that has some, by the name of the space.
// Chrome's own pages and about: are left out. It never starts Chrome.
func (m *Manager) AllTabs(ctx context.Context) (map[string][]Tab, error) {
	c := m.running()
	if c == nil {
		return nil, nil
	}
	infos, err := c.targets(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string][]Tab)
	for name, set := range c.sets {
		tabs := slices.DeleteFunc(set.list(infos), func(t Tab) bool { return isInternal(t.URL) })
		if len(tabs) > 0 {
			all[name] = tabs
		}
	}
	return all, nil
}

func (c *chrome) list(ctx context.Context, set *tabSet) ([]Tab, error) {
	infos, err := c.targets(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return set.list(infos), nil
}

// shownTarget is what Chrome says of a tab.
type shownTarget struct {
	TargetID string `json:"targetId"`
	Title    string `json:"title"`
	URL      string `json:"url"`
}

// targets are all tabs of Chrome, by id.
func (c *chrome) targets(ctx context.Context) (map[string]shownTarget, error) {
	var res struct {
		TargetInfos []shownTarget `json:"targetInfos"`
	}
	if err := c.call(ctx, proto.TargetGetTargets{}, &res); err != nil {
		return nil, fmt.Errorf("listing tabs: %w", err)
	}
	infos := make(map[string]shownTarget, len(res.TargetInfos))
	for _, info := range res.TargetInfos {
		infos[info.TargetID] = info
	}
	return infos, nil
}

// list makes the entries of the tabs; chrome.mu is held.
func (t *tabSet) list(infos map[string]shownTarget) []Tab {
	tabs := make([]Tab, 0, len(t.pages))
	for i, p := range t.pages {
		info := infos[p.targetID]
		tabs = append(tabs, Tab{TargetID: p.targetID, Title: info.Title, URL: info.URL, Active: p == t.current, Index: i})
	}
	return tabs
}

func isInternal(address string) bool {
	for _, prefix := range []string{"chrome://", "chrome-untrusted://", "devtools://", "chrome-extension://", "about:"} {
		if strings.HasPrefix(address, prefix) {
			return true
		}
	}
	return false
}

// OpenOptions says which tab counts as the wanted one and how long to wait.
type OpenOptions struct {
	Match   string        // "exact" (default), "origin", "origin+path" or "includes"
	Wait    *bool         // nil: wait for the load of a new tab, not of a reused one
	Timeout time.Duration // 0: 20 s
	Settle  time.Duration // waited after the load
}

// OpenedTab is the tab OpenOrReuse chose.
type OpenedTab struct {
	Tab
	Reused bool `json:"reused"`
}

// OpenOrReuse makes the tab that shows address the current one, opening it when
// none does. How its load ends is not an error.
func (s *Space) OpenOrReuse(ctx context.Context, address string, o OpenOptions) (OpenedTab, error) {
	switch o.Match {
	case "", "exact", "origin", "origin+path", "includes":
	default:
		return OpenedTab{}, &PageError{
			Op: "openOrReuseTab", Permanent: true, Reason: fmt.Sprintf("unknown match %q", o.Match),
			Hint: "use exact, origin, origin+path or includes",
		}
	}
	c, set, err := s.tabs(ctx)
	if err != nil {
		return OpenedTab{}, err
	}
	tabs, err := c.list(ctx, set)
	if err != nil {
		return OpenedTab{}, err
	}
	for _, tab := range tabs {
		if !isInternal(tab.URL) && sameAddress(tab.URL, address, o.Match) {
			return s.reuse(ctx, c, set, tab, o)
		}
	}
	return s.open(ctx, c, set, address, o)
}

func (s *Space) reuse(ctx context.Context, c *chrome, set *tabSet, tab Tab, o OpenOptions) (OpenedTab, error) {
	p, err := c.activate(ctx, set, tab.TargetID)
	if err != nil {
		return OpenedTab{}, err
	}
	tab.Active = true
	if o.Wait != nil && *o.Wait {
		if _, err := p.WaitForLoadState(ctx, StateLoad, LoadOptions{Timeout: orDefault(o.Timeout, defaultGotoTimeout)}); err != nil {
			return OpenedTab{}, err
		}
	}
	return OpenedTab{Tab: tab, Reused: true}, settle(ctx, o.Settle)
}

func (s *Space) open(ctx context.Context, c *chrome, set *tabSet, address string, o OpenOptions) (OpenedTab, error) {
	before := c.current(set)
	p, err := c.newTab(ctx, set)
	if err != nil {
		return OpenedTab{}, err
	}
	c.setCurrent(p)
	until := StateLoad
	if o.Wait != nil && !*o.Wait {
		until = StateCommit
	}
	if _, err := p.Goto(ctx, address, GotoOptions{WaitUntil: until, Timeout: o.Timeout, Settle: o.Settle}); err != nil {
		c.undoTab(p, before)
		return OpenedTab{}, err
	}
	tab := Tab{TargetID: p.targetID, URL: p.url(), Active: true}
	c.mu.Lock()
	defer c.mu.Unlock()
	tab.Index = slices.Index(set.pages, p)
	return OpenedTab{Tab: tab}, nil
}

// undoTab takes back a tab that was opened for nothing: the tab that was the current
// one before is it again.
func (c *chrome) undoTab(p, before *Page) {
	c.mu.Lock()
	c.dropPage(p)
	if before != nil && slices.Contains(p.set.pages, before) {
		p.set.current = before
	}
	c.mu.Unlock()
	p.discard()
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

// sameAddress compares a tab's address with the wanted one.
func sameAddress(have, want, match string) bool {
	if match == "includes" {
		return strings.Contains(have, want)
	}
	a, errA := url.Parse(have)
	b, errB := url.Parse(want)
	if errA != nil || errB != nil || !b.IsAbs() {
		return have == want
	}
	origin := strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(hostPort(a), hostPort(b))
	switch match {
	case "origin":
		return origin
	case "origin+path":
		return origin && strings.TrimRight(a.EscapedPath(), "/") == strings.TrimRight(b.EscapedPath(), "/")
	}
	return origin && pathOf(a) == pathOf(b) && a.RawQuery == b.RawQuery && a.EscapedFragment() == b.EscapedFragment()
}

func pathOf(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if (u.Scheme == "http" && port == "80") || (u.Scheme == "https" && port == "443") {
		port = ""
	}
	return u.Hostname() + ":" + port
}

// activate makes a tab of the set the current one.
func (c *chrome) activate(ctx context.Context, set *tabSet, targetID string) (*Page, error) {
	c.mu.Lock()
	p := set.find(targetID)
	c.mu.Unlock()
	if p == nil {
		return nil, c.tabNotFound(ctx, set, "switchTab", targetID)
	}
	if err := c.call(ctx, proto.TargetActivateTarget{TargetID: proto.TargetTargetID(targetID)}, nil); err != nil {
		return nil, pageError("switchTab", "", err)
	}
	c.setCurrent(p)
	return p, p.waitReady(ctx)
}

func (c *chrome) tabNotFound(ctx context.Context, set *tabSet, op, targetID string) error {
	var known []string
	if tabs, err := c.list(ctx, set); err == nil {
		for _, t := range tabs {
			known = append(known, t.TargetID+" "+t.URL)
		}
	}
	return &PageError{
		Permanent: true,
		Reason:    fmt.Sprintf("%s target not found: %s. Available tabs: [%s]", op, targetID, strings.Join(known, ", ")),
		Hint:      "take a targetId from browser.listTabs()",
	}
}

// SwitchTab makes a tab the current one and returns its id.
func (s *Space) SwitchTab(ctx context.Context, targetID string) (string, error) {
	if targetID == "" {
		return "", &PageError{Permanent: true, Reason: `switchTab requires a targetId; received ""`, Hint: "take a targetId from browser.listTabs()"}
	}
	c, set, err := s.tabs(ctx)
	if err != nil {
		return "", err
	}
	if _, err := c.activate(ctx, set, targetID); err != nil {
		return "", err
	}
	return targetID, nil
}

// CloseTab closes a tab, the current one for targetID "", waits until it is gone
// and returns its id.
func (s *Space) CloseTab(ctx context.Context, targetID string) (string, error) {
	c, set, err := s.existing(ctx)
	if err != nil {
		return "", err
	}
	if c == nil {
		return "", &PageError{Reason: "closeTab: there is no tab", Hint: "open one with browser.openOrReuseTab(url)"}
	}
	c.mu.Lock()
	p := set.current
	if targetID != "" {
		p = set.find(targetID)
	}
	c.mu.Unlock()
	if p == nil {
		return "", c.tabNotFound(ctx, set, "closeTab", targetID)
	}
	return p.targetID, c.closeTab(ctx, p)
}

func (c *chrome) closeTab(ctx context.Context, p *Page) error {
	p.setClosing()
	err := c.call(ctx, p.closeRequest(), nil)
	if err != nil && !p.session.over() { // it may have closed itself meanwhile
		return pageError("closeTab", p.url(), err)
	}
	until, cancel := context.WithTimeoutCause(ctx, closeWait, errWaitEnded)
	defer cancel()
	err = c.await(until, func() bool { return !slices.Contains(p.set.pages, p) })
	if errors.Is(err, errWaitEnded) && ctx.Err() == nil {
		return &PageError{Op: "closeTab", URL: p.url(), Reason: fmt.Sprintf("the tab did not close within %s", closeWait)}
	}
	return err
}

// CurrentTab is the tab that page operations work on.
func (s *Space) CurrentTab(ctx context.Context) (Tab, error) {
	tabs, err := s.Tabs(ctx, true)
	if err != nil {
		return Tab{}, err
	}
	for _, t := range tabs {
		if t.Active {
			return t, nil
		}
	}
	return Tab{}, &PageError{Reason: "no active browser tab", Hint: "open one with browser.openOrReuseTab(url)"}
}

// EnsureRealTab makes sure that the current tab is not one of Chrome's own pages:
// it stays when it is not, else the first other tab becomes current. nil: there is none.
func (s *Space) EnsureRealTab(ctx context.Context) (*Tab, error) {
	tabs, err := s.Tabs(ctx, false)
	if err != nil || len(tabs) == 0 {
		return nil, err
	}
	for i := range tabs {
		if tabs[i].Active {
			return &tabs[i], nil
		}
	}
	if _, err := s.SwitchTab(ctx, tabs[0].TargetID); err != nil {
		return nil, err
	}
	tabs[0].Active = true
	return &tabs[0], nil
}

// IframeTarget is the target id of the first out-of-process frame of the space's
// tabs whose address contains part; "" when there is none.
func (s *Space) IframeTarget(ctx context.Context, part string) (string, error) {
	c, set, err := s.existing(ctx)
	if c == nil || err != nil {
		return "", err
	}
	c.mu.Lock()
	pages := slices.Clone(set.pages)
	c.mu.Unlock()
	for _, p := range pages {
		if id := p.frameTargetID(part); id != "" {
			return id, nil
		}
	}
	return "", nil
}

func (p *Page) frameTargetID(part string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, f := range p.frames {
		if f.session != p.session && f.session.targetID == id && strings.Contains(f.url, part) {
			return id
		}
	}
	return ""
}
