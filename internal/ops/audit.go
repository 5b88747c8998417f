package ops

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"egod/internal/audit"
	"egod/internal/browser"
)

// Auditor hears of everything that clients and the code of runs ask for. It must not
// wait.
type Auditor interface {
	Audit(r audit.Record)
}

// auditTrail numbers the calls of a service for its Auditor. A nil one hears nothing.
type auditTrail struct {
	to      Auditor
	secrets *Secrets
	calls   atomic.Uint64
}

func newAuditTrail(to Auditor, secrets *Secrets) *auditTrail {
	if to == nil {
		return nil
	}
	return &auditTrail{to: to, secrets: secrets}
}

// auditClient is who asks.
type auditClient struct{ face, name string }

// Introduce says who the client of the session is: how it speaks (rpc, mcp, cli), and
// what it calls itself, which may come later.
func (s *Session) Introduce(face, name, version string) {
	if version != "" {
		name += "/" + version
	}
	s.who.Store(&auditClient{face, clip(name)})
}

// Asked audits a request that is no operation: initialize, or one that there is no
// method for. err is nil when it was served.
func (s *Session) Asked(method string, err error) {
	s.audit(method).done(nil, err)
}

// audit begins the record of a call.
func (s *Session) audit(op string) *auditNote {
	trail := s.svc.audit
	if trail == nil {
		return nil
	}
	n := trail.begin(op)
	if who := s.who.Load(); who != nil {
		n.record.Face, n.record.Client = who.face, who.name
	}
	return n
}

func (t *auditTrail) begin(op string) *auditNote {
	return &auditNote{trail: t, began: time.Now(), record: audit.Record{Op: clip(op), Call: t.calls.Add(1)}}
}

// auditNote is the record of one call while it goes on. A nil one takes no note.
type auditNote struct {
	trail *auditTrail
	began time.Time

	mu     sync.Mutex
	record audit.Record
	page   *browser.Page
	over   bool
}

// inner begins the record of a call that code of a run makes.
func (n *auditNote) inner(op string, run *toolRun) *auditNote {
	if n == nil {
		return nil
	}
	inner := n.trail.begin(op)
	inner.record.Face, inner.record.Client, inner.record.Within = n.record.Face, n.record.Client, n.record.Call
	if run != nil {
		inner.record.SiteID, inner.record.ToolName = run.siteID, run.toolName
	}
	return inner
}

// note changes the record.
func (n *auditNote) note(change func(*audit.Record)) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	change(&n.record)
}

// tool notes which tool is asked for, whether there is one or not.
func (n *auditNote) tool(siteID, name string) {
	n.note(func(r *audit.Record) { r.SiteID, r.ToolName = clip(siteID), clip(name) })
}

// maxNoted is how many files and targets one record names.
const maxNoted = 32

func (n *auditNote) file(path string, write bool) {
	access := "read"
	if write {
		access = "write"
	}
	n.note(func(r *audit.Record) {
		if len(r.Files) < maxNoted {
			r.Files = append(r.Files, audit.File{Path: path, Access: access})
		}
	})
}

func (n *auditNote) target(u *url.URL) {
	n.note(func(r *audit.Record) {
		if len(r.Targets) < maxNoted {
			r.Targets = append(r.Targets, origin(u))
		}
	})
}

// visit notes where a page is sent.
func (n *auditNote) visit(address string) {
	if n == nil {
		return
	}
	if u, err := url.Parse(asParsed(address)); err == nil && u.Scheme != "" {
		n.target(u)
	}
}

func (n *auditNote) download(from, path string) {
	if n == nil {
		return
	}
	where := ""
	if u, err := url.Parse(from); err == nil {
		where = origin(u)
	}
	n.note(func(r *audit.Record) {
		if len(r.Downloads) < maxNoted {
			r.Downloads = append(r.Downloads, audit.Download{From: where, Path: path})
		}
	})
}

// on notes the page that the call is about.
func (n *auditNote) on(page *browser.Page) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.page = page
}

// origin is a URL without what may be private in it: path, query, user.
func origin(u *url.URL) string {
	if u.Host == "" {
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}

// done sends the record, once. where is the call's place, nil when it had none.
func (n *auditNote) done(where *place, err error) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.over {
		return
	}
	n.over = true
	r := &n.record
	r.Time, r.DurationMs = n.began.UTC(), milliseconds(time.Since(n.began))
	r.Space = where.spaceName()
	if n.page != nil {
		if u, err := url.Parse(n.page.Address()); err == nil {
			r.Page = u.Host
		}
	}
	r.Outcome, r.Rule = auditOutcome(err)
	n.trail.hide(r)
	n.trail.to.Audit(*r)
}

// hide takes secrets out of what a client or a page chose.
func (t *auditTrail) hide(r *audit.Record) {
	for _, text := range []*string{&r.Client, &r.Op, &r.SiteID, &r.ToolName, &r.Space, &r.Page} {
		*text = t.secrets.Text(*text)
	}
	for i := range r.Targets {
		r.Targets[i] = t.secrets.Text(r.Targets[i])
	}
	for i := range r.Files {
		r.Files[i].Path = t.secrets.Text(r.Files[i].Path)
	}
	for i, d := range r.Downloads {
		r.Downloads[i] = audit.Download{From: t.secrets.Text(d.From), Path: t.secrets.Text(d.Path)}
	}
}

func auditOutcome(err error) (outcome, rule string) {
	var own *Error
	switch {
	case err == nil:
		return "ok", ""
	case errors.As(err, &own):
		rule, _ = own.Data["rule"].(string)
		return string(own.Kind), rule
	case errors.Is(err, context.Canceled):
		return string(KindCancelled), ""
	case errors.Is(err, context.DeadlineExceeded):
		return string(KindTimeout), ""
	}
	return string(KindInternal), ""
}

// maxNamed bounds names that a client makes up.
const maxNamed = 200

// clip cuts a name that is longer than any real one.
func clip(name string) string {
	if runes := []rune(name); len(runes) > maxNamed {
		return string(runes[:maxNamed]) + "…"
	}
	return name
}
