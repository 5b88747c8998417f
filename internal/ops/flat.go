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

var (
	notCode     = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'")
	readsMember = regexp.MustCompile(`\b([A-Za-z_$][\w$]*)\s*\??\.\s*([A-Za-z_$][\w$]*)`)
	identifier  = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
)

// contextOf says which ctx a tool is written for: the flat one when it reads
// helpers of the flat dialect from its first parameter and no facade. A tool that
// asks for nothing gets the usual one.
func contextOf(tool *skills.Tool) string {
	source := notCode.ReplaceAllString(tool.Source, " ")
	parameter := firstParameter(source, tool.Callable)
	var read []string
	switch {
	case strings.HasPrefix(parameter, "{"):
		for part := range strings.SplitSeq(strings.Trim(parameter, "{} \n\t"), ",") {
			name, _, _ := strings.Cut(part, ":")
			name, _, _ = strings.Cut(name, "=")
			read = append(read, strings.TrimSpace(name))
		}
	case identifier.MatchString(parameter):
		for _, m := range readsMember.FindAllStringSubmatch(source, -1) {
			if m[1] == parameter {
				read = append(read, m[2])
			}
		}
	}
	flat := false
	for _, name := range read {
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

func (c *contexts) of(tool *skills.Tool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := tool.Hash + " " + tool.Path + " " + tool.Callable
	if context, ok := c.known[key]; ok {
		return context
	}
	if len(c.known) >= maxContexts || c.known == nil {
		c.known = make(map[string]string)
	}
	c.known[key] = contextOf(tool)
	return c.known[key]
}

// firstParameter finds the first parameter of the function that is called: a name,
// or a destructuring pattern with its braces. "" when it is not to be found.
func firstParameter(source, callable string) string {
	name := regexp.QuoteMeta(callable)
	if callable == "" || callable == "default" {
		name = `default\s*(?:async\s*)?(?:function)?\s*[\w$]*`
	}
	for _, form := range []string{
		`function\s*\*?\s+` + name + `\s*\(\s*`,                            // function f(
		`\b` + name + `\s*=\s*(?:async\s*)?(?:function\s*[\w$]*\s*)?\(\s*`, // f = async (
		`\b` + name + `\s*=\s*(?:async\s+)?(?:[A-Za-z_$])`,                 // f = ctx =>
		name + `\s*\(\s*`, // default function (
	} {
		at := regexp.MustCompile(form).FindStringIndex(source)
		if at == nil {
			continue
		}
		rest := source[at[1]:]
		if strings.HasSuffix(form, `[A-Za-z_$])`) {
			rest = source[at[1]-1:]
		}
		if strings.HasPrefix(rest, "{") {
			inner, _, _ := strings.Cut(rest, "}")
			return inner + "}"
		}
		return regexp.MustCompile(`^[\w$]*`).FindString(rest)
	}
	return ""
}
