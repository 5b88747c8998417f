package tests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts plays tests/scripts/*.txtar: the binary as a user types it, its
// output and its exit code. See the documentation of testscript for the language.
// Beyond it there are
//
//	EGOD           the path of the binary, which is also in PATH
//	packs/         a directory with the pack "demo" (demoPack)
//	frames [N]     the last command's stdout is frames, one a line, N of them
//	exits N CMD    run CMD, which must exit with code N
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "scripts",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"frames": frames,
			"exits":  exits,
		},
	})
}

// demoPack has one tool for each way a run can end.
var demoPack = fixture{
	id: "demo", domains: []string{"demo.test"},
	args: map[string]string{"text": "string", "ms": "integer"},
	files: map[string]string{
		"notes/about.md":   "# Demo\n\nA pack of the tests.\n",
		"tools/echo.js":    "export const run = (ctx, args) => args;\n",
		"tools/say.js":     sayTool,
		"tools/fail.js":    "export const run = (ctx, { text = 'on purpose' }) => { throw new Error(text); };\n",
		"tools/slow.js":    "export const run = async (ctx, { ms = 300 }) => { await ctx.page.waitForTimeout(ms); return ms; };\n",
		"tools/forever.js": "export const run = () => new Promise((resolve) => { console.log('waiting'); const again = () => setTimeout(again, 1000); again(); });\n",
		"tools/spin.js":    "export const run = () => { while (true) {} };\n",
	},
}

// sayTool writes to every stream a pack author may know of.
const sayTool = `
export const run = (ctx, { text = "said" }) => {
  console.log(text, { a: 1 });
  console.error(text);
  for (const write of [() => print(text), () => process.stdout.write(text), () => ctx.log?.(text)]) {
    try { write(); } catch { /* not every one exists */ }
  }
  return text;
};
`

func setupScript(env *testscript.Env) error {
	t := env.T().(testing.TB) // true of scripts started by Run
	demoPack.write(t, env.Getenv("WORK")+"/packs")
	env.Setenv("EGOD", egodPath)
	env.Setenv("PATH", filepath.Dir(egodPath)+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("EGOD_CHROME", os.Getenv("EGOD_CHROME"))
	return nil
}

// frames checks that the last stdout held nothing but frames.
func frames(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) > 1 {
		ts.Fatalf("usage: frames [N]")
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	for _, line := range lines {
		if err := checkFrame([]byte(line)); err != nil {
			ts.Fatalf("stdout held something else than a frame: %v: %.200q", err, line)
		}
	}
	if len(args) == 1 && args[0] != strconv.Itoa(len(lines)) {
		ts.Fatalf("%d frames on stdout, want %s", len(lines), args[0])
	}
}

// checkFrame checks that text is one JSON-RPC message, or a batch of them.
func checkFrame(text []byte) error {
	var message struct {
		JSONRPC string `json:"jsonrpc"`
	}
	if strings.HasPrefix(string(text), "[") {
		return json.Unmarshal(text, &[]struct{}{})
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return err
	}
	if message.JSONRPC != "2.0" {
		return strconv.ErrSyntax
	}
	return nil
}

// exits runs a command and compares its exit code.
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d\n%s", strings.Join(args[1:], " "), got, want, ts.ReadFile("stderr"))
	}
}
