package skills

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestLearningsHoldEveryFile compares the embedded packs with the directory:
// a file that the embed pattern leaves out would be missing only in the binary.
func TestLearningsHoldEveryFile(t *testing.T) {
	embedded := learnings(t)
	onDisk := files(t, os.DirFS(learningsDir))
	if len(onDisk) == 0 {
		t.Fatal("no pack files on disk")
	}
	if got := files(t, embedded); !slices.Equal(got, onDisk) {
		t.Fatalf("embedded files differ from the directory\nembedded: %q\non disk:  %q", got, onDisk)
	}
	for _, name := range onDisk {
		if read(t, embedded, name) != read(t, os.DirFS(learningsDir), name) {
			t.Errorf("%s: embedded content differs from the directory", name)
		}
	}
}

// manifest is the part of manifest.json that names files.
type manifest struct {
	ID           string          `json:"id"`
	Domains      []string        `json:"domains"`
	Notes        []string        `json:"notes"`
	NodeTools    map[string]tool `json:"nodeTools"`
	BrowserTools map[string]tool `json:"browserTools"`
}

type tool struct {
	Description string `json:"description"`
	Path        string `json:"path"`
	Callable    string `json:"callable"`
	Args        map[string]struct {
		Type        string `json:"type"`
		Description string `json:"description"`
		Required    *bool  `json:"required"`
	} `json:"args"`
	Returns struct {
		Type        string `json:"type"`
		Description string `json:"description"`
	} `json:"returns"`
}

var valueTypes = []string{"string", "number", "integer", "boolean", "array", "object"}

// TestManifestsNameWhatIsThere holds each shipped pack to the format: ids match
// directories, every named file exists, and every note and browser tool is named.
func TestManifestsNameWhatIsThere(t *testing.T) {
	root := learnings(t)
	dirs, err := fs.ReadDir(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(dir.Name(), func(t *testing.T) {
			pack, err := fs.Sub(root, dir.Name())
			if err != nil {
				t.Fatal(err)
			}
			var m manifest
			if err := json.Unmarshal([]byte(read(t, pack, "manifest.json")), &m); err != nil {
				t.Fatal(err)
			}
			if m.ID != dir.Name() {
				t.Errorf("id is %q, directory is %q", m.ID, dir.Name())
			}
			if len(m.Domains) == 0 || len(m.Notes) == 0 {
				t.Errorf("want domains and notes, got %q and %q", m.Domains, m.Notes)
			}
			checkFiles(t, pack, m)
			for name, tool := range m.NodeTools {
				if tool.Callable == "" || !strings.Contains(read(t, pack, tool.Path), "export async function "+tool.Callable+"(") {
					t.Errorf("%s does not export %q", name, tool.Callable)
				}
				checkTool(t, name, tool)
			}
			for name, tool := range m.BrowserTools {
				checkTool(t, name, tool)
			}
		})
	}
}

// checkFiles compares the files a manifest names with those in the pack. Files
// under tools/ that no tool names are siblings that tools import.
func checkFiles(t *testing.T, pack fs.FS, m manifest) {
	t.Helper()
	named := slices.Clone(m.Notes)
	for _, tool := range m.BrowserTools {
		named = append(named, tool.Path)
	}
	var present []string
	for _, name := range files(t, pack) {
		if dir := path.Dir(name); dir == "notes" || dir == "browser-tools" {
			present = append(present, name)
		}
	}
	slices.Sort(named)
	if !slices.Equal(named, present) {
		t.Errorf("manifest and directory differ\nnamed:   %q\npresent: %q", named, present)
	}
}

func checkTool(t *testing.T, name string, tool tool) {
	t.Helper()
	if tool.Description == "" || tool.Returns.Description == "" || !slices.Contains(valueTypes, tool.Returns.Type) {
		t.Errorf("%s: description or returns is incomplete: %+v", name, tool)
	}
	for arg, schema := range tool.Args {
		if schema.Description == "" || schema.Required == nil || !slices.Contains(valueTypes, schema.Type) {
			t.Errorf("%s: argument %s is incomplete: %+v", name, arg, schema)
		}
	}
}

func learnings(t *testing.T) fs.FS {
	t.Helper()
	root, err := Learnings()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// files lists the paths of all regular files, sorted.
func files(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func read(t *testing.T, fsys fs.FS, name string) string {
	t.Helper()
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
