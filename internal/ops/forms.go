package ops

// What the references say of the JavaScript surface and the table does not: what
// the objects are for, the functions that facade.js makes of the table's, and
// the types of parameters that are more than their JSON.

// facadeDocs are the objects on ctx, in the order in which they are shown.
var facadeDocs = []struct{ name, doc string }{
	{"page", "The current page of the task space. Times are milliseconds; waits answer true or false instead of failing."},
	{"locator", "What page.locator and the getBy functions return: a way to find an element, looked up anew by every call. An action waits for exactly one element that is ready for it."},
	{"browser", "The tabs of the task space."},
	{"taskSpaces", "Named sets of tabs, who has control of them, and which one this run uses."},
	{"site", "The skills there are for sites, and their tools."},
	{"fetch", "HTTP from the daemon (server) or from the page (browser). Timeouts are in seconds."},
	{"cdp", "The DevTools protocol itself, for what has no helper."},
	{"help", "These texts."},
}

// jsMember is a function that facade.js makes without a row of its own.
type jsMember struct {
	name, doc string
	short     string   // the parameters in one line, as a reader writes them
	forms     []string // in TypeScript, from the parameters on
}

func made(name, doc, short string, forms ...string) jsMember {
	return jsMember{name, doc, short, forms}
}

// locatorFactories exist on page and on every locator.
func locatorFactories(at string) []jsMember {
	byText := func(name, doc string) jsMember {
		return made(at+"."+name, doc, "(text, {exact?})", "(text: string | RegExp, options?: {exact?: boolean}): Locator")
	}
	return []jsMember{
		made(at+".locator", "Find elements by a selector.", "(selector, {hasText?, hasNotText?, has?, hasNot?})",
			"(selector: string | Locator, options?: FilterOptions): Locator"),
		made(at+".getByRole", "Find elements by their role and name in the accessibility tree.",
			"(role, {name?, exact?, checked?, disabled?, expanded?, level?, pressed?, selected?, includeHidden?})",
			"(role: string, options?: RoleOptions): Locator"),
		byText("getByText", "Find elements by their text."),
		byText("getByLabel", "Find fields by their label."),
		byText("getByPlaceholder", "Find fields by their placeholder."),
		byText("getByAltText", "Find images by their alternative text."),
		byText("getByTitle", "Find elements by their title."),
		made(at+".getByTestId", "Find elements by their data-testid.", "(id)", "(id: string | RegExp): Locator"),
	}
}

// jsMembers lists what facade.js adds to the table.
func jsMembers() []jsMember {
	members := append(locatorFactories("page"), locatorFactories("locator")...)
	members = append(members, eventWaits()...)
	return append(members,
		made("locator.filter", "Keep the elements with a text or with another element inside.",
			"({hasText?, hasNotText?, has?, hasNot?})", "(options: FilterOptions): Locator"),
		made("locator.first", "The first of the elements.", "()", "(): Locator"),
		made("locator.last", "The last of the elements.", "()", "(): Locator"),
		made("locator.nth", "The element at an index, from zero; a negative one counts from the end.", "(index)", "(index: number): Locator"),
		made("locator.contentFrame", "The frame of an iframe element, to look for elements in.", "()", "(): Frame"),
		made("locator.frameLocator", "The frame of the iframe element that a selector finds inside.",
			"(selector)", "(selector: string | Locator): Frame"),
		made("page.frame", "A frame by its name or a part of its address, to look for elements in.",
			"(nameOrUrl)", "(nameOrUrl: string): Frame"),
		made("page.frameLocator", "The frame of the iframe element that a selector finds.",
			"(selector)", "(selector: string | Locator): Frame"),
		made("help", "Return the texts of facades and functions by name, or an overview, at once and not as a promise.",
			"(...names)", "(...names: string[]): string"),
	)
}

// eventWaits are the waits for what a page does.
func eventWaits() []jsMember {
	matching := func(what, name string) string {
		return "(match?: string | RegExp | ((" + what + ": " + name + ") => boolean), options?: {timeout?: number}): Promise<" + name + ">"
	}
	event := func(name, result string) string {
		return `(event: "` + name + `", options?: {timeout?: number}): Promise<` + result + ">"
	}
	return []jsMember{
		made("page.waitForRequest", "Wait for a request that begins after the call; an error when none comes in time.",
			"(match?, {timeout?})", matching("request", "PageRequest")),
		made("page.waitForResponse", "Wait for a response that comes after the call; an error when none comes in time.",
			"(match?, {timeout?})", matching("response", "PageResponse")),
		made("page.waitForEvent", "Wait for a download, dialog, popup or console message that comes after the call.",
			"(event, {timeout?})", event("download", "PageDownload"), event("dialog", "PageDialog"),
			event("popup", "PagePopup"), event("console", "PageConsoleMessage")),
	}
}

// jsForms are the call forms of rows that a list of arguments does not say, in
// TypeScript, from the parameters on. OPTIONS stands for the row's options.
var jsForms = map[string][]string{
	"page.evaluate": {
		"<R, A = undefined>(pageFunction: (arg: A) => R, arg?: A): Promise<Awaited<R>>",
		"(expression: string, targetId?: string): Promise<any>",
	},
	"page.waitForFunction": {
		"<R, A = undefined>(pageFunction: string | ((arg: A) => R), arg?: A, options?: OPTIONS): Promise<Awaited<R> | false>",
		"(pageFunction: string | (() => any), options: OPTIONS): Promise<any>",
	},
	"page.waitForURL": {"(url: string | RegExp | ((url: URL) => boolean | Promise<boolean>), options?: OPTIONS): Promise<boolean>"},
	"page.waitForLoadState": {
		`(state?: "load" | "domcontentloaded" | "networkidle", options?: OPTIONS): Promise<boolean>`,
		"(options: OPTIONS): Promise<boolean>",
	},
	"page.mouse.click":      {"(target: MouseTarget, options?: OPTIONS): Promise<void>", "(x: number, y: number, options?: OPTIONS): Promise<void>"},
	"page.mouse.dblclick":   {"(target: MouseTarget, options?: OPTIONS): Promise<void>", "(x: number, y: number, options?: OPTIONS): Promise<void>"},
	"locator.evaluate":      {"<R, A = undefined>(pageFunction: string | ((element: any, arg: A) => R), arg?: A, options?: OPTIONS): Promise<Awaited<R>>"},
	"locator.evaluateAll":   {"<R, A = undefined>(pageFunction: string | ((elements: any[], arg: A) => R), arg?: A): Promise<Awaited<R>>"},
	"page.screencast.start": {"(options?: OPTIONS): Promise<PageRecording>"},
	"site.runTool":          {"(siteId: string, toolName: string, args?: object): Promise<any>"},
	"site.runBrowserTool":   {"(siteId: string, toolName: string, args?: object): Promise<any>"},
}

// jsTypes are the types of parameters that are more, or less, than their JSON
// says, by the last part of the function's name and the parameter.
var jsTypes = map[string]string{
	"selectOption.values":    "OptionChoice | OptionChoice[]",
	"setInputFiles.files":    "string | string[]",
	"drag.points":            "(MouseTarget | string)[]",
	"complete.options":       "{keep: boolean}",
	"server.url":             "string | URL",
	"browser.url":            "string | URL",
	"server.body":            "string | URLSearchParams | ArrayBuffer | ArrayBufferView",
	"browser.body":           "string | URLSearchParams | ArrayBuffer | ArrayBufferView",
	"server.headers":         "Record<string, string | number | string[]> | [string, string][]",
	"browser.headers":        "Record<string, string | number | string[]> | [string, string][]",
	"goto.waitUntil":         `"load" | "domcontentloaded" | "commit"`,
	"waitForSelector.state":  `"attached" | "visible" | "hidden" | "detached"`,
	"waitFor.state":          `"attached" | "visible" | "hidden" | "detached"`,
	"openOrReuseTab.match":   `"exact" | "origin" | "origin+path" | "includes"`,
	"server.redirect":        `"follow" | "error" | "manual"`,
	"browser.redirect":       `"follow" | "error" | "manual"`,
	"screenshot.type":        `"png" | "jpeg" | "webp"`,
	"click.button":           `"left" | "right" | "middle"`,
	"cdp.params":             "object",
	"snapshot.scope":         `"full_page" | "only_within_viewport" | "subtree"`,
	"snapshotRaw.scope":      `"full_page" | "only_within_viewport" | "subtree"`,
	"dblclick.button":        `"left" | "right" | "middle"`,
	"waitForURL.waitUntil":   `"load" | "domcontentloaded" | "networkidle" | "commit"`,
	"reload.waitUntil":       `"load" | "domcontentloaded" | "networkidle" | "commit"`,
	"waitForLoadState.state": `"load" | "domcontentloaded" | "networkidle"`,
}

// jsOnlyOptions are options that facade.js takes besides the row's parameters.
var jsOnlyOptions = map[string][]jsOption{
	"fetch.server":  {{"signal", "AbortSignal", "ends the wait for the answer"}},
	"fetch.browser": {{"signal", "AbortSignal", "ends the wait for the answer"}},
}

type jsOption struct{ name, typeScript, doc string }

// notInJS are parameters that no script gives: the run knows them.
var notInJS = map[string]bool{"space": true, "isFunction": true, "bodyBase64": true}
