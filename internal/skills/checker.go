package skills

import (
	"context"
	"fmt"
	"log/slog"
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
	// queued are the keys of queue.
	queued  map[slotKey]bool
	running bool
	// waiting are told once what they wait for is checked.
	waiting []waiter
	// publish makes known what was found since it was last called, nil when that
	// is nothing; published is when it was.
	publish   func()
	published time.Time
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
	return checks{on: check != nil, found: map[string][]Diagnostic{}, last: map[toolKey]string{}, queued: map[slotKey]bool{}, pruneAt: 256}
}

func (c *checks) enqueue(key slotKey) {
	if c.on && !c.queued[key] {
		c.queued[key] = true
		c.queue = append(c.queue, key)
	}
}

// next is the job at the head of the queue, and the channel to send it on, which
// is nil while there is none or one is running. Packs whose tools are all known
// leave the queue here.
func (c *checks) next(checker *checker, slots map[slotKey]*slot) (checkJob, chan checkJob) {
	if c.running {
		return checkJob{}, nil
	}
	for len(c.queue) > 0 {
		key := c.queue[0]
		if sl := slots[key]; sl != nil {
			if tools := c.unknown(sl.base); len(tools) > 0 {
				return checkJob{key: key, pack: sl.base, tools: tools}, checker.jobs
			}
		}
		c.queue = c.queue[1:]
		delete(c.queued, key)
	}
	return checkJob{}, nil
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

// hurry puts packs at the head of the queue, behind the one that is being checked.
func (c *checks) hurry(keys []slotKey) {
	if !c.on {
		return
	}
	for _, key := range keys {
		c.enqueue(key)
	}
	first := 0
	if c.running {
		first = min(1, len(c.queue))
	}
	rest := slices.DeleteFunc(slices.Clone(c.queue[first:]), func(k slotKey) bool { return slices.Contains(keys, k) })
	head := slices.Clone(c.queue[:first])
	for _, key := range keys {
		if !slices.Contains(head, key) {
			head = append(head, key)
		}
	}
	c.queue = append(head, rest...)
}

// settle publishes what was found once nothing is left to check, and answers those
// who have nothing to wait for any more.
func (c *checks) settle() {
	idle := !c.running && len(c.queue) == 0
	waiting := c.waiting
	c.waiting = nil
	for _, w := range waiting {
		if !idle && (len(w.packs) == 0 || slices.ContainsFunc(w.packs, func(k slotKey) bool { return c.queued[k] })) {
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
	c.running = false
	maps.Copy(c.found, r.found)
	for i := range c.waiting {
		if r.err != nil && c.waiting[i].waitsFor(r.key) {
			c.waiting[i].failed = r.err
		}
	}
	if len(c.queue) > 0 && c.queue[0] == r.key {
		c.queue = c.queue[1:]
		delete(c.queued, r.key)
	}
	if sl := s.state.slots[r.key]; sl != nil && sl.base != r.pack {
		c.enqueue(r.key) // it changed while it was checked
	}
	stood := c.settleLast(r)
	c.prune(s.state.slots)
	if !stood && !anyFindings(r.found) {
		return
	}
	if sl := s.state.slots[r.key]; stood && sl != nil {
		sl.served = c.merge(sl.base)
	}
	for _, sl := range s.state.slots {
		if hasTool(sl.base, r.found) {
			sl.served = c.merge(sl.base)
		}
	}
	if c.publish == nil {
		c.publish = func() {
			c.publish, c.published = nil, time.Now()
			s.publish("checked")
		}
	}
	if time.Since(c.published) >= publishEvery {
		c.publish()
	}
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

func hasTool(p *Pack, found map[string][]Diagnostic) bool {
	for _, t := range slices.Concat(p.NodeTools, p.BrowserTools) {
		if len(found[t.Hash]) > 0 {
			return true
		}
	}
	return false
}

// checkJob is a pack of which some tools are to be checked.
type checkJob struct {
	key   slotKey
	pack  *Pack
	tools []*Tool
}

type checkResult struct {
	key   slotKey
	pack  *Pack
	found map[string][]Diagnostic
	err   error // of the last check that failed
}

// checker runs checks beside the store, one pack at a time.
type checker struct {
	jobs    chan checkJob
	results chan checkResult
	done    chan struct{}
}

// startChecker starts the goroutine that runs checks; it ends with ctx.
func startChecker(ctx context.Context, check Check, log *slog.Logger) *checker {
	c := &checker{jobs: make(chan checkJob), results: make(chan checkResult), done: make(chan struct{})}
	if check == nil {
		close(c.done)
		return c
	}
	go func() {
		defer close(c.done)
		for {
			select {
			case <-ctx.Done():
				return
			case job := <-c.jobs:
				r := runChecks(ctx, check, job, log)
				select {
				case c.results <- r:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return c
}

func (c *checker) wait() { <-c.done }

// runChecks checks the tools of one pack. A check that fails leaves its tool
// unknown: it is tried again when the pack changes.
func runChecks(ctx context.Context, check Check, job checkJob, log *slog.Logger) checkResult {
	r := checkResult{key: job.key, pack: job.pack, found: map[string][]Diagnostic{}}
	for _, t := range job.tools {
		list, err := check(ctx, job.pack, t)
		if err != nil {
			if ctx.Err() == nil {
				log.Warn("tool could not be checked", "siteId", job.pack.ID, "toolName", t.Name, "error", err)
			}
			r.err = fmt.Errorf("cannot check tool %s of %s: %w", t.Name, job.pack.ID, err)
			continue
		}
		r.found[t.Hash] = list
	}
	return r
}
