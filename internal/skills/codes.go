package skills

import (
	"slices"
	"strings"
)

// Code is one kind of finding. The names are part of the contract: a name is
// never reused for something else.
type Code struct {
	Name     string
	Severity Severity
	// Doc says what was found and why it matters, for the reference page.
	Doc string
	// Hint is the next step when the finding has no better one of its own.
	Hint string
}

// The manifest as a text file.
var (
	codeManifestMissing      = Code{"manifest.missing", SeverityError, "The directory has no manifest.json, so it is not a pack that can be served.", "add a manifest.json, or start the directory's name with _ or . when it is not a pack"}
	codeManifestUnreadable   = Code{"manifest.unreadable", SeverityError, "manifest.json exists and could not be read.", "make it a regular file that egod may read"}
	codeManifestTooLarge     = Code{"manifest.too-large", SeverityError, "manifest.json is larger than the cap and was not read.", "move text into notes"}
	codeManifestJSONSyntax   = Code{"manifest.json-syntax", SeverityError, "manifest.json is not strict JSON. The last version that was is still served.", "correct the JSON at this place"}
	codeManifestBOM          = Code{"manifest.bom", SeverityError, "manifest.json starts with a byte order mark, which strict JSON parsers refuse.", "save the file as UTF-8 without BOM"}
	codeManifestEncoding     = Code{"manifest.encoding", SeverityError, "manifest.json is not UTF-8.", "save the file as UTF-8"}
	codeManifestNotObject    = Code{"manifest.not-object", SeverityError, "manifest.json holds JSON that is not an object.", "write { \"id\": ..., \"name\": ..., \"domains\": [...] }"}
	codeManifestDuplicateKey = Code{"manifest.duplicate-key", SeverityWarning, "A key occurs twice in one object; the last one counts.", "remove one of them"}
	codeManifestUnknownField = Code{"manifest.unknown-field", SeverityWarning, "A field that the format does not know. It is kept and has no effect.", ""}
)

// The fields of the manifest.
var (
	codeManifestID         = Code{"manifest.id", SeverityError, "id is missing, blank or not a string. The pack goes by its directory's name.", "set \"id\" to the directory's name"}
	codeManifestIDMismatch = Code{"manifest.id-mismatch", SeverityError, "id is not the name of the pack's directory.", "write the directory's name"}
	codeManifestName       = Code{"manifest.name", SeverityError, "name is missing, blank or not a string.", "add \"name\": the site's name as people say it"}
	codeManifestDomains    = Code{"manifest.domains", SeverityError, "domains is missing, empty or not a list of non-blank strings, so no URL finds the pack.", "write \"domains\": [\"example.com\"]"}
	codeManifestNotes      = Code{"manifest.notes", SeverityError, "notes is not a list of non-blank strings.", "write \"notes\": [\"notes/overview.md\"]"}
	codeManifestTools      = Code{"manifest.tools", SeverityError, "nodeTools or browserTools is not an object keyed by tool name.", "write { \"tool-name\": { \"description\": ..., \"path\": ..., \"args\": {} } }"}
	codeShorthandDomain    = Code{"manifest.shorthand-domain", SeverityWarning, "domain is a shorthand that other readers of the format do not know.", ""}
	codeShorthandTools     = Code{"manifest.shorthand-tools", SeverityWarning, "A list of paths is a shorthand for tools that other readers of the format do not know; it has no room for descriptions and arguments.", ""}
)

// Domains.
var (
	codeDomainInvalid      = Code{"domain.invalid", SeverityError, "A domain that is a URL, has a path, starts or ends with a dot, or has a * anywhere but in one leading *. label.", "write a host name such as \"example.com\" or \"*.example.com\""}
	codeDomainIDN          = Code{"domain.idn", SeverityError, "A domain with characters that no international domain name may have (UTS #46).", "write the name as a browser's address bar accepts it"}
	codeDomainNeverMatches = Code{"domain.never-matches", SeverityWarning, "A domain that no URL's host can equal, because of a port, a space or an address that is not one.", "write the host name alone"}
	codeDomainPublicSuffix = Code{"domain.public-suffix", SeverityWarning, "A wildcard below a public suffix: it matches the sites of everybody.", "name the sites that are meant"}
	codeDomainDuplicate    = Code{"domain.duplicate", SeverityWarning, "A domain that equals an earlier one of the same pack.", "remove one of them"}
)

// Notes.
var (
	codeNotePath         = Code{"note.path", SeverityError, "A note that is not notes/<name>.md (or <product>/prompt.md).", "move the file to notes/ and name it there"}
	codeNoteMissing      = Code{"note.missing", SeverityError, "A note that the manifest names and that does not exist.", "add the file or remove it from notes"}
	codeNoteTemporaryRef = Code{"note.temporary-ref", SeverityError, "A note with a snapshot ref such as @21 or ref=21. Refs are numbered anew for every snapshot, so this one will point at something else.", "describe the element by role and name, or by a selector"}
	codeNoteDuplicate    = Code{"note.duplicate", SeverityWarning, "A note that the manifest names twice. It is served once.", "remove one of them"}
	codeNoteEncoding     = Code{"note.encoding", SeverityWarning, "A note that is not UTF-8. Bytes that cannot be read are shown as U+FFFD.", "save the file as UTF-8"}
	codeNoteTooLarge     = Code{"note.too-large", SeverityError, "A note larger than the cap. It was not read and is not served.", "split it, or keep what an agent needs"}
)

// Tools.
var (
	codeToolName           = Code{"tool.name", SeverityError, "A tool name that is blank or has /, \\ or .. in it.", "use letters, digits, - and _"}
	codeToolNamePortable   = Code{"tool.name-portability", SeverityInfo, "A tool name that cannot be the name of a tool elsewhere: hosts of the Model Context Protocol take 1 to 64 of A-Z a-z 0-9 _ -.", "use letters, digits, - and _"}
	codeToolSchema         = Code{"tool.schema", SeverityError, "A tool that is not described by an object.", "write { \"description\": ..., \"path\": ..., \"args\": {} }"}
	codeToolDescription    = Code{"tool.description", SeverityError, "A tool without a description. An agent picks tools by what they say.", "say in one sentence what the tool does and what it returns"}
	codeToolPath           = Code{"tool.path", SeverityError, "A tool path that is missing, leaves the pack, or is not tools/<name>.js (browser-tools/<name>.js).", "move the file to tools/ (browser-tools/) and name it there"}
	codeToolPathExtension  = Code{"tool.path-extension", SeverityWarning, "A tool in TypeScript or .mjs: it runs here, other readers of the format take .js alone.", "write it in JavaScript and name it .js, when others are to read the pack too"}
	codeToolFileMissing    = Code{"tool.missing-file", SeverityError, "A tool whose file does not exist.", "add the file or correct path"}
	codeToolCallable       = Code{"tool.callable", SeverityError, "A node tool that does not say which export to call.", "add \"callable\": the name of the exported function"}
	codeToolMissingCall    = Code{"tool.missing-callable", SeverityError, "A node tool whose file has no such export.", "export a function of that name, or name one that is exported"}
	codeToolArgs           = Code{"tool.args", SeverityError, "args is missing or not an object.", "write \"args\": {} when the tool takes none"}
	codeToolArg            = Code{"tool.arg", SeverityError, "An argument whose name is blank or whose schema is not { type, required, description }.", "write { \"type\": \"string\", \"required\": true, \"description\": ... }"}
	codeToolReturns        = Code{"tool.returns", SeverityError, "returns is not an object of type and description.", "write { \"type\": \"object\", \"description\": ... }"}
	codeToolReturnsMissing = Code{"tool.returns-missing", SeverityWarning, "A tool that does not say what it returns, so results are not checked.", "add \"returns\": { \"type\": ..., \"description\": ... }"}
	codeToolTemporaryRef   = Code{"tool.temporary-ref", SeverityError, "A tool with a snapshot ref such as @21 or ref=21. Refs are numbered anew for every snapshot.", "find the element by role and name, or by a selector"}
	codeToolEncoding       = Code{"tool.encoding", SeverityWarning, "A source file that is not UTF-8. Bytes that cannot be read became U+FFFD.", "save the file as UTF-8"}
	codeToolTooLarge       = Code{"tool.too-large", SeverityError, "A source file larger than the cap. It was not read.", "split it, or move data into a .json file"}
	codeToolDuplicate      = Code{"tool.duplicate", SeverityError, "Two paths of a list make the same tool name; the first is served.", "rename one of the files"}
)

// Files and directories.
var (
	codeFileUnreadable   = Code{"file.unreadable", SeverityError, "A file that the manifest names and that could not be read.", "make it a file that egod may read: look at its permissions"}
	codeFileOutsideRoot  = Code{"file.outside-root", SeverityError, "A symbolic link that leads out of the root. It is never followed.", "copy the file into the pack"}
	codeFileHardLink     = Code{"file.hard-link", SeverityError, "A file with more than one hard link: it may be a file of somewhere else, so it is not read.", "copy the file: cp a b && mv b a"}
	codeFileNotRegular   = Code{"file.not-regular", SeverityError, "A device, pipe, socket or directory where a file is expected. It is never opened.", "put a regular file in its place"}
	codeFileCase         = Code{"file.case-mismatch", SeverityError, "A name that differs from the file's by upper and lower case: it works on some systems only.", "spell it as the file is called"}
	codePackTooManyFiles = Code{"pack.too-many-files", SeverityWarning, "A pack with more files than the cap. Files past it cannot be imported by tools.", "keep what is not part of the pack elsewhere"}
	codePackTooDeep      = Code{"pack.too-deep", SeverityWarning, "A pack with deeper directories than the cap. Files below cannot be imported by tools.", "keep what is not part of the pack elsewhere"}
	codePackTooLarge     = Code{"pack.too-large", SeverityWarning, "The sources or the notes of a pack are larger together than the cap. Those past it are not read.", "keep what is not needed elsewhere, or split the pack"}
	codePackUnreadable   = Code{"pack.unreadable", SeverityError, "A pack directory that could not be read.", "make it a directory that egod may read and enter: look at its permissions"}
	codePackOutsideRoot  = Code{"pack.outside-root", SeverityError, "A pack directory that is a symbolic link out of the root. It is never followed.", "add the directory it points into as a root of its own, or copy the pack"}
	codePackDuplicateID  = Code{"pack.duplicate-id", SeverityError, "Two packs of one root have the same id. The one whose directory bears it is served.", "give each pack its directory's name as id"}
	codePackShadowed     = Code{"pack.shadowed", SeverityInfo, "A higher root has a pack with this id, which is served instead.", "rename it, or remove the other, when this one is meant"}
	codeRootTooManyPacks = Code{"root.too-many-packs", SeverityError, "A root with more directories than the cap. Those past it are not loaded.", "spread the packs over several roots"}
)

// Codes lists every kind of finding, by name, those of a tool's source included.
func Codes() []Code {
	all := []Code{
		codeManifestMissing, codeManifestUnreadable, codeManifestTooLarge, codeManifestJSONSyntax, codeManifestBOM,
		codeManifestEncoding, codeManifestNotObject, codeManifestDuplicateKey, codeManifestUnknownField,
		codeManifestID, codeManifestIDMismatch, codeManifestName, codeManifestDomains, codeManifestNotes,
		codeManifestTools, codeShorthandDomain, codeShorthandTools,
		codeDomainInvalid, codeDomainIDN, codeDomainNeverMatches, codeDomainPublicSuffix, codeDomainDuplicate,
		codeNotePath, codeNoteMissing, codeNoteTemporaryRef, codeNoteDuplicate, codeNoteEncoding, codeNoteTooLarge,
		codeToolName, codeToolNamePortable, codeToolSchema, codeToolDescription, codeToolPath, codeToolPathExtension,
		codeToolFileMissing, codeToolCallable, codeToolMissingCall, codeToolArgs, codeToolArg, codeToolReturns,
		codeToolReturnsMissing, codeToolTemporaryRef, codeToolEncoding, codeToolTooLarge, codeToolDuplicate,
		codeFileUnreadable, codeFileOutsideRoot, codeFileHardLink, codeFileNotRegular, codeFileCase,
		codePackTooManyFiles, codePackTooDeep, codePackTooLarge, codePackUnreadable, codePackOutsideRoot,
		codePackDuplicateID, codePackShadowed, codeRootTooManyPacks,
	}
	all = append(all, sourceCodes()...)
	slices.SortFunc(all, func(a, b Code) int { return strings.Compare(a.Name, b.Name) })
	return all
}
