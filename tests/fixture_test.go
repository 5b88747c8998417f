package tests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fixture is a pack written for one test: sources by path. Every file of tools/
// and browser-tools/ is declared as a tool of its stem, taking any arguments
// that args names as optional.
type fixture struct {
	id      string
	domains []string
	files   map[string]string
	args    map[string]string // name -> type
}

// write puts the pack below root.
func (f fixture) write(t testing.TB, root string) {
	t.Helper()
	args := object{}
	for name, valueType := range f.args {
		args[name] = object{"type": valueType, "required": false, "description": "an argument of a test"}
	}
	node, browser, notes := object{}, object{}, []string{}
	for path := range f.files {
		stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		tool := object{
			"description": "a tool of a test", "path": path, "args": args,
			"returns": object{"type": "object", "description": "whatever the test says"},
		}
		switch filepath.Dir(path) {
		case "tools":
			if filepath.Ext(path) != ".js" {
				continue
			}
			tool["callable"] = "run"
			node[stem] = tool
		case "browser-tools":
			browser[stem] = tool
		case "notes":
			notes = append(notes, path)
		}
	}
	manifest, err := json.MarshalIndent(object{
		"id": f.id, "name": f.id, "domains": f.domains, "notes": notes, "nodeTools": node, "browserTools": browser,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(root, f.id, "manifest.json"), string(manifest))
	for path, text := range f.files {
		writeFile(t, filepath.Join(root, f.id, filepath.FromSlash(path)), text)
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
