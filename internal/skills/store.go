package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// ErrClosed is returned by a store that has ended.
var ErrClosed = errors.New("skill store is closed")

const (
	// quietSave is how long a known pack must be quiet before it is read again:
	// an editor's save is a few events within a millisecond or two.
	quietSave = 20 * time.Millisecond
	// quietBurst is the same while many packs change or new ones appear, so that a
	// checkout or clone is one swap as far as possible.
	quietBurst = 100 * time.Millisecond
	// burstMemory is how long a burst is taken to go on after a swap.
	burstMemory = 500 * time.Millisecond
	// maxQuiet bounds the wait while something never stops writing.
	maxQuiet = time.Second
	// missingGrace is how long a pack is served whose manifest is gone and whose
	// directory is not: saving by removing and creating takes a moment, and what
	// is gone for longer was removed.
	missingGrace = 2 * time.Second
)

// Store keeps a catalog of the packs of some roots up to date.
type Store struct {
	cfg     Config
	log     *slog.Logger
	catalog atomic.Pointer[Catalog]
	cancel  context.CancelFunc
	done    chan struct{}
	asks    chan ask

	// The fields below belong to the goroutine of run; Open uses them before it
	// starts.
	state storeState
}

// storeState is everything that changes in a store besides the catalog.
type storeState struct {
	limits  Limits
	watcher *watcher // nil when nothing is watched
	roots   []rootState
	slots   map[slotKey]*slot
	// owners maps watched directories to the packs that must be read again when
	// something happens in them.
	owners  map[string]map[slotKey]struct{}
	pending pending
	burst   time.Time // when a burst was last read
	sweep   sweeper
	checks  checks
}

// slotKey names a pack directory.
type slotKey struct {
	root int
	dir  string
}

func compareKeys(a, b slotKey) int {
	return cmp.Or(cmp.Compare(a.root, b.root), strings.Compare(a.dir, b.dir))
}

// slot is what the store knows of one pack directory.
type slot struct {
	// hash and ok are those of the last load, to see whether another one brought
	// anything new.
	hash string
	ok   bool
	// good is the last version whose manifest could be used, nil when none was.
	good *Pack
	// base is what is served without the findings of checks, served with them.
	base, served *Pack
	seen         seen
	loadedAt     time.Time
	// missing is when the manifest was first found to be gone, while the last
	// good version is still served; zero otherwise.
	missing time.Time
}

// pending is what is known to need a look.
type pending struct {
	dirty  map[slotKey]struct{}
	roots  map[int]struct{}
	links  bool // look where links lead
	rescan bool // compare everything with what was seen
	all    bool // read everything again
	since  time.Time
}

func (p *pending) empty() bool {
	return len(p.dirty) == 0 && len(p.roots) == 0 && !p.links && !p.rescan && !p.all
}

// burst says that this is more than somebody's save.
func (p *pending) burst() bool { return p.rescan || len(p.roots) > 0 || len(p.dirty) > 2 }

func (p *pending) size() int { return len(p.dirty) + len(p.roots) }

// add takes over what another one marks.
func (p *pending) add(o pending) {
	for key := range o.dirty {
		p.dirt(key)
	}
	for i := range o.roots {
		p.dirtRoot(i)
	}
	p.links, p.rescan, p.all = p.links || o.links, p.rescan || o.rescan, p.all || o.all
}

// ask is a request to the store's goroutine, which answers on reply once.
type ask struct {
	reload bool   // otherwise: answer when packs are checked
	siteID string // the pack to check; all when empty
	reply  chan answer
}

type answer struct {
	change Change
	err    error
}

// Open loads the packs of the roots and starts to follow their changes. A root
// that does not exist is fine and is watched for. The store lives until Close or
// the end of ctx; the error is that of ctx, or names a root without a path.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	return open(ctx, cfg, newFSNotifier)
}

func open(ctx context.Context, cfg Config, newNotifier func() (notifier, error)) (*Store, error) {
	log := cfg.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if cfg.remote == nil {
		cfg.remote = isRemote
	}
	s := &Store{cfg: cfg, log: log, done: make(chan struct{}), asks: make(chan ask)}
	s.state = storeState{
		limits: cfg.Limits.withDefaults(), slots: map[slotKey]*slot{}, owners: map[string]map[slotKey]struct{}{},
		checks: newChecks(cfg.Check),
	}
	for _, r := range cfg.Roots {
		if r.FS == nil {
			abs, err := filepath.Abs(r.Dir)
			if r.Dir == "" || err != nil {
				return nil, fmt.Errorf("cannot open root %q: it needs an absolute path", r.Dir)
			}
			r.Dir = abs
		}
		s.state.roots = append(s.state.roots, rootState{Root: r})
	}
	s.startWatching(newNotifier)
	s.state.pending.all = true
	s.look(ctx, "start")
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(context.Cause(ctx), s.stopWatching())
	}
	ctx, s.cancel = context.WithCancel(ctx)
	go s.run(ctx)
	return s, nil
}

// Catalog returns the current index. It never blocks.
func (s *Store) Catalog() *Catalog { return s.catalog.Load() }

// Reload reads all packs again, changed or not, and returns what that brought.
func (s *Store) Reload(ctx context.Context) (Change, error) { return s.ask(ctx, ask{reload: true}) }

// Settle runs [Config.Check] for every tool that it has not seen and returns when
// the catalog holds all findings. Without a check it returns at once. The error
// is that of a check that failed, so that a tool stays unknown.
func (s *Store) Settle(ctx context.Context) error {
	_, err := s.ask(ctx, ask{})
	return err
}

// SettlePack is Settle for the packs with one id, ahead of all others.
func (s *Store) SettlePack(ctx context.Context, siteID string) error {
	_, err := s.ask(ctx, ask{siteID: siteID})
	return err
}

func (s *Store) ask(ctx context.Context, a ask) (Change, error) {
	a.reply = make(chan answer, 1)
	select {
	case s.asks <- a:
	case <-s.done:
		return Change{}, ErrClosed
	case <-ctx.Done():
		return Change{}, context.Cause(ctx)
	}
	select {
	case got := <-a.reply:
		return got.change, got.err
	case <-s.done:
		return Change{}, ErrClosed
	case <-ctx.Done():
		return Change{}, context.Cause(ctx)
	}
}

// Close ends the store and everything it started. The last catalog stays usable.
func (s *Store) Close() error {
	s.cancel()
	<-s.done
	return nil
}

// run owns the store's state until ctx ends. Events only mark what to look at;
// the look itself happens after a quiet time, here and nowhere else.
func (s *Store) run(ctx context.Context) {
	st := &s.state
	checker := startChecker(ctx, s.cfg.Check, s.cfg.ChecksAtOnce, s.log)
	defer func() {
		checker.wait()
		if err := s.stopWatching(); err != nil {
			s.log.Warn("watching files: closing", "error", err)
		}
		close(s.done)
	}()
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	sweep := time.NewTimer(st.sweep.interval(s))
	defer quiet.Stop()
	defer sweep.Stop()
	for {
		var events chan batch
		if st.watcher != nil {
			events = st.watcher.out
		}
		job, jobs := st.checks.next(checker, st.slots)
		st.checks.settle() // after next, which may have emptied the queue
		select {
		case <-ctx.Done():
			return
		case b := <-events:
			s.mark(b)
			if wait, ok := s.quietTime(); ok {
				quiet.Reset(wait)
			}
		case <-quiet.C:
			if linksBefore := st.sweep.links; !st.pending.empty() {
				s.look(ctx, "files changed")
				if linksBefore == 0 && st.sweep.links > 0 {
					sweep.Reset(st.sweep.interval(s))
				}
			}
		case <-sweep.C:
			before := st.pending.size()
			s.sweepTick(ctx)
			if wait, ok := s.quietTime(); ok && st.pending.size() > before {
				quiet.Reset(wait)
			}
			sweep.Reset(st.sweep.interval(s))
		case jobs <- job:
			st.checks.begin(job)
		case r := <-checker.results:
			s.checked(r)
		case a := <-s.asks:
			s.answer(ctx, a)
		}
	}
}

func (s *Store) answer(ctx context.Context, a ask) {
	if !a.reload {
		s.settleAsked(a)
		return
	}
	s.state.pending.all = true
	a.reply <- answer{change: s.look(ctx, "reload")}
}

// settleAsked has the packs checked that somebody waits for.
func (s *Store) settleAsked(a ask) {
	c := &s.state.checks
	w := waiter{reply: a.reply}
	for key, sl := range s.state.slots {
		switch {
		case a.siteID == "":
			c.enqueue(key)
		case sl.base.ID == a.siteID:
			w.packs = append(w.packs, key)
		}
	}
	c.hurry(w.packs)
	if a.siteID != "" && len(w.packs) == 0 {
		a.reply <- answer{}
		return
	}
	c.waiting = append(c.waiting, w)
}

// mark notes which packs and roots a batch of events is about.
func (s *Store) mark(b batch) {
	st, p := &s.state, &s.state.pending
	if p.empty() {
		p.since = time.Now()
	}
	p.rescan = p.rescan || b.overflow
	for path := range b.paths {
		dir := filepath.Dir(path)
		for key := range st.owners[dir] {
			p.dirt(key)
		}
		for key := range st.owners[path] {
			p.dirt(key)
		}
		for i := range st.roots {
			r := &st.roots[i]
			if _, ok := r.chain[path]; ok || path == r.real && r.real != "" {
				p.dirtRoot(i)
			} else if dir == r.real {
				p.links = true
				if name := filepath.Base(path); isPackName(name) {
					p.dirt(slotKey{i, name})
				}
			}
		}
	}
}

func (p *pending) dirt(key slotKey) {
	if p.dirty == nil {
		p.dirty = map[slotKey]struct{}{}
	}
	p.dirty[key] = struct{}{}
}

func (p *pending) dirtRoot(i int) {
	if p.roots == nil {
		p.roots = map[int]struct{}{}
	}
	p.roots[i] = struct{}{}
}

// quietTime is how long to wait for more events; ok is false when the events
// so far are about nothing here.
func (s *Store) quietTime() (wait time.Duration, ok bool) {
	p := &s.state.pending
	if p.empty() {
		return 0, false
	}
	wait = quietSave
	if p.burst() || time.Since(s.state.burst) < burstMemory {
		wait = quietBurst
	}
	for key := range p.dirty {
		if s.state.slots[key] == nil {
			wait = quietBurst
		}
	}
	return max(min(wait, maxQuiet-time.Since(p.since)), 0), true
}
