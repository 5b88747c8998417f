package report

import (
	"io"
	"net/url"
	"path/filepath"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"egod/internal/skills"
)

// sourceRoot is what consumers of SARIF call the directory of the checkout.
const sourceRoot = "%SRCROOT%"

// SARIF writes findings in the Static Analysis Results Interchange Format 2.1.0.
// Files below dir are given relative to it. Version is that of this program.
func SARIF(w io.Writer, list []skills.Diagnostic, dir, version string) error {
	run := sarif.NewRun()
	run.Tool = sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("egod").WithVersion(version))
	run.WithColumnKind("utf16CodeUnits")
	rules := map[string]int{}
	for _, d := range list {
		index, known := rules[d.Code]
		if !known {
			index = len(rules)
			rules[d.Code] = index
			run.Tool.Driver.AddRule(rule(d))
		}
		run.AddResult(sarif.NewRuleResult(d.Code).WithRuleIndex(index).WithLevel(level(d.Severity)).
			WithMessage(sarif.NewTextMessage(sarifMessage(d))).WithLocations([]*sarif.Location{location(d, dir)}))
	}
	if err := sarif.NewReport().AddRun(run).PrettyWrite(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func rule(d skills.Diagnostic) *sarif.ReportingDescriptor {
	r := sarif.NewRule(d.Code).WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(d.Severity)))
	if code, ok := skills.CodeNamed(d.Code); ok {
		r.WithShortDescription(sarif.NewMultiformatMessageString().WithText(code.Doc))
		if code.Hint != "" {
			r.WithHelp(sarif.NewMultiformatMessageString().WithText(code.Hint))
		}
	}
	return r
}

func sarifMessage(d skills.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "\nhint: " + d.Hint
}

func level(s skills.Severity) string {
	if s == skills.SeverityInfo {
		return "note"
	}
	return string(s)
}

func location(d skills.Diagnostic, dir string) *sarif.Location {
	artifact := sarif.NewSimpleArtifactLocation(d.URI)
	if below, ok := relative(filePath(d), dir); ok {
		artifact = sarif.NewSimpleArtifactLocation((&url.URL{Path: filepath.ToSlash(below)}).String()).WithURIBaseID(sourceRoot)
	}
	start, end := d.Range.Start, d.Range.End
	region := sarif.NewRegion().WithStartLine(start.Line + 1).WithStartColumn(start.Character + 1).
		WithEndLine(max(end.Line, start.Line) + 1).WithEndColumn(end.Character + 1)
	return sarif.NewLocation().WithPhysicalLocation(sarif.NewPhysicalLocation().WithArtifactLocation(artifact).WithRegion(region))
}
