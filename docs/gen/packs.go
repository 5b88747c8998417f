package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"egod/internal/skills"
)

// codeTable lists what is found in packs, in one table for each thing it is found
// in, which is the first part of a code's name.
func codeTable() string {
	var out strings.Builder
	last := ""
	for _, code := range skills.Codes() {
		subject, _, _ := strings.Cut(code.Name, ".")
		if subject != last {
			fmt.Fprintf(&out, "\n## %s\n\n| code | severity | meaning | what to do |\n|---|---|---|---|\n", subject)
			last = subject
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", code.Name, code.Severity, tableText(code.Doc), tableText(code.Hint))
	}
	return out.String() + "\n"
}

// tableText keeps text in its cell.
func tableText(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

// writeWhole writes a file that is generated as a whole, when it differs.
func writeWhole(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
