package skills

import (
	"maps"
	"slices"
	"strings"
)

// Catalog is an immutable index of all packs of all roots. What it hands out is
// shared and must not be changed.
type Catalog struct {
	generation uint64
	roots      []string
	packs      []*Pack // served, by id
	byID       map[string]*Pack
	// unserved are packs whose id is served from elsewhere, with the diagnostic
	// that says so.
	unserved []*Pack
	// exact and wildcard map canonical hosts and suffixes to the packs that
	// declare them, by id.
	exact, wildcard map[string][]Match
	// removed maps ids that are gone to the generation without them.
	removed map[string]uint64
	// removedTools is the same for tools of packs that are still there.
	removedTools map[toolID]uint64
	// rootDiagnostics are findings about roots as a whole.
	rootDiagnostics []Diagnostic
}

// Match is a pack that speaks for a host, and the declared pattern that says so.
type Match struct {
	Pack    *Pack
	Pattern string
	Kind    MatchKind
}

// Generation grows by one with each swap in which a pack was added, updated or
// removed; the first is 1.
func (c *Catalog) Generation() uint64 { return c.generation }

// Roots are the directories of the roots, highest first.
func (c *Catalog) Roots() []string { return c.roots }

// Packs are the served packs by id, broken ones included.
func (c *Catalog) Packs() []*Pack { return c.packs }

// Unserved are packs of lower roots, or of the same root, whose id is served
// from elsewhere.
func (c *Catalog) Unserved() []*Pack { return c.unserved }

// Pack finds a served pack.
func (c *Catalog) Pack(id string) (*Pack, bool) {
	p, ok := c.byID[id]
	return p, ok
}

// Near lists ids that may have been meant.
func (c *Catalog) Near(id string) []string {
	ids := make([]string, len(c.packs))
	for i, p := range c.packs {
		ids[i] = p.ID
	}
	return Suggest(id, ids)
}

// RemovedIn says in which generation a pack that was there went away.
func (c *Catalog) RemovedIn(id string) (generation uint64, ok bool) {
	generation, ok = c.removed[id]
	return generation, ok
}

// ToolRemovedIn says in which generation a tool went away that a pack had.
func (c *Catalog) ToolRemovedIn(siteID string, kind ToolKind, name string) (generation uint64, ok bool) {
	generation, ok = c.removedTools[toolID{siteID, kind, name}]
	return generation, ok
}

// Diagnostics are all findings, pack by pack.
func (c *Catalog) Diagnostics() []Diagnostic {
	out := slices.Clone(c.rootDiagnostics)
	for _, p := range c.packs {
		out = append(out, p.Diagnostics...)
	}
	for _, p := range c.unserved {
		out = append(out, p.Diagnostics...)
	}
	return out
}

// FileDiagnostics are all findings, file by file, by address.
func (c *Catalog) FileDiagnostics() []FileDiagnostics {
	byFile := c.changedDiagnostics(nil)
	out := make([]FileDiagnostics, 0, len(byFile))
	for _, uri := range slices.Sorted(maps.Keys(byFile)) {
		out = append(out, FileDiagnostics{URI: uri, SiteID: byFile[uri][0].SiteID, Diagnostics: byFile[uri]})
	}
	return out
}

// Lookup finds the packs for a URL or bare host, the most specific pattern first
// - a host itself, then wildcards from the longest suffix to the shortest - and by
// id within one pattern. A pack appears once, with its most specific pattern. The
// host is what [Hostname] reads; packs match hosts of http and https only.
//
// The cost grows with the number of labels of the host and of the matches, not
// with the number of packs.
func (c *Catalog) Lookup(urlOrHost string) (host string, matches []Match) {
	host, web := parseHost(urlOrHost)
	if !web {
		return host, nil
	}
	matches = c.exact[host]
	shared := true // matches is the index's own list
	for rest := host; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 {
			return host, slices.Clip(matches)
		}
		rest = rest[i+1:]
		more := c.wildcard[rest]
		switch {
		case len(more) == 0:
		case len(matches) == 0:
			matches = more
		default:
			if shared {
				matches, shared = slices.Clone(matches), false
			}
			matches = appendNew(matches, more)
		}
	}
}

// appendNew adds the matches of packs that are not there yet.
func appendNew(matches, more []Match) []Match {
	if len(matches)*len(more) > 1024 {
		there := make(map[*Pack]bool, len(matches))
		for _, m := range matches {
			there[m.Pack] = true
		}
		for _, m := range more {
			if !there[m.Pack] {
				matches = append(matches, m)
			}
		}
		return matches
	}
	before := matches
	for _, m := range more {
		if !slices.ContainsFunc(before, func(o Match) bool { return o.Pack == m.Pack }) {
			matches = append(matches, m)
		}
	}
	return matches
}

// index fills the maps that Lookup walks. The packs must be in order.
func (c *Catalog) index() {
	c.byID = make(map[string]*Pack, len(c.packs))
	c.exact = make(map[string][]Match, len(c.packs))
	c.wildcard = make(map[string][]Match, len(c.packs)/2)
	for _, p := range c.packs {
		c.byID[p.ID] = p
		for _, pat := range p.patterns {
			if pat.host == "" {
				continue
			}
			table := c.exact
			if pat.kind == MatchWildcard {
				table = c.wildcard
			}
			list := table[pat.host]
			if n := len(list); n > 0 && list[n-1].Pack == p {
				continue // declared twice
			}
			table[pat.host] = append(list, Match{Pack: p, Pattern: pat.text, Kind: pat.kind})
		}
	}
}
