package ops

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// memberCheck compares what a tool reads of ctx with what is there.
type memberCheck struct {
	shape *shape
	// same is what a helper of the flat dialect is called on the usual ctx.
	same map[string]string
}

// maxMemberFindings bounds what is said of one tool.
const maxMemberFindings = 20

// otherNames are names of other libraries and of other versions of the format,
// with what to do instead.
var otherNames = map[string]string{
	"$": "write ctx.page.locator(selector)", "$$": "write ctx.page.locator(selector)",
	"$x":    "write ctx.page.locator(selector) with xpath=...",
	"$eval": "write ctx.page.locator(selector).evaluate", "$$eval": "write ctx.page.locator(selector).evaluateAll",
	"newPage": "write ctx.browser.openOrReuseTab", "newTab": "write ctx.browser.openOrReuseTab",
	"openTab": "write ctx.browser.openOrReuseTab", "tabs": "write ctx.browser, which has listTabs, openOrReuseTab and closeTab",
	"waitForNavigation": "write ctx.page.waitForURL", "waitFor": "write ctx.page.waitForSelector",
	"content": "write ctx.page.evaluate with document.documentElement.outerHTML",
	"log":     "write console.log", "sleep": "write ctx.page.waitForTimeout",
	"or":         "write one CSS selector for both, with a comma",
	"egoBrowser": "leave it out, or ask typeof ctx.egoBrowser first: it is of another version of the format",
}

// flatCall finds the first thing that a helper of flat.js calls of ctx.
var flatCall = regexp.MustCompile(`ctx\.([\w.]+(?:\(selector\)\.\w+)?)|onTarget\("(\w+)"\)`)

func newMemberCheck(t *Table) *memberCheck {
	c := &memberCheck{shape: shapeOf(t), same: map[string]string{
		"hover": "ctx.page.locator(selector).hover", "cliLog": "console.log", "dispatchKey": "ctx.page.locator(selector).dispatchEvent",
		"scrollBy": "ctx.page.mouse.wheel", "scrollToBottomUntil": "a loop of ctx.page.mouse.wheel",
	}}
	for _, name := range flatNames {
		_, definition, _ := strings.Cut(flatSource, "\n    "+name+": ")
		m := flatCall.FindStringSubmatch(definition)
		switch {
		case m == nil || c.same[name] != "":
		case m[2] != "":
			c.same[name] = "ctx.page.locator(selector)." + m[2]
		default:
			c.same[name] = "ctx." + m[1]
		}
	}
	return c
}

// findings are those about a node tool, in order of place.
func (c *memberCheck) findings(pack *skills.Pack, tool *skills.Tool, reads []jsruntime.Read) []skills.Diagnostic {
	start := typeContext
	if contextOf(tool, pack.Files) == contextFlat {
		start = typeFlat
	}
	fails := certainFailures(reads)
	var list []skills.Diagnostic
	for _, r := range reads {
		for _, d := range []*skills.Diagnostic{c.member(pack, tool, start, r, fails), c.selector(pack, tool, start, r)} {
			if d != nil && len(list) < maxMemberFindings && !slices.Contains(list, *d) {
				list = append(list, *d)
			}
		}
	}
	return list
}

// certainFailures are the paths of which a call or a member is certainly read: if
// there is nothing there, that fails.
func certainFailures(reads []jsruntime.Read) map[string]bool {
	fails := map[string]bool{}
	for _, r := range reads {
		if n := len(r.Path); r.Certain && n > 1 && r.Path[n-1] != "await" {
			fails[readText(r.Path[:n-1])] = true
		}
	}
	return fails
}

// readText is a path as it is written from ctx on.
func readText(names []string) string {
	text := typeContext
	for _, name := range names {
		switch name {
		case "await":
		case "()":
			text += "()"
		default:
			text += "." + name
		}
	}
	return text
}

func (c *memberCheck) member(pack *skills.Pack, tool *skills.Tool, start string, r jsruntime.Read, fails map[string]bool) *skills.Diagnostic {
	last := len(r.Path) - 1
	_, owner, _, missing := c.shape.at(start, r.Path)
	if !missing {
		return nil
	}
	name, object := r.Path[last], readText(r.Path[:last])
	problem := jsruntime.Problem{
		File: r.File, Line: r.Line, Column: r.Column, Code: "tool.unknown-member",
		Message: fmt.Sprintf("%s has no %s", object, name), Hint: c.hint(owner, name),
	}
	switch {
	case owner == typePromise:
		problem.Message = fmt.Sprintf("%s returns a promise, which has no %s", object, name)
		problem.Hint = fmt.Sprintf("wait for it first: (await %s).%s", strings.TrimSuffix(object, "()")+"(...)", name)
	case owner == typeContext && slices.Contains(flatNames, name):
		problem.Message = fmt.Sprintf("ctx has no %s: it is a helper of the flat dialect, and this tool reads ctx.page or its like, so it gets no flat helpers", name)
		problem.Hint = "write " + c.same[name]
	}
	d := ProblemDiagnostic(pack, tool, problem)
	if fails[readText(r.Path)] && c.slip(owner, name) {
		d.Severity = skills.SeverityError
	}
	return &d
}

// hint is the next step where a member is missing.
func (c *memberCheck) hint(owner, name string) string {
	if hint, known := otherNames[name]; known {
		return hint
	}
	if near := Suggest(name, c.shape.names(owner)); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	if found := c.shape.elsewhere(name); len(found) > 0 {
		return "there is " + strings.Join(found, ", ")
	}
	return "egod types prints what there is"
}

// slip says that a name is most likely a mistyped one: nearly as long, and with
// the same beginning.
func (c *memberCheck) slip(owner, name string) bool {
	if _, other := otherNames[name]; other {
		return false
	}
	near := Suggest(name, c.shape.names(owner))
	return len(near) > 0 && near[0][0] == name[0] && max(len(near[0])-len(name), len(name)-len(near[0])) <= 1
}

// selector looks at a selector that is written out in a call.
func (c *memberCheck) selector(pack *skills.Pack, tool *skills.Tool, start string, r jsruntime.Read) *skills.Diagnostic {
	last := len(r.Path) - 1
	if r.Text == "" || last < 1 || r.Path[last] != "()" {
		return nil
	}
	_, owner, known, _ := c.shape.at(start, r.Path[:last])
	name := r.Path[last-1]
	if !known || !c.shape.selectors[owner+"."+name] {
		return nil
	}
	part, hint := browser.UnsupportedSelector(r.Text)
	if part == "" {
		return nil
	}
	d := ProblemDiagnostic(pack, tool, jsruntime.Problem{
		File: r.TextFile, Line: r.TextLine, Column: r.TextColumn, Code: "tool.selector",
		Message: fmt.Sprintf("%s: '%s' is not supported in selectors", readText(r.Path[:last]), part), Hint: hint,
	})
	return &d
}
