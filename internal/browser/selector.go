package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// query is a parsed selector, as the script in the isolated world takes it.
type query struct {
	Kind       string       `json:"kind"`
	Value      string       `json:"value,omitempty"`
	Match      *TextPattern `json:"match,omitempty"`
	Index      int          `json:"index,omitempty"`
	Held       int          `json:"held,omitempty"`
	Sort       bool         `json:"sort,omitempty"` // the held are not in document order
	Hidden     *hiddenRole  `json:"hidden,omitempty"`
	Base       *query       `json:"base,omitempty"`
	Child      *query       `json:"child,omitempty"`
	HasText    *TextPattern `json:"hasText,omitempty"`
	HasNotText *TextPattern `json:"hasNotText,omitempty"`
	Has        *query       `json:"has,omitempty"`
	HasNot     *query       `json:"hasNot,omitempty"`

	role *roleQuery // kind role: becomes held before it is sent
	ref  int        // kind ref: a backend node id, becomes held too
}

// hiddenRole asks for elements of a role that are not rendered as well.
type hiddenRole struct {
	Role  string       `json:"role"`
	Match *TextPattern `json:"match,omitempty"`
}

// TextPattern is a string to find or a regular expression of the page's engine.
type TextPattern struct {
	Text  string  `json:"text,omitempty"`
	Exact bool    `json:"exact,omitempty"` // the whole text, not a part of it
	Regex *string `json:"regex,omitempty"` // source; Text is ignored then
	Flags string  `json:"flags,omitempty"`
}

// maxSelector bounds a selector, and with it how deep its parts can nest.
const maxSelector = 64 << 10

var (
	refSelector  = regexp.MustCompile(`^(?:@|ref=)?(\d+)$`)
	slashed      = regexp.MustCompile(`^/(.+)/([a-z]*)$`)
	locatorKinds = []string{"css", "href", "text", "label", "placeholder", "alt", "title", "testid", "role", "xpath"}
)

// parseSelector reads every form a selector string has: a ref (@12, ref=12, 12),
// xpath=..., text=..., [loc=]kind:value, the internal: forms that locators build,
// and CSS with the pseudo-classes that css.js adds.
func parseSelector(selector string) (*query, error) {
	if len(selector) > maxSelector {
		return nil, invalidSelector(selector[:40]+"...", "it is longer than 64 KiB")
	}
	s := strings.TrimSpace(selector)
	if m := refSelector.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, invalidSelector(selector, "the ref is not a number")
		}
		return &query{Kind: "ref", ref: n}, nil
	}
	if s == "" {
		return nil, invalidSelector(selector, "it is empty")
	}
	if rest, ok := strings.CutPrefix(s, "internal:"); ok {
		return parseInternal(selector, rest)
	}
	if rest, ok := strings.CutPrefix(s, "xpath="); ok {
		return &query{Kind: "xpath", Value: rest}, nil
	}
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, "(//") || s == ".." || strings.HasPrefix(s, "../") {
		return &query{Kind: "xpath", Value: s}, nil
	}
	if rest, ok := strings.CutPrefix(s, "text="); ok {
		if m := slashed.FindStringSubmatch(strings.TrimSpace(rest)); m != nil {
			return &query{Kind: "text", Match: &TextPattern{Regex: &m[1], Flags: m[2]}}, nil
		}
		return &query{Kind: "text", Match: &TextPattern{Text: unquote(rest)}}, nil
	}
	loc, prefixed := strings.CutPrefix(s, "loc=")
	for _, kind := range locatorKinds {
		if rest, ok := strings.CutPrefix(loc, kind+":"); ok && (prefixed || !looksLikePseudo(kind, rest)) {
			return parseLocator(selector, kind, rest)
		}
	}
	if prefixed {
		return nil, invalidSelector(selector, "unknown locator kind")
	}
	return parseCSS(s)
}

// looksLikePseudo tells the CSS label:first-child from the locator label:First name.
func looksLikePseudo(kind, rest string) bool {
	switch kind {
	case "label", "title":
		return cssPseudo.MatchString(rest)
	}
	return false
}

var cssPseudo = regexp.MustCompile(`^(first|last|nth|only)-(child|of-type|last-child|last-of-type)\b|^(has|is|not|where|hover|focus|empty|root|checked|disabled|enabled)\b[(:\s]?|^has\(`)

func invalidSelector(selector, reason string) *ElementError {
	return &ElementError{
		Selector: selector, Reason: "Invalid selector: " + selector + ": " + reason, Permanent: true,
		Hint: "use CSS, xpath=..., text=..., a ref like @12, or loc=role:button[name=\"Save\"]",
	}
}

func parseCSS(s string) (*query, error) {
	if part, hint := UnsupportedSelector(s); part != "" {
		e := invalidSelector(s, part+" is not supported")
		e.Hint = hint
		return nil, e
	}
	return &query{Kind: "css", Value: s}, nil
}

func parseLocator(selector, kind, value string) (*query, error) {
	switch kind {
	case "css":
		return parseCSS(value)
	case "xpath":
		return &query{Kind: "xpath", Value: value}, nil
	case "href":
		return &query{Kind: "href", Value: unquote(value)}, nil
	case "role":
		role, err := parseRole(value)
		if err != nil {
			return nil, invalidSelector(selector, err.Error())
		}
		return &query{Kind: "role", role: role}, nil
	}
	m, err := parseMatch(value)
	if err != nil {
		return nil, invalidSelector(selector, err.Error())
	}
	if kind == "testid" {
		m.Exact = m.Regex == nil
	}
	return &query{Kind: kind, Match: m}, nil
}

// parseMatch reads the value of a text locator: bare or quoted text, "exact:" in
// front of it, or an object {regex,flags} or {text,exact}.
func parseMatch(value string) (*TextPattern, error) {
	if rest, ok := strings.CutPrefix(value, "exact:"); ok {
		return &TextPattern{Text: unquote(rest), Exact: true}, nil
	}
	if strings.HasPrefix(value, "{") {
		var m TextPattern
		if err := json.Unmarshal([]byte(value), &m); err != nil {
			return nil, fmt.Errorf("bad match object: %w", err)
		}
		return &m, nil
	}
	return &TextPattern{Text: unquote(value)}, nil
}

// unquote takes a JSON or single-quoted string apart; other text stays as it is.
func unquote(s string) string {
	if len(s) < 2 || (s[0] != '"' && s[0] != '\'') || s[len(s)-1] != s[0] {
		return s
	}
	text := s
	if s[0] == '\'' {
		inner := strings.ReplaceAll(s[1:len(s)-1], `\'`, `'`)
		text = `"` + strings.ReplaceAll(inner, `"`, `\"`) + `"`
	}
	var out string
	if json.Unmarshal([]byte(text), &out) != nil {
		return s[1 : len(s)-1]
	}
	return out
}

// parseInternal reads what Locator's own methods build.
func parseInternal(selector, rest string) (*query, error) {
	switch {
	case strings.HasPrefix(rest, "nth="):
		number, base, ok := strings.Cut(rest[len("nth="):], ";")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			return nil, invalidSelector(selector, "nth wants a whole number from 0")
		}
		return wrapQuery(&query{Kind: "nth", Index: n}, base)
	case strings.HasPrefix(rest, "last;"):
		return wrapQuery(&query{Kind: "last"}, rest[len("last;"):])
	case strings.HasPrefix(rest, "frame:"):
		return parseFrame(selector, rest[len("frame:"):])
	case strings.HasPrefix(rest, "scope:"):
		return parseScope(selector, rest[len("scope:"):])
	case strings.HasPrefix(rest, "filter:"):
		return parseFilter(selector, rest[len("filter:"):])
	}
	return nil, invalidSelector(selector, "unknown internal form")
}

func wrapQuery(outer *query, base string) (*query, error) {
	inner, err := parseSelector(base)
	if err != nil {
		return nil, err
	}
	outer.Base = inner
	if inner.Kind == "frame" { // the frame holds all that is built on what is inside of it
		outer.Base, inner.Child = inner.Child, outer
		return inner, nil
	}
	return outer, nil
}

func decodeInternal(selector, encoded string, into any) error {
	text, err := url.PathUnescape(encoded)
	if err != nil {
		return invalidSelector(selector, err.Error())
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return invalidSelector(selector, err.Error())
	}
	return nil
}

func parseScope(selector, encoded string) (*query, error) {
	var parts struct{ Base, Child string }
	if err := decodeInternal(selector, encoded, &parts); err != nil {
		return nil, err
	}
	child, err := parseSelector(parts.Child)
	if err != nil {
		return nil, err
	}
	return wrapQuery(&query{Kind: "scope", Child: child}, parts.Base)
}

// parseFrame reads {owner, name, child}: child inside the frame of the element
// owner, or inside the frame with that name or address.
func parseFrame(selector, encoded string) (*query, error) {
	var parts struct{ Owner, Name, Child string }
	if err := decodeInternal(selector, encoded, &parts); err != nil {
		return nil, err
	}
	child, err := parseSelector(parts.Child)
	if err != nil {
		return nil, err
	}
	if parts.Owner == "" {
		return &query{Kind: "frame", Value: parts.Name, Child: child}, nil
	}
	return wrapQuery(&query{Kind: "frame", Child: child}, parts.Owner)
}

func parseFilter(selector, encoded string) (*query, error) {
	var parts filterParts
	if err := decodeInternal(selector, encoded, &parts); err != nil {
		return nil, err
	}
	q := &query{Kind: "filter"}
	var err error
	if q.HasText, err = filterText(parts.HasText); err != nil {
		return nil, invalidSelector(selector, err.Error())
	}
	if q.HasNotText, err = filterText(parts.HasNotText); err != nil {
		return nil, invalidSelector(selector, err.Error())
	}
	if parts.Has != "" {
		if q.Has, err = parseSelector(parts.Has); err != nil {
			return nil, err
		}
	}
	if parts.HasNot != "" {
		if q.HasNot, err = parseSelector(parts.HasNot); err != nil {
			return nil, err
		}
	}
	return wrapQuery(q, parts.Base)
}

// filterParts is the encoded form of Locator.Filter.
type filterParts struct {
	Base       string          `json:"base"`
	HasText    json.RawMessage `json:"hasText,omitempty"`
	HasNotText json.RawMessage `json:"hasNotText,omitempty"`
	Has        string          `json:"has,omitempty"`
	HasNot     string          `json:"hasNot,omitempty"`
}

// filterText reads a string or an object {regex,flags} or {text,exact}.
func filterText(raw json.RawMessage) (*TextPattern, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return &TextPattern{Text: text}, nil
	}
	var m TextPattern
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("text to filter by: %w", err)
	}
	return &m, nil
}
