package browser

import (
	"regexp"
	"strings"
)

var (
	// ownSelector are the forms that are not CSS, as parseSelector reads them.
	ownSelector = regexp.MustCompile(`^\s*(?:$|@?\d+\s*$|ref=|internal:|xpath=|//|\(//|\.\.\s*(?:$|/)|text=|loc=|(?:href|text|placeholder|alt|testid|role|xpath):)`)
	// foreignEngine are selectors of other libraries that begin with their engine.
	foreignEngine = regexp.MustCompile(`^\s*([A-Za-z_][\w-]*(?::light)?)=`)
	// quotedPart is what a CSS selector may hold of any characters.
	quotedPart  = regexp.MustCompile(`\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|:(?:has-text|text|text-is|text-matches)\([^()]*\)`)
	pseudoClass = regexp.MustCompile(`::?[a-zA-Z-]+`)
)

const sayWhere = "say where it is in the page's structure"

// foreignPseudo are pseudo-classes of other libraries, and what to write.
var foreignPseudo = map[string]string{
	":hidden":   "ask with isHidden, or wait with {state: \"hidden\"}",
	":contains": "use getByText, or :has-text(\"...\")",
	":eq":       "use nth", ":first": "use first", ":last": "use last", ":light": "write the CSS alone: open shadow roots are looked into",
	":right-of": sayWhere, ":left-of": sayWhere, ":above": sayWhere, ":below": sayWhere, ":near": sayWhere,
}

// foreignEngines are engines of other libraries, and what to write.
var foreignEngines = map[string]string{
	"css": "write the CSS alone", "id": "write #id", "role": "use getByRole, or loc=role:...", "data-testid": "use getByTestId",
	"data-test-id": "write [data-test-id=\"...\"]", "data-test": "write [data-test=\"...\"]", "nth": "use nth",
	"visible": "write :visible", "label": "use getByLabel", "placeholder": "use getByPlaceholder",
	"alt": "use getByAltText", "title": "use getByTitle", "has-text": "use filter with hasText",
	"_react": sayWhere, "_vue": sayWhere, "aria": "use getByRole", "pierce": "write the CSS alone: open shadow roots are looked into",
}

// UnsupportedSelector names the part of a selector that no browser knows and egod
// does not add, with the next step; "" when there is none.
func UnsupportedSelector(selector string) (part, hint string) {
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
	return "", ""
}
