package skills

import (
	"regexp"
	"slices"
	"strings"
)

var (
	exportDeclaration = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*export[ \t\r\n]+(?:(default)\b|(?:async[ \t]+)?function[ \t\r\n]*\*?[ \t\r\n]*([\p{L}_$][\p{L}\p{N}_$]*)|(?:const|let|var|class)[ \t\r\n]+([\p{L}_$][\p{L}\p{N}_$]*))`)
	exportList        = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*export[ \t\r\n]*\{([^}]*)\}`)
	exportAll         = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*export[ \t\r\n]*\*|(?:^|[^\w.])module\.exports\b|(?:^|[^\w])exports\.`)
)

// exportNames finds the names a module exports, in order, by looking at its text
// alone. all is false when there are others that the text does not name here.
// It serves the shorthand dialect, in which the manifest does not name them.
func exportNames(source string) (names []string, all bool) {
	text := blankComments(source)
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, m := range exportDeclaration.FindAllStringSubmatch(text, -1) {
		add(m[1] + m[2] + m[3])
	}
	for _, m := range exportList.FindAllStringSubmatch(text, -1) {
		for item := range strings.SplitSeq(m[1], ",") {
			words := strings.Fields(item)
			if len(words) > 0 {
				add(strings.Trim(words[len(words)-1], `"'`))
			}
		}
	}
	return names, !exportAll.MatchString(text)
}

// blankComments replaces comments and the inside of strings by spaces. A regular
// expression that holds a quote is taken for a string up to the line's end.
func blankComments(source string) string {
	out := []byte(source)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(source); {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			end := i + indexOr(rest, "\n", 0)
			blank(i, end)
			i = end
		case strings.HasPrefix(rest, "/*"):
			end := i + indexOr(rest, "*/", 2)
			blank(i, end)
			i = end
		case source[i] == '"' || source[i] == '\'' || source[i] == '`':
			end := stringEnd(source, i)
			blank(i+1, end-1)
			i = end
		default:
			i++
		}
	}
	return string(out)
}

// indexOr is the index of sep plus extra, or the length when there is none.
func indexOr(s, sep string, extra int) int {
	if n := strings.Index(s, sep); n >= 0 {
		return n + extra
	}
	return len(s)
}

// stringEnd is the offset behind the string that begins at start.
func stringEnd(s string, start int) int {
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == s[start]:
			return i + 1
		case c == '\n' && s[start] != '`':
			return i
		}
	}
	return len(s)
}
