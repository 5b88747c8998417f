package ops

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"egod/internal/skills"
)

// flatSource builds the helpers of the flat dialect; see the file.
//
//go:embed flat.js
var flatSource string

// Members of the surface that a run can get, by what it is written for.
const (
	contextFlat    = "flat"        // tools of the flat dialect
	contextScripts = "flatGlobals" // scripts, with --legacy-helpers
)

// flatNames are the helpers of the flat dialect, read from its source.
var flatNames = func() []string {
	var names []string
	_, members, _ := strings.Cut(flatSource, "\n  return {\n")
	for _, m := range regexp.MustCompile(`(?m)^    ([A-Za-z]+)[:,]`).FindAllStringSubmatch(members, -1) {
		names = append(names, m[1])
	}
	return names
}()

// facadeNames are the members of ctx that the flat dialect does not have: a tool
// that reads one of them is no tool of it.
var facadeNames = []string{"page", "browser", "taskSpaces", "site", "fetch"}

// contextOf says which ctx a tool is written for: the flat one when it reads
// helpers of the flat dialect from its first parameter and no facade. A tool that
// asks for nothing gets the usual one.
func contextOf(tool *skills.Tool, files map[string]string) string {
	flat := false
	for _, name := range readsOf(tool, files).names {
		if slices.Contains(facadeNames, name) {
			return ""
		}
		flat = flat || slices.Contains(flatNames, name) && name != "cdp" && name != "help"
	}
	if flat {
		return contextFlat
	}
	return ""
}

// contexts remembers contextOf by the content of a tool: every run asks.
type contexts struct {
	mu    sync.Mutex
	known map[string]string
}

// maxContexts bounds what is remembered of tools that were edited since.
const maxContexts = 10_000

func (c *contexts) of(tool *skills.Tool, files map[string]string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := tool.Hash + " " + tool.Path + " " + tool.Callable
	if context, ok := c.known[key]; ok {
		return context
	}
	if len(c.known) >= maxContexts || c.known == nil {
		c.known = make(map[string]string)
	}
	c.known[key] = contextOf(tool, files)
	return c.known[key]
}
