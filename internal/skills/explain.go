package skills

import (
	"fmt"
	"slices"
	"strings"
)

// Explanation says why each pack speaks for a URL or does not.
type Explanation struct {
	Input string `json:"input"`
	// Host is what packs are compared with.
	Host string `json:"host"`
	// Note says why no pack can match at all, empty otherwise.
	Note string `json:"note,omitempty"`
	// Packs are the matching packs in the order of [Catalog.Lookup], then the
	// others by id.
	Packs []PackExplanation `json:"packs"`
}

// PackExplanation is one pack's part of an [Explanation].
type PackExplanation struct {
	ID       string               `json:"id"`
	Matched  bool                 `json:"matched"`
	Patterns []PatternExplanation `json:"patterns"`
	// Reason says why a pack without patterns has none.
	Reason string `json:"reason,omitempty"`
}

// PatternExplanation is one declared domain's part.
type PatternExplanation struct {
	Pattern string    `json:"pattern"`
	Kind    MatchKind `json:"kind"`
	Matched bool      `json:"matched"`
	Reason  string    `json:"reason"`
}

// Explain says for every served pack why it matches or does not.
func (c *Catalog) Explain(urlOrHost string) Explanation {
	host, matches := c.Lookup(urlOrHost)
	_, web := parseHost(urlOrHost)
	e := Explanation{Input: urlOrHost, Host: host, Packs: []PackExplanation{}}
	switch {
	case host == "":
		e.Note = "there is no host in it"
	case !web:
		e.Note = "only http and https have packs"
	}
	order := make([]*Pack, 0, len(c.packs))
	there := make(map[*Pack]bool, len(matches))
	for _, m := range matches {
		order, there[m.Pack] = append(order, m.Pack), true
	}
	for _, p := range c.packs {
		if !there[p] {
			order = append(order, p)
		}
	}
	for _, p := range order {
		e.Packs = append(e.Packs, p.explain(host, web))
	}
	return e
}

func (p *Pack) explain(host string, web bool) PackExplanation {
	e := PackExplanation{ID: p.ID, Patterns: []PatternExplanation{}}
	for _, pat := range p.patterns {
		one := PatternExplanation{Pattern: pat.text, Kind: pat.kind, Matched: web && pat.matches(host)}
		one.Reason = pat.reason(host)
		e.Patterns = append(e.Patterns, one)
		e.Matched = e.Matched || one.Matched
	}
	switch {
	case p.Status == StatusBroken:
		e.Reason = "the pack did not load"
	case len(e.Patterns) == 0:
		e.Reason = "the pack declares no domain"
	}
	// The pattern that decides first.
	slices.SortStableFunc(e.Patterns, func(a, b PatternExplanation) int { return patternRank(a) - patternRank(b) })
	return e
}

func patternRank(e PatternExplanation) int {
	switch {
	case !e.Matched:
		return 1 << 20
	case e.Kind == MatchExact:
		return -1 << 20
	}
	return -len(e.Pattern)
}

// reason compares a pattern with a host in words.
func (p pattern) reason(host string) string {
	switch {
	case p.host == "":
		return "this domain can match no host"
	case p.matches(host) && p.kind == MatchExact:
		return "the host itself"
	case p.matches(host):
		return fmt.Sprintf("a host below %s", p.host)
	case p.kind == MatchWildcard && host == p.host:
		return fmt.Sprintf("*. stands for subdomains and not for %s itself", host)
	case p.kind == MatchExact && strings.HasSuffix(host, "."+p.host):
		return fmt.Sprintf("a subdomain, which only *.%s would match", p.host)
	}
	return "another host"
}
