package tests

import (
	"slices"
	"testing"
)

// TestDiscover compares the OpenRPC document of the binary with what its other
// answers say: the methods of initialize, the code of an error.
func TestDiscover(t *testing.T) {
	d := startClean(t, "serve")
	var hello struct {
		ServerInfo   struct{ Version string }
		Capabilities struct{ Methods []string }
	}
	d.result("initialize", object{}, &hello)
	var document struct {
		Info    struct{ Version string }
		Methods []struct {
			Name   string
			Result *struct{ Name string }
			Errors []map[string]string
		}
		Components struct {
			Errors map[string]struct{ Code int }
		}
	}
	d.result("rpc.discover", nil, &document)
	if document.Info.Version != hello.ServerInfo.Version {
		t.Errorf("version %q, want %q", document.Info.Version, hello.ServerInfo.Version)
	}
	for _, m := range document.Methods {
		if !slices.Contains(hello.Capabilities.Methods, m.Name) {
			t.Errorf("%s is described and not offered", m.Name)
		}
		if notification := m.Result == nil; notification != (len(m.Errors) == 0) {
			t.Errorf("%s: a notification has no errors, and everything else has: %v", m.Name, m.Errors)
		}
	}
	if len(document.Methods) != len(hello.Capabilities.Methods) {
		t.Errorf("%d methods are described, %d offered", len(document.Methods), len(hello.Capabilities.Methods))
	}
	e := d.fails("invalid_params", "page.goto", object{"url": 5})
	if e.Code != document.Components.Errors["invalid_params"].Code {
		t.Errorf("invalid_params came with code %d and is described with %d", e.Code, document.Components.Errors["invalid_params"].Code)
	}
}
