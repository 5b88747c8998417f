package ops

import (
	"regexp"
	"testing"

	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// TestProblemRange: the engine counts lines as JavaScript does, editors as the
// Language Server Protocol does.
func TestProblemRange(t *testing.T) {
	at := func(l1, c1, l2, c2 int) skills.Range {
		return skills.Range{Start: skills.Position{Line: l1, Character: c1}, End: skills.Position{Line: l2, Character: c2}}
	}
	tests := []struct {
		text         string
		line, column int
		want         skills.Range
	}{
		{"a\nb zwei c", 2, 3, at(1, 2, 1, 6)},
		{"a\r\nb zwei c", 2, 3, at(1, 2, 1, 6)},
		{"a\rb zwei c", 2, 3, at(1, 2, 1, 6)},
		{"'\u2028'; zwei", 2, 4, at(0, 5, 0, 9)},
		{"'😀' zwei", 1, 6, at(0, 5, 0, 9)},
		{"import 'a b'", 1, 8, at(0, 7, 0, 12)},
		{"import 'a b", 1, 8, at(0, 7, 0, 8)},
		{"x = ;", 1, 5, at(0, 4, 0, 5)},
		{"x = 😀;", 1, 5, at(0, 4, 0, 6)},
		{"x", 1, 2, at(0, 1, 0, 1)},
		{"x\ny", 1, 9, at(0, 1, 0, 1)},
		{"x", 7, 1, at(0, 1, 0, 1)},
		{"x", 0, 0, at(0, 0, 0, 0)},
		{"", 1, 1, at(0, 0, 0, 0)},
	}
	for _, tt := range tests {
		if got := problemRange(tt.text, jsruntime.Problem{Line: tt.line, Column: tt.column}); got != tt.want {
			t.Errorf("%q %d:%d: %+v, want %+v", tt.text, tt.line, tt.column, got, tt.want)
		}
	}
}

// FuzzSourceLineEnd: the loop finds what the grammar of JavaScript calls the end of a line.
func FuzzSourceLineEnd(f *testing.F) {
	grammar := regexp.MustCompile("\r\n|[\n\r\u2028\u2029]")
	for _, text := range []string{"", "a", "a\nb", "a\r\nb", "\r", "\r\r\n", "a\u2028b", "a\u2029", "a\u2030b", "\xe2\x80", "\xe2\x80\xa8", "\xffé\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := grammar.FindStringIndex(text)
		if want == nil {
			want = []int{len(text), len(text)}
		}
		if begins, next := sourceLineEnd(text); begins != want[0] || next != want[1] {
			t.Errorf("%q: %d, %d, want %v", text, begins, next, want)
		}
	})
}
