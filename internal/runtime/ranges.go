package runtime

import (
	"cmp"
	"slices"
)

// mergeRanges joins lists of ranges into one in order and without overlap.
func mergeRanges(lists ...runeRanges) runeRanges {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b [2]rune) int { return cmp.Compare(a[0], b[0]) })
	var out runeRanges
	for _, r := range all {
		if n := len(out); n > 0 && r[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// subtractRanges returns the part of rr that is not in other.
func subtractRanges(rr, other runeRanges) runeRanges {
	return mergeRanges(rr.complement(), other).complement()
}
