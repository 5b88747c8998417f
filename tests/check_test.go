package tests

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// faultyPack has a node tool and a browser tool that cannot run.
var faultyPack = fixture{
	id: "faulty", domains: []string{"faulty.test"},
	files: map[string]string{
		"tools/fine.js":       "export const run = () => ({});\n",
		"tools/syntax.js":     "export const run = () => {\n  return [1 2];\n};\n",
		"tools/import.js":     "import { x } from './nowhere.js';\nexport const run = () => x;\n",
		"browser-tools/es.js": "export default () => 1;\n",
	},
}

type report struct {
	OK               bool `json:"ok"`
	Errors, Warnings int
	Diagnostics      []any
}

// fileDiagnostics is the params of skills/diagnostics.
type fileDiagnostics struct {
	URI, SiteID string
	Diagnostics []any
}

// TestFindingsAgree: validateSkills, skills/diagnostics, the failure of a run and
// validateSkills of a path that is no root say the same of one pack.
func TestFindingsAgree(t *testing.T) {
	root := t.TempDir()
	faultyPack.write(t, root)
	d := start(t, "--root", root, "--builtin=false")
	early := map[string]any{}
	for _, tool := range []string{"syntax", "import"} {
		e := d.fails("skill_broken", "runTool", object{"siteId": "faulty", "toolName": tool})
		early[tool] = diagnosticsOf(t, e)
	}
	var all, one, path report
	d.result("validateSkills", nil, &all)
	d.result("validateSkills", object{"siteId": "faulty"}, &one)
	d.result("validateSkills", object{"path": filepath.Join(root, "faulty")}, &path)
	if all.OK || all.Errors != 3 || all.Warnings != 0 || len(all.Diagnostics) != 3 {
		t.Fatalf("%+v", all)
	}
	if diff := cmp.Diff(all, one) + cmp.Diff(all, path); diff != "" {
		t.Errorf("the reports differ:\n%s", diff)
	}
	notified := map[string]fileDiagnostics{}
	d.notification("skills/diagnostics", func(params json.RawMessage) bool {
		var f fileDiagnostics
		if err := json.Unmarshal(params, &f); err != nil {
			t.Fatal(err)
		}
		notified[filepath.Base(f.URI)] = f
		return len(notified) == 3
	})
	var told []any
	for _, name := range []string{"es.js", "import.js", "syntax.js"} {
		told = append(told, notified[name].Diagnostics...)
	}
	if diff := cmp.Diff(all.Diagnostics, told); diff != "" {
		t.Errorf("the notifications differ from the report:\n%s", diff)
	}
	for _, tool := range []string{"syntax", "import"} {
		e := d.fails("skill_broken", "runTool", object{"siteId": "faulty", "toolName": tool})
		if diff := cmp.Diff(early[tool], diagnosticsOf(t, e)); diff != "" {
			t.Errorf("%s: a run before the check and one after differ:\n%s", tool, diff)
		}
	}
	d.fails("skill_broken", "runBrowserTool", object{"siteId": "faulty", "toolName": "es"})
	d.result("runTool", object{"siteId": "faulty", "toolName": "fine"}, &struct{}{})

	// Mended, and cleared.
	writeFile(t, filepath.Join(root, "faulty", "browser-tools", "es.js"), "() => 1\n")
	d.notification("skills/diagnostics", func(params json.RawMessage) bool {
		var f fileDiagnostics
		return json.Unmarshal(params, &f) == nil && filepath.Base(f.URI) == "es.js" && len(f.Diagnostics) == 0
	})
	d.result("validateSkills", nil, &all)
	if all.Errors != 2 {
		t.Errorf("%d errors after one was mended", all.Errors)
	}
}

func diagnosticsOf(t *testing.T, e *wireError) any {
	t.Helper()
	list, ok := e.Data["diagnostics"].([]any)
	if !ok || len(list) == 0 {
		t.Fatalf("no diagnostics in %v", e.Data)
	}
	return list
}

// TestValidateSkillsOf covers what can be named.
func TestValidateSkillsOf(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	demoPack.write(t, root)
	faultyPack.write(t, other)
	writeFile(t, filepath.Join(root, "unread", "manifest.json"), "{")
	writeFile(t, filepath.Join(root, "README.md"), "a stray file")
	writeFile(t, filepath.Join(root, ".git", "HEAD"), "another")
	d := start(t, "--root", root, "--builtin=false")
	for _, tt := range []struct {
		params object
		errors int
	}{
		{object{}, 1},
		{object{"siteId": "demo"}, 0},
		{object{"siteId": "unread"}, 1}, // a pack without a readable id goes by its directory's name
		{object{"path": root}, 1},
		{object{"path": filepath.Join(root, "demo")}, 0},
		{object{"path": other}, 3},
		{object{"path": filepath.Join(other, "faulty", "manifest.json")}, 3},
	} {
		var got report
		d.result("validateSkills", tt.params, &got)
		if got.Errors != tt.errors || got.OK != (tt.errors == 0) || got.Diagnostics == nil {
			t.Errorf("%v: %+v", tt.params, got)
		}
	}
	d.fails("skill_not_found", "validateSkills", object{"siteId": "nobody"})
	d.fails("invalid_params", "validateSkills", object{"path": filepath.Join(root, "nowhere")})
	d.fails("invalid_params", "validateSkills", object{"path": filepath.Join(root, "README.md")})
	d.fails("invalid_params", "validateSkills", object{"path": root, "siteId": "demo"})
	d.fails("invalid_params", "validateSkills", object{"sideId": "demo"})
}
