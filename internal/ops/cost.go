package ops

import (
	"slices"
	"strings"

	"egod/internal/skills"
)

// withoutBrowser are the members of ctx that no call of starts Chrome, in both
// dialects. What is not here may.
var withoutBrowser = []string{
	"fetch.server", "help", "site.skillsForUrl",
	"serverFetch", "siteSkillsForUrl", "cliLog",
}

// ToolCost says what running a tool may start, for skills.Config: the browser,
// unless the text of the tool shows that it takes nothing from ctx that needs one.
// It depends on nothing but that text.
func ToolCost(tool *skills.Tool, files map[string]string) skills.Cost {
	if tool.Kind == skills.BrowserTool {
		return skills.CostBrowser
	}
	r := readsOf(tool, files)
	if !r.function || r.unsure {
		return skills.CostBrowser
	}
	for _, path := range r.paths {
		if !slices.ContainsFunc(withoutBrowser, func(free string) bool {
			return path == free || strings.HasPrefix(path, free+".")
		}) {
			return skills.CostBrowser
		}
	}
	return skills.CostAPI
}
