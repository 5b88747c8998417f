package browser

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-rod/rod/lib/proto"
)

// DefaultSpace is the name of the space that uses Chrome's default browser context.
const DefaultSpace = "default"

// Isolation says what spaces share.
type Isolation string

// The kinds of isolation. IsolationFull is the default.
const (
	// IsolationFull gives every space but DefaultSpace a browser context, with
	// cookies and storage, of its own. It begins with a copy of the cookies that
	// the default context has then. In a Chrome that was attached to, the default
	// context is the user's: DefaultSpace has one of its own there too.
	IsolationFull Isolation = "isolated"
	// IsolationShared makes spaces mere sets of tabs in the default context.
	IsolationShared Isolation = "shared"
)

// Space is a named set of tabs. Spaces never see each other's tabs.
type Space struct {
	m    *Manager
	name string
	lane lane

	making    chan struct{} // capacity 1: held while the browser context is made
	chrome    *chrome       // the one contextID belongs to; guarded by making
	contextID string
}

func newSpace(m *Manager, name string) *Space {
	return &Space{m: m, name: name, making: make(chan struct{}, 1)}
}

// Name is the name the space was made with.
func (s *Space) Name() string { return s.name }

// ownContext reports whether the space has a browser context of its own in c.
func (s *Space) ownContext(c *chrome) bool {
	return s.m.cfg.Isolation != IsolationShared && (s.name != DefaultSpace || c.proc == nil)
}

// tabs returns the running Chrome, started if need be, and the space's set of tabs in it.
func (s *Space) tabs(ctx context.Context) (*chrome, *tabSet, error) {
	c, err := s.m.acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !s.ownContext(c) {
		return c, c.set(s.name, ""), nil
	}
	if err := s.hold(ctx); err != nil {
		return nil, nil, err
	}
	defer s.letGo()
	if s.chrome != c {
		if err := s.makeContext(ctx, c); err != nil {
			return nil, nil, err
		}
	}
	return c, c.set(s.name, s.contextID), nil
}

// hold waits until nobody else makes or ends the browser context.
func (s *Space) hold(ctx context.Context) error {
	select {
	case s.making <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Space) letGo() { <-s.making }

// hasNothing reports, without waiting, whether the space has no browser context.
func (s *Space) hasNothing() bool {
	select {
	case s.making <- struct{}{}:
		defer s.letGo()
	default:
		return false // somebody makes or ends it
	}
	if s.chrome == nil {
		return true
	}
	select {
	case <-s.chrome.conn.done: // the context went with its Chrome
		return true
	default:
		return false
	}
}

// makeContext makes the browser context; the space is held.
func (s *Space) makeContext(ctx context.Context, c *chrome) error {
	var made proto.TargetCreateBrowserContextResult
	drop := func() { c.disposeContext(made.BrowserContextID) }
	if err := c.insist(ctx, proto.TargetCreateBrowserContext{DisposeOnDetach: true}, &made, drop); err != nil {
		return fmt.Errorf("making the space %s: %w", s.name, err)
	}
	id := string(made.BrowserContextID)
	c.allowDownloads(id)
	if err := c.seedCookies(ctx, id); err != nil {
		if ctx.Err() != nil { // the next call makes one that has the cookies
			drop()
			return err
		}
		c.log.Warn("a space begins without the default cookies", "space", s.name, "error", err)
	}
	s.chrome, s.contextID = c, id
	return nil
}

// disposeContext ends a browser context and does not wait for it.
func (c *chrome) disposeContext(id proto.BrowserBrowserContextID) {
	req := proto.TargetDisposeBrowserContext{BrowserContextID: id}
	c.conn.start("", req.ProtoReq(), req, nil)
}

// existing returns the space's tabs without starting anything; nil when there are none.
func (s *Space) existing(ctx context.Context) (*chrome, *tabSet, error) {
	c := s.m.running()
	if c == nil {
		return nil, nil, nil
	}
	if !s.ownContext(c) {
		return c, c.set(s.name, ""), nil
	}
	if err := s.hold(ctx); err != nil {
		return nil, nil, err
	}
	defer s.letGo()
	if s.chrome != c {
		return nil, nil, nil
	}
	return c, c.set(s.name, s.contextID), nil
}

// Keep says whether a user is at work in the space: a Chrome with windows is not
// closed then, although nobody calls.
func (s *Space) Keep(keep bool) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if keep {
		s.m.kept[s.m.spaceLocked(s)] = true
	} else {
		delete(s.m.kept, s)
	}
}

// BeginRun has the space's tabs forget what is a run's own: keys and buttons held,
// where the mouse is, and events that were not drained. It starts nothing.
func (s *Space) BeginRun(ctx context.Context) error {
	c, set, err := s.existing(ctx)
	if c == nil || err != nil {
		return err
	}
	c.mu.Lock()
	pages := slices.Clone(set.pages)
	c.mu.Unlock()
	for _, p := range pages {
		p.ResetInput()
		p.DrainEvents()
	}
	return nil
}

// Page returns the current tab, opening a blank one when the space has none. It
// starts Chrome when none runs.
func (s *Space) Page(ctx context.Context) (*Page, error) {
	c, set, err := s.tabs(ctx)
	if err != nil {
		return nil, err
	}
	if p := c.current(set); p != nil {
		return p, p.waitReady(ctx)
	}
	return c.newTab(ctx, set)
}

func (c *chrome) current(set *tabSet) *Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	return set.current
}

// Dispose closes the space's tabs and, for spaces with a browser context of their
// own, drops its cookies and storage. The space can be used again afterwards.
func (s *Space) Dispose(ctx context.Context) error {
	c, set, err := s.existing(ctx)
	if c == nil || err != nil {
		return err
	}
	if !s.ownContext(c) {
		if err := s.closeAll(ctx, c, set); err != nil {
			return err
		}
		c.forget(set)
		return nil
	}
	if err := s.hold(ctx); err != nil {
		return err
	}
	defer s.letGo()
	if s.chrome != c {
		return nil
	}
	req := proto.TargetDisposeBrowserContext{BrowserContextID: proto.BrowserBrowserContextID(s.contextID)}
	s.chrome, s.contextID = nil, ""
	if err := c.insist(ctx, req, &struct{}{}, func() { c.forget(set) }); err != nil {
		return fmt.Errorf("disposing of the space %s: %w", s.name, err)
	}
	if err := c.await(ctx, func() bool { return len(set.pages) == 0 }); err != nil {
		return err
	}
	c.forget(set)
	return nil
}

// forget drops a set without tabs.
func (c *chrome) forget(set *tabSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sets[set.space] == set {
		c.forgetLocked(set)
	}
}

// forgetNamed drops the set of a space if it has no tabs.
func (c *chrome) forgetNamed(space string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set := c.sets[space]; set != nil {
		c.forgetLocked(set)
	}
}

// forgetLocked drops a set of the table that has no tabs and gets none; mu is held.
func (c *chrome) forgetLocked(set *tabSet) {
	if len(set.pages) > 0 || set.asking > 0 {
		return
	}
	for _, claimant := range c.arrivals.claimed {
		if claimant == set {
			return
		}
	}
	delete(c.sets, set.space)
	c.arrivals.opening = slices.DeleteFunc(c.arrivals.opening, func(o opening) bool { return o.set == set })
}

// closeAll closes the tabs of a space, also those that are opened meanwhile.
func (s *Space) closeAll(ctx context.Context, c *chrome, set *tabSet) error {
	for {
		c.mu.Lock()
		pages := slices.Clone(set.pages)
		c.mu.Unlock()
		if len(pages) == 0 {
			return nil
		}
		for _, p := range pages {
			if err := c.closeTab(ctx, p); err != nil {
				return err
			}
		}
	}
}
