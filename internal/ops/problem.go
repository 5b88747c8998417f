package ops

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// ProblemDiagnostic turns what the JavaScript engine says of a tool's file into
// a finding of the pack. The engine knows where something begins; the finding is
// about all of the word or string that begins there.
//
// That there is no such export is about the declaration, and about the place in
// the manifest that names it.
func ProblemDiagnostic(pack *skills.Pack, tool *skills.Tool, p jsruntime.Problem) skills.Diagnostic {
	code, known := skills.CodeNamed(p.Code)
	if !known {
		code.Severity = skills.SeverityError
	}
	d := skills.Diagnostic{
		Severity: code.Severity, Code: p.Code, Message: oneLine(p.Message), Hint: cmp.Or(p.Hint, code.Hint),
		SiteID: pack.ID, File: p.File, Range: problemRange(pack.Files[p.File], p),
	}
	if p.Code == "tool.missing-callable" {
		d.File, d.Range = "manifest.json", tool.CallableAt
	}
	d.URI = pack.FileURI(d.File)
	return d
}

// problemRange places a problem in its file. A problem without a place is put at
// the file's beginning.
func problemRange(text string, p jsruntime.Problem) skills.Range {
	if p.Line == 0 {
		return skills.Range{}
	}
	start := sourceOffset(text, p.Line, p.Column)
	return skills.Range{Start: skills.PositionAt(text, start), End: skills.PositionAt(text, tokenEnd(text, start))}
}

// sourceLineEnd finds the first end of a line for JavaScript, which knows two ends more
// than editors: where it begins, and where the next line does. Both are the length when
// the text has none. It is a loop because sources are read as a whole with it when packs
// are loaded.
func sourceLineEnd(text string) (begins, next int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			return i, i + 2
		case c == '\n' || c == '\r':
			return i, i + 1
		case c == 0xE2 && (strings.HasPrefix(text[i:], "\u2028") || strings.HasPrefix(text[i:], "\u2029")):
			return i, i + len("\u2028")
		}
	}
	return len(text), len(text)
}

// sourceOffset is the byte offset of a place as the engine counts: lines and
// UTF-16 units, both from one.
func sourceOffset(text string, line, column int) int {
	at := 0
	for ; line > 1 && at < len(text); line-- {
		_, next := sourceLineEnd(text[at:])
		at += next
	}
	for units := column - 1; units > 0 && at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == '\n' || r == '\r' {
			break
		}
		units -= max(utf16.RuneLen(r), 1)
		at += size
	}
	return at
}

// tokenEnd is the end of the word, number or string that begins at start, and of
// one character where nothing of that kind does.
func tokenEnd(text string, start int) int {
	rest := text[start:]
	end, _ := sourceLineEnd(rest)
	rest = rest[:end]
	if rest == "" {
		return start
	}
	if word := len(rest) - len(strings.TrimLeftFunc(rest, isWord)); word > 0 {
		return start + word
	}
	if strings.ContainsRune("\"'`", rune(rest[0])) {
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			return start + end + 2
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	return start + size
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
