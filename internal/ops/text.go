package ops

import "strings"

// oneLine keeps the first line of a text: messages are one line on the wire,
// and the whole text is in data.
func oneLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
