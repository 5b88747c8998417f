package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "egod"

// imports says what a package may depend on.
type imports struct {
	// ours are the packages of this module that it may reach, directly or not.
	ours []string
	// libraries are the modules whose packages it may import itself.
	libraries []string
}

// leaves are the packages below ops, with those that browser itself stands on.
var leaves = []string{"internal/audit", "internal/policy", "internal/skills", "internal/runtime", "internal/browser", "internal/video", "internal/fetch", "internal/process"}

// allowed is the dependency graph of docs/architecture.md, for every package that
// ends up in a binary. A package without a row fails, and so does a row without
// a package.
var allowed = map[string]imports{
	"internal/frame":   {},
	"internal/process": {libraries: []string{"golang.org/x/sys"}},
	"internal/skills": {libraries: []string{
		"github.com/fsnotify/fsnotify", "github.com/nlnwa/whatwg-url", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text",
	}},
	"internal/runtime": {libraries: []string{
		"github.com/dlclark/regexp2/v2", "github.com/dop251/goja", "github.com/dop251/goja_nodejs", "github.com/evanw/esbuild",
		"github.com/go-sourcemap/sourcemap", "github.com/nlnwa/whatwg-url", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text",
	}},
	"internal/fetch":    {libraries: []string{"github.com/nlnwa/whatwg-url", "golang.org/x/net", "golang.org/x/text"}},
	"internal/video":    {ours: []string{"internal/process"}},
	"internal/browser":  {ours: []string{"internal/process", "internal/video"}, libraries: []string{"github.com/coder/websocket", "github.com/go-rod/rod", "github.com/ysmood/gson", "golang.org/x/sys"}},
	"internal/audit":    {},
	"internal/policy":   {ours: []string{"internal/skills"}},
	"internal/report":   {ours: []string{"internal/skills"}, libraries: []string{"github.com/owenrumney/go-sarif/v3", "golang.org/x/text"}},
	"internal/scaffold": {ours: []string{"internal/skills"}},
	"internal/ops":      {ours: leaves, libraries: []string{"github.com/google/jsonschema-go"}},
	"internal/wire":     {ours: append([]string{"internal/frame", "internal/ops"}, leaves...)},
	"internal/rpc":      {ours: append([]string{"internal/frame", "internal/ops", "internal/wire"}, leaves...), libraries: []string{"github.com/sourcegraph/jsonrpc2"}},
	"internal/mcp": {
		ours:      append([]string{"internal/frame", "internal/ops", "internal/wire"}, leaves...),
		libraries: []string{"github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk"},
	},
	"cmd/egod": {
		ours:      append([]string{"internal/frame", "internal/ops", "internal/wire", "internal/rpc", "internal/mcp", "internal/report", "internal/scaffold", "skills"}, leaves...),
		libraries: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sys"},
	},
	"docs/gen":          {ours: append([]string{"internal/frame", "internal/ops", "internal/wire", "internal/mcp"}, leaves...)},
	"skills":            {},
	"examples":          {},
	"examples/session":  {ours: []string{"tests/sites"}},
	"tests":             {},
	"tests/sites":       {},
	"tests/sites/serve": {ours: []string{"tests/sites"}},
}

// listed is the part of `go list -json` that is looked at.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Module     *struct{ Path string }
}

// TestDependencies holds every package to its row on each system that files are
// written for.
func TestDependencies(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			all := list(t, system)
			seen := map[string]bool{}
			for _, p := range all {
				name, ok := strings.CutPrefix(p.ImportPath, module+"/")
				if !ok {
					continue
				}
				seen[name] = true
				row, ok := allowed[name]
				if !ok {
					t.Errorf("%s has no row: say what it may depend on", name)
					continue
				}
				checkImports(t, name, row, p, all)
			}
			for name := range allowed {
				if !seen[name] {
					t.Errorf("%s has a row and is no package any more", name)
				}
			}
		})
	}
}

func checkImports(t *testing.T, name string, row imports, p listed, all map[string]listed) {
	t.Helper()
	for _, dep := range p.Deps {
		if ours, ok := strings.CutPrefix(dep, module+"/"); ok && !slices.Contains(row.ours, ours) {
			t.Errorf("%s depends on %s", name, ours)
		}
	}
	for _, dep := range p.Imports {
		lib := all[dep].Module
		if lib != nil && lib.Path != module && !slices.Contains(row.libraries, lib.Path) {
			t.Errorf("%s imports %s", name, dep)
		}
	}
}

// list returns the packages of the module and all they depend on, without tests,
// by import path.
func list(t *testing.T, system string) map[string]listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports,Deps,Module", module+"/...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	packages := map[string]listed{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
	if len(packages) == 0 {
		t.Fatal("go list named no package")
	}
	return packages
}

// TestLibraries keeps go.mod to the libraries that a package above may import and
// those that tests use.
func TestLibraries(t *testing.T) {
	known := map[string]bool{
		"github.com/google/go-cmp":        true,
		"github.com/rogpeppe/go-internal": true,
		"go.uber.org/goleak":              true,
	}
	for row := range maps.Values(allowed) {
		for _, library := range row.libraries {
			known[library] = true
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "../go.mod").Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if len(mod.Require) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	for _, require := range mod.Require {
		if !require.Indirect && !known[require.Path] {
			t.Errorf("go.mod requires %s, which no package is allowed to import", require.Path)
		}
	}
}
