package skills

// field is one known key of the manifest. The tables below are the one place
// that knows them: the check for unknown fields, its did-you-mean and the JSON
// Schema are made from them.
type field struct {
	name string
	doc  string
	// kind is the JSON Schema type, or the name of another table in braces.
	kind     string
	required bool
}

func manifestFields() []field {
	return []field{
		{"$schema", "Where the JSON Schema of this file is, for editors.", "string", false},
		{"id", "The pack's name for tools and agents: the name of its directory.", "string", true},
		{"name", "The site's name as people say it.", "string", true},
		{"description", "One sentence about the pack.", "string", false},
		{"version", "The author's version of the pack.", "string", false},
		{"domains", "Host names the pack is about. *.example.com stands for every subdomain, and not for example.com itself.", "domains", true},
		{"domain", "Shorthand for a list of one domain. Other readers of the format do not know it.", "string", false},
		{"notes", "Paths of Markdown notes for agents, such as notes/overview.md, in reading order.", "notes", false},
		{"nodeTools", "Tools that run beside the browser, by name.", "nodeTools", false},
		{"browserTools", "Tools that run in the page, by name.", "browserTools", false},
	}
}

func toolFields(kind ToolKind) []field {
	fields := []field{
		{"description", "What the tool does and returns, in one sentence. Agents pick tools by it.", "string", true},
		{"path", "The tool's file, relative to the pack.", "path", true},
		{"args", "Arguments by name; {} when there are none.", "args", true},
		{"returns", "What the tool returns.", "value", false},
		{"sideEffects", "What the tool changes, in the author's words; absent when it only reads.", "string", false},
	}
	if kind == NodeTool {
		fields = append(fields, field{"callable", "The exported function to call; default works.", "string", true})
	}
	return fields
}

func valueFields(arg bool) []field {
	fields := []field{
		{"type", "The JSON type of the value.", "type", true},
		{"description", "What the value means.", "string", true},
		{"default", "What is taken when the argument is absent, for readers.", "any", false},
		{"enum", "The values that make sense, for readers.", "array", false},
		{"examples", "Values for readers.", "array", false},
		{"items", "A schema of the array's items, for readers.", "object", false},
		{"properties", "Schemas of the object's properties, for readers.", "object", false},
		{"minimum", "The least number that makes sense, for readers.", "number", false},
		{"maximum", "The greatest number that makes sense, for readers.", "number", false},
		{"format", "A format in the sense of JSON Schema, for readers.", "string", false},
	}
	if arg {
		fields = append(fields, field{"required", "Whether the argument must be there.", "boolean", true})
	}
	return fields
}

// valueTypes are the types an argument or result may have.
func valueTypes() []string {
	return []string{"string", "number", "integer", "boolean", "array", "object"}
}

func fieldNames(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}
