package ops

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// openRPCObject is what the OpenRPC specification says of one kind of object: the
// members it must have, and those it may have.
type openRPCObject struct{ must, may []string }

var (
	openRPCDocument   = openRPCObject{[]string{"openrpc", "info", "methods"}, []string{"servers", "components", "externalDocs"}}
	openRPCAbout      = openRPCObject{[]string{"title", "version"}, []string{"description", "termsOfService", "contact", "license"}}
	openRPCMethodRow  = openRPCObject{[]string{"name", "params"}, []string{"tags", "summary", "description", "externalDocs", "result", "deprecated", "servers", "errors", "links", "paramStructure", "examples"}}
	openRPCDescriptor = openRPCObject{[]string{"name", "schema"}, []string{"summary", "description", "required", "deprecated"}}
	openRPCErrorRow   = openRPCObject{[]string{"code", "message"}, []string{"data"}}
)

// check reports members that are missing or unknown.
func (o openRPCObject) check(t *testing.T, where string, object any) map[string]any {
	t.Helper()
	members, ok := object.(map[string]any)
	if !ok {
		t.Fatalf("%s is %v, not an object", where, object)
	}
	for _, name := range o.must {
		if members[name] == nil {
			t.Errorf("%s has no %s", where, name)
		}
	}
	for name := range members {
		if !slices.Contains(append(o.must, o.may...), name) && !strings.HasPrefix(name, "x-") {
			t.Errorf("%s has a member %s", where, name)
		}
	}
	return members
}

// TestOpenRPC holds the document to the specification (https://spec.open-rpc.org),
// whose own schema needs the network to be resolved.
func TestOpenRPC(t *testing.T) {
	made, err := NewTable().openRPC("1.2.3", []ErrorCode{{-32602, KindInvalidParams, "wrong params"}, {-32600, KindInvalidRequest, "wrong"}}, []ControlMethod{
		{Name: "hello", Doc: "Say hello.", Result: reflect.TypeFor[struct{}](), Fails: []Kind{KindInvalidRequest}}, {Name: "bye", Doc: "Leave."},
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err != nil {
		t.Fatal(err)
	}
	document := openRPCDocument.check(t, "the document", decoded)
	if version, _ := document["openrpc"].(string); !regexp.MustCompile(`^1\.[0-3]\.\d+$`).MatchString(version) {
		t.Errorf("openrpc is %q", version)
	}
	openRPCAbout.check(t, "info", document["info"])
	errors := document["components"].(map[string]any)["errors"].(map[string]any)
	for name, e := range errors {
		openRPCErrorRow.check(t, "error "+name, e)
	}
	var names []string
	for _, row := range document["methods"].([]any) {
		names = append(names, checkOpenRPCMethod(t, row, errors))
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(NewTable().Rows())+2 {
		t.Errorf("%d methods: %q", len(names), names)
	}
}

func checkOpenRPCMethod(t *testing.T, row any, known map[string]any) string {
	t.Helper()
	method := openRPCMethodRow.check(t, "a method", row)
	name, _ := method["name"].(string)
	if structure := method["paramStructure"]; structure != "either" {
		t.Errorf("%s: paramStructure is %v", name, structure)
	}
	seen, optional := map[any]bool{}, false
	for _, p := range method["params"].([]any) {
		param := openRPCDescriptor.check(t, name, p)
		if seen[param["name"]] {
			t.Errorf("%s has %s twice", name, param["name"])
		}
		seen[param["name"]] = true
		required, _ := param["required"].(bool)
		if required && optional {
			t.Errorf("%s: the required parameter %s comes after an optional one", name, param["name"])
		}
		optional = optional || !required
	}
	result, answered := method["result"]
	if answered {
		openRPCDescriptor.check(t, name+" result", result)
	}
	if answered == (name == "bye") {
		t.Errorf("%s: result %v", name, result)
	}
	for _, e := range method["errors"].([]any) {
		ref, _ := e.(map[string]any)["$ref"].(string)
		if known[strings.TrimPrefix(ref, "#/components/errors/")] == nil {
			t.Errorf("%s refers to %q", name, ref)
		}
	}
	return name
}
