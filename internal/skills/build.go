package skills

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Change says what a swap of the catalog changed.
type Change struct {
	// Generation is that of the catalog after the swap.
	Generation uint64
	// Added, Updated and Removed are ids, sorted. When all three are empty the
	// index is as it was, the generation too, and only diagnostics changed.
	Added, Updated, Removed []string
	// Reason says why the store looked: "files changed", "reload", "poll",
	// "rescan", "checked".
	Reason string
	// Diagnostics holds the files whose findings changed; an empty list clears.
	Diagnostics []FileDiagnostics
}

// Indexed says that packs changed, not diagnostics alone.
func (c Change) Indexed() bool { return len(c.Added)+len(c.Updated)+len(c.Removed) > 0 }

func (c Change) empty() bool { return !c.Indexed() && len(c.Diagnostics) == 0 }

// source is a pack with what decides which of two with one id is served.
type source struct {
	pack *Pack
	root int
	dir  string
}

// buildCatalog makes a catalog of the packs of all roots. Of two packs with one
// id the one of the higher root is served; within a root the one whose directory
// bears the id, then the first by directory.
func buildCatalog(roots []Root, sources []source, rootDiagnostics []Diagnostic) *Catalog {
	c := &Catalog{rootDiagnostics: rootDiagnostics}
	for _, r := range roots {
		c.roots = append(c.roots, r.Dir)
	}
	slices.SortFunc(sources, func(a, b source) int {
		if d := strings.Compare(a.pack.ID, b.pack.ID); d != 0 {
			return d
		}
		if a.root != b.root {
			return a.root - b.root
		}
		if aNamed, bNamed := a.dir == a.pack.ID, b.dir == b.pack.ID; aNamed != bNamed {
			if aNamed {
				return -1
			}
			return 1
		}
		return strings.Compare(a.dir, b.dir)
	})
	c.packs = make([]*Pack, 0, len(sources))
	for i, s := range sources {
		if i > 0 && sources[i-1].pack.ID == s.pack.ID {
			served := c.packs[len(c.packs)-1]
			c.unserved = append(c.unserved, unserved(s, served, roots))
			continue
		}
		c.packs = append(c.packs, s.pack)
	}
	c.index()
	return c
}

// unserved is a copy of a pack that says why it is not served.
func unserved(s source, served *Pack, roots []Root) *Pack {
	code, hint := codePackShadowed, ""
	message := fmt.Sprintf("not served: the pack %q of the root %s is", s.pack.ID, served.Root)
	if served.Root == s.pack.Root {
		code = codePackDuplicateID
		hint = fmt.Sprintf("give one of %s and %s another id", served.Dir, s.pack.Dir)
		message = fmt.Sprintf("not served: %s has the same id %q", served.Dir, s.pack.ID)
	} else if !roots[s.root].Builtin {
		code.Severity = SeverityWarning
	}
	p := *s.pack
	p.Diagnostics = append(slices.Clone(p.Diagnostics), Diagnostic{
		Severity: code.Severity, Code: code.Name, Message: message, Hint: cmp.Or(hint, code.Hint),
		SiteID: p.ID, File: manifestName, URI: fileURIOf(s.pack, manifestName), Range: p.idAt,
	})
	return &p
}

// diff compares two catalogs by what they serve.
func diff(old, now *Catalog) Change {
	var ch Change
	for _, p := range now.packs {
		before, ok := old.byID[p.ID]
		switch {
		case !ok:
			ch.Added = append(ch.Added, p.ID)
		case before != p && (before.Hash != p.Hash || before.Status != p.Status || before.Dir != p.Dir):
			ch.Updated = append(ch.Updated, p.ID)
		}
	}
	for _, p := range old.packs {
		if _, ok := now.byID[p.ID]; !ok {
			ch.Removed = append(ch.Removed, p.ID)
		}
	}
	ch.Diagnostics = diffDiagnostics(old.changedDiagnostics(now), now.changedDiagnostics(old))
	return ch
}

// changedDiagnostics are the findings, by address, of all packs that the other
// catalog does not serve as they are here.
func (c *Catalog) changedDiagnostics(other *Catalog) map[string][]Diagnostic {
	byFile := map[string][]Diagnostic{}
	collect := func(list []Diagnostic) {
		for _, d := range list {
			byFile[d.URI] = append(byFile[d.URI], d)
		}
	}
	collect(c.rootDiagnostics)
	for _, p := range c.packs {
		if other == nil || other.byID[p.ID] != p {
			collect(p.Diagnostics)
		}
	}
	for _, p := range c.unserved {
		collect(p.Diagnostics)
	}
	return byFile
}

func diffDiagnostics(old, now map[string][]Diagnostic) []FileDiagnostics {
	var out []FileDiagnostics
	for uri, list := range now {
		if !slices.Equal(old[uri], list) {
			out = append(out, FileDiagnostics{URI: uri, SiteID: list[0].SiteID, Diagnostics: list})
		}
	}
	for uri, list := range old {
		if _, ok := now[uri]; !ok {
			out = append(out, FileDiagnostics{URI: uri, SiteID: list[0].SiteID, Diagnostics: []Diagnostic{}})
		}
	}
	slices.SortFunc(out, func(a, b FileDiagnostics) int { return strings.Compare(a.URI, b.URI) })
	return out
}

// maxRemoved bounds the memory of packs and tools that are gone.
const maxRemoved = 10_000

// toolID names a tool through all versions of its pack.
type toolID struct {
	siteID string
	kind   ToolKind
	name   string
}

// removedToolsAfter is the memory of gone tools of packs that are still there.
func removedToolsAfter(old, now *Catalog, ch Change) map[toolID]uint64 {
	gone := old.removedTools
	cloned := false
	change := func() {
		if !cloned {
			gone, cloned = maps.Clone(gone), true
		}
		if gone == nil || len(gone) >= maxRemoved {
			gone = map[toolID]uint64{}
		}
	}
	for _, id := range ch.Updated {
		before, after := old.byID[id], now.byID[id]
		for _, t := range slices.Concat(before.NodeTools, before.BrowserTools) {
			if _, there := after.Tool(t.Kind, t.Name); !there {
				change()
				gone[toolID{id, t.Kind, t.Name}] = ch.Generation
			}
		}
		if len(gone) == 0 {
			continue
		}
		for _, t := range slices.Concat(after.NodeTools, after.BrowserTools) {
			if key := (toolID{id, t.Kind, t.Name}); gone[key] != 0 {
				change()
				delete(gone, key)
			}
		}
	}
	return gone
}

// removedAfter is the memory of gone ids after a change.
func removedAfter(old map[string]uint64, ch Change) map[string]uint64 {
	if len(ch.Added) == 0 && len(ch.Removed) == 0 {
		return old
	}
	now := maps.Clone(old)
	if now == nil || len(now)+len(ch.Removed) > maxRemoved {
		now = map[string]uint64{}
	}
	for _, id := range ch.Added {
		delete(now, id)
	}
	for _, id := range ch.Removed {
		now[id] = ch.Generation
	}
	return now
}
