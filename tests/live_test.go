package tests

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// livePack is edited while it is used.
func livePack(version string) fixture {
	return fixture{id: "live", domains: []string{"live.test"}, args: map[string]string{"n": "integer", "where": "object"}, files: map[string]string{
		"tools/lib.js": "export const run = () => 1;\nexport const version = '" + version + "';\n",
		"tools/slow.js": `import { version } from "./lib.js";
export const run = async (ctx, { n = 0 }) => {
  console.log("begun");
  for (const end = Date.now() + n; Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 10));
  return { version };
};
`,
		"tools/list.js": "export const run = (ctx, { n = 0 }) => (n ? ['" + version + "'] : {});\n",
	}}
}

func startLive(t *testing.T, args ...string) (*daemon, string) {
	root := t.TempDir()
	livePack("one").write(t, root)
	d := startClean(t, append([]string{"serve", "--root", root, "--builtin=false"}, args...)...)
	d.result("initialize", object{"capabilities": object{"log": true}}, nil)
	return d, root
}

// changedSince waits for a change of the index after a generation, and returns its
// own.
func (d *daemon) changedSince(generation uint64) uint64 {
	d.t.Helper()
	var now struct{ Generation uint64 }
	d.notification("skills/changed", func(params json.RawMessage) bool {
		return json.Unmarshal(params, &now) == nil && now.Generation > generation
	})
	return now.Generation
}

type versionRun struct {
	Value      struct{ Version string }
	Generation uint64
	Warnings   []string
}

// TestRunKeepsItsVersion is report I9 (anomalyco/opencode #37421): a run that is
// under way when the pack is edited finishes on the code it began with, a call
// after it has the new one, and both say which generation that was.
func TestRunKeepsItsVersion(t *testing.T) {
	for name, edit := range map[string]func(t *testing.T, root string){
		"the tool": func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "live", "tools", "slow.js"), "export const run = () => ({ version: 'two' });\n")
		},
		"what it imports": func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, "live", "tools", "lib.js"), "export const run = () => 1;\nexport const version = 'two';\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, root := startLive(t)
			id := d.begin("runTool", object{"siteId": "live", "toolName": "slow", "args": object{"n": 1500}})
			d.notification("log", func(params json.RawMessage) bool { return strings.Contains(string(params), "begun") })
			edit(t, root)
			d.notification("skills/changed", func(json.RawMessage) bool { return true })
			var after, before versionRun
			d.result("runTool", object{"siteId": "live", "toolName": "slow"}, &after)
			if err := json.Unmarshal(d.await(id).Result, &before); err != nil {
				t.Fatal(err)
			}
			if before.Value.Version != "one" || after.Value.Version != "two" || before.Generation >= after.Generation {
				t.Errorf("began as %+v, after the edit %+v", before, after)
			}
		})
	}
}

// TestChangedTools is report I10 (anthropics/claude-code #13646 and others): a tool
// that comes, goes and comes back is told of, shown by the next answer and run; one
// that is gone says in which generation it went.
func TestChangedTools(t *testing.T) {
	d, root := startLive(t)
	generation := uint64(0)
	tools := func() (names []string) {
		t.Helper()
		var learned struct{ Tools []struct{ ToolName string } }
		d.result("learnContext", object{"url": "https://live.test/"}, &learned)
		for _, tool := range learned.Tools {
			names = append(names, tool.ToolName)
		}
		return names
	}
	more, fewer := livePack("one"), livePack("one")
	more.files["tools/added.js"] = "export const run = () => ({});\n"
	delete(fewer.files, "tools/list.js")
	wait := func(holds func() bool) {
		t.Helper()
		for !holds() {
			generation = d.changedSince(generation)
		}
	}
	more.write(t, root)
	wait(func() bool { return slices.Contains(tools(), "added") })
	d.result("runTool", object{"siteId": "live", "toolName": "added"}, nil)
	fewer.write(t, root)
	wait(func() bool { return !slices.Contains(tools(), "list") })
	e := d.fails("tool_not_found", "runTool", object{"siteId": "live", "toolName": "list"})
	if want := fmt.Sprintf("was removed in generation %v", e.Data["removedIn"]); e.Data["removedIn"] == nil || !strings.Contains(e.Message, want) {
		t.Errorf("%s %v, want %q", e.Message, e.Data, want)
	}
	livePack("two").write(t, root)
	wait(func() bool { return slices.Contains(tools(), "list") })
	d.result("runTool", object{"siteId": "live", "toolName": "list"}, nil)
}

// TestArgumentsAreChecked is report J12 over the wire.
func TestArgumentsAreChecked(t *testing.T) {
	d, _ := startLive(t)
	for _, tt := range []struct{ args, path, expected, actual string }{
		{`{"n":"5"}`, "$.args.n", "an integer", "a string"},
		{`{"n":5.5}`, "$.args.n", "an integer", "the number 5.5"},
		{`{"n":true}`, "$.args.n", "an integer", "a boolean"},
		{`{"where":[]}`, "$.args.where", "an object", "an array"},
		{`{"n":{"$type":"number","value":"NaN"}}`, "$.args.n", "an integer", "an object"},
		{`{"n":9007199254740993}`, "$.args", "numbers up to 2^53", "the number 9007199254740993"},
		{`{"m":1,"extra":2,"n":3}`, "$.args.extra", "one of: n, where", "extra"},
		{`[]`, "$.args", "an object", "an array"},
		{`"n"`, "$.args", "an object", "a string"},
	} {
		e := d.fails("invalid_params", "runTool", object{"siteId": "live", "toolName": "list", "args": json.RawMessage(tt.args)})
		if e.Code != -32602 || e.Data["path"] != tt.path || e.Data["expected"] != tt.expected || e.Data["actual"] != tt.actual {
			t.Errorf("%s: %d %v", tt.args, e.Code, e.Data)
		}
		if unknown := fmt.Sprint(e.Data["unknown"]); strings.Contains(tt.args, "extra") != (unknown == "[extra m]") {
			t.Errorf("%s: unknown %s", tt.args, unknown)
		}
	}
	d.send(`{"jsonrpc":"2.0","id":"nan","method":"runTool","params":{"siteId":"live","toolName":"list","args":{"n":NaN}}}`)
	d.result("ping", nil, nil)
}

// TestResultDrift is report J13: a result of another type than declared is a
// warning that says how often, listSkills counts, and an edit begins anew.
func TestResultDrift(t *testing.T) {
	d, root := startLive(t)
	run := func(n int) (warnings []string) {
		t.Helper()
		var r struct{ Warnings []string }
		d.result("runTool", object{"siteId": "live", "toolName": "list", "args": object{"n": n}}, &r)
		return r.Warnings
	}
	drift := func() string {
		t.Helper()
		var list struct {
			Skills []struct{ Drift json.RawMessage }
		}
		d.result("listSkills", nil, &list)
		return string(list.Skills[0].Drift)
	}
	if w := run(0); len(w) > 0 || drift() != "" {
		t.Errorf("a right result: %q, %s", w, drift())
	}
	for i, want := range []string{"1 of its 2 runs", "2 of its 3 runs"} {
		if w := run(1); len(w) != 1 || !strings.Contains(w[0], "returns an object but returned an array, as in "+want) {
			t.Errorf("%d: %q", i, w)
		}
	}
	if got, want := drift(), `[{"toolName":"list","toolType":"node","runs":3,"otherType":2}]`; got != want {
		t.Errorf("drift %s, want %s", got, want)
	}
	writeFile(t, filepath.Join(root, "live", "tools", "list.js"), "export const run = () => 'text';\n")
	d.notification("skills/changed", func(json.RawMessage) bool { return true })
	if w := run(1); drift() != `[{"toolName":"list","toolType":"node","runs":1,"otherType":1}]` || !strings.Contains(w[0], "as in its only run so far") {
		t.Errorf("after an edit: %q, %s", w, drift())
	}
}

// TestWatchModes is report I11: how changes are noticed can be chosen.
func TestWatchModes(t *testing.T) {
	for _, mode := range []string{"auto", "events", "poll"} {
		t.Run(mode, func(t *testing.T) {
			d, root := startLive(t, "--watch", mode)
			generation := uint64(0)
			for _, version := range []string{"two", "three"} {
				began := time.Now()
				writeFile(t, filepath.Join(root, "live", "tools", "lib.js"), "export const run = () => 1;\nexport const version = '"+version+"';\n")
				for r := (versionRun{}); r.Value.Version != version; {
					generation = d.changedSince(generation)
					d.result("runTool", object{"siteId": "live", "toolName": "slow"}, &r)
				}
				t.Logf("%s: %s", mode, time.Since(began).Round(time.Millisecond))
			}
		})
	}
}
