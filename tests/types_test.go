package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTypes compiles tools and a script that use docs/egod.d.ts: what authors
// write must pass, and the mistakes marked in it must be found.
func TestTypes(t *testing.T) {
	t.Parallel()
	client := installed(t, "typescript", "typescript")
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	compile := exec.CommandContext(ctx, "node", filepath.Join("node_modules", "typescript", "bin", "tsc"), "-p", ".")
	compile.Dir = client
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTypesCommand compares what the binary prints with the file.
func TestTypesCommand(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	printed, err := exec.CommandContext(ctx, egodPath, "types").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join("..", "docs", "egod.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	if string(printed) != string(file) {
		t.Error("egod types prints something else than docs/egod.d.ts: run go generate ./docs/...")
	}
}
