package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
)

// The factories build selector strings, so that a locator is the same thing on
// every face: a text. Those that take a base look inside its elements.

// RoleOptions narrows a role. A Name that is not Exact is met by names that are
// equal; when no element has one, by names that contain it, whatever the case.
type RoleOptions struct {
	Name          *TextPattern
	IncludeHidden bool
	States        map[string]string // checked, disabled, expanded, level, pressed, selected
}

// RoleSelector finds elements by role in the accessibility tree.
func RoleSelector(role string, o RoleOptions) string {
	var b strings.Builder
	b.WriteString("loc=role:" + role)
	if o.Name != nil {
		fmt.Fprintf(&b, "[name=%s]", o.Name.object())
	}
	names := make([]string, 0, len(o.States))
	for name := range o.States {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "[%s=%s]", name, o.States[name])
	}
	if o.IncludeHidden {
		b.WriteString("[includeHidden=true]")
	}
	return b.String()
}

// The kinds of TextSelector.
const (
	ByText        = "text"
	ByLabel       = "label"
	ByPlaceholder = "placeholder"
	ByAltText     = "alt"
	ByTitle       = "title"
	ByTestID      = "testid"
)

// TextSelector finds elements of a kind (ByText, ByLabel, ...) by a text.
func TextSelector(kind string, m TextPattern) string {
	return "loc=" + kind + ":" + m.value()
}

// value is the shortest form parseMatch reads back as the same pattern.
func (m TextPattern) value() string {
	switch {
	case m.Regex != nil:
		return m.object()
	case m.Exact:
		return "exact:" + quote(m.Text)
	}
	return quote(m.Text)
}

func (m TextPattern) object() string {
	if m.Regex == nil {
		return encode(struct {
			Text  string `json:"text"`
			Exact bool   `json:"exact"`
		}{m.Text, m.Exact})
	}
	return encode(m)
}

// LastSelector picks the last match.
func LastSelector(base string) string { return "internal:last;" + base }

// ScopeSelector finds child inside every match of base.
func ScopeSelector(base, child string) string {
	return "internal:scope:" + url.PathEscape(encode(struct {
		Base  string `json:"base"`
		Child string `json:"child"`
	}{base, child}))
}

// FilterOptions keeps the matches that have (or have not) a text or an inner element.
type FilterOptions struct {
	HasText, HasNotText *TextPattern
	Has, HasNot         string // selectors; empty: not asked
}

// FilterSelector filters the matches of base.
func FilterSelector(base string, o FilterOptions) string {
	parts := filterParts{Base: base, Has: o.Has, HasNot: o.HasNot}
	if o.HasText != nil {
		parts.HasText = json.RawMessage(o.HasText.object())
	}
	if o.HasNotText != nil {
		parts.HasNotText = json.RawMessage(o.HasNotText.object())
	}
	return "internal:filter:" + url.PathEscape(encode(parts))
}

// encode is for values that always marshal.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(text)
}

func quote(s string) string { return encode(s) }

// First picks the first match. Like Nth and Last it lifts strictness.
func (l *Locator) First() *Locator { return l.page.Locator("internal:nth=0;" + l.selector) }

// Nth picks the match with a zero-based index; a negative one is an error on use.
func (l *Locator) Nth(index int) *Locator {
	return l.page.Locator("internal:nth=" + strconv.Itoa(index) + ";" + l.selector)
}

// Last picks the last match.
func (l *Locator) Last() *Locator { return l.page.Locator(LastSelector(l.selector)) }

// Locator finds a selector inside the matches.
func (l *Locator) Locator(child string) *Locator {
	return l.page.Locator(ScopeSelector(l.selector, child))
}

// Filter keeps some of the matches.
func (l *Locator) Filter(o FilterOptions) *Locator {
	return l.page.Locator(FilterSelector(l.selector, o))
}

// GetByRole finds elements by role on the page.
func (p *Page) GetByRole(role string, o RoleOptions) *Locator {
	return p.Locator(RoleSelector(role, o))
}

// GetBy finds elements by a text of a kind: ByText, ByLabel, ByPlaceholder, ByAltText, ByTitle, ByTestID.
func (p *Page) GetBy(kind string, m TextPattern) *Locator { return p.Locator(TextSelector(kind, m)) }
