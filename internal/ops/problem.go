package ops

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf16"

	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// ProblemDiagnostic turns what the JavaScript engine says of a tool's file into
// a finding of the pack. The engine counts from one and knows where something
// begins; the finding is about all of the word or string that begins there.
func ProblemDiagnostic(pack *skills.Pack, p jsruntime.Problem) skills.Diagnostic {
	code, known := skills.CodeNamed(p.Code)
	if !known {
		code.Severity = skills.SeverityError
	}
	if p.LineText == "" {
		p.LineText = lineOf(pack.Files[p.File], p.Line)
	}
	return skills.Diagnostic{
		Severity: code.Severity, Code: p.Code, Message: oneLine(p.Message), Hint: cmp.Or(p.Hint, code.Hint),
		SiteID: pack.ID, File: p.File, URI: pack.FileURI(p.File), Range: problemRange(p),
	}
}

func problemRange(p jsruntime.Problem) skills.Range {
	if p.Line == 0 {
		return skills.Range{}
	}
	line := utf16.Encode([]rune(p.LineText))
	start := max(p.Column-1, 0)
	return skills.Range{
		Start: skills.Position{Line: p.Line - 1, Character: start},
		End:   skills.Position{Line: p.Line - 1, Character: tokenEnd(line, start)},
	}
}

// lineOf is a line of a text, counted from one.
func lineOf(text string, number int) string {
	for line := range strings.Lines(text) {
		if number--; number == 0 {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

// tokenEnd is the end of the word, number or string that begins at start, and of
// one character where nothing of that kind does.
func tokenEnd(line []uint16, start int) int {
	if start >= len(line) {
		return start
	}
	first := line[start]
	end := start + 1
	switch {
	case first == '"' || first == '\'' || first == '`':
		for i := end; i < len(line); i++ {
			if line[i] == first {
				return i + 1
			}
		}
	case isWord(first):
		for end < len(line) && isWord(line[end]) {
			end++
		}
	case utf16.IsSurrogate(rune(first)) && end < len(line):
		end++
	}
	return end
}

func isWord(c uint16) bool {
	r := rune(c)
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
