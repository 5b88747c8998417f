package skills

import "encoding/json"

// ManifestSchema is the JSON Schema (2020-12) of manifest.json, indented, made
// from the tables that the check for unknown fields uses. It describes what a
// manifest should be; the shorthands that load with a warning are not in it.
func ManifestSchema() json.RawMessage {
	schema := object(manifestFields(), fieldSchema)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "egod pack manifest"
	schema["$defs"] = map[string]any{
		"nodeTool":    object(toolFields(NodeTool), toolField(NodeTool)),
		"browserTool": object(toolFields(BrowserTool), toolField(BrowserTool)),
		"argument":    object(valueFields(true), fieldSchema),
		"value":       object(valueFields(false), fieldSchema),
	}
	out, _ := json.MarshalIndent(schema, "", "  ") // maps of strings always marshal
	return append(out, '\n')
}

func object(fields []field, schema func(field) map[string]any) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range fields {
		if f.name == "domain" {
			continue // loads, and is not how a manifest should be written
		}
		s := schema(f)
		s["description"] = f.doc
		properties[f.name] = s
		if f.required {
			required = append(required, f.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func fieldSchema(f field) map[string]any {
	text := map[string]any{"type": "string", "pattern": `\S`}
	switch f.kind {
	case "any":
		return map[string]any{}
	case "domains":
		return map[string]any{"type": "array", "minItems": 1, "items": map[string]any{
			"type": "string", "pattern": `^(\*\.)?[^*/.][^*/]*$`, "not": map[string]any{"pattern": `\.$`}}}
	case "notes":
		return map[string]any{"type": "array", "items": map[string]any{"type": "string", "pattern": `^(notes/[^/\\]*|[^/\\]+/prompt)\.md$`}}
	case "nodeTools":
		return mapOf("nodeTool")
	case "browserTools":
		return mapOf("browserTool")
	case "args":
		return mapOf("argument")
	case "value":
		return map[string]any{"$ref": "#/$defs/value"}
	case "type":
		return map[string]any{"enum": valueTypes()}
	case "string":
		return text
	}
	return map[string]any{"type": f.kind}
}

// mapOf is an object whose keys are names and whose values are of one kind.
func mapOf(def string) map[string]any {
	return map[string]any{
		"type":                 "object",
		"propertyNames":        map[string]any{"pattern": `\S`},
		"additionalProperties": map[string]any{"$ref": "#/$defs/" + def},
	}
}

func toolField(kind ToolKind) func(field) map[string]any {
	return func(f field) map[string]any {
		if f.kind != "path" {
			return fieldSchema(f)
		}
		pattern := `^(tools/[^/\\]*\.[cm]?[jt]sx?|[^/\\]+/functions\.js)$`
		if kind == BrowserTool {
			pattern = `^(browser-tools/[^/\\]*\.js|[^/\\]+/functions\.js)$`
		}
		return map[string]any{"type": "string", "pattern": pattern}
	}
}
