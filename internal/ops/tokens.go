package ops

import (
	"strings"
	"unicode/utf8"
)

// tokenKind tells the tokens of JavaScript apart as far as it matters here.
type tokenKind byte

const (
	tokenName  tokenKind = iota // an identifier, keyword or number
	tokenText                   // a string, a part of a template, a regular expression
	tokenPunct                  // one character, or one of ... => ?.
)

type token struct {
	kind tokenKind
	text string
}

// is says whether a token is that keyword or punctuation.
func (t token) is(text string) bool { return t.kind != tokenText && t.text == text }

// oneOf says whether a token is one of these keywords or punctuations.
func (t token) oneOf(texts ...string) bool {
	for _, text := range texts {
		if t.is(text) {
			return true
		}
	}
	return false
}

// tokenize cuts a source into tokens, without comments. It takes time in
// proportion to the text, keeps no stack, and knows no grammar: that is why the
// daemon may do it. ok is false when the text cannot be JavaScript.
func tokenize(source string) (tokens []token, ok bool) {
	l := lexer{source: source, tokens: make([]token, 0, len(source)/5+8)}
	for {
		l.blank()
		if l.at >= len(source) || l.failed {
			return l.tokens, !l.failed
		}
		l.token()
	}
}

type lexer struct {
	source string
	at     int
	tokens []token
	// templates are the depths of braces at which a ${ was opened, depth the
	// current one.
	templates []int
	depth     int
	failed    bool
}

func (l *lexer) add(kind tokenKind, end int) {
	l.tokens = append(l.tokens, token{kind, l.source[l.at:end]})
	l.at = end
}

// blank skips white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.source) {
		rest := l.source[l.at:]
		switch {
		case rest[0] <= ' ':
			l.at++
		case rest[0] != '/' && rest[0] < utf8.RuneSelf && l.at > 0:
			return
		case strings.HasPrefix(rest, "//"), l.at == 0 && strings.HasPrefix(rest, "#!"):
			_, next := sourceLineEnd(rest)
			l.at += next
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.failed = true
				return
			}
			l.at += end + 4
		case rest[0] < utf8.RuneSelf:
			return
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if r != '\u00a0' && r != '\ufeff' && r != '\u2028' && r != '\u2029' {
				return
			}
			l.at += size
		}
	}
}

func (l *lexer) token() {
	rest := l.source[l.at:]
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		l.string(c)
	case c == '`':
		l.template(l.at + 1)
	case c == '/' && l.regexpMayBegin():
		l.regexp()
	case c == '}' && len(l.templates) > 0 && l.templates[len(l.templates)-1] == l.depth:
		l.templates = l.templates[:len(l.templates)-1]
		l.template(l.at + 1)
	case isIdentifierStart(rest):
		end := l.at
		for end < len(l.source) && isIdentifierStart(l.source[end:]) {
			_, size := utf8.DecodeRuneInString(l.source[end:])
			end += size
		}
		l.add(tokenName, end)
	default:
		l.punctuation(rest)
	}
}

// isIdentifierStart takes digits and escapes for parts of names: nothing here
// tells names from numbers.
func isIdentifierStart(s string) bool {
	if c := s[0]; c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '\\' || c == '#'
	}
	r, _ := utf8.DecodeRuneInString(s)
	return isWord(r)
}

func (l *lexer) punctuation(rest string) {
	size := 1
	switch {
	case strings.HasPrefix(rest, "..."):
		size = 3
	case strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, "?.") && !(len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9'):
		size = 2
	}
	switch rest[0] {
	case '{':
		l.depth++
	case '}':
		l.depth--
	}
	l.add(tokenPunct, l.at+size)
}

func (l *lexer) string(quote byte) {
	for i := l.at + 1; i < len(l.source); i++ {
		switch l.source[i] {
		case '\\':
			i++
		case quote:
			l.add(tokenText, i+1)
			return
		case '\n':
			l.failed = true
			return
		}
	}
	l.failed = true
}

// template reads the text of a template from an offset on, to its end or to the
// next ${.
func (l *lexer) template(from int) {
	for i := from; i < len(l.source); i++ {
		switch {
		case l.source[i] == '\\':
			i++
		case l.source[i] == '`':
			l.add(tokenText, i+1)
			return
		case strings.HasPrefix(l.source[i:], "${"):
			l.templates = append(l.templates, l.depth)
			l.add(tokenText, i+2)
			return
		}
	}
	l.failed = true
}

// regexpMayBegin tells a regular expression from a division by what is before it.
func (l *lexer) regexpMayBegin() bool {
	if len(l.tokens) == 0 {
		return true
	}
	last := l.tokens[len(l.tokens)-1]
	switch last.kind {
	case tokenText:
		return strings.HasSuffix(last.text, "${")
	case tokenPunct:
		return !last.oneOf(")", "]", "}")
	}
	return last.oneOf("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "do", "else", "yield", "await")
}

func (l *lexer) regexp() {
	class := false
	for i := l.at + 1; i < len(l.source); i++ {
		switch c := l.source[i]; {
		case c == '\\':
			i++
		case c == '\n':
			l.failed = true
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.add(tokenText, i+1)
			return
		}
	}
	l.failed = true
}
