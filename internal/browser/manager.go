package browser

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"
)

// DialogPolicy says what happens to alert, confirm, prompt and beforeunload.
type DialogPolicy string

// The policies. DialogDismiss is the default.
const (
	DialogDismiss DialogPolicy = "dismiss" // the default; beforeunload is accepted
	DialogAccept  DialogPolicy = "accept"
	DialogManual  DialogPolicy = "manual" // stays open until it is answered through the page
)

// Config is what a Manager needs to know. The zero value finds Chrome itself and
// runs it headless with a private profile.
type Config struct {
	// URLs are the addresses (ws, wss, http or https) of running Chromes to attach
	// to instead of starting one: the first that answers is taken. What is said of
	// starting Chrome below is then of no effect.
	URLs []string

	Isolation   Isolation     // empty: IsolationFull
	Chrome      string        // path of the browser, or its name in PATH; empty: Find's search
	Args        []string      // passed to Chrome after egod's own flags
	Headed      bool          // show windows
	Profile     string        // persistent profile directory; empty: private and temporary
	NoSandbox   bool          // Chrome's --no-sandbox; on by itself for root
	TempDir     string        // where private profiles are made; empty: the system's
	IdleTimeout time.Duration // Chrome is closed after so long without a call; 0: never
	Dialog      DialogPolicy  // empty: DialogDismiss
	Logger      *slog.Logger  // nil: no logs
	Env         []string      // environment of Chrome; nil: our own
}

// Manager owns the browser: it starts Chrome when a call needs it and starts a
// new one after a crash. Its methods may be called from any goroutine.
type Manager struct {
	cfg   Config
	trace func(dir string, frame []byte) // tests only

	ctx    context.Context //nolint:containedctx // lives as long as the Manager: launches run under it
	cancel context.CancelFunc

	mu       sync.Mutex
	closed   bool
	chrome   *chrome
	starting *starting
	ending   map[*chrome]struct{} // ended or being closed, not reaped yet
	spaces   map[string]*Space
	turns    int             // reserved and not released: somebody is at work
	kept     map[*Space]bool // spaces in which a user is at work
	idle     *time.Timer
}

// starting is a launch that several callers may wait for.
type starting struct {
	done   chan struct{}
	chrome *chrome
	err    error
}

// New makes a Manager; it starts nothing.
func New(cfg Config) *Manager {
	if cfg.TempDir == "" {
		cfg.TempDir = os.TempDir()
	}
	if cfg.Dialog == "" {
		cfg.Dialog = DialogDismiss
	}
	if cfg.Isolation == "" {
		cfg.Isolation = IsolationFull
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Manager{
		cfg: cfg, ctx: ctx, cancel: cancel,
		ending: make(map[*chrome]struct{}),
		spaces: make(map[string]*Space),
		kept:   make(map[*Space]bool),
	}
}

// Space returns the space of that name, made on first use. It starts nothing.
func (m *Manager) Space(name string) *Space {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.spaces[name]
	if s == nil {
		s = newSpace(m, name)
		m.spaces[name] = s
	}
	return s
}

// spaceLocked returns the space that has the name of s, which is s when there is none; mu is held.
func (m *Manager) spaceLocked(s *Space) *Space {
	if known := m.spaces[s.name]; known != nil {
		return known
	}
	m.spaces[s.name] = s
	return s
}

// forgetUnused drops a space that nobody has a turn in and that has nothing of its
// own in Chrome: names cost nothing once they are not used. mu is held.
func (m *Manager) forgetUnused(s *Space) {
	s.lane.mu.Lock()
	defer s.lane.mu.Unlock()
	if len(s.lane.queue) == 0 && !m.kept[s] && m.spaces[s.name] == s && s.hasNothing() {
		delete(m.spaces, s.name)
		if m.chrome != nil {
			m.chrome.forgetNamed(s.name)
		}
	}
}

// Where is the binary of the Chrome that runs, or the address of the one that was
// attached to; "" when there is none.
func (m *Manager) Where() string {
	if c := m.running(); c != nil {
		return c.path
	}
	return ""
}

// Running reports whether a Chrome is up.
func (m *Manager) Running() bool { return m.running() != nil }

// running returns the live chrome, or nil. One whose connection ended is dropped here.
func (m *Manager) running() *chrome {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live()
}

// live is running with mu held.
func (m *Manager) live() *chrome {
	if m.chrome == nil {
		return nil
	}
	select {
	case <-m.chrome.conn.done:
		m.retire(m.chrome)
		return nil
	default:
		return m.chrome
	}
}

// retire forgets a chrome that ended or is about to; mu is held.
func (m *Manager) retire(c *chrome) {
	m.chrome = nil
	for done := range m.ending {
		select {
		case <-done.reaped:
			delete(m.ending, done)
		default:
		}
	}
	m.ending[c] = struct{}{}
}

// acquire returns the running Chrome, starting one if there is none.
func (m *Manager) acquire(ctx context.Context) (*chrome, error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, &GoneError{Cause: errClosed}
	}
	if c := m.live(); c != nil {
		m.mu.Unlock()
		return c, nil
	}
	s := m.starting
	if s == nil {
		s = &starting{done: make(chan struct{})}
		m.starting = s
		go m.start(s)
	}
	m.mu.Unlock()
	select {
	case <-s.done:
		return s.chrome, s.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// start launches under the Manager's own context: a caller that leaves does not
// take the browser from the others that wait.
func (m *Manager) start(s *starting) {
	defer close(s.done)
	open := launch
	if len(m.cfg.URLs) > 0 {
		open = attach
	}
	s.chrome, s.err = open(m.ctx, m.cfg, m.trace)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.starting = nil
	if s.err != nil {
		return
	}
	m.chrome = s.chrome
	if m.cfg.IdleTimeout > 0 {
		m.idle = time.AfterFunc(m.cfg.IdleTimeout, m.checkIdle)
	}
}

// lookedAt reports whether a user may be at work in a window; mu is held.
func (m *Manager) lookedAt() bool {
	return len(m.kept) > 0 && (m.cfg.Headed || len(m.cfg.URLs) > 0)
}

// checkIdle closes a Chrome that nobody used for IdleTimeout, or looks again later.
func (m *Manager) checkIdle() {
	m.mu.Lock()
	c := m.live()
	if c == nil || m.closed {
		m.mu.Unlock()
		return
	}
	rest := m.cfg.IdleTimeout - c.conn.idleFor()
	if m.turns > 0 || m.lookedAt() {
		rest = m.cfg.IdleTimeout
	}
	if rest > 0 {
		m.idle.Reset(rest)
		m.mu.Unlock()
		return
	}
	m.retire(c)
	m.mu.Unlock()
	m.cfg.Logger.Debug("closing chrome", "idle", m.cfg.IdleTimeout)
	ctx, cancel := context.WithTimeout(m.ctx, exitGrace+cleanGrace)
	defer cancel()
	if err := c.close(ctx); err != nil {
		m.cfg.Logger.Warn("closing an idle chrome", "error", err)
	}
}

// Close ends Chrome and waits until its processes and its private profile are
// gone. At the end of ctx what is left is killed without waiting. Calls that run
// fail with a GoneError; later ones too.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	s := m.starting
	if m.idle != nil {
		m.idle.Stop()
	}
	m.mu.Unlock()
	m.cancel()
	if s != nil {
		<-s.done // its context is cancelled: it ends at once
	}
	m.mu.Lock()
	if m.chrome != nil {
		m.retire(m.chrome)
	}
	ending := m.ending
	m.ending = make(map[*chrome]struct{})
	m.mu.Unlock()
	var errs []error
	for c := range ending {
		errs = append(errs, c.close(ctx))
	}
	return errors.Join(errs...)
}
