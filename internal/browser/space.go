package browser

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-rod/rod/lib/proto"
)

// DefaultSpace is the name of the space that uses Chrome's default browser context.
const DefaultSpace = "default"

// Space is a named set of tabs. Spaces never see each other's tabs; every name but
// DefaultSpace has a browser context, with cookies and storage, of its own. It
// begins with a copy of the cookies that the default context has then.
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

// tabs returns the running Chrome, started if need be, and the space's set of tabs in it.
func (s *Space) tabs(ctx context.Context) (*chrome, *tabSet, error) {
	c, err := s.m.acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	if s.name == DefaultSpace {
		return c, c.set(""), nil
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if s.chrome != c {
		var made proto.TargetCreateBrowserContextResult
		if err := c.call(ctx, proto.TargetCreateBrowserContext{DisposeOnDetach: true}, &made); err != nil {
			return nil, nil, fmt.Errorf("making the space %s: %w", s.name, err)
		}
		s.chrome, s.contextID = c, string(made.BrowserContextID)
		c.allowDownloads(s.contextID)
		if err := c.seedCookies(ctx, string(made.BrowserContextID)); err != nil {
			if ctx.Err() != nil {
				return nil, nil, err
			}
			c.log.Warn("a space begins without the default cookies", "space", s.name, "error", err)
		}
	}
	return c, c.set(s.contextID), nil
}

// existing returns the space's tabs without starting anything; nil when there are none.
func (s *Space) existing(ctx context.Context) (*chrome, *tabSet, error) {
	c := s.m.running()
	if c == nil {
		return nil, nil, nil
	}
	if s.name == DefaultSpace {
		return c, c.set(""), nil
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	if s.chrome != c {
		return nil, nil, nil
	}
	return c, c.set(s.contextID), nil
}

// set returns the tabs of a browser context.
func (c *chrome) set(contextID string) *tabSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	set := c.sets[contextID]
	if set == nil {
		set = &tabSet{contextID: contextID}
		c.sets[contextID] = set
	}
	return set
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
	if s.name == DefaultSpace {
		return s.closeAll(ctx, c, set)
	}
	s.making <- struct{}{}
	defer func() { <-s.making }()
	if s.chrome != c {
		return nil
	}
	id := s.contextID
	s.chrome, s.contextID = nil, ""
	if err := c.call(ctx, proto.TargetDisposeBrowserContext{BrowserContextID: proto.BrowserBrowserContextID(id)}, nil); err != nil {
		return fmt.Errorf("disposing of the space %s: %w", s.name, err)
	}
	if err := c.await(ctx, func() bool { return len(set.pages) == 0 }); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sets, id)
	return nil
}

func (s *Space) closeAll(ctx context.Context, c *chrome, set *tabSet) error {
	for {
		p := c.current(set)
		if p == nil {
			return nil
		}
		if err := c.closeTab(ctx, p); err != nil {
			return err
		}
	}
}
