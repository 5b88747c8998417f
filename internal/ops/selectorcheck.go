package ops

import (
	"regexp"
	"strings"
)

var (
	// ownSelector are the forms that are not CSS, as internal/browser reads them.
	ownSelector = regexp.MustCompile(`^\s*(?:$|@?\d+\s*$|ref=|internal:|xpath=|//|\(//|text=|loc=|(?:href|text|placeholder|alt|testid|role|xpath):)`)
	// foreignEngine are selectors of other libraries that begin with their engine.
	foreignEngine = regexp.MustCompile(`^\s*([A-Za-z_][\w-]*(?::light)?)=`)
	// quotedPart is what a CSS selector may hold of any characters.
	quotedPart  = regexp.MustCompile(`\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]`)
	pseudoClass = regexp.MustCompile(`::?[a-zA-Z-]+`)
	lastHasText = regexp.MustCompile(`:has-text\([^()]*\)\s*$`)
)

// foreignPseudo are pseudo-classes of other libraries, and what to write.
var foreignPseudo = map[string]string{
	":visible":  "leave it out: actions wait for what is visible, and isVisible asks",
	":hidden":   "ask with isHidden, or wait with {state: \"hidden\"}",
	":text":     "use getByText, or text=...",
	":text-is":  "use getByText with {exact: true}",
	":contains": "use getByText, or :has-text(\"...\") at the end",
	":eq":       "use nth", ":first": "use first", ":last": "use last", ":nth-match": "use nth",
	":text-matches": "use getByText with a regular expression",
	":right-of":     "say where it is in the page's structure", ":left-of": "say where it is in the page's structure",
	":above": "say where it is in the page's structure", ":below": "say where it is in the page's structure", ":near": "say where it is in the page's structure",
}

// foreignEngines are engines of other libraries, and what to write.
var foreignEngines = map[string]string{
	"css": "write the CSS alone", "id": "write #id", "role": "use getByRole, or loc=role:...", "data-testid": "use getByTestId",
	"data-test-id": "write [data-test-id=\"...\"]", "data-test": "write [data-test=\"...\"]", "nth": "use nth",
	"visible": "leave it out: actions wait for what is visible", "label": "use getByLabel", "placeholder": "use getByPlaceholder",
	"alt": "use getByAltText", "title": "use getByTitle", "has-text": "use filter with hasText",
	"_react": "say where it is in the page's structure", "_vue": "say where it is in the page's structure", "aria": "use getByRole", "pierce": "write the CSS alone: open shadow roots are looked into",
}

// unsupportedSelector names the part of a selector that no browser knows and egod
// does not add, with the next step; "" when there is none.
func unsupportedSelector(selector string) (part, hint string) {
	if ownSelector.MatchString(selector) {
		return "", ""
	}
	if m := foreignEngine.FindStringSubmatch(selector); m != nil {
		if hint, ok := foreignEngines[strings.TrimSuffix(m[1], ":light")]; ok {
			return m[1] + "=", hint
		}
	}
	css := quotedPart.ReplaceAllString(selector, "x")
	if strings.Contains(css, ">>") {
		return ">>", "call locator on the locator of the part before"
	}
	for _, pseudo := range pseudoClass.FindAllString(css, -1) {
		if hint, ok := foreignPseudo[pseudo]; ok {
			return pseudo, hint
		}
	}
	if strings.Contains(lastHasText.ReplaceAllString(css, ""), ":has-text") {
		return ":has-text", "it may stand at the end alone; use filter with hasText"
	}
	return "", ""
}
