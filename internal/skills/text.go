package skills

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// textFile is a decoded text with the means to turn offsets into positions.
type textFile struct {
	text string
	// lines holds the offset of each line's first byte; made on first use,
	// since most files have nothing to report.
	lines []int
	// The place that was asked for last: the next one is mostly near it, and a
	// line may be as long as the file.
	nearOffset, nearLine, nearUnits int
}

// decoded is what became of the bytes of a text file.
type decoded struct {
	text string
	bom  bool
	// problem says what is wrong with the encoding, empty when nothing is.
	problem string
	// at is the offset in text of the first character that problem is about.
	at int
}

// decodeText reads bytes as UTF-8, or as UTF-16 when a byte order mark says so.
// What cannot be read becomes U+FFFD, one for each byte.
func decodeText(raw []byte) decoded {
	switch {
	case len(raw) >= 3 && raw[0] == 0xEF && raw[1] == 0xBB && raw[2] == 0xBF:
		d := decodeUTF8(raw[3:], 3)
		d.bom = true
		return d
	case len(raw) >= 2 && raw[0] == 0xFF && raw[1] == 0xFE:
		return decodeUTF16(raw[2:], binary.LittleEndian, "UTF-16LE")
	case len(raw) >= 2 && raw[0] == 0xFE && raw[1] == 0xFF:
		return decodeUTF16(raw[2:], binary.BigEndian, "UTF-16BE")
	}
	return decodeUTF8(raw, 0)
}

func decodeUTF8(raw []byte, skipped int) decoded {
	if utf8.Valid(raw) {
		return decoded{text: string(raw)}
	}
	var b strings.Builder
	b.Grow(len(raw) + 16)
	d := decoded{at: -1}
	bad := 0
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			if bad++; d.at < 0 {
				d.at = b.Len()
				d.problem = fmt.Sprintf("not UTF-8: byte 0x%02x at offset %d", raw[i], i+skipped)
			}
			b.WriteRune(utf8.RuneError)
		} else {
			b.Write(raw[i : i+size])
		}
		i += size
	}
	if bad > 1 {
		d.problem += fmt.Sprintf(" (and %d more)", bad-1)
	}
	d.text = b.String()
	return d
}

func decodeUTF16(raw []byte, order binary.ByteOrder, name string) decoded {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	text := string(utf16.Decode(units))
	if len(raw)%2 == 1 {
		text += string(utf8.RuneError)
	}
	return decoded{text: text, problem: "not UTF-8: byte order mark of " + name + " at offset 0"}
}

// position turns a byte offset of the text into a line and a UTF-16 column.
func (t *textFile) position(offset int) Position {
	offset = min(max(offset, 0), len(t.text))
	if t.lines == nil {
		t.lines = lineStarts(t.text)
	}
	line := sort.SearchInts(t.lines, offset+1) - 1
	start := t.lines[line]
	switch near := t.nearOffset; {
	case t.nearLine != line || offset-start < max(offset-near, near-offset):
		t.nearUnits = utf16Len(t.text[start:offset])
	case near <= offset:
		t.nearUnits += utf16Len(t.text[near:offset])
	default:
		t.nearUnits -= utf16Len(t.text[offset:near])
	}
	t.nearOffset, t.nearLine = offset, line
	return Position{Line: line, Character: t.nearUnits}
}

func (t *textFile) span(start, end int) Range {
	return Range{Start: t.position(start), End: t.position(end)}
}

// lineStarts knows the three line ends of the Language Server Protocol:
// \n, \r\n and \r.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			starts = append(starts, i+1)
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			starts = append(starts, i+1)
		}
	}
	return starts
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
