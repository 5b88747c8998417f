package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"egod/internal/skills"
)

// Style says how text is written.
type Style struct {
	// Dir is the directory that paths are shown relative to, when they are below it.
	Dir string
	// Color marks severities and places with the colours of terminals.
	Color bool
}

// Text writes findings for people: where, what, the line with a mark below the
// place, and the next step.
func Text(w io.Writer, list []skills.Diagnostic, style Style) error {
	files := sources{}
	var out strings.Builder
	for _, d := range list {
		style.finding(&out, files, d)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Count says how many findings there are, in words.
func Count(r skills.Report) string {
	return fmt.Sprintf("%s, %s in %s", number(r.Errors, "error"), number(r.Warnings, "warning"), number(r.Packs, "pack"))
}

func number(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (s Style) finding(out *strings.Builder, files sources, d skills.Diagnostic) {
	at := d.Range.Start
	fmt.Fprintf(out, "%s: %s: %s %s\n",
		s.paint(bold, fmt.Sprintf("%s:%d:%d", Printable(shownPath(d, s.Dir)), at.Line+1, at.Character+1)),
		s.paint(severityColor(d.Severity), string(d.Severity)), Printable(d.Message), s.paint(dim, "["+d.Code+"]"))
	indent := strings.Repeat(" ", len(fmt.Sprint(at.Line+1)))
	if line, ok := files.line(filePath(d), at.Line); ok && len(line) <= maxShownLine && strings.TrimSpace(line) != "" {
		start, end := span(line, d.Range)
		text, mark := excerpt(line, start, end)
		fmt.Fprintf(out, "  %s %s\n", s.paint(dim, fmt.Sprintf("%d |", at.Line+1)), text)
		fmt.Fprintf(out, "  %s %s\n", s.paint(dim, indent+" |"), s.paint(severityColor(d.Severity), mark))
	}
	if d.Hint != "" {
		fmt.Fprintf(out, "  %s hint: %s\n", indent, Printable(d.Hint))
	}
}

// Escape sequences of terminals, to be put between \x1b[ and m.
const (
	bold = "1"
	dim  = "2"
)

func severityColor(s skills.Severity) string {
	switch s {
	case skills.SeverityError:
		return "1;31"
	case skills.SeverityWarning:
		return "1;33"
	}
	return "1;36"
}

func (s Style) paint(color, text string) string {
	if !s.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// maxShownLine bounds the lines of which a part is shown: finding a place in one
// takes time in proportion to it, and a hostile file has thousands of findings.
const maxShownLine = 16 << 10

// A line of a minified file is shown around the place, this much before and behind.
const (
	shownBefore = 60
	shownBehind = 100
)

// excerpt is a line for a terminal and the text to put below it, which marks the
// bytes from start to end.
func excerpt(line string, start, end int) (text, mark string) {
	from, to := 0, len(line)
	if start > shownBefore+shownBehind/2 {
		from = runeStart(line, start-shownBefore)
	}
	if to > start+shownBehind+shownBefore {
		to = runeStart(line, start+shownBehind)
	}
	var below strings.Builder
	if from > 0 {
		text = "..."
		below.WriteString("   ")
	}
	for _, r := range line[from:start] {
		if r == '\t' {
			below.WriteByte('\t')
			continue
		}
		below.WriteString(strings.Repeat(" ", columns(r)))
	}
	marked := 0
	for _, r := range line[start:min(end, to)] {
		marked += columns(r)
	}
	below.WriteString("^" + strings.Repeat("~", max(marked-1, 0)))
	text += Printable(line[from:to])
	if to < len(line) {
		text += "..."
	}
	return text, below.String()
}

// runeStart is the start of the character that has the byte at an offset.
func runeStart(s string, at int) int {
	for at > 0 && s[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

// columns is how many columns of a terminal a character takes.
func columns(r rune) int {
	if hidden(r) {
		return 1 // shown as U+FFFD
	}
	if unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d' || r == '\ufe0f' {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Printable replaces, in a line, what would not show, or would do something to the
// terminal or to the order of what shows: a pack's text is foreign.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// Cleared writes that the file of an earlier finding has none any more.
func Cleared(w io.Writer, earlier skills.Diagnostic, style Style) error {
	_, err := fmt.Fprintf(w, "%s: %s\n", style.paint(bold, Printable(shownPath(earlier, style.Dir))), style.paint("1;32", "no findings any more"))
	return err
}
