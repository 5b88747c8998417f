package ops

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"egod/internal/skills"
)

// schemaOptions are the types whose JSON is not what their Go shape says.
func schemaOptions() *jsonschema.ForOptions {
	zero, longest := 0.0, float64(MaxTimeoutMs)
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	space := &jsonschema.Schema{Types: []string{"string", "integer"}, Description: "name or number of a task space"}
	headers := &jsonschema.Schema{Type: "object", AdditionalProperties: text}
	return &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[Nothing]():         {Type: "null"},
		reflect.TypeFor[Milliseconds]():    {Type: "number", Minimum: &zero, Maximum: &longest},
		reflect.TypeFor[offset]():          number,
		reflect.TypeFor[SpaceRef]():        space,
		reflect.TypeFor[spaceTarget]():     space,
		reflect.TypeFor[headerFields]():    headers,
		reflect.TypeFor[skills.Cost]():     {Type: "string", Enum: []any{skills.CostStatic, skills.CostAPI, skills.CostBrowser}},
		reflect.TypeFor[targetRef](): {AnyOf: []*jsonschema.Schema{text, {
			Type: "object", Properties: map[string]*jsonschema.Schema{"targetId": text}, Required: []string{"targetId"},
		}}},
	}}
}

// schemaOf is the JSON Schema of the JSON that a Go type is written as.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	schema, err := jsonschema.ForType(t, schemaOptions())
	if err != nil {
		return nil, err
	}
	describeMembers(t, schema)
	return schema, nil
}

// describeMembers takes the doc of members of objects from their tags.
func describeMembers(t reflect.Type, schema *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && schema.Items != nil {
		if t.Kind() == reflect.Slice {
			schema = schema.Items
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for _, m := range jsonMembers(t) {
		if member := schema.Properties[m.name]; member != nil {
			if doc := m.field.Tag.Get("doc"); doc != "" && member.Description == "" {
				member.Description = doc
			}
			describeMembers(m.field.Type, member)
		}
	}
}

// Schema is the JSON Schema of a parameter. What may be left out is not null.
func (p Param) Schema() (*jsonschema.Schema, error) {
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	schema, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	schema.Description = p.Doc
	if _, open := reflect.Zero(t).Interface().(Open); open {
		schema.AdditionalProperties = nil
	}
	return schema, nil
}

// Open is a type of a parameter whose object may have members beyond those it names.
type Open interface{ TakesMore() }

// ResultSchema is the JSON Schema of what the operation returns.
func (o *Operation) ResultSchema() (*jsonschema.Schema, error) { return schemaOf(o.Result) }
