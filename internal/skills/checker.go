package skills

import (
	"maps"
	"slices"
	"time"
)

// checks is what the store knows of the findings of Config.Check. It belongs to
// the store's goroutine.
type checks struct {
	on bool
	// found maps a tool's hash to its findings; an entry without any says that
	// the tool is fine.
	found map[string][]Diagnostic
	// last maps a tool, whatever its source, to the hash that was checked last.
	last  map[toolKey]string
	queue []slotKey
	// queued are the keys of queue, running those of packs that are being checked,
	// and pending the hashes of the tools that are.
	queued, running map[slotKey]bool
	pending         map[string]bool
	// waiting are told once what they wait for is checked.
	waiting []waiter
	// publish makes known what was found since it was last called, nil when that
	// is nothing; published is when it was.
	publish   func()
	published time.Time
	// fresh are the hashes of tools with findings that no pack was given so far but
	// the one that was checked.
	fresh map[string]bool
	// pruneAt is how many entries found must have before it is looked through.
	pruneAt int
}

// waiter waits for the checks of some packs, or of all when it names none.
type waiter struct {
	packs []slotKey
	reply chan answer
	// failed is why the last check of these packs that failed did.
	failed error
}

func (w *waiter) waitsFor(key slotKey) bool {
	return len(w.packs) == 0 || slices.Contains(w.packs, key)
}

// toolKey names a tool of a directory through all its versions.
type toolKey struct {
	dir  string
	kind ToolKind
	name string
}

func keyOf(p *Pack, t *Tool) toolKey { return toolKey{p.Dir, t.Kind, t.Name} }

// publishEvery is how often findings are made known while many packs are checked:
// each time makes a catalog.
const publishEvery = 200 * time.Millisecond

func newChecks(check Check) checks {
	return checks{
		on: check != nil, found: map[string][]Diagnostic{}, last: map[toolKey]string{}, pruneAt: 256,
		queued: map[slotKey]bool{}, running: map[slotKey]bool{}, pending: map[string]bool{}, fresh: map[string]bool{},
	}
}

func (c *checks) enqueue(key slotKey) {
	if c.on && !c.queued[key] {
		c.queued[key] = true
		c.queue = append(c.queue, key)
	}
}

// next is the first job of the queue that can be begun, and the channel to send it
// on, which is nil when there is none. Packs whose tools are all known leave the
// queue here; those whose tools are being checked for another pack stay in it.
func (c *checks) next(checker *checker, slots map[slotKey]*slot) (checkJob, chan checkJob) {
	for i := 0; i < len(c.queue) && len(c.running) < checker.atOnce; {
		key := c.queue[i]
		var tools []*Tool
		sl := slots[key]
		if sl != nil {
			tools = c.unknown(sl.base)
		}
		if len(tools) == 0 {
			c.dequeue(i)
			continue
		}
		tools = slices.DeleteFunc(tools, func(t *Tool) bool { return c.pending[t.Hash] })
		if len(tools) > 0 && !c.running[key] {
			return checkJob{key: key, pack: sl.base, tools: tools}, checker.jobs
		}
		i++
	}
	return checkJob{}, nil
}

// dequeue takes one entry out of the queue.
func (c *checks) dequeue(i int) {
	delete(c.queued, c.queue[i])
	if i == 0 {
		c.queue = c.queue[1:]
		return
	}
	c.queue = slices.Delete(c.queue, i, i+1)
}

// begin notes that a job is under way.
func (c *checks) begin(job checkJob) {
	c.dequeue(slices.Index(c.queue, job.key))
	c.running[job.key] = true
	for _, t := range job.tools {
		c.pending[t.Hash] = true
	}
}

// unknown are the tools of a pack whose file was read and never checked.
func (c *checks) unknown(p *Pack) []*Tool {
	var tools []*Tool
	for _, t := range slices.Concat(p.NodeTools, p.BrowserTools) {
		_, known := c.found[t.Hash]
		if _, read := p.Files[t.Path]; read && !known && len(t.Problems) == 0 {
			tools = append(tools, t)
		}
	}
	return tools
}

// hurry puts packs at the head of the queue.
func (c *checks) hurry(keys []slotKey) {
	if !c.on || len(keys) == 0 {
		return
	}
	c.queue = slices.DeleteFunc(c.queue, func(k slotKey) bool { return slices.Contains(keys, k) })
	c.queue = slices.Concat(keys, c.queue)
	for _, key := range keys {
		c.queued[key] = true
	}
}

// settle publishes what was found once nothing is left to check, and answers those
// who have nothing to wait for any more.
func (c *checks) settle() {
	idle := len(c.running) == 0 && len(c.queue) == 0
	waiting := c.waiting
	c.waiting = nil
	for _, w := range waiting {
		if !idle && (len(w.packs) == 0 || slices.ContainsFunc(w.packs, func(k slotKey) bool { return c.queued[k] || c.running[k] })) {
			c.waiting = append(c.waiting, w)
			continue
		}
		if c.publish != nil {
			c.publish()
		}
		w.reply <- answer{err: w.failed}
	}
	if idle && c.publish != nil {
		c.publish()
	}
}

// merge returns a pack with what is known from checks; the same pack when that
// is nothing. A version of a tool that was not checked yet keeps the findings of
// the one before, so that an edit that mends nothing clears nothing; they do not
// stop it from running.
func (c *checks) merge(base *Pack) *Pack {
	if !c.on {
		return base
	}
	p := *base
	changed := false
	add := func(tools []*Tool) []*Tool {
		out := slices.Clone(tools)
		for i, t := range out {
			found, known := c.found[t.Hash]
			if !known {
				found = c.found[c.last[keyOf(base, t)]]
			}
			if len(found) == 0 {
				continue
			}
			changed = true
			mine := *t
			for _, d := range found {
				d.SiteID, d.URI = p.ID, fileURIOf(base, d.File)
				if d.File == manifestName { // other packs, and other versions, declare it elsewhere
					d.Range = t.CallableAt
				}
				p.Diagnostics = append(slices.Clip(p.Diagnostics), d)
				if known && d.Severity == SeverityError {
					mine.Problems = append(slices.Clip(mine.Problems), d)
				}
			}
			out[i] = &mine
		}
		return out
	}
	p.NodeTools, p.BrowserTools = add(p.NodeTools), add(p.BrowserTools)
	if !changed {
		return base
	}
	slices.SortStableFunc(p.Diagnostics, compareDiagnostics)
	p.Diagnostics = slices.Compact(p.Diagnostics) // tools may share a file
	if p.Status == StatusOK && hasError(p.Diagnostics) {
		p.Status = StatusDegraded
	}
	return &p
}

// prune forgets the findings of tools that no pack has any more, when there are
// likely to be some: looking costs as much as there are packs.
func (c *checks) prune(slots map[slotKey]*slot) {
	if len(c.found) < c.pruneAt {
		return
	}
	alive := map[string]bool{}
	for _, sl := range slots {
		for _, t := range slices.Concat(sl.base.NodeTools, sl.base.BrowserTools) {
			alive[t.Hash] = true
		}
	}
	maps.DeleteFunc(c.found, func(hash string, _ []Diagnostic) bool { return !alive[hash] })
	maps.DeleteFunc(c.last, func(_ toolKey, hash string) bool { return !alive[hash] })
	c.pruneAt = 2*len(alive) + 256
}

// checked takes over the findings of one pack's tools.
func (s *Store) checked(r checkResult) {
	c := &s.state.checks
	delete(c.running, r.key)
	for _, t := range r.tools {
		delete(c.pending, t.Hash)
	}
	maps.Copy(c.found, r.found)
	waited := false
	for i := range c.waiting {
		if w := &c.waiting[i]; w.waitsFor(r.key) {
			waited = waited || len(w.packs) > 0
			if r.err != nil {
				w.failed = r.err
			}
		}
	}
	sl := s.state.slots[r.key]
	switch { // it changed while it was checked
	case sl == nil || sl.base == r.pack:
	case waited:
		c.hurry([]slotKey{r.key})
	default:
		c.enqueue(r.key)
	}
	stood := c.settleLast(r)
	c.prune(s.state.slots)
	if !stood && !anyFindings(r.found) {
		return
	}
	if sl != nil {
		sl.served = c.merge(sl.base)
	}
	for hash, list := range r.found {
		if len(list) > 0 {
			c.fresh[hash] = true
		}
	}
	if c.publish == nil {
		c.publish = func() {
			c.publish, c.published = nil, time.Now()
			s.spread()
			s.publish("checked")
		}
	}
	if time.Since(c.published) >= publishEvery {
		c.publish()
	}
}

// spread gives fresh findings to every pack that has the tool: its source may be in
// several.
func (s *Store) spread() {
	c := &s.state.checks
	for _, sl := range s.state.slots {
		if hasTool(sl.base, c.fresh) {
			sl.served = c.merge(sl.base)
		}
	}
	clear(c.fresh)
}

// settleLast notes which versions of a pack's tools were checked last, and says
// whether findings of earlier versions stood in for theirs.
func (c *checks) settleLast(r checkResult) (stood bool) {
	for _, t := range slices.Concat(r.pack.NodeTools, r.pack.BrowserTools) {
		key := keyOf(r.pack, t)
		stood = stood || c.last[key] != t.Hash && len(c.found[c.last[key]]) > 0
		if _, known := c.found[t.Hash]; known {
			c.last[key] = t.Hash
		} else {
			delete(c.last, key)
		}
	}
	return stood
}

func anyFindings(found map[string][]Diagnostic) bool {
	for _, list := range found {
		if len(list) > 0 {
			return true
		}
	}
	return false
}

func hasTool(p *Pack, hashes map[string]bool) bool {
	has := func(t *Tool) bool { return hashes[t.Hash] }
	return slices.ContainsFunc(p.NodeTools, has) || slices.ContainsFunc(p.BrowserTools, has)
}
