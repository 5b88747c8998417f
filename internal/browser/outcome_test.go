package browser

import "testing"

// The position of an error is that of its throw, as in tools that run in workers.
func TestThrowColumn(t *testing.T) {
	for _, tt := range []struct {
		source       string
		line, column int
		want         int
	}{
		{"() => { throw new Error('x') }", 1, 15, 9},
		{"() => {\n  throw new Error('x');\n}", 2, 9, 3},
		{"/* é🙂 */ () => { throw  (new Error('x')) }", 1, 27, 19},
		{"() => { const e = new Error('x'); throw e }", 1, 19, 19},
		{"() => rethrow(new Error('x'))", 1, 15, 15},
		{"() => a.throw(new Error('x'))", 1, 15, 15},
		{"() => null.x", 1, 12, 12},
		{"() => 1", 9, 3, 3}, {"() => 1", 1, 90, 90}, {"", 1, 0, 0},
	} {
		if got := throwColumn(tt.source, tt.line, tt.column); got != tt.want {
			t.Errorf("%q %d:%d: column %d, want %d", tt.source, tt.line, tt.column, got, tt.want)
		}
	}
}
