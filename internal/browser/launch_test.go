package browser

import (
	"slices"
	"strings"
	"testing"
)

func TestShortTemp(t *testing.T) {
	long := "TMPDIR=/" + strings.Repeat("d", 80)
	for _, tt := range []struct{ env, want []string }{
		{nil, nil},
		{[]string{"A=1", "TMPDIR=/tmp/x"}, []string{"A=1", "TMPDIR=/tmp/x"}},
		{[]string{long, "A=1"}, []string{long, "A=1", "TMPDIR=/tmp"}},
	} {
		if got := shortTemp(tt.env); !slices.Equal(got, tt.want) {
			t.Errorf("shortTemp(%q) = %q, want %q", tt.env, got, tt.want)
		}
	}
}
