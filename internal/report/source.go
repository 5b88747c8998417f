package report

import (
	"io"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"egod/internal/skills"
)

// maxSource is the largest file of which lines are shown.
const maxSource = 2 << 20

// sources reads the lines that findings are about, each file once.
type sources map[string][]string

// line is one line of a finding's file, counted from zero; false when it cannot
// be shown.
func (s sources) line(path string, number int) (string, bool) {
	if path == "" {
		return "", false
	}
	lines, known := s[path]
	if !known {
		lines = readLines(path)
		s[path] = lines
	}
	if number >= len(lines) {
		return "", false
	}
	return lines[number], true
}

// readLines reads a regular file of a sensible size in UTF-8, and nothing else:
// findings are also about files that must not be read.
func readLines(path string) []string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSource))
	if err != nil || !utf8.Valid(raw) {
		return nil
	}
	text := strings.TrimPrefix(string(raw), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// span is the part of its first line that a finding is about, in bytes of that
// line. It has at least one character unless it is at the line's end.
func span(line string, r skills.Range) (start, end int) {
	start = offset(line, r.Start.Character)
	end = len(line)
	if r.End.Line == r.Start.Line {
		end = offset(line, r.End.Character)
	}
	if end <= start && start < len(line) {
		_, size := utf8.DecodeRuneInString(line[start:])
		end = start + size
	}
	return start, max(end, start)
}

// offset turns UTF-16 units of a line into bytes.
func offset(line string, units int) int {
	for i, r := range line {
		if units <= 0 {
			return i
		}
		units -= max(utf16.RuneLen(r), 1)
	}
	return len(line)
}
