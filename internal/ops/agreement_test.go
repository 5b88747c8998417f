package ops

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"egod/internal/skills"
)

// agreement is one pack of testdata/agreement: what the validator of the original
// says of it, by row of its list of rules, and what egod says.
type agreement struct {
	row      string
	accepted bool     // by the original
	want     []string // "code" or "code file:line:column"
	// because says why egod differs; empty where it agrees.
	because string
	files   []txtar.File
}

func readAgreement(t *testing.T, file string) agreement {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := agreement{files: archive.Files}
	for line := range strings.Lines(string(archive.Comment)) {
		key, text, found := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case found && key == "row":
			a.row = text
		case found && key == "original":
			a.accepted = text == "accepts"
		case found && key == "egod":
			a.want = append(a.want, text)
		case found && key == "because":
			a.because = text
		}
	}
	return a
}

// TestAgreement compares the checks with those of the format's own validator,
// rule by rule. Where egod differs, the case says why.
func TestAgreement(t *testing.T) {
	files, err := filepath.Glob("testdata/agreement/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	pool := newTestPool(t)
	rows := map[string]bool{}
	for _, file := range files {
		a := readAgreement(t, file)
		rows[a.row] = true
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "p")
			for _, f := range a.files {
				name := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			report, err := skills.Validate(t.Context(), dir, SourceCheck(pool), skills.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			a.compare(t, report)
			a.compareSchema(t, dir, report)
		})
	}
	for row := range 21 {
		if !rows[fmt.Sprint(row+1)] {
			t.Errorf("rule %d has no case", row+1)
		}
	}
}

func (a agreement) compare(t *testing.T, report skills.Report) {
	t.Helper()
	var got []string
	for i, d := range report.Diagnostics {
		text := d.Code
		if i < len(a.want) && strings.Contains(a.want[i], " ") {
			text += fmt.Sprintf(" %s:%d:%d", d.File, d.Range.Start.Line+1, d.Range.Start.Character+1)
		}
		got = append(got, text)
	}
	if d := cmp.Diff(a.want, got); d != "" {
		t.Errorf("%s\n%+v", d, report.Diagnostics)
	}
	info := func(d skills.Diagnostic) bool { return d.Severity != skills.SeverityError }
	differs := a.accepted != report.OK || a.accepted && slices.ContainsFunc(report.Diagnostics, info)
	if differs != (a.because != "") {
		t.Errorf("the original accepts it: %v, egod: %v, and the reason is %q", a.accepted, report.OK, a.because)
	}
}

// compareSchema holds the JSON Schema to the checks: what it refuses, they find in
// the manifest, and a manifest without a finding it accepts.
func (a agreement) compareSchema(t *testing.T, dir string, report skills.Report) {
	t.Helper()
	var manifest any
	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || json.Unmarshal(raw, &manifest) != nil {
		return // not JSON: the schema has no say
	}
	refused := manifestSchema(t).Validate(manifest)
	found := slices.ContainsFunc(report.Diagnostics, func(d skills.Diagnostic) bool { return d.File == "manifest.json" })
	if refused != nil && !found {
		t.Errorf("the schema refuses a manifest without findings: %v", refused)
	}
}

func manifestSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(skills.ManifestSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestSchemaRefuses: what editors can show while a manifest is typed.
func TestSchemaRefuses(t *testing.T) {
	for _, name := range []string{
		"02-list", "04-blank-name", "05-domains-no-list", "06-no-domain", "07-url", "07-inner-wildcard", "07-final-dot",
		"08-notes-no-list", "09-elsewhere", "12-list", "13-no-object", "13-description", "13-path", "13-path-elsewhere",
		"13-callable", "13-args", "13-arg-name", "13-arg-type", "13-arg-required", "13-arg-description", "13-returns", "18-list", "19-path",
	} {
		a := readAgreement(t, filepath.Join("testdata", "agreement", name+".txtar"))
		for _, f := range a.files {
			var manifest any
			if f.Name != "manifest.json" || json.Unmarshal(f.Data, &manifest) != nil {
				continue
			}
			if err := manifestSchema(t).Validate(manifest); err == nil {
				t.Errorf("%s: the schema accepts it", name)
			}
		}
	}
}
