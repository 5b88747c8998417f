package browser

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Page is one tab. Its state is fed by Chrome's events on the reader goroutine and
// read by calls; mu guards it and changed wakes who waits for a change.
type Page struct {
	chrome   *chrome
	session  *session
	targetID string
	openerID string        // target id of the tab that opened it; "": no tab did
	set      *tabSet       // guarded by chrome.mu
	ready    chan struct{} // closed when the set-up commands were answered

	mu         sync.Mutex
	changed    chan struct{}
	doc        document
	nav        navigation        // of the main frame, begun and not committed
	frames     map[string]*frame // by frame id, main frame included
	net        traffic
	dialog     *Dialog       // open, with the manual policy
	blocked    chan struct{} // closed while dialog is set, then replaced
	collectors map[*collector]struct{}
	watches    map[*Watch]struct{}
	input      inputState
	refs       map[int]refEntry // of the last snapshot
	raw        rawEvents
	dragging   *nativeDrag   // set while a drag runs
	cast       *Screencast   // being recorded
	metrics    *session      // through which the size of the screen was set last; nil: not set
	closing    bool          // Chrome was asked to close the tab
	recovery   chan struct{} // open while the page is being freed from a runaway script
}

// document is what the main frame shows.
type document struct {
	frameID     string
	loaderID    string
	url         string
	seq         int      // grows with every commit
	recent      []string // loaders of the last commits, newest last
	interactive bool     // DOMContentLoaded fired
	loaded      bool     // load fired
}

// navigation follows what a document change goes through before it commits: asked
// for by the page's scripts, then taken up by the browser.
type navigation struct {
	requested time.Time // zero: not asked for, or too long ago to be still coming
	started   bool
}

// requestLapse is how soon the browser takes up a navigation that a page asked for.
// One that it does not take up by then was dropped without a word.
const requestLapse = 500 * time.Millisecond

func (n navigation) pending() bool { return n.started || time.Since(n.requested) < requestLapse }

// recentCommits bounds document.recent.
const recentCommits = 16

// frame is a frame of the page and its two script worlds.
type frame struct {
	id       string
	parentID string
	name     string
	url      string
	loaderID string
	session  *session // of its process; the page's own for same-process frames
	main     *world
	isolated *world
}

// world is a script context of one document. It dies with the document.
type world struct {
	session  *session
	frameID  string
	id       int
	uniqueID string
	url      string // the document's address once it was asked; guarded by Page.mu
}

func newPage(c *chrome, s *session) *Page {
	return &Page{
		chrome: c, session: s, targetID: s.targetID,
		ready:      make(chan struct{}),
		changed:    make(chan struct{}),
		blocked:    make(chan struct{}),
		frames:     make(map[string]*frame),
		net:        newTraffic(),
		collectors: make(map[*collector]struct{}),
		watches:    make(map[*Watch]struct{}),
	}
}

// TargetID is Chrome's id of the tab.
func (p *Page) TargetID() string { return p.targetID }

// SessionID is Chrome's id of the session that the tab's commands go through; CDP takes it.
func (p *Page) SessionID() string { return p.session.id }

func (p *Page) closeRequest() proto.TargetCloseTarget {
	return proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.targetID)}
}

// setClosing is called before Chrome is asked to close the tab. Chrome puts that to
// the document that is there, and forgets it when another takes its place meanwhile:
// from here on each sign of a new document asks again.
func (p *Page) setClosing() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = true
}

// closeAgain repeats the request to close the tab at an event that tells of a new
// document. Right after its commit a request is lost too, so later signs count as
// well; all of them come within milliseconds.
func (p *Page) closeAgain(e event) {
	switch e.Method {
	case "Page.frameNavigated", "Runtime.executionContextCreated", "Page.lifecycleEvent":
		p.chrome.conn.start("", "Target.closeTarget", p.closeRequest(), nil)
	}
}

// discard closes the tab and does not wait for it.
func (p *Page) discard() {
	p.setClosing()
	p.chrome.conn.start("", "Target.closeTarget", p.closeRequest(), nil)
}

// setUp queues what makes a fresh session ours, then lets the waiting tab run. It
// runs on the reader, so it waits for no answer; the last one closes ready.
func (p *Page) setUp() {
	p.enable(p.session)
	// A tab behind another draws, runs its timers and has the focus, as a user's
	// own tab would: there is nobody to bring it to the front.
	p.session.send(proto.EmulationSetFocusEmulationEnabled{Enabled: true})
	p.session.then(proto.RuntimeRunIfWaitingForDebugger{}, func(json.RawMessage, error) { close(p.ready) })
}

// enable turns the domains on that a page or an out-of-process frame needs. The
// pristine copies of built-ins must be taken before the page's first script.
func (p *Page) enable(s *session) {
	s.send(proto.PageEnable{})
	s.then(proto.PageGetFrameTree{}, func(raw json.RawMessage, err error) {
		if err == nil {
			p.frameTree(s, raw)
		}
	})
	s.send(proto.PageSetLifecycleEventsEnabled{Enabled: true})
	s.send(proto.PageAddScriptToEvaluateOnNewDocument{Source: p.chrome.scripts.main, RunImmediately: true})
	s.send(proto.PageAddScriptToEvaluateOnNewDocument{
		Source: p.chrome.scripts.isolated, WorldName: worldName, RunImmediately: true,
	})
	s.send(proto.RuntimeEnable{})
	s.send(networkEnable{MaxTotalBufferSize: responseBuffer, MaxResourceBufferSize: responseBuffer})
	s.send(proto.TargetSetAutoAttach{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
		Filter: proto.TargetTargetFilter{{Type: "iframe"}},
	})
}

// adoptFrame takes in a frame that runs in a process of its own.
func (p *Page) adoptFrame(s *session) {
	p.mu.Lock()
	f := p.frameByID(s.targetID)
	f.session, f.main, f.isolated = s, nil, nil
	p.broadcast()
	p.mu.Unlock()
	p.enable(s)
	s.send(proto.RuntimeRunIfWaitingForDebugger{})
}

// dropFrame forgets the contexts and the requests of a frame session that ended.
func (p *Page) dropFrame(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handFrames(s, p.session)
}

// handFrames gives the frames of a session that ended to another one; mu is held.
func (p *Page) handFrames(from, to *session) {
	shown := make(map[string]bool)
	for _, f := range p.frames {
		shown[f.loaderID] = true
		if f.session == from {
			f.session, f.main, f.isolated = to, nil, nil
		}
	}
	p.net.sessionOver(from, shown)
	p.broadcast()
}

// end fails every call on the page with err.
func (p *Page) end(err error) { p.session.end(err) }

// broadcast wakes the waiters; mu is held.
func (p *Page) broadcast() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// await blocks until cond, called with mu held, is true. It ends with ctx or the page.
func (p *Page) await(ctx context.Context, cond func() bool) error {
	return await(ctx, &p.mu, &p.changed, p.session.done, &p.session.err, cond)
}

// await blocks until cond is true, which is called with mu held and again each time
// that changed is closed and replaced under mu. It ends with ctx, and with done for
// the reason that err holds then.
func await(ctx context.Context, mu sync.Locker, changed *chan struct{}, done <-chan struct{}, err *error, cond func() bool) error {
	for {
		mu.Lock()
		ok, next := cond(), *changed
		mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-done:
			return *err
		}
	}
}

func (p *Page) waitReady(ctx context.Context) error {
	select {
	case <-p.ready:
		return nil
	default:
	}
	select {
	case <-p.ready:
		return nil
	case <-p.session.done:
		return p.session.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// begin is the door of every operation: the page is set up, alive, and not being
// freed from a runaway script.
func (p *Page) begin(ctx context.Context) error {
	if err := p.waitReady(ctx); err != nil {
		return err
	}
	if err := p.session.ended(ctx); err != nil {
		return err
	}
	return p.await(ctx, func() bool { return p.recovery == nil })
}

// frameByID returns the frame, making an entry for one not seen yet; mu is held.
func (p *Page) frameByID(id string) *frame {
	f := p.frames[id]
	if f == nil {
		f = &frame{id: id, session: p.session}
		p.frames[id] = f
	}
	return f
}
