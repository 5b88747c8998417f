package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// tabSet is the tabs of one space, in the order they were opened. It is guarded by
// chrome.mu.
type tabSet struct {
	space     string
	contextID string // browser context of the tabs; "" is the default one
	pages     []*Page
	current   *Page
	asking    int // requests for tabs of it that were not answered yet
}

func (t *tabSet) find(targetID string) *Page {
	for _, p := range t.pages {
		if p.targetID == targetID {
			return p
		}
	}
	return nil
}

// arrivals is what is known of tabs that are not in a set yet. A browser context of
// its own tells the set of a tab; in the default one, which spaces may share, it is
// told by who asked for the tab. It is guarded by chrome.mu.
type arrivals struct {
	claimed map[string]*tabSet // sets of tabs that are asked for and did not attach yet, by target id
	asking  int                // requests for tabs of the default context that were not answered yet
	waiting map[string]arrival // attached meanwhile: an answer may tell whose they are
	gone    map[string]bool    // attached and ended meanwhile
	opening []opening          // windows that pages open
}

// wentEarly notes that a tab ended before an answer told whose it is; mu is held.
func (a *arrivals) wentEarly(targetID string) {
	if a.asking > 0 {
		a.gone[targetID] = true
	}
}

// arrival is a tab and what Chrome said of it.
type arrival struct {
	page *Page
	info proto.TargetTargetInfo
}

// opening is a window that a page opens. One with noopener does not tell by whom.
type opening struct {
	url  string
	set  *tabSet
	when time.Time
}

// openingKept bounds how many openings are remembered, and openingLapse how long.
const (
	openingKept  = 256
	openingLapse = 10 * time.Second
)

func newArrivals() arrivals {
	return arrivals{claimed: make(map[string]*tabSet), waiting: make(map[string]arrival), gone: make(map[string]bool)}
}

// set returns the tabs of a space, whose browser context is the one given.
func (c *chrome) set(space, contextID string) *tabSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.setLocked(space, contextID)
}

func (c *chrome) setLocked(space, contextID string) *tabSet {
	set := c.sets[space]
	if set == nil || set.contextID != contextID {
		set = &tabSet{space: space, contextID: contextID}
		c.sets[space] = set
	}
	return set
}

// windowOpening notes on the reader that a page opens a window.
func (c *chrome) windowOpening(e event) {
	var p struct {
		URL string `json:"url"`
	}
	page := c.pageOf(e.SessionID)
	if page == nil || json.Unmarshal(e.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if page.set == nil || page.set.contextID != "" {
		return
	}
	list := append(c.arrivals.opening, opening{url: p.URL, set: page.set, when: time.Now()})
	c.arrivals.opening = list[max(0, len(list)-openingKept):]
}

// opened takes the opening of an address out of the list, one by the set if that is
// known, and returns its set; nil: no page announced it. mu is held.
func (a *arrivals) opened(address string, by *tabSet) *tabSet {
	a.opening = slices.DeleteFunc(a.opening, func(o opening) bool { return time.Since(o.when) > openingLapse })
	i := slices.IndexFunc(a.opening, func(o opening) bool {
		return blankIfEmpty(o.url) == blankIfEmpty(address) && (by == nil || by == o.set)
	})
	if i < 0 {
		return nil
	}
	set := a.opening[i].set
	a.opening = slices.Delete(a.opening, i, i+1)
	return set
}

func blankIfEmpty(address string) string {
	if address == "" {
		return "about:blank"
	}
	return address
}

// setFor finds the set of a tab by what Chrome says of it; nil: nothing tells. mu is held.
func (c *chrome) setFor(info proto.TargetTargetInfo) *tabSet {
	id := string(info.TargetID)
	if set := c.arrivals.claimed[id]; set != nil {
		return set
	}
	for _, set := range c.sets {
		if set.contextID != "" && set.contextID == string(info.BrowserContextID) {
			return set
		}
	}
	for _, set := range c.sets {
		if set.find(string(info.OpenerID)) != nil {
			c.arrivals.opened(info.URL, set)
			return set
		}
	}
	return nil
}

// ours reports whether a tab that attached is one of egod's. All are in a Chrome that
// egod started.
func (c *chrome) ours(info proto.TargetTargetInfo) bool {
	if c.proc != nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.arrivals.claimed[string(info.TargetID)] != nil
}

// arrive puts a tab that attached into its set, on the reader.
func (c *chrome) arrive(p *Page, info proto.TargetTargetInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set := c.setFor(info)
	delete(c.arrivals.claimed, p.targetID)
	switch {
	case set != nil:
		c.add(p, set)
	case c.arrivals.asking > 0:
		c.arrivals.waiting[p.targetID] = arrival{p, info}
	default:
		c.addUnasked(p, info)
	}
}

// addUnasked puts a tab that egod did not ask for to the page that announced it, or
// into the default space; mu is held.
func (c *chrome) addUnasked(p *Page, info proto.TargetTargetInfo) {
	set := c.arrivals.opened(info.URL, nil)
	if set == nil {
		set = c.setLocked(DefaultSpace, "")
	}
	c.add(p, set)
}

// targetCreated looks on the reader whether a new tab of a Chrome that was attached
// to is in a context of ours or was opened by a tab of ours. Others are left alone.
func (c *chrome) targetCreated(e event) {
	var p struct {
		TargetInfo proto.TargetTargetInfo `json:"targetInfo"`
	}
	if json.Unmarshal(e.Params, &p) != nil || p.TargetInfo.Type != proto.TargetTargetInfoTypePage {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	set := c.setFor(p.TargetInfo)
	if set == nil && c.arrivals.asking == 0 { // else it may be the one that is asked for
		set = c.arrivals.opened(p.TargetInfo.URL, nil)
	}
	if set != nil {
		c.claim(string(p.TargetInfo.TargetID), set)
	}
}

// add is the end of an arrival; mu is held.
func (c *chrome) add(p *Page, set *tabSet) {
	p.set = set
	set.pages = append(set.pages, p)
	if set.current == nil {
		set.current = p
	}
	c.broadcast()
}

// newTab opens a blank tab in the set's browser context and waits until it is ours.
func (c *chrome) newTab(ctx context.Context, set *tabSet) (*Page, error) {
	c.mu.Lock()
	first := len(set.pages) == 0
	c.mu.Unlock()
	req := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: proto.BrowserBrowserContextID(set.contextID)}
	// A context without tabs has no window to put one in.
	req.NewWindow = first && (c.cfg.Headed || c.proc == nil && set.contextID != "")
	req.Background = c.proc == nil && !req.NewWindow // the user looks at another
	id, err := c.createTarget(ctx, set, req)
	if err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	page, err := c.arrived(ctx, set, id)
	if err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	return page, page.waitReady(ctx)
}

// arrived waits until a tab that was asked for is in its set.
func (c *chrome) arrived(ctx context.Context, set *tabSet, targetID string) (*Page, error) {
	var page *Page
	settled := func() bool {
		page = set.find(targetID)
		return page != nil || c.arrivals.claimed[targetID] == nil
	}
	if err := c.await(ctx, settled); err != nil {
		return nil, err
	}
	if page == nil {
		return nil, &PageError{Reason: "the tab was closed at once", Cause: errDetached, Hint: "call again"}
	}
	return page, nil
}

// createTarget asks for a tab, which becomes one of the set, also when ctx ends before.
func (c *chrome) createTarget(ctx context.Context, set *tabSet, req request) (string, error) {
	c.mu.Lock()
	c.arrivals.asking++
	set.asking++
	if c.sets[set.space] == nil { // it was forgotten while it had nothing
		c.sets[set.space] = set
	}
	c.mu.Unlock()
	answer := make(chan reply, 1)
	var created proto.TargetCreateTargetResult
	c.conn.start("", req.ProtoReq(), req, func(r reply) {
		if r.err == nil {
			r.err = json.Unmarshal(r.result, &created)
		}
		c.tabAsked(string(created.TargetID), set)
		answer <- r
	})
	select {
	case r := <-answer:
		return string(created.TargetID), r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// tabAsked takes in, on the reader, the answer to a request for a tab; "": refused.
func (c *chrome) tabAsked(targetID string, set *tabSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arrivals.asking--
	set.asking--
	if a, ok := c.arrivals.waiting[targetID]; ok {
		delete(c.arrivals.waiting, targetID)
		c.add(a.page, set)
	} else if targetID != "" && set.find(targetID) == nil && !c.arrivals.gone[targetID] {
		c.claim(targetID, set)
	}
	if c.arrivals.asking > 0 {
		return
	}
	clear(c.arrivals.gone)
	for id, a := range c.arrivals.waiting { // nobody asked for these
		delete(c.arrivals.waiting, id)
		c.addUnasked(a.page, a.info)
	}
}

// claim makes a tab that did not attach yet the set's; mu is held.
func (c *chrome) claim(targetID string, set *tabSet) {
	if c.arrivals.claimed[targetID] != nil {
		return
	}
	c.arrivals.claimed[targetID] = set
	if c.proc == nil { // nothing attaches by itself there
		req := proto.TargetAttachToTarget{TargetID: proto.TargetTargetID(targetID), Flatten: true}
		c.conn.start("", req.ProtoReq(), req, func(r reply) {
			var refused *protocolError
			if errors.As(r.err, &refused) { // it closed before; a lost connection needs no care, and may tell here with mu held
				c.mu.Lock()
				defer c.mu.Unlock()
				delete(c.arrivals.claimed, targetID)
				c.broadcast()
			}
		})
	}
}
