package mcp

import (
	"slices"
	"strings"
	"testing"

	"egod/internal/ops"
)

// TestArgNames: anthropics/claude-code #34771, where an argument whose name the model
// refuses ended the session.
func TestArgNames(t *testing.T) {
	long := strings.Repeat("a", 70)
	for _, c := range []struct{ declared, want []string }{
		{nil, []string{}},
		{[]string{"text", "with.dot", "with-dash", "_"}, []string{"text", "with.dot", "with-dash", "_"}},
		{[]string{"größe", "two words", "$ref", "a[0]"}, []string{"gr__e", "two_words", "_ref", "a_0_"}},
		{[]string{"a b", "a_b", "a-b", "a?b"}, []string{"a_b_2", "a_b", "a-b", "a_b_3"}},
		{[]string{long, long + "b", "日本語"}, []string{long[:56], long[:56] + "_2", "___"}},
		{[]string{"", "x"}, []string{"_2", "x"}},
	} {
		args := make([]ops.PackArg, len(c.declared))
		for i, name := range c.declared {
			args[i].Name = name
		}
		if got := argNames(args); !slices.Equal(got, c.want) {
			t.Errorf("%q are seen as %q, want %q", c.declared, got, c.want)
		}
	}
}
