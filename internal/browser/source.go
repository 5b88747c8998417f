package browser

import (
	"fmt"
	"strings"
)

// functionExpression is the text of a function made fit for the wrapper: same
// lines and columns as the file it came from.
type functionExpression struct {
	text   string
	strict bool
}

// parseFunction prepares source, which is to be one function expression: a byte
// order mark goes, and directives in front of the function ("use strict") are
// blanked out and remembered. What follows the function (a semicolon, comments)
// needs no care because the wrapper puts it on lines of its own.
func parseFunction(source string) functionExpression {
	source = strings.TrimPrefix(source, "\uFEFF")
	f := functionExpression{text: source}
	for {
		start := skipBlank(f.text, 0)
		end, directive := scanDirective(f.text, start)
		if end == 0 {
			return f
		}
		f.strict = f.strict || directive == "use strict"
		f.text = f.text[:start] + strings.Repeat(" ", end-start) + f.text[end:]
	}
}

// scanDirective returns the end of a string literal statement at start, and the
// text of the literal; 0 when there is none.
func scanDirective(s string, start int) (end int, directive string) {
	if start >= len(s) || (s[start] != '"' && s[start] != '\'') {
		return 0, ""
	}
	stop := strings.IndexByte(s[start+1:], s[start])
	if stop < 0 || strings.ContainsAny(s[start+1:start+1+stop], "\\\n\r") {
		return 0, ""
	}
	after := start + 1 + stop + 1
	next := skipBlank(s, after)
	switch {
	case next < len(s) && s[next] == ';':
		return next + 1, s[start+1 : after-1]
	case strings.ContainsAny(s[after:next], "\n\r"):
		return after, s[start+1 : after-1]
	}
	return 0, ""
}

// skipBlank returns the index of the first byte at or after i that is neither
// white space nor part of a comment.
func skipBlank(s string, i int) int {
	for i < len(s) {
		rest := s[i:]
		switch {
		case strings.ContainsRune(" \t\r\n\v\f", rune(rest[0])):
			i++
		case strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\uFEFF"),
			strings.HasPrefix(rest, "\u2028"), strings.HasPrefix(rest, "\u2029"):
			i += len(firstRune(rest))
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexAny(rest, "\n\r")
			if n < 0 {
				return len(s)
			}
			i += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return i
			}
			i += 2 + n + 2
		default:
			return i
		}
	}
	return i
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// isFunctionText reports whether source looks like a function expression rather
// than an expression to evaluate as it is. It decides only how a string is tried first.
func isFunctionText(source string) bool {
	f := parseFunction(source)
	rest := f.text[skipBlank(f.text, 0):]
	for _, prefix := range []string{"function", "async function", "async("} {
		if strings.HasPrefix(rest, prefix) {
			return true
		}
	}
	return false
}

// isTextOf reports whether source is that one function and nothing else, perhaps in
// parentheses.
func isTextOf(source, function string) bool {
	rest := parseFunction(source).text
	rest = rest[skipBlank(rest, 0):]
	open := 0
	for !strings.HasPrefix(rest, function) {
		inner, ok := strings.CutPrefix(rest, "(")
		if !ok {
			return false
		}
		rest = inner[skipBlank(inner, 0):]
		open++
	}
	rest = rest[len(function):]
	for {
		rest = rest[skipBlank(rest, 0):]
		switch {
		case open > 0 && strings.HasPrefix(rest, ")"):
			open--
		case open > 0 || !strings.HasPrefix(rest, ";"):
			return rest == ""
		}
		rest = rest[1:]
	}
}

// sourceURL names a script for stack traces. Chrome takes the name up to the first blank.
func sourceURL(name string) string {
	if name == "" {
		name = "egod-evaluate"
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case r <= ' ' || r == '"' || r == '\'' || r == 0x7f:
			return '_'
		}
		return r
	}, name)
	return name
}

// excerpt is the start of a source for error messages, as the original shows it:
// 160 characters at most, newlines as \n.
func excerpt(source string) string {
	const most = 160
	text := strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\r", `\n`).Replace(strings.TrimSpace(source))
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s...", string(runes[:most-3]))
}
