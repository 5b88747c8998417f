package skills

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity says how much a [Diagnostic] matters.
type Severity string

const (
	// SeverityError marks what does not work, or what the format forbids.
	SeverityError Severity = "error"
	// SeverityWarning marks what works here and is likely not meant.
	SeverityWarning Severity = "warning"
	// SeverityInfo marks what an author may want to know.
	SeverityInfo Severity = "info"
)

// Position is a place in a text file as the Language Server Protocol counts:
// zero-based, Character in UTF-16 code units.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a stretch of a text file; End is exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Diagnostic is one finding about a pack, in the shape docs/protocol.md gives.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	// Code is a stable dotted name, one of [Codes].
	Code    string `json:"code"`
	Message string `json:"message"`
	// Hint is the next step, empty where there is none.
	Hint   string `json:"hint,omitempty"`
	SiteID string `json:"siteId"`
	// File is a slash path relative to the pack directory.
	File  string `json:"file"`
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// FileDiagnostics is the whole set of findings of one file. An empty list says
// that earlier findings are gone.
type FileDiagnostics struct {
	URI         string       `json:"uri"`
	SiteID      string       `json:"siteId"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// compareDiagnostics orders findings by file, then place, then code, so that two
// loads of the same pack report the same list.
func compareDiagnostics(a, b Diagnostic) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
		cmp.Compare(a.Range.Start.Character, b.Range.Start.Character),
		strings.Compare(a.Code, b.Code),
		strings.Compare(a.Message, b.Message),
	)
}

func hasError(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == SeverityError })
}

// findings collects the diagnostics of one pack while it is loaded.
type findings struct {
	list []finding
	// seen bounds the report of a file in which everything is wrong.
	seen map[string]int
}

// finding is a diagnostic in the making.
type finding struct {
	Diagnostic
	// stops is the tool that cannot run because of it, nil when there is none.
	stops *Tool
}

// maxFindingsPerCode bounds how often one code is reported for one file: after
// that many, more of the same help nobody.
const maxFindingsPerCode = 50

func (f *findings) add(code Code, file string, r Range, message, hint string) {
	f.addStop(nil, code, file, r, message, hint)
}

// addStop adds a finding that keeps a tool from running.
func (f *findings) addStop(tool *Tool, code Code, file string, r Range, message, hint string) {
	if f.seen == nil {
		f.seen = make(map[string]int)
	}
	key := code.Name + "\x00" + file
	if f.seen[key]++; f.seen[key] > maxFindingsPerCode && tool == nil {
		return
	}
	f.list = append(f.list, finding{stops: tool, Diagnostic: Diagnostic{
		Severity: code.Severity,
		Code:     code.Name,
		Message:  bounded(message),
		Hint:     bounded(cmp.Or(hint, code.Hint)),
		File:     file,
		Range:    r,
	}})
}

// maxMessage bounds a message and a hint, in bytes: what they quote is the author's.
const maxMessage = 1000

func bounded(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	cut := maxMessage
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}

// full says that more of a code in a file would not be listed.
func (f *findings) full(code Code, file string) bool {
	return f.seen[code.Name+"\x00"+file] >= maxFindingsPerCode
}

// finish fills in what is known only when the pack is - its id and addresses -
// and hands each tool the findings that stop it.
func (f *findings) finish(siteID string, uri func(file string) string) []Diagnostic {
	slices.SortStableFunc(f.list, func(a, b finding) int { return compareDiagnostics(a.Diagnostic, b.Diagnostic) })
	out := make([]Diagnostic, len(f.list))
	for i, one := range f.list {
		one.SiteID, one.URI = siteID, uri(one.File)
		out[i] = one.Diagnostic
		if one.stops != nil {
			one.stops.Problems = append(one.stops.Problems, one.Diagnostic)
		}
	}
	return out
}

// fileURI makes the file: address of an absolute path of this system, with the
// extra slash that a Windows drive needs.
func fileURI(abs string) string {
	p := filepath.ToSlash(abs)
	if strings.HasPrefix(p, "//") { // a UNC path: //host/share/...
		host, rest, _ := strings.Cut(p[2:], "/")
		return (&url.URL{Scheme: "file", Host: host, Path: "/" + rest}).String()
	}
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
