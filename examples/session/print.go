package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// printer shows the session on standard output.
type printer struct {
	width int // longest line shown whole, in bytes
}

func (p printer) title(format string, args ...any) {
	fmt.Printf("\n# "+format+"\n", args...)
}

// line shows one line of the wire as it is, or its beginning when it is long.
func (p printer) line(direction, line string) {
	if len(line) > p.width {
		cut := p.width
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = fmt.Sprintf("%s ... (%d bytes)", line[:cut], len(line))
	}
	fmt.Println(direction, line)
}

// contains returns a check that the text occurs in a member of a result.
func contains(member, text string) func(object) error {
	return func(result object) error {
		value, err := json.Marshal(result[member])
		if err != nil {
			return fmt.Errorf("encode %s: %w", member, err)
		}
		if !strings.Contains(string(value), text) {
			return fmt.Errorf("%q is not in %s: %s", text, member, value)
		}
		return nil
	}
}
