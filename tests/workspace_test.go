package tests

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestInitializeNamesTheWorkspace: an editor tells where its packs are; the
// command line knows better when it said so.
func TestInitializeNamesTheWorkspace(t *testing.T) {
	workspace, other := t.TempDir(), t.TempDir()
	root := filepath.Join(workspace, "skills", "ego-browser", "learnings")
	fixture{id: "mine", domains: []string{"mine.test"}, files: map[string]string{"notes/a.md": "one\n"}}.write(t, root)
	type initialized struct {
		Workspace  string
		Roots      []string
		Generation uint64
	}
	for _, tt := range []struct {
		name   string
		args   []string
		params object
		root   string
	}{
		{"workspace", nil, object{"workspace": workspace}, root},
		{"uri", nil, object{"workspace": "file://" + workspace}, root},
		{"roots", nil, object{"roots": []string{root}}, root},
		{"flag-wins", []string{"--root", other}, object{"workspace": workspace}, other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := startClean(t, append([]string{"serve"}, tt.args...)...)
			var got initialized
			d.result("initialize", tt.params, &got)
			if !slices.Contains(got.Roots, tt.root) {
				t.Errorf("roots are %v, want %s among them", got.Roots, tt.root)
			}
			var matched struct {
				Generation uint64
				Skills     []object
			}
			d.result("skillsForUrl", object{"url": "https://mine.test"}, &matched)
			if want := tt.root == root; (len(matched.Skills) == 1) != want || matched.Generation != got.Generation {
				t.Errorf("generation %d with %d skills, initialize said %d", matched.Generation, len(matched.Skills), got.Generation)
			}
		})
	}
	d := startClean(t, "serve")
	d.fails("invalid_params", "initialize", object{"workspace": "relative"})
	d.result("initialize", object{}, nil)
}
