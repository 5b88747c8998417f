package skills

import (
	"cmp"
	"slices"
	"strings"
)

// maxSuggestions bounds a did-you-mean: past three, it is a list.
const maxSuggestions = 3

// Suggest returns the candidates that someone who wrote name may have meant, the
// nearest first, at most three.
func Suggest(name string, candidates []string) []string {
	type scored struct {
		name  string
		score int
	}
	plain := plainName(name)
	if plain == "" {
		return nil
	}
	limit := max(len(plain)/3, 1)
	var near []scored
	for _, c := range candidates {
		if c == name {
			continue
		}
		other := plainName(c)
		score := distance(plain, other, limit)
		if score > limit && len(plain) >= 3 && len(other) >= 3 &&
			(strings.Contains(other, plain) || strings.Contains(plain, other)) {
			score = limit
		}
		if score <= limit {
			near = append(near, scored{c, score})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.name, b.name))
	})
	out := make([]string, 0, maxSuggestions)
	for _, s := range near[:min(len(near), maxSuggestions)] {
		out = append(out, s.name)
	}
	return out
}

// plainName drops what people vary without noticing: case and separators.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance counts insertions, deletions, substitutions and swaps of neighbours
// (optimal string alignment), giving up early when the
// lengths alone are further apart than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

// didYouMean makes the hint of an unknown name, empty when nothing is near.
func didYouMean(name string, candidates []string) string {
	near := Suggest(name, candidates)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + quoteList(near) + "?"
}

func quoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = `"` + n + `"`
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}
