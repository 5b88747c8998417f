package mcp

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"egod/internal/ops"
)

// uriScheme begins the address of everything in a pack.
const uriScheme = "skill://"

// noteURI is the address of a note: skill://<site>/<path in the pack>, each part
// percent-encoded but for unreserved characters, as templates expand it.
func noteURI(ref ops.NoteRef) string {
	var b strings.Builder
	b.WriteString(uriScheme)
	escapePart(&b, ref.SiteID)
	for part := range strings.SplitSeq(ref.Path, "/") {
		b.WriteByte('/')
		escapePart(&b, part)
	}
	return b.String()
}

func escapePart(b *strings.Builder, part string) {
	const hex = "0123456789ABCDEF"
	for i := range len(part) {
		c := part[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}

// parseNoteURI reads the address of a note. It takes what clients make of one: the
// scheme in any case, and characters that ought to be encoded as they are, also ?
// and #, since notes have neither query nor fragment. What it returns names nothing
// yet: it is compared with what the index has, and never with a disk.
func parseNoteURI(uri string) (ops.NoteRef, bool) {
	if len(uri) < len(uriScheme) || !strings.EqualFold(uri[:len(uriScheme)], uriScheme) {
		return ops.NoteRef{}, false
	}
	site, path, _ := strings.Cut(uri[len(uriScheme):], "/")
	ref := ops.NoteRef{SiteID: unescape(site), Path: unescape(path)}
	return ref, ref.SiteID != "" && ref.Path != ""
}

// unescape decodes a part of an address, or returns it as it is when its percent
// signs mean themselves or it would not be text.
func unescape(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil || !utf8.ValidString(text) {
		return part
	}
	return text
}
