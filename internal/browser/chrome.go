package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"egod/internal/process"
)

const (
	// exitGrace is how long Chrome may take to end by itself once its pipe is closed.
	exitGrace = 2 * time.Second
	// cleanGrace bounds the deleting of the profile after that.
	cleanGrace = 5 * time.Second
)

// chrome is one running browser and the table of its tabs.
type chrome struct {
	cfg     Config
	log     *slog.Logger
	path    string         // of the binary; the address of one that was attached to
	proc    *process.Child // nil: attached to, not ours to end
	profile *profile       // for an attached one a private directory without a profile in it
	conn    *conn
	scripts scripts

	mu       sync.Mutex             // taken last: the one of a page may be held then
	sessions map[string]*attachment // by session id
	sets     map[string]*tabSet     // by name of the space
	arrivals arrivals               // tabs on their way into a set
	changed  chan struct{}          // closed and replaced when the table changes

	recoveries sync.WaitGroup       // of pages; they end soon after the connection
	recordings sync.WaitGroup       // of pages; they end within seconds after it
	scratch    string               // directory for files of this Chrome; goes with it
	downloads  map[string]*Download // running ones, by GUID; guarded by mu
	reaped     chan struct{}        // closed when the process is gone and the profile given up
}

// attachment is a session and the page it belongs to: its tab or one of its frames.
type attachment struct {
	session *session
	page    *Page
	// extra marks a session beside the tab's own, see Tap.
	extra bool
}

func newChrome(cfg Config, path string, proc *process.Child, prof *profile) *chrome {
	return &chrome{
		cfg: cfg, log: cfg.Logger, path: path, proc: proc, profile: prof,
		scripts:   newScripts(),
		sessions:  make(map[string]*attachment),
		sets:      make(map[string]*tabSet),
		arrivals:  newArrivals(),
		changed:   make(chan struct{}),
		downloads: make(map[string]*Download),
		reaped:    make(chan struct{}),
	}
}

// call sends a command to the browser itself.
func (c *chrome) call(ctx context.Context, req request, res any) error {
	raw, err := c.conn.Call(ctx, "", req.ProtoReq(), req)
	if err != nil || res == nil {
		return err
	}
	if err := json.Unmarshal(raw, res); err != nil {
		return fmt.Errorf("decoding the answer of %s: %w", req.ProtoReq(), err)
	}
	return nil
}

// insist sends a command that is not taken back when ctx ends before the answer. late
// runs on the reader when what it made comes after that: nobody else knows of it.
func (c *chrome) insist(ctx context.Context, req request, res any, late func()) error {
	answer := make(chan error, 1)
	var settled atomic.Bool // by the answer or by whoever waits for it, the first of them
	c.conn.start("", req.ProtoReq(), req, func(r reply) {
		if r.err == nil {
			r.err = json.Unmarshal(r.result, res)
		}
		if settled.CompareAndSwap(false, true) {
			answer <- r.err
		} else if r.err == nil {
			late()
		}
	})
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		if settled.CompareAndSwap(false, true) {
			return context.Cause(ctx)
		}
		return <-answer // it is on its way
	}
}

// onEvent runs on the reader for every notification.
func (c *chrome) onEvent(e event) {
	switch e.Method {
	case "Target.attachedToTarget":
		c.attached(e)
	case "Target.detachedFromTarget":
		c.detached(e)
	case "Target.targetCreated":
		c.targetCreated(e)
	case "Page.windowOpen":
		c.windowOpening(e)
	case "Browser.downloadWillBegin":
		c.downloadBegan(e)
	case "Browser.downloadProgress":
		c.downloadProgress(e)
	default:
		c.mu.Lock()
		a := c.sessions[e.SessionID]
		c.mu.Unlock()
		switch {
		case a == nil:
		case a.extra:
			a.page.overhear(e)
		default:
			a.page.handle(a.session, e)
		}
	}
}

func (c *chrome) attached(e event) {
	var p struct {
		SessionID  string                 `json:"sessionId"`
		Waiting    bool                   `json:"waitingForDebugger"`
		TargetInfo proto.TargetTargetInfo `json:"targetInfo"`
	}
	if err := json.Unmarshal(e.Params, &p); err != nil {
		c.log.Warn("unreadable attach event", "error", err)
		return
	}
	s := newSession(c.conn, p.SessionID, string(p.TargetInfo.TargetID))
	if parent := c.pageOf(e.SessionID); parent != nil {
		c.register(s, parent, false)
		parent.adoptFrame(s)
		return
	}
	if page := c.pageOfTarget(s.targetID); page != nil {
		c.register(s, page, true)
		return
	}
	if p.TargetInfo.Type != proto.TargetTargetInfoTypePage || !c.ours(p.TargetInfo) {
		s.send(proto.RuntimeRunIfWaitingForDebugger{})
		c.conn.start("", "Target.detachFromTarget", proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(s.id)}, nil)
		return
	}
	page := newPage(c, s)
	page.openerID = string(p.TargetInfo.OpenerID)
	c.register(s, page, false)
	c.arrive(page, p.TargetInfo)
	page.setUp()
	if opener := c.pageOfTarget(page.openerID); opener != nil {
		opener.mu.Lock()
		defer opener.mu.Unlock()
		opener.report(Event{Kind: EventPopup, Popup: page.targetID})
	}
}

func (c *chrome) pageOfTarget(targetID string) *Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, set := range c.sets {
		if p := set.find(targetID); p != nil {
			return p
		}
	}
	return nil
}

func (c *chrome) register(s *session, p *Page, extra bool) {
	s.barred = p.barred
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[s.id] = &attachment{session: s, page: p, extra: extra}
}

func (c *chrome) pageOf(sessionID string) *Page {
	if sessionID == "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.sessions[sessionID]; a != nil {
		return a.page
	}
	return nil
}

func (c *chrome) detached(e event) {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	a := c.sessions[p.SessionID]
	delete(c.sessions, p.SessionID)
	c.mu.Unlock()
	if a == nil {
		return
	}
	if a.extra {
		a.session.end(&PageError{Reason: "the session was detached", Cause: errDetached})
		return
	}
	if a.session != a.page.session {
		a.page.dropFrame(a.session)
		a.session.end(&PageError{Reason: "the frame was removed", Cause: errDetached})
		return
	}
	c.removePage(a.page)
	a.page.end(&PageError{Reason: "the page was closed", Cause: errDetached})
}

// removePage forgets a tab that was closed; the tab opened before it becomes the
// current one.
func (c *chrome) removePage(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.arrivals.waiting, p.targetID)
	if p.set == nil {
		c.arrivals.wentEarly(p.targetID)
		return
	}
	i := slices.Index(p.set.pages, p)
	if i < 0 {
		return
	}
	wasCurrent := p.set.current == p
	c.dropPage(p)
	if n := len(p.set.pages); n > 0 && wasCurrent {
		p.set.current = p.set.pages[max(0, min(i, n)-1)]
	}
}

// losePage forgets and closes a tab that failed. No other tab takes its place, so
// that the next call finds a blank tab and not a page it did not ask for.
func (c *chrome) losePage(p *Page) {
	c.mu.Lock()
	c.dropPage(p)
	c.mu.Unlock()
	p.discard()
}

// dropPage takes a tab out of its set; mu is held.
func (c *chrome) dropPage(p *Page) {
	if p.set == nil {
		return
	}
	i := slices.Index(p.set.pages, p)
	if i < 0 {
		return
	}
	p.set.pages = slices.Delete(p.set.pages, i, i+1)
	if p.set.current == p {
		p.set.current = nil
	}
	c.broadcast()
}

// broadcast wakes who waits for a change of the table; mu is held.
func (c *chrome) broadcast() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// await blocks until cond (called with mu held) is true.
func (c *chrome) await(ctx context.Context, cond func() bool) error {
	return await(ctx, &c.mu, &c.changed, c.conn.done, &c.conn.err, cond)
}

// setCurrent makes a tab the one its space works on.
func (c *chrome) setCurrent(p *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(p.set.pages, p) {
		p.set.current = p
		c.broadcast()
	}
}

// whyEnded makes the cause of a lost connection out of how the process ended.
func (c *chrome) whyEnded(err error) error {
	if c.proc == nil {
		return err
	}
	grace := time.NewTimer(200 * time.Millisecond)
	defer grace.Stop()
	select {
	case <-c.proc.Done():
	case <-grace.C:
		return err
	}
	if c.proc.Err() != nil {
		return fmt.Errorf("the process ended: %w", c.proc.Err())
	}
	return errors.New("the process ended by itself")
}

// onClose runs once, when the connection ended: every page ends with it.
func (c *chrome) onClose(cause error) {
	c.mu.Lock()
	sessions := c.sessions
	c.sessions = make(map[string]*attachment)
	for _, set := range c.sets {
		set.pages, set.current = nil, nil
	}
	c.broadcast()
	c.mu.Unlock()
	for _, a := range sessions {
		a.session.end(cause)
	}
}

// reap ends the process once the connection is over and gives the profile up.
func (c *chrome) reap() {
	defer close(c.reaped)
	<-c.conn.done
	c.mu.Lock()
	c.mu.Unlock() //nolint:staticcheck // a fence: after it nothing enlists
	c.recoveries.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), exitGrace)
	defer cancel()
	if c.proc != nil {
		c.proc.Stop(ctx)
	}
	clean, cancelClean := context.WithTimeout(context.Background(), cleanGrace)
	defer cancelClean()
	if err := c.profile.close(clean); err != nil {
		c.log.Warn("could not give the profile up", "dir", c.profile.dir, "error", err)
	}
	c.recordings.Wait()
}

// close ends Chrome: asked first when its profile is to be kept, then by closing
// the pipe, then by killing it. It returns when the process is reaped. One that was
// attached to goes on without our tabs.
func (c *chrome) close(ctx context.Context) error {
	switch {
	case c.proc == nil:
		c.leave(ctx)
	case !c.profile.private:
		asked, cancel := context.WithTimeout(ctx, exitGrace)
		if err := c.call(asked, proto.BrowserClose{}, nil); err == nil {
			select {
			case <-c.conn.done:
			case <-asked.Done():
			}
		}
		cancel()
	}
	c.conn.fail(&GoneError{Cause: errClosed})
	select {
	case <-c.reaped:
		c.conn.wg.Wait()
		return nil
	case <-ctx.Done():
		if c.proc != nil {
			c.proc.Kill()
		}
		return context.Cause(ctx)
	}
}
