package ops

import (
	"testing"
	"unicode/utf8"

	jsruntime "egod/internal/runtime"
)

// FuzzProblemRange: a place that the engine gives, right or wrong, becomes a range
// that begins before it ends.
func FuzzProblemRange(f *testing.F) {
	f.Add("a\nb zwei c", 2, 3)
	f.Add("'\u2028'; 😀", 2, 4)
	f.Add("", 1, 1)
	f.Add("x", -1, 99)
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		if !utf8.ValidString(text) || line > 1000 {
			return
		}
		r := problemRange(text, jsruntime.Problem{Line: line, Column: column})
		if r.End.Line < r.Start.Line || r.End.Line == r.Start.Line && r.End.Character < r.Start.Character || r.Start.Line < 0 || r.Start.Character < 0 {
			t.Errorf("%q %d:%d: %+v", text, line, column, r)
		}
	})
}
