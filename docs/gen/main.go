// Command gen writes the generated parts of the documentation, between the
// marks "<!-- generated: NAME -->" and "<!-- end generated -->" of the files
// below docs/, and the files that are generated as a whole. Run it with go generate ./docs/...
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"egod/internal/mcp"
	"egod/internal/ops"
	"egod/internal/policy"
	"egod/internal/skills"
	"egod/internal/wire"
)

//go:generate go run .

func main() {
	if err := run(".."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(docs string) error {
	core, err := coreTools(ops.NewTable())
	if err != nil {
		return err
	}
	return errors.Join(
		rewrite(filepath.Join(docs, "mcp.md"), map[string]string{"core tools": core}),
		rewrite(filepath.Join(docs, "protocol.md"), map[string]string{
			"operations": operations(ops.NewTable()),
			"errors":     errorTable(),
		}),
		rewrite(filepath.Join(docs, "helpers.md"), map[string]string{"helpers": helpers(ops.NewTable())}),
		rewrite(filepath.Join(docs, "diagnostics.md"), map[string]string{"codes": codeTable()}),
		writeWhole(filepath.Join(docs, "schema", "manifest.schema.json"), skills.ManifestSchema()),
		writeWhole(filepath.Join(docs, "schema", "policy.schema.json"), policy.Schema()),
		writeWhole(filepath.Join(docs, "egod.d.ts"), []byte(ops.NewTable().Declarations())),
	)
}

// rewrite replaces the generated parts of a file, and the file only when
// something differs.
func rewrite(path string, parts map[string]string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(old)
	for name, part := range parts {
		begin, end := "<!-- generated: "+name+" -->\n", "<!-- end generated -->"
		head, rest, found := strings.Cut(text, begin)
		_, tail, closed := strings.Cut(rest, end)
		if !found || !closed {
			return fmt.Errorf("%s has no part %q", path, name)
		}
		text = head + begin + part + end + tail
	}
	if bytes.Equal(old, []byte(text)) {
		return nil
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// operations describes every row of the table.
func operations(table *ops.Table) string {
	var out strings.Builder
	for _, row := range table.Rows() {
		fmt.Fprintf(&out, "#### `%s`\n\n%s\n\n", row.Name, row.Doc)
		for _, p := range row.Params {
			mark := ""
			if !p.Required {
				mark = "?"
			}
			fmt.Fprintf(&out, "- `%s%s: %s` %s\n", p.Name, mark, p.TypeScript(), p.Doc)
		}
		if len(row.Params) > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "Result: `%s`\n\n", ops.TypeScript(row.Result))
	}
	return out.String()
}

// coreTools describes the tools that every agent host gets.
func coreTools(table *ops.Table) (string, error) {
	tools, err := mcp.CoreTools(table)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("| tool | takes | gives | hints | operations |\n|---|---|---|---|---|\n")
	for _, t := range tools {
		var hints []string
		for _, h := range []struct {
			set  bool
			name string
		}{{t.ReadOnly, "read-only"}, {t.Destructive, "destructive"}, {t.OpenWorld, "open world"}} {
			if h.set {
				hints = append(hints, h.name)
			}
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", t.Name, codes(t.Params), codes(t.Gives), strings.Join(hints, ", "), codes(t.Operations))
	}
	return out.String(), nil
}

// codes writes names as code, with commas.
func codes(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func errorTable() string {
	var out strings.Builder
	out.WriteString("| code | `data.kind` | meaning |\n|---|---|---|\n")
	for _, row := range wire.Codes() {
		fmt.Fprintf(&out, "| %d | `%s` | %s |\n", row.Code, row.Kind, row.Meaning)
	}
	return out.String()
}
