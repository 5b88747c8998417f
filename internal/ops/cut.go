package ops

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutText returns the beginning of a text, of at most limit code points. It ends
// before a heading of Markdown, else after a paragraph, a line or a word,
// whichever of them leaves more than half of the room used; else between two
// characters as a reader counts them.
func cutText(text string, limit int) string {
	end := offsetOf(text, limit)
	if end == len(text) {
		return text
	}
	for _, at := range boundsBefore(text, end) {
		if at > end/2 {
			return text[:characterBound(text, at)]
		}
	}
	return text[:characterBound(text, end)]
}

// offsetOf is the byte at which the code point of an index begins, or the length
// of a text that is shorter.
func offsetOf(text string, index int) int {
	for at := range text {
		if index == 0 {
			return at
		}
		index--
	}
	return len(text)
}

// boundsBefore are the last places up to end where a text may be cut, the best
// kind first: before a heading, after a blank line, after a line, after a word.
// What looks like a heading in a fenced block is none.
func boundsBefore(text string, end int) [4]int {
	var heading, paragraph, line int
	fence := ""
	for start := 0; start <= end; {
		line = start
		length := strings.IndexByte(text[start:], '\n') + 1
		if length == 0 {
			break
		}
		content := strings.TrimSpace(text[start : start+length])
		switch {
		case fence != "":
			if strings.HasPrefix(content, fence) {
				fence = ""
			}
		case strings.HasPrefix(content, "```"), strings.HasPrefix(content, "~~~"):
			fence = content[:3]
		case content != "" && content[0] == '#' && strings.HasPrefix(strings.TrimLeft(content, "#"), " "):
			heading = start
		case content == "" && start+length <= end:
			paragraph = start + length
		}
		start += length
	}
	word := strings.LastIndexFunc(text[:end], unicode.IsSpace) + 1
	if first, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsSpace(first) {
		word = end
	}
	return [4]int{heading, paragraph, line, word}
}

// characterBound moves a cut forward in the text to where no character of
// several code points spans it: combining marks, joined emoji, skin tones, flags.
func characterBound(text string, end int) int {
	for end > 0 {
		before, size := utf8.DecodeLastRuneInString(text[:end])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !joined(before, after) {
			return end
		}
		end -= size
	}
	return 0
}

const zeroWidthJoiner = '\u200d'

func joined(before, after rune) bool {
	return unicode.In(after, unicode.M) || before == zeroWidthJoiner || after == zeroWidthJoiner ||
		after >= 0x1f3fb && after <= 0x1f3ff || // skin tones
		isRegional(before) && isRegional(after) ||
		before == '\r' && after == '\n'
}

// isRegional tells the letters that flags are written with, two each.
func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
