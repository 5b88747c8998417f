package ops

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// discovered is an OpenRPC document as a client reads it.
type discovered struct {
	OpenRPC string
	Info    struct{ Title, Version string }
	Methods []struct {
		Name, Summary, ParamStructure string
		Params                        []contentDescriptor
		Result                        contentDescriptor
		Errors                        []map[string]string
	}
	Components struct {
		Errors map[string]struct {
			Code    int64
			Message string
		}
	}
}

type contentDescriptor struct {
	Name, Summary string
	Required      bool
	Schema        *jsonschema.Schema
}

func discover(t *testing.T) discovered {
	t.Helper()
	svc := &Service{table: NewTable(), version: "1.2.3", errorCodes: []ErrorCode{{-32602, KindInvalidParams, "wrong params"}, {-32032, KindPageError, "the page"}}}
	row, _ := svc.table.Lookup("rpc.discover")
	call, err := row.Prepare(svc.NewSession(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !call.Inline {
		t.Error("rpc.discover waits for something")
	}
	result, err := call.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var document discovered
	if err := json.Unmarshal(result.(json.RawMessage), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// TestDiscover holds the document to the table, and its schemas to the rules of
// JSON Schema.
func TestDiscover(t *testing.T) {
	document, table := discover(t), NewTable()
	if document.OpenRPC != openRPCVersion || document.Info.Version != "1.2.3" || len(document.Methods) != len(table.Rows()) {
		t.Errorf("openrpc %s, version %s, %d methods", document.OpenRPC, document.Info.Version, len(document.Methods))
	}
	for i, m := range document.Methods {
		row := table.Rows()[i]
		if m.Name != row.Name || m.Summary != row.Doc || m.ParamStructure != "either" || len(m.Params) != len(row.Params) {
			t.Errorf("%s: %+v", row.Name, m)
		}
		for j, p := range m.Params {
			if p.Name != row.Params[j].Name || p.Required != row.Params[j].Required || p.Summary == "" {
				t.Errorf("%s: parameter %+v", row.Name, p)
			}
		}
		for _, d := range append(m.Params, m.Result) {
			if _, err := d.Schema.Resolve(nil); err != nil {
				t.Errorf("%s: schema of %s: %v", m.Name, d.Name, err)
			}
		}
		if len(m.Errors) == 0 || m.Errors[0]["$ref"] != "#/components/errors/invalid_params" {
			t.Errorf("%s: errors %v", m.Name, m.Errors)
		}
	}
	if e := document.Components.Errors["page_error"]; e.Code != -32032 || e.Message != "the page" {
		t.Errorf("page_error: %+v", e)
	}
}

// TestDiscoverSchemas tries values against the schemas of parameters and
// results with a JSON form of their own.
func TestDiscoverSchemas(t *testing.T) {
	document := discover(t)
	find := func(method, param string) *jsonschema.Schema {
		for _, m := range document.Methods {
			if m.Name != method {
				continue
			}
			for _, p := range append(m.Params, m.Result) {
				if p.Name == param {
					return p.Schema
				}
			}
		}
		t.Fatalf("%s has no %s", method, param)
		return nil
	}
	for _, tt := range []struct{ method, param, good, bad string }{
		{"page.goto", "url", `"https://x.com"`, `5`},
		{"page.goto", "timeout", `1500.5`, `-1`},
		{"page.goto", "timeout", `0`, `4000000`},
		{"page.goto", "space", `"a"`, `true`},
		{"page.goto", "space", `7`, `1.5`},
		{"page.goto", "result", `{"navigation":{"frameId":"F","isDownload":false},"loaded":true}`, `{"loaded":true}`},
		{"browser.switchTab", "target", `{"targetId":"T"}`, `{}`},
		{"browser.switchTab", "target", `"T"`, `7`},
		{"browser.openOrReuseTab", "wait", `false`, `"no"`},
		{"taskSpaces.claim", "target", `3`, `null`},
		{"page.evaluate", "arg", `[1,{"a":null}]`, ``},
		{"page.evaluate", "result", `null`, ``},
		{"page.waitForTimeout", "result", `null`, `0`},
		{"locator.getAttribute", "result", `null`, `0`},
		{"locator.click", "position", `{"x":1,"y":2}`, `{"x":1}`},
		{"page.mouse.wheel", "dy", `-3.5`, `"3"`},
		{"fetch.server", "headers", `{"A":"b"}`, `{"A":{}}`},
		{"fetch.server", "timeout", `0.5`, `"20"`},
		{"runTool", "args", `{"a":1}`, ``},
		{"browser.ensureRealTab", "result", `null`, `[]`},
	} {
		resolved, err := find(tt.method, tt.param).Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(resolved, tt.good); err != nil {
			t.Errorf("%s %s refuses %s: %v", tt.method, tt.param, tt.good, err)
		}
		if tt.bad != "" && validate(resolved, tt.bad) == nil {
			t.Errorf("%s %s takes %s", tt.method, tt.param, tt.bad)
		}
	}
	if doc := find("locator.click", "position").Properties["x"].Description; !strings.Contains(doc, "CSS pixels") {
		t.Errorf("the x of a position is described as %q", doc)
	}
}

func validate(schema *jsonschema.Resolved, raw string) error {
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return err
	}
	return schema.Validate(value)
}
