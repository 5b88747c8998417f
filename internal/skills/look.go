package skills

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// look reads again what is pending, swaps the catalog when something is new, and
// returns what changed.
func (s *Store) look(ctx context.Context, reason string) Change {
	st := &s.state
	p := st.pending
	st.pending = pending{}
	if p.all {
		for i := range st.roots {
			p.dirtRoot(i)
		}
	}
	for i := range p.roots {
		s.rootChanged(i, &p)
	}
	if p.links {
		s.checkLinks(&p)
	}
	if p.rescan {
		s.rescan(&p)
	}
	s.reread(ctx, &p)
	s.watchingFailed()
	if p.burst() && !p.all {
		st.burst = time.Now()
	}
	return s.publish(reason)
}

// reread loads the dirty packs. All their watches go first and come back as the
// directories are read: a directory that was moved keeps its watch under the old
// name, and one name's removal must not take away another's watch.
func (s *Store) reread(ctx context.Context, p *pending) {
	keys := make([]slotKey, 0, len(p.dirty))
	for key := range p.dirty {
		keys = append(keys, key)
		s.disown(key)
	}
	slices.SortFunc(keys, compareKeys)
	at := time.Now()
	for i, l := range s.loadAll(ctx, keys) {
		if l != nil {
			s.apply(keys[i], l, at)
		}
	}
	s.state.sweep.links = 0
	for _, sl := range s.state.slots {
		s.state.sweep.links += len(sl.seen.links)
	}
}

// loadAll loads packs on all cores. A result is nil when ctx ended before it.
func (s *Store) loadAll(ctx context.Context, keys []slotKey) []*loaded {
	roots := s.openRoots()
	defer closeRoots(roots)
	l := &loader{limits: s.state.limits, cost: s.cfg.Cost}
	if s.state.watcher != nil {
		l.watch = s.state.watcher.add
	}
	out := make([]*loaded, len(keys))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(keys)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(keys) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				root := roots[keys[i].root]
				if root == nil || !root.isPack(keys[i].dir) {
					out[i] = &loaded{gone: true}
					continue
				}
				out[i] = l.load(root, keys[i].dir)
			}
		})
	}
	workers.Wait()
	return out
}

// apply takes over what a load brought.
func (s *Store) apply(key slotKey, l *loaded, at time.Time) {
	st := &s.state
	if l.gone {
		delete(st.slots, key)
		return
	}
	sl := st.slots[key]
	if sl == nil {
		sl = &slot{}
		st.slots[key] = sl
	}
	sl.seen, sl.loadedAt = l.seen, at
	s.own(key, l.seen)
	if sl.outlived(l, at) {
		sl.good, sl.hash = nil, ""
	}
	if sl.base != nil && sl.hash == l.pack.Hash && sl.ok == l.ok {
		return
	}
	first := sl.base == nil
	sl.hash, sl.ok = l.pack.Hash, l.ok
	switch {
	case l.ok:
		sl.good, sl.base = l.pack, l.pack
	case sl.good != nil:
		sl.base = stale(sl.good, l.pack)
	default:
		sl.base = l.pack
	}
	sl.served = st.checks.merge(sl.base)
	if !first || s.cfg.CheckAll || s.catalog.Load() != nil {
		st.checks.enqueue(key)
	}
}

// outlived keeps the time since which a pack is without manifest, and says
// whether that is too long for its last good version.
func (sl *slot) outlived(l *loaded, at time.Time) bool {
	switch {
	case !l.noManifest || sl.good == nil:
		sl.missing = time.Time{}
	case sl.missing.IsZero():
		sl.missing = at
	case at.Sub(sl.missing) >= missingGrace:
		sl.missing = time.Time{}
		return true
	}
	return false
}

// stale is the last good version of a pack with the findings of an edit that did
// not load.
func stale(good, broken *Pack) *Pack {
	p := *good
	p.Stale, p.Status = true, StatusDegraded
	p.Diagnostics = slices.Clone(broken.Diagnostics)
	for i := range p.Diagnostics {
		p.Diagnostics[i].SiteID = p.ID
	}
	return &p
}

// own records which directories' events a pack wants to hear of.
func (s *Store) own(key slotKey, seen seen) {
	for _, dir := range seen.dirs {
		if s.state.owners[dir] == nil {
			s.state.owners[dir] = map[slotKey]struct{}{}
		}
		s.state.owners[dir][key] = struct{}{}
	}
}

// disown takes back what own did, with the watches that nobody else needs.
func (s *Store) disown(key slotKey) {
	st := &s.state
	sl := st.slots[key]
	if sl == nil {
		return
	}
	for _, dir := range sl.seen.dirs {
		delete(st.owners[dir], key)
		if len(st.owners[dir]) == 0 {
			delete(st.owners, dir)
		}
		if st.watcher == nil {
			continue
		}
		st.watcher.remove(dir)
		if st.owners[dir] != nil || s.isRootDir(dir) {
			st.watcher.add(dir) // anew, should the directory be another one by now
		}
	}
}

// publish makes a catalog of what is known now and swaps it in, when it differs.
func (s *Store) publish(reason string) Change {
	st := &s.state
	sources := make([]source, 0, len(st.slots))
	for key, sl := range st.slots {
		sources = append(sources, source{pack: sl.served, root: key.root, dir: key.dir})
	}
	roots := make([]Root, len(st.roots))
	var diagnostics []Diagnostic
	for i, r := range st.roots {
		roots[i] = r.Root
		diagnostics = append(diagnostics, r.diagnostics...)
	}
	now := buildCatalog(roots, sources, diagnostics)
	old := s.catalog.Load()
	if old == nil {
		now.generation = s.cfg.After + 1
		s.catalog.Store(now)
		return Change{Generation: 1, Reason: reason}
	}
	ch := diff(old, now)
	ch.Reason = reason
	ch.Generation = old.generation
	if ch.empty() {
		return ch
	}
	if ch.Indexed() {
		ch.Generation++
	}
	now.generation = ch.Generation
	now.removed = removedAfter(old.removed, ch)
	now.removedTools = removedToolsAfter(old, now, ch)
	s.catalog.Store(now)
	s.log.Debug("skill index swapped", "generation", ch.Generation, "reason", reason,
		"added", len(ch.Added), "updated", len(ch.Updated), "removed", len(ch.Removed))
	if s.cfg.OnChange != nil {
		s.cfg.OnChange(ch)
	}
	return ch
}
