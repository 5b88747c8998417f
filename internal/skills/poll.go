package skills

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// sweepEvery is how often a watched store looks for what its watches cannot
	// tell: a root that is another directory, packs whose events were lost.
	sweepEvery = time.Second
	// sweepShare bounds the time one such look spends on comparing packs.
	sweepShare = 5 * time.Millisecond
	// linksEvery is how often links are followed, where there are any.
	linksEvery = 150 * time.Millisecond
	// idleShare keeps the cost of polling below one part in so many: the more
	// there is to look at, the rarer it is done.
	idleShare = 20
	// racyTime is how coarse the time of a change may be: a file changed so
	// shortly before it was read may have changed again within the same tick.
	racyTime = 2 * time.Second
)

// sweeper looks at what no event tells about.
type sweeper struct {
	polling bool          // nothing is watched, or not everything
	cost    time.Duration // of the last look
	links   int           // links among all packs, counted after each reading
	next    slotKey       // where to go on comparing
	last    time.Time     // when roots and packs were last looked at
	warned  sync.Once     // that not everything is watched
}

// interval is the time until the next look.
func (w *sweeper) interval(s *Store) time.Duration {
	every := sweepEvery
	switch {
	case s.cfg.Poll < 0:
		return time.Hour // nothing is followed; see sweepTick
	case s.cfg.Poll > 0:
		return s.cfg.Poll
	case w.polling:
		every = PollEvery
	case w.links > 0:
		every = linksEvery
	}
	return max(every, idleShare*w.cost)
}

// startWatching starts the watcher that the configuration asks for.
func (s *Store) startWatching(newNotifier func() (notifier, error)) {
	st := &s.state
	st.sweep.polling = s.cfg.Poll > 0
	if s.cfg.Poll != 0 || !slices.ContainsFunc(st.roots, func(r rootState) bool { return r.FS == nil }) {
		return
	}
	n, err := newNotifier()
	switch {
	case err != nil && s.cfg.EventsOnly:
		s.log.Warn("files cannot be watched, changes show when asked for", "error", err)
		return
	case err != nil:
		s.log.Warn("files cannot be watched, polling them", "error", err)
		st.sweep.polling = true
		return
	}
	st.watcher = startWatcher(n, s.log)
}

func (s *Store) stopWatching() error {
	if s.state.watcher == nil {
		return nil
	}
	return s.state.watcher.close()
}

// watchingFailed turns to polling once a directory could not be watched.
func (s *Store) watchingFailed() {
	st := &s.state
	if st.watcher == nil || st.sweep.polling {
		return
	}
	switch err := st.watcher.failure(); {
	case err == nil:
	case s.cfg.EventsOnly:
		st.sweep.warned.Do(func() { s.log.Warn("not every directory can be watched", "error", err) })
	default:
		s.log.Warn("not every directory can be watched, polling all", "error", err)
		st.sweep.polling = true
	}
}

// pollRemote turns to polling for a root of another machine, whose changes there
// no watch tells.
func (s *Store) pollRemote(r *rootState) {
	st := &s.state
	if st.watcher == nil || st.sweep.polling || s.cfg.EventsOnly || !s.cfg.remote(r.Dir) {
		return
	}
	s.log.Info("skill root is on a network file system, polling it", "root", r.Dir)
	st.sweep.polling = true
}

// sweepTick looks at links, at roots, and at some or all packs. What it finds is
// read at once when nothing is watched, else after the quiet time that events
// have: this may be the middle of a burst.
func (s *Store) sweepTick(ctx context.Context) {
	if s.cfg.Poll < 0 {
		return
	}
	st, start := &s.state, time.Now()
	var p pending
	s.checkLinks(&p)
	if st.sweep.polling {
		s.rescan(&p)
	} else if start.Sub(st.sweep.last) >= sweepEvery {
		st.sweep.last = start
		s.checkRoots(&p)
		s.compare(&p, sweepShare)
	}
	for key, sl := range st.slots {
		if !sl.missing.IsZero() && start.Sub(sl.missing) >= missingGrace {
			p.dirt(key)
		}
	}
	st.sweep.cost = time.Since(start)
	if p.empty() {
		return
	}
	if st.pending.empty() {
		st.pending.since = start
	}
	st.pending.add(p)
	if st.sweep.polling {
		s.look(ctx, "poll")
	}
}

// checkLinks marks the packs whose links lead elsewhere by now.
func (s *Store) checkLinks(p *pending) {
	for key, sl := range s.state.slots {
		if slices.ContainsFunc(sl.seen.links, func(l link) bool { return readLink(l.path) != l }) {
			p.dirt(key)
		}
	}
}

// checkRoots marks the roots that came, went or were replaced.
func (s *Store) checkRoots(p *pending) {
	for i := range s.state.roots {
		if s.state.roots[i].moved() {
			s.rootChanged(i, p)
		}
	}
}

// rescan marks everything that differs from what was seen of it.
func (s *Store) rescan(p *pending) {
	s.checkRoots(p)
	for i, r := range s.state.roots {
		if r.FS != nil {
			continue
		}
		for _, name := range s.list(i) {
			if key := (slotKey{i, name}); s.state.slots[key] == nil {
				p.dirt(key)
			}
		}
	}
	s.compare(p, 0)
}

// compare walks packs and marks those that are not as they were seen, going on
// where it stopped when the time is up; no budget means all packs.
func (s *Store) compare(p *pending, budget time.Duration) {
	st, start := &s.state, time.Now()
	keys := make([]slotKey, 0, len(st.slots))
	for key := range st.slots {
		if st.roots[key.root].FS == nil {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, compareKeys)
	from := 0
	if budget > 0 {
		from, _ = slices.BinarySearchFunc(keys, st.sweep.next, compareKeys)
	}
	roots := s.openRoots()
	defer closeRoots(roots)
	l := &loader{limits: st.limits}
	for n := range keys {
		key := keys[(from+n)%len(keys)]
		if budget > 0 && time.Since(start) > budget {
			st.sweep.next = key
			return
		}
		if s.differs(l, roots[key.root], key) {
			p.dirt(key)
		}
	}
}

func closeRoots(roots []*packRoot) {
	for _, r := range roots {
		if r != nil {
			r.close()
		}
	}
}

// differs says whether a pack directory is another one than was loaded, or may
// have changed within the clock tick in which it was read.
func (s *Store) differs(l *loader, root *packRoot, key slotKey) bool {
	sl := s.state.slots[key]
	if root == nil || !root.isPack(key.dir) {
		return true
	}
	t, refused := root.openPack(key.dir, root.packLink(key.dir).path != "")
	if refused != nil {
		return sl.seen.signature != 0
	}
	defer t.close()
	if age := sl.loadedAt.Sub(sl.seen.newest); age < racyTime && age > -racyTime {
		return true
	}
	return l.walk(t).seen.signature != sl.seen.signature
}

// isRemote knows file systems whose changes on other machines no watch tells.
func isRemote(dir string) bool {
	for {
		if remote, err := remoteFS(dir); err == nil {
			return remote
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}
