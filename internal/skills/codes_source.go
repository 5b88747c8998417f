package skills

// What is found in a tool's source by the engine that runs it. [Config.Check]
// reports these; they are listed here so that there is one list.
var (
	codeToolSyntax       = Code{"tool.syntax", SeverityError, "A source file that is not JavaScript (or TypeScript, by its extension).", "correct the source at this place"}
	codeToolImport       = Code{"tool.import", SeverityError, "An import of something that tools do not have: a file that is not in the pack, a package, a module of the network, a module of Node.js that is not provided.", "import files of the pack by relative path"}
	codeToolUnsupported  = Code{"tool.unsupported", SeverityError, "Syntax that the engine of node tools does not run right. It is refused rather than run wrong.", "write it in another way"}
	codeToolTooDeep      = Code{"tool.too-deep", SeverityError, "A source file with brackets, operators or blocks nested so deeply that no parser takes it.", "nest less deeply"}
	codeToolUnchecked    = Code{"tool.unchecked", SeverityError, "A source file on which the engine ended twice, or was not done in half a minute (a warning then: the machine may be to blame). What the engine cannot read it cannot run.", "look for what is unusual in the file, such as very long expressions, or split it"}
	codeToolMember       = Code{"tool.unknown-member", SeverityWarning, "A node tool that reads something from ctx that is not there: a slip, a function of another library, a helper of the other dialect, or a member of a promise that was not waited for. It is an error, and the tool does not run, when it is a slip that every run comes to and fails at. What a tool asks for first (typeof, ?., if) is left alone.", "egod types prints what there is"}
	codeToolSelector     = Code{"tool.selector", SeverityWarning, "A selector in a node tool with a part that only other libraries know, such as :near(), >> or role=: a call with it fails.", "use CSS, xpath=..., text=..., or a locator of ctx.page such as getByRole"}
	codeBrowserToolShape = Code{"browser-tool.not-a-function", SeverityError, "A browser tool whose file is not one function expression. Comments around it, a semicolon behind it and \"use strict\" before it are fine; export, import and other statements are not.", "write async (args) => { ... } and nothing else"}
)

func sourceCodes() []Code {
	return []Code{codeToolSyntax, codeToolImport, codeToolUnsupported, codeToolTooDeep, codeToolUnchecked, codeToolMember, codeToolSelector, codeBrowserToolShape}
}

// CodeNamed finds one of [Codes] by its name.
func CodeNamed(name string) (Code, bool) {
	for _, c := range Codes() {
		if c.Name == name {
			return c, true
		}
	}
	return Code{}, false
}
