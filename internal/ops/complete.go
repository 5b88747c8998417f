package ops

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"egod/internal/skills"
)

// Completion is what a half-typed word may become: the best values first, at
// most as many as were asked for, and how many there are in all.
type Completion struct {
	Values []string
	Total  int
}

// CompleteSite completes the id of a pack.
func (s *Service) CompleteSite(typed string, limit int) Completion {
	c := newCompleter(typed)
	for _, pack := range s.store().Catalog().Packs() {
		c.offer(pack.ID)
	}
	return c.best(limit)
}

// CompleteTool completes the name of a tool of a pack, or of any pack when the
// id is empty.
func (s *Service) CompleteTool(siteID, typed string, limit int) Completion {
	c := newCompleter(typed)
	for _, pack := range s.packsNamed(siteID) {
		for _, t := range slices.Concat(pack.NodeTools, pack.BrowserTools) {
			c.offer(t.Name)
		}
	}
	return c.best(limit)
}

// CompleteNote completes the path of a note below a directory of its pack ("" or
// "notes/"), of one pack or of any when the id is empty.
func (s *Service) CompleteNote(siteID, below, typed string, limit int) Completion {
	c := newCompleter(typed)
	for _, pack := range s.packsNamed(siteID) {
		for _, n := range pack.Notes {
			if rest, ok := strings.CutPrefix(n.Path, below); ok {
				c.offer(rest)
			}
		}
	}
	return c.best(limit)
}

func (s *Service) packsNamed(siteID string) []*skills.Pack {
	catalog := s.store().Catalog()
	if siteID == "" {
		return catalog.Packs()
	}
	if pack, ok := catalog.Pack(siteID); ok {
		return []*skills.Pack{pack}
	}
	return nil
}

// CompleteURL completes the address of a site that a pack speaks for. A domain
// like *.example.com stands for no host of its own: it completes what was typed
// up to its first dot.
func (s *Service) CompleteURL(typed string, limit int) Completion {
	scheme, host, found := strings.Cut(typed, "://")
	if !found {
		scheme, host = "https", typed
	}
	c := newCompleter(host)
	label, _, dotted := strings.Cut(host, ".")
	for _, pack := range s.store().Catalog().Packs() {
		for _, domain := range pack.Domains {
			if suffix, wild := strings.CutPrefix(domain, "*."); wild {
				if !dotted || label == "" {
					continue
				}
				domain = label + "." + suffix
			}
			if pack.DeclaresHost(skills.Hostname(domain)) {
				c.offer(domain + "/")
			}
		}
	}
	completion := c.best(limit)
	for i, v := range completion.Values {
		completion.Values[i] = scheme + "://" + v
	}
	return completion
}

// completer collects words that fit what was typed.
type completer struct {
	typed string
	found map[string]rank
}

func newCompleter(typed string) *completer {
	return &completer{typed: strings.ToLower(typed), found: make(map[string]rank)}
}

// rank says how well a word fits, the best first.
type rank int

const (
	rankPrefix   rank = iota // the word begins so
	rankWord                 // a part of the word begins so, after a separator
	rankInside               // it stands somewhere in the word
	rankScatter              // its letters stand in the word, in order
	rankNotThere             // it does not fit
)

func (c *completer) offer(word string) {
	if _, known := c.found[word]; known {
		return
	}
	if r := rankOf(c.typed, strings.ToLower(word)); r < rankNotThere {
		c.found[word] = r
	}
}

func (c *completer) best(limit int) Completion {
	words := make([]string, 0, len(c.found))
	for w := range c.found {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.found[a], c.found[b]), cmp.Compare(a, b))
	})
	return Completion{Values: words[:min(len(words), limit)], Total: len(words)}
}

// rankOf compares what was typed with a word, both in lower case.
func rankOf(typed, word string) rank {
	if strings.HasPrefix(word, typed) {
		return rankPrefix
	}
	best := rankNotThere
	for at := 0; ; {
		i := strings.Index(word[at:], typed)
		if i < 0 {
			break
		}
		if at += i; separates(word[:at]) {
			return rankWord
		}
		best = rankInside
		at++
	}
	if best == rankNotThere && scattered(typed, word) {
		return rankScatter
	}
	return best
}

// separates tells whether a new part of a word begins after a text.
func separates(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(last) && !unicode.IsDigit(last)
}

// scattered tells whether the letters of what was typed stand in the word in
// their order.
func scattered(typed, word string) bool {
	rest := word
	for _, r := range typed {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+len(string(r)):]
	}
	return true
}
