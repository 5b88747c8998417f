package browser

import (
	"encoding/json"
	"time"
)

// handle updates the page's state from one event, on the reader goroutine.
func (p *Page) handle(s *session, e event) {
	p.mu.Lock()
	if p.cast != nil && e.Method == "Page.screencastFrame" {
		p.cast.offer(e.Params)
		p.mu.Unlock()
		return
	}
	p.raw.add(e)
	closing := p.closing && s == p.session
	p.mu.Unlock()
	if closing {
		p.closeAgain(e)
	}
	switch e.Method {
	case "Page.frameNavigated":
		on(p, s, e, p.frameNavigated)
	case "Page.navigatedWithinDocument":
		on(p, s, e, p.navigatedWithin)
	case "Page.lifecycleEvent":
		on(p, s, e, p.lifecycle)
	case "Page.frameRequestedNavigation":
		on(p, s, e, p.navigationRequested)
	case "Page.frameStartedLoading", "Page.frameStartedNavigating":
		on(p, s, e, p.navigationStarted)
	case "Page.frameStoppedLoading":
		on(p, s, e, p.navigationStopped)
	case "Page.frameAttached":
		on(p, s, e, p.frameAttached)
	case "Page.frameDetached":
		on(p, s, e, p.frameDetached)
	case "Runtime.executionContextCreated":
		on(p, s, e, p.contextCreated)
	case "Runtime.executionContextDestroyed":
		on(p, s, e, p.contextDestroyed)
	case "Runtime.executionContextsCleared":
		on(p, s, e, p.contextsCleared)
	case "Runtime.consoleAPICalled":
		on(p, s, e, p.consoleCalled)
	case "Page.javascriptDialogOpening":
		on(p, s, e, p.dialogOpening)
	case "Page.javascriptDialogClosed":
		on(p, s, e, p.dialogClosed)
	case "Input.dragIntercepted":
		on(p, s, e, p.dragIntercepted)
	case "Inspector.targetCrashed":
		p.crashed(s)
	case "Inspector.targetReloadedAfterCrash":
		p.frameRevived(s)
	default:
		p.networkEvent(s, e)
	}
}

// on decodes the event's parameters and calls fn with mu held, then wakes the waiters.
func on[T any](p *Page, s *session, e event, fn func(*session, *T)) {
	var params T
	if err := json.Unmarshal(e.Params, &params); err != nil {
		p.chrome.log.Warn("unreadable event", "method", e.Method, "error", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fn(s, &params)
	p.broadcast()
}

// frameTree takes over the frames that existed before our session did.
func (p *Page) frameTree(s *session, raw json.RawMessage) {
	var res struct {
		FrameTree frameNode `json:"frameTree"`
	}
	if json.Unmarshal(raw, &res) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == p.session && p.doc.frameID == "" {
		root := res.FrameTree.Frame
		p.doc.frameID, p.doc.loaderID, p.doc.url = root.ID, root.LoaderID, root.URL+root.URLFragment
		if root.URL == "about:blank" {
			p.doc.interactive, p.doc.loaded = true, true
		}
	}
	p.walkFrames(s, res.FrameTree)
	p.broadcast()
}

type frameNode struct {
	Frame       frameInfo   `json:"frame"`
	ChildFrames []frameNode `json:"childFrames"`
}

type frameInfo struct {
	ID          string `json:"id"`
	ParentID    string `json:"parentId"`
	LoaderID    string `json:"loaderId"`
	Name        string `json:"name"`
	URL         string `json:"url"`
	URLFragment string `json:"urlFragment"`
}

func (p *Page) walkFrames(s *session, n frameNode) {
	f := p.frameByID(n.Frame.ID)
	f.update(s, n.Frame)
	for _, child := range n.ChildFrames {
		p.walkFrames(s, child)
	}
}

// update copies what Chrome says about a frame. The root of a frame session has
// its parent in another process and keeps the one it was attached with.
func (f *frame) update(s *session, info frameInfo) {
	f.session = s
	f.loaderID, f.name, f.url = info.LoaderID, info.Name, info.URL+info.URLFragment
	if info.ParentID != "" {
		f.parentID = info.ParentID
	}
}

type frameEvent struct {
	FrameID       string `json:"frameId"`
	ParentFrameID string `json:"parentFrameId"`
	URL           string `json:"url"`
	Reason        string `json:"reason"`
	LoaderID      string `json:"loaderId"`
	Name          string `json:"name"` // lifecycle events
}

func (p *Page) frameNavigated(s *session, e *struct {
	Frame frameInfo `json:"frame"`
	Type  string    `json:"type"`
}) {
	p.dropChildren(e.Frame.ID)
	f := p.frameByID(e.Frame.ID)
	f.update(s, e.Frame)
	if s != p.session || e.Frame.ParentID != "" {
		return
	}
	d := &p.doc
	d.frameID, d.loaderID, d.url = e.Frame.ID, e.Frame.LoaderID, f.url
	d.seq++
	d.recent = append(d.recent, e.Frame.LoaderID)
	if over := len(d.recent) - recentCommits; over > 0 {
		d.recent = append(d.recent[:0], d.recent[over:]...)
	}
	d.interactive, d.loaded = false, false
	p.nav = navigation{}
	p.net.newDocument(e.Frame.LoaderID)
}

func (p *Page) navigatedWithin(_ *session, e *frameEvent) {
	f := p.frameByID(e.FrameID)
	f.url = e.URL
	if f.main != nil && f.main.url != "" {
		f.main.url = e.URL
	}
	if e.FrameID == p.doc.frameID {
		p.doc.url = e.URL
		p.nav = navigation{}
	}
}

func (p *Page) lifecycle(s *session, e *frameEvent) {
	if s != p.session || e.FrameID != p.doc.frameID || e.LoaderID != p.doc.loaderID {
		return
	}
	switch e.Name {
	case "DOMContentLoaded":
		p.doc.interactive = true
	case "load":
		p.doc.interactive, p.doc.loaded = true, true
	}
}

func (p *Page) navigationRequested(_ *session, e *frameEvent) {
	if e.FrameID != p.doc.frameID {
		return
	}
	p.nav.requested = time.Now()
	time.AfterFunc(requestLapse, func() { // waits look again when the request has lapsed
		p.mu.Lock()
		defer p.mu.Unlock()
		p.broadcast()
	})
}

func (p *Page) navigationStarted(_ *session, e *frameEvent) {
	if e.FrameID == p.doc.frameID {
		p.nav.started = true
	}
}

// navigationStopped ends a navigation that did not commit. The stop of the old
// document's own load may still come after a request for the next one.
func (p *Page) navigationStopped(_ *session, e *frameEvent) {
	if e.FrameID == p.doc.frameID && p.nav.started {
		p.nav = navigation{}
	}
}

func (p *Page) frameAttached(s *session, e *frameEvent) {
	f := p.frameByID(e.FrameID)
	f.session, f.parentID = s, e.ParentFrameID
}

// frameDetached forgets a frame, unless it only moved to another process.
func (p *Page) frameDetached(_ *session, e *frameEvent) {
	if e.Reason == "swap" || e.FrameID == p.doc.frameID {
		return
	}
	p.dropChildren(e.FrameID)
	delete(p.frames, e.FrameID)
}

// dropChildren forgets the frames inside a frame, which a new document has none of.
func (p *Page) dropChildren(id string) {
	for childID, f := range p.frames {
		if f.parentID == id && childID != id {
			p.dropChildren(childID)
			delete(p.frames, childID)
		}
	}
}

func (p *Page) contextCreated(s *session, e *struct {
	Context struct {
		ID       int    `json:"id"`
		UniqueID string `json:"uniqueId"`
		Name     string `json:"name"`
		AuxData  struct {
			IsDefault bool   `json:"isDefault"`
			FrameID   string `json:"frameId"`
		} `json:"auxData"`
	} `json:"context"`
}) {
	if e.Context.AuxData.FrameID == "" {
		return
	}
	f := p.frameByID(e.Context.AuxData.FrameID)
	w := &world{session: s, frameID: f.id, id: e.Context.ID, uniqueID: e.Context.UniqueID}
	switch {
	case e.Context.AuxData.IsDefault:
		f.main = w
	case e.Context.Name == worldName:
		f.isolated = w
	}
}

func (p *Page) contextDestroyed(s *session, e *struct {
	ID int `json:"executionContextId"`
}) {
	p.dropWorlds(func(w *world) bool { return w.session == s && w.id == e.ID })
}

func (p *Page) contextsCleared(s *session, _ *struct{}) {
	p.dropWorlds(func(w *world) bool { return w.session == s })
}

func (p *Page) dropWorlds(gone func(*world) bool) {
	for _, f := range p.frames {
		if f.main != nil && gone(f.main) {
			f.main = nil
		}
		if f.isolated != nil && gone(f.isolated) {
			f.isolated = nil
		}
	}
}

// crashed fails the calls of a tab whose renderer died: they would hang for ever.
// The dead tab is closed; the space opens a fresh one on its next use.
func (p *Page) crashed(s *session) {
	if s != p.session {
		s.end(&PageError{Reason: "the frame's process crashed"})
		p.mu.Lock()
		defer p.mu.Unlock()
		p.net.sessionOver(s, nil)
		p.broadcast()
		return
	}
	p.chrome.losePage(p)
	p.end(&PageError{
		Reason: "the page crashed", URL: p.url(), Hint: "call again: the next call gets a fresh tab",
	})
}

// frameRevived takes in a frame whose process crashed and that got another one: Chrome
// goes on with the same session and all that was set through it.
func (p *Page) frameRevived(s *session) {
	if s == p.session || !s.over() {
		return
	}
	revived := newSession(s.conn, s.id, s.targetID)
	p.chrome.register(revived, p, false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handFrames(s, revived)
}

// Address is that of the document as far as is known, without asking Chrome.
func (p *Page) Address() string { return p.url() }

func (p *Page) url() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc.url
}
