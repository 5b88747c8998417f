package ops

import (
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// ProblemDiagnostic turns what the JavaScript engine says of a tool's file into
// a finding of the pack. The engine counts from one and knows a place, not a
// range.
func ProblemDiagnostic(pack *skills.Pack, p jsruntime.Problem) skills.Diagnostic {
	at := skills.Position{Line: max(p.Line-1, 0), Character: max(p.Column-1, 0)}
	return skills.Diagnostic{
		Severity: skills.SeverityError, Code: p.Code, Message: p.Message, Hint: p.Hint,
		SiteID: pack.ID, File: p.File, URI: pack.FileURI(p.File),
		Range: skills.Range{Start: at, End: skills.Position{Line: at.Line, Character: at.Character + 1}},
	}
}
