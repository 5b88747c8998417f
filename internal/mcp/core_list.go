package mcp

import "slices"

// coreList is the core tools in the order of tools/list. Their words are counted:
// every session pays for them. A param is described where its name and type do not
// tell all.
func coreList() []coreTool {
	return slices.Concat(knowledgeTools(), runTools(), pageTools(), elementTools())
}

var (
	space   = shown{name: "space", kind: "string"}
	timeout = shown{name: "timeout", doc: "ms"}
)

func knowledgeTools() []coreTool {
	return []coreTool{
		{
			name: "skills_for_url", title: "Find skills", doc: "List skill packs for a URL or host.",
			does: []string{"skillsForUrl"}, shows: []shown{{name: "url"}},
			gives: []given{{name: "skills"}},
			tell:  tellJSON, origin: PackOrigin(""), reads: true, closed: true,
		},
		{
			name: "learn_context", title: "Learn about a site",
			doc:   "Notes and tools for a URL, or for the current page. Call first.",
			does:  []string{"learnContext"},
			shows: []shown{{name: "url"}, {name: "maxChars"}, {name: "knownHashes", doc: "notes to skip"}, space},
			gives: []given{{name: "knowledge"}, {name: "tools"}},
			plan:  planLearn, tell: tellLearned, origin: PackOrigin(""), reads: true, closed: true,
		},
	}
}

func runTools() []coreTool {
	shows := []shown{{name: "siteId"}, {name: "toolName"}, {name: "args", kind: "object"}, {name: "timeoutMs"}, space}
	gives := []given{{name: "value", kind: anyKind}, {name: "logs"}}
	return []coreTool{
		{
			name: "run_tool", title: "Run a node tool", doc: "Run a pack's node tool.",
			does: []string{"runTool"}, shows: shows, gives: gives, tell: tellRun, origin: PackOrigin(""),
		},
		{
			name: "run_browser_tool", title: "Run a browser tool", doc: "Run a pack's browser tool in the current page.",
			does: []string{"runBrowserTool"}, shows: shows, gives: gives, tell: tellRun, origin: PackOrigin(""),
		},
		{
			name: "script", title: "Run a script", doc: "Run an async function body with helpers (page, browser, site, ...) as globals.",
			does:  []string{"runScript"},
			shows: []shown{{name: "source"}, {name: "args", doc: "any JSON"}, {name: "timeoutMs"}, space},
			gives: []given{{name: "value", kind: anyKind}, {name: "output"}},
			tell:  tellScript, origin: PageOrigin(""),
		},
	}
}

func pageTools() []coreTool {
	return []coreTool{
		{
			name: "open_page", title: "Open a page", doc: "Go to a URL.",
			does: []string{"page.goto", "browser.openOrReuseTab", tabsOperation},
			shows: []shown{
				{name: "url"}, {name: "newTab", own: "boolean", doc: "or switch to the tab that shows it"},
				{name: "waitUntil", choices: []any{"load", "domcontentloaded", "commit"}}, timeout, space,
			},
			gives: []given{{name: "url", kind: "string"}, {name: "title", kind: "string"}, {name: "loaded"}},
			plan:  planOpen, tell: tellOpened, origin: PageOrigin(""), additive: true,
		},
		{
			name: "tabs", title: "Tabs", doc: "List tabs; switch to or close one.",
			does: []string{tabsOperation, "browser.switchTab", "browser.closeTab"},
			shows: []shown{
				{name: "action", own: "string", choices: []any{"list", "switch", "close"}},
				{name: "target", of: "browser.closeTab", kind: "string", doc: "targetId"}, space,
			},
			gives: []given{{name: "tabs", kind: "array"}},
			plan:  planTabs, tell: tellTabs, origin: PageOrigin(""),
		},
		{
			name: "snapshot", title: "Read the page", doc: "The page as text, with refs (@N) that selectors take.",
			does:  []string{"page.snapshot", tabsOperation},
			shows: []shown{{name: "root", doc: "selector"}, {name: "maxResultLength"}, space},
			gives: []given{{name: "content", kind: "string"}, {name: "truncated", kind: "boolean"}},
			plan:  planSnapshot, tell: tellSnapshot, origin: PageOrigin(""), reads: true,
		},
		{
			name: "screenshot", title: "Take a screenshot", doc: "An image of the viewport, page or element.",
			does: []string{"page.screenshot", "locator.screenshot", tabsOperation},
			shows: []shown{
				{name: "selector", of: "locator.screenshot", optional: true}, {name: "fullPage"},
				{name: "type", choices: []any{"png", "jpeg", "webp"}}, {name: "quality"}, space,
			},
			gives: []given{{name: "mimeType", kind: "string"}, {name: "bytes", kind: "integer"}},
			plan:  planScreenshot, tell: tellScreenshot, origin: PageOrigin(""), reads: true,
		},
		{
			name: "evaluate", title: "Evaluate", doc: "Run a JS function or expression in the page.",
			does:  []string{"page.evaluate", tabsOperation},
			shows: []shown{{name: "pageFunction"}, {name: "arg", doc: "any JSON"}, space},
			gives: []given{{name: "value", kind: anyKind}},
			plan:  planEvaluate, tell: tellEvaluated, origin: PageOrigin(""),
		},
		{
			name: "wait_for", title: "Wait", doc: "Wait for all of what is named; met is false when time is up.",
			does: []string{"page.waitForSelector", "page.waitForURL", "page.waitForLoadState"},
			shows: []shown{
				{name: "selector", optional: true}, {name: "state", choices: []any{"attached", "visible", "hidden", "detached"}},
				{name: "text", own: "string"}, {name: "url", of: "page.waitForURL", optional: true, doc: "may hold *"},
				{name: "loadState", of: "page.waitForLoadState", as: "state", choices: []any{"load", "domcontentloaded", "networkidle"}},
				timeout, space,
			},
			gives: []given{{name: "met", kind: "boolean"}},
			plan:  planWait, tell: tellWaited, origin: PageOrigin(""), reads: true,
		},
	}
}

func elementTools() []coreTool {
	gives := []given{{name: "done", kind: "boolean"}}
	return []coreTool{
		{
			name: "click", title: "Click", doc: "Click an element.",
			does: []string{"page.click"},
			shows: []shown{
				{name: "selector", doc: "CSS, @N, text=..., role=..."}, {name: "button", choices: []any{"left", "right", "middle"}},
				{name: "clickCount"}, timeout, space,
			},
			gives: gives, tell: tellDone, origin: PageOrigin(""),
		},
		{
			name: "fill", title: "Fill", doc: "Replace a field's text.",
			does: []string{"page.fill"}, shows: []shown{{name: "selector"}, {name: "value"}, timeout, space},
			gives: gives, tell: tellDone, origin: PageOrigin(""),
		},
		{
			name: "press", title: "Press a key", doc: "Press a key, in an element or where the focus is.",
			does: []string{"page.press", "page.keyboard.press"},
			shows: []shown{
				{name: "key", doc: "e.g. Enter, Control+A"}, {name: "selector", optional: true}, timeout, space,
			},
			gives: gives, plan: planPress, tell: tellDone, origin: PageOrigin(""),
		},
	}
}
