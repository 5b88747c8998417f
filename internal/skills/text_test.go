package skills

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecodeText(t *testing.T) {
	for _, c := range []struct{ name, raw, text, problem string }{
		{"plain", "a é 😀", "a é 😀", ""},
		{"BOM", "\xef\xbb\xbfa", "a", ""},
		{"CP1252", "It\x92s 5 \x80", "It\ufffds 5 \ufffd", "not UTF-8: byte 0x92 at offset 2 (and 1 more)"},
		{"BOM and CP1252", "\xef\xbb\xbfIt\x92s", "It\ufffds", "not UTF-8: byte 0x92 at offset 5"},
		{"CP949", "\xb0\xa1", "\ufffd\ufffd", "not UTF-8: byte 0xb0 at offset 0 (and 1 more)"},
		{"UTF-16LE", "\xff\xfea\x00\x3d\xd8\x00\xde", "a😀", "not UTF-8: byte order mark of UTF-16LE at offset 0"},
		{"UTF-16BE", "\xfe\xff\x00a", "a", "not UTF-8: byte order mark of UTF-16BE at offset 0"},
		{"UTF-16LE lone surrogate", "\xff\xfe\x3d\xd8", "\ufffd", "not UTF-8: byte order mark of UTF-16LE at offset 0"},
		{"UTF-16LE cut", "\xff\xfea\x00b", "a\ufffd", "not UTF-8: byte order mark of UTF-16LE at offset 0"},
		{"surrogate in UTF-8", "\xed\xa0\xbd", "\ufffd\ufffd\ufffd", "not UTF-8: byte 0xed at offset 0 (and 2 more)"},
		{"U+FFFD itself", "\ufffd", "\ufffd", ""},
		{"empty", "", "", ""},
	} {
		d := decodeText([]byte(c.raw))
		if d.text != c.text || d.problem != c.problem {
			t.Errorf("%s: %q %q, want %q %q", c.name, d.text, d.problem, c.text, c.problem)
		}
	}
}

func TestPositionsKnowEveryLineEnd(t *testing.T) {
	doc := textFile{text: "a\r\nb\rc\n😀d"}
	for _, c := range []struct {
		at   string
		want Position
	}{{"a", Position{0, 0}}, {"b", Position{1, 0}}, {"c", Position{2, 0}}, {"😀", Position{3, 0}}, {"d", Position{3, 2}}} {
		if got := doc.position(strings.Index(doc.text, c.at)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.at, got, c.want)
		}
	}
	if got := doc.position(1000); got != (Position{3, 3}) {
		t.Errorf("past the end: %+v", got)
	}
}

func TestTemporaryRefs(t *testing.T) {
	for text, flagged := range map[string]bool{
		"click @12 now": true, "@12": true, "(@12)": true, "see [ref=21, loc=x]": true, "ref=5": true, "`@3`": true,
		"ends with @7.": true, "first @7, then": true, "\"@21\"": true, "ref=5\n": true, "@12 @13": true,
		"a@3.com": false, "mail me at bob@42": false, "pkg@1.2": false, "npm i left-pad@1": false, "data-ref=4": false,
		"href=12": false, "@e21": false, "@1x": false, "https://x.com/@12/status": false, "https://x.com/?ref=5": false,
		"https://x.com/a?b=c&ref=12": false, "?ref=5": false, "at @10:30": false, "@3.50 each": false, "@2024-01-01": false,
		"@angular/core": false, "https://medium.com/p/@1": false, "_ref=5": false, "xref=5": false, "é@5": false,
	} {
		c := load(t, files{
			"p/manifest.json": fields(`"notes":["notes/a.md"],"browserTools":{"b":{"description":"d","path":"browser-tools/b.js","args":{},"returns":{"type":"object","description":"d"}}}`),
			"p/notes/a.md":    "# Title\n" + text, "p/browser-tools/b.js": "() => `" + strings.ReplaceAll(text, "`", "'") + "`",
		})
		list := c.Packs()[0].Diagnostics
		if got := hasCode(list, "note.temporary-ref"); got != flagged {
			t.Errorf("note %q: flagged %v", text, got)
		}
		if got := hasCode(list, "tool.temporary-ref"); got != flagged {
			t.Errorf("tool %q: flagged %v", text, got)
		}
		for _, d := range list {
			if d.Code == "note.temporary-ref" && d.Range.Start.Line != 1 {
				t.Errorf("note %q: at %+v", text, d.Range)
			}
		}
	}
}

func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates string
		want       string
	}{
		{"gogle", "google github x-com", "google"}, {"x_com", "x-com google", "x-com"}, {"XCOM", "x-com", "x-com"},
		{"seach-users", "search-users search", "search-users"}, {"search", "search-users extract", "search-users"},
		{"nothing", "google github", ""}, {"ab", "ba", "ba"}, {"", "a", ""}, {"same", "same", ""},
	} {
		if got := strings.Join(Suggest(c.name, strings.Fields(c.candidates)), " "); got != c.want {
			t.Errorf("Suggest(%q, %s) = %q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}

func TestExportNames(t *testing.T) {
	for source, want := range map[string]string{
		"export async function a() {}":                     "a",
		"export function* a() {}\nexport class B {}":       "a B",
		"const x = 1; export { x as y, z };":               "y z",
		"export default class {}":                          "default",
		"/* export const no = 1 */ export const yes = 1;":  "yes",
		"/* export const no = 1 */\nexport const yes = 1;": "yes",
		"const s = `\nexport const no = 1;\n`":             "",
		"export * from './x.js'":                           "...",
		"module.exports = {}":                              "...",
		"export {\n  a,\n  b as default,\n};":              "a default",
	} {
		names, all := exportNames(source)
		if !all {
			names = append(names, "...")
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// TestPositionsInAnyOrder: a position does not depend on what was asked before.
func TestPositionsInAnyOrder(t *testing.T) {
	text := "ab\n" + strings.Repeat("é😀x", 50) + "\r\nlast 😀\n"
	asked := &textFile{text: text}
	for i := range 5000 {
		offset := i * 7919 % (len(text) + 1)
		if offset < len(text) && !utf8.RuneStart(text[offset]) {
			continue
		}
		if got, want := asked.position(offset), PositionAt(text, offset); got != want {
			t.Fatalf("%d: %+v, want %+v", offset, got, want)
		}
	}
}
