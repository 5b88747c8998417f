package ops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// workerEnv makes the test binary a worker.
const workerEnv = "EGOD_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		if err := jsruntime.Serve(context.Background(), mortal{os.Stdin}, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// endsWorkers in a source ends the worker that reads it: what no known source does.
const endsWorkers = "source that ends its worker"

// mortal is the input of a worker.
type mortal struct{ io.Reader }

func (m mortal) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if bytes.Contains(p[:n], []byte(endsWorkers)) {
		fmt.Fprintln(os.Stderr, "ended on purpose")
		os.Exit(7)
	}
	return n, err
}

func newTestPool(t *testing.T) *jsruntime.Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pool, err := jsruntime.NewPool(jsruntime.Config{Command: []string{exe}, Env: []string{workerEnv + "=1"}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}

// writePack writes a pack with one node tool, one browser tool, and more files.
func writePack(t *testing.T, root, id, node, browser string, more map[string]string) string {
	t.Helper()
	files := map[string]string{
		"tools/n.js": node, "browser-tools/b.js": browser,
		"manifest.json": fmt.Sprintf(`{
  "id": %q, "name": "Test", "domains": ["test.example"],
  "nodeTools": {"n": {"description": "d", "path": "tools/n.js", "callable": "run", "args": {}, "returns": {"type": "object", "description": "d"}}},
  "browserTools": {"b": {"description": "d", "path": "browser-tools/b.js", "args": {}, "returns": {"type": "object", "description": "d"}}}
}`, id),
	}
	for name, text := range more {
		files[name] = text
	}
	dir := filepath.Join(root, id)
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	goodNode    = "export async function run(ctx, args) { return {}; }\n"
	goodBrowser = "(args) => ({})\n"
)

// TestSourceCheck holds the check to what authors write, with the place in the
// file as editors count it.
func TestSourceCheck(t *testing.T) {
	pool := newTestPool(t)
	tests := []struct {
		name, node, browser string
		more                map[string]string
		want                []string // code file:line:column-column
	}{
		{"fine", goodNode, goodBrowser, nil, nil},
		{"syntax", "export function run() {\n  const ü = 1 zwei;\n}\n", goodBrowser, nil, []string{"tool.syntax tools/n.js:2:15-19"}},
		{"syntax after characters of two units", "export const run = () => \"😀\" zwei;\n", goodBrowser, nil, []string{"tool.syntax tools/n.js:1:31-35"}},
		{"no such file", "import { a } from './lib.js';\nexport const run = () => a;\n", goodBrowser, nil, []string{"tool.import tools/n.js:1:19-29"}},
		{"a file that fails", "import { a } from './lib.js';\nexport const run = () => a;\n", goodBrowser, map[string]string{"tools/lib.js": "export const a = ;\n"}, []string{"tool.syntax tools/lib.js:1:18-19"}},
		{"a package", "import x from 'lodash';\nexport const run = () => x;\n", goodBrowser, nil, []string{"tool.import tools/n.js:1:15-23"}},
		{"child processes", "import x from 'node:child_process';\nexport const run = () => x;\n", goodBrowser, nil, []string{"tool.import tools/n.js:1:15-35"}},
		{"no such export", "export function other() {}\n", goodBrowser, nil, []string{"tool.missing-callable manifest.json:3:77-82"}},
		{"empty", "", goodBrowser, nil, []string{"tool.missing-callable manifest.json:3:77-82"}},
		{"not run", "throw new Error('side effect');\nexport function run() {}\n", goodBrowser, nil, nil},
		{"async generators", "export async function* run() { for await (const x of []) yield x; }\n", goodBrowser, nil, nil},
		{"module in a page", goodNode, "// a tool\nexport default () => 1;\n", nil, []string{"browser-tool.not-a-function browser-tools/b.js:2:1-7"}},
		{"statement in a page", goodNode, "document.title\n", nil, []string{"browser-tool.not-a-function browser-tools/b.js:1:1-9"}},
		{"syntax in a page", goodNode, "(args) => {\n\treturn \"ä\" + ;\n}\n", nil, []string{"tool.syntax browser-tools/b.js:2:15-16"}},
		{"too deep", goodNode, strings.Repeat("[", 100_000), nil, []string{"tool.too-deep browser-tools/b.js:1:1-1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writePack(t, t.TempDir(), "test", tt.node, tt.browser, tt.more)
			report, err := skills.Validate(t.Context(), dir, SourceCheck(pool), skills.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range report.Diagnostics {
				got = append(got, fmt.Sprintf("%s %s:%d:%d-%d", d.Code, d.File, d.Range.Start.Line+1, d.Range.Start.Character+1, d.Range.End.Character+1))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s\n%+v", d, report.Diagnostics)
			}
			for _, d := range report.Diagnostics {
				if d.Hint == "" {
					t.Errorf("%s has no hint: %s", d.Code, d.Message)
				}
			}
		})
	}
}

// TestEveryFaceSaysTheSame: what a run says of a tool that cannot run is what the
// check found, before the index knows of it and after.
func TestEveryFaceSaysTheSame(t *testing.T) {
	pool := newTestPool(t)
	root := t.TempDir()
	writePack(t, root, "test", "import 'nowhere';\nexport function run( {}\n", "export default 1", nil)
	store, err := skills.Open(t.Context(), skills.Config{Roots: []skills.Root{{Dir: root}}, Poll: -1, Check: SourceCheck(pool)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	pack, _ := store.Catalog().Pack("test")
	for _, tool := range []*skills.Tool{pack.NodeTools[0], pack.BrowserTools[0]} {
		checked, err := pool.Check(t.Context(), toolProgram(pack, tool))
		problems := checked.Problems
		if err != nil || len(problems) == 0 {
			t.Fatalf("%s: %v %v", tool.Name, problems, err)
		}
		e := compileFailure(toolRun{subject: "test", pack: pack, tool: tool}, &jsruntime.CompileError{Problems: problems})
		if err := store.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		settled, _ := store.Catalog().Pack("test")
		_, known := findTool(settled, tool.Name, tool.Kind)
		var broken *Error
		if !errors.As(known, &broken) || broken.Kind != KindSkillBroken {
			t.Fatalf("%s: %v", tool.Name, known)
		}
		if d := cmp.Diff(e.Data["diagnostics"], broken.Data["diagnostics"]); d != "" || e.Kind != broken.Kind {
			t.Errorf("%s: a run without and with the index's knowledge differ:\n%s", tool.Name, d)
		}
		for _, d := range broken.Data["diagnostics"].([]skills.Diagnostic) {
			if _, ok := skills.CodeNamed(d.Code); !ok {
				t.Errorf("code %s is in no list", d.Code)
			}
		}
	}
}

// TestSourceThatEndsItsWorker: the check of the others goes on, and the finding
// names the file.
func TestSourceThatEndsItsWorker(t *testing.T) {
	pool := newTestPool(t)
	root := t.TempDir()
	for i := range 6 {
		writePack(t, root, fmt.Sprintf("p%d", i), goodNode+fmt.Sprint("// ", i), goodBrowser, nil)
	}
	writePack(t, root, "deadly", goodNode+"// "+endsWorkers, "(args) => ({ }) // "+endsWorkers, nil)
	writePack(t, root, "faulty", "export const other = 1;", goodBrowser, nil)
	report, err := skills.Validate(t.Context(), root, SourceCheck(pool), skills.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range report.Diagnostics {
		got = append(got, fmt.Sprintf("%s %s %s/%s", d.Severity, d.Code, d.SiteID, d.File))
		if d.Hint == "" {
			t.Errorf("%s has no hint", d.Code)
		}
	}
	want := []string{
		"error tool.unchecked deadly/browser-tools/b.js", "error tool.unchecked deadly/tools/n.js",
		"error tool.missing-callable faulty/manifest.json",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n%+v", d, report.Diagnostics)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := skills.Validate(t.Context(), root, SourceCheck(pool), skills.Limits{}); err == nil {
		t.Error("without a worker nothing was checked, and the report says that it is complete")
	}
}
