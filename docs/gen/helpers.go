package main

import (
	"fmt"
	"strings"

	"egod/internal/ops"
)

// helpers describes every function of ctx.
func helpers(table *ops.Table) string {
	var out strings.Builder
	for _, facade := range table.Facades() {
		fmt.Fprintf(&out, "\n## `%s`\n\n%s\n", facade.Name, facade.Doc)
		for _, m := range facade.Members {
			helper(&out, m)
		}
	}
	return out.String() + "\n"
}

func helper(out *strings.Builder, m ops.Member) {
	fmt.Fprintf(out, "\n### `%s`\n\n%s\n\n```ts\n", m.Name, m.Doc)
	for _, form := range m.Forms {
		out.WriteString(m.Name + form + "\n")
	}
	out.WriteString("```\n")
	if len(m.Args)+len(m.Options) > 0 {
		out.WriteString("\n")
	}
	for _, a := range m.Args {
		fmt.Fprintf(out, "- `%s` %s\n", a.Name, a.Doc)
	}
	for _, o := range m.Options {
		fmt.Fprintf(out, "- option `%s` %s\n", o.Declaration(), o.Doc)
	}
}
