package skills

// What is found in a tool's source by the engine that runs it. [Config.Check]
// reports these; they are listed here so that there is one list.
var (
	codeToolSyntax       = Code{"tool.syntax", SeverityError, "A source file that is not JavaScript (or TypeScript, by its extension).", ""}
	codeToolImport       = Code{"tool.import", SeverityError, "An import of something that tools do not have: a file that is not in the pack, a package, a module of the network, a module of Node.js that is not provided.", "import files of the pack by relative path"}
	codeToolUnsupported  = Code{"tool.unsupported", SeverityError, "Syntax that the engine of node tools does not run right. It is refused rather than run wrong.", "write it in another way"}
	codeToolTooDeep      = Code{"tool.too-deep", SeverityError, "A source file with brackets, operators or blocks nested so deeply that no parser takes it.", "nest less deeply"}
	codeBrowserToolShape = Code{"browser-tool.not-a-function", SeverityError, "A browser tool whose file is not one function expression. Comments around it, a semicolon behind it and \"use strict\" before it are fine; export, import and other statements are not.", "write async (args) => { ... } and nothing else"}
)

func sourceCodes() []Code {
	return []Code{codeToolSyntax, codeToolImport, codeToolUnsupported, codeToolTooDeep, codeBrowserToolShape}
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
