package ops

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDeclarations holds what the compiler would not say: interfaces of one name
// merge without a word, and a name that is missing is an error only where it is
// used. That the file compiles, and what it finds, is tested in tests/types_test.go.
func TestDeclarations(t *testing.T) {
	text := NewTable().Declarations()
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^ +export (?:interface|type) (\w+)`).FindAllStringSubmatch(text, -1) {
		if slices.Contains(names, m[1]) {
			t.Errorf("%s is declared twice", m[1])
		}
		names = append(names, m[1])
	}
	for _, f := range NewTable().Facades() {
		if !isFunction(f) && !slices.Contains(names, interfaceName(f.Name)) {
			t.Errorf("there is no interface of %s", f.Name)
		}
		for _, m := range f.Members {
			name := m.Name[strings.LastIndexByte(m.Name, '.')+1:]
			if !regexp.MustCompile(`(?m)^    "?` + name + `"?[(<]`).MatchString(text) {
				t.Errorf("%s is not declared", m.Name)
			}
			if strings.Contains(text, name+"(): Promise<>") {
				t.Errorf("%s has no result", m.Name)
			}
		}
	}
	for _, unwanted := range []string{"OPTIONS", "string | Function", ": ;", "RawMessage"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is in the declarations", unwanted)
		}
	}
}
