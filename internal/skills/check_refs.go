package skills

import (
	"fmt"
	"regexp"
	"strings"
)

// temporaryRef finds candidates for snapshot refs; isTemporaryRef decides.
var temporaryRef = regexp.MustCompile(`@\d+\b|\bref=\d+\b`)

// maxRefsPerFile bounds the report: a pasted snapshot has hundreds.
const maxRefsPerFile = 10

// temporaryRefs reports refs of a snapshot in a text that outlives it.
func (p *packLoad) temporaryRefs(t *textFile, file string, code Code) {
	if p.scanned[file] {
		return
	}
	p.scanned[file] = true
	if !strings.Contains(t.text, "@") && !strings.Contains(t.text, "ref=") {
		return
	}
	reported := 0
	for _, m := range temporaryRef.FindAllStringIndex(t.text, -1) {
		if !isTemporaryRef(t.text, m[0], m[1]) {
			continue
		}
		p.findings.add(code, file, t.span(m[0], m[1]), fmt.Sprintf("%s is a ref of one snapshot", t.text[m[0]:m[1]]), "")
		if reported++; reported == maxRefsPerFile {
			return
		}
	}
}

// isTemporaryRef tells a ref from what looks like one: an address (a@3.com), a
// package with its version (pkg@1.2), a handle or query in a URL (/@12, ?ref=5),
// a time or amount (@10:30, @3.50), an attribute (data-ref=4).
func isTemporaryRef(text string, start, end int) bool {
	if start > 0 && isRefNeighbour(text[start-1]) {
		return false
	}
	if end+1 < len(text) && strings.IndexByte(".:,-/", text[end]) >= 0 && isWordByte(text[end+1]) {
		return false
	}
	word := text[strings.LastIndexAny(text[:start], " \t\r\n\"'`(<")+1 : start]
	return !strings.Contains(word, "://")
}

// isRefNeighbour says whether a character before a ref makes it part of
// something longer.
func isRefNeighbour(c byte) bool {
	return isWordByte(c) || c >= 0x80 || strings.IndexByte("-./?&;%+~@", c) >= 0
}
