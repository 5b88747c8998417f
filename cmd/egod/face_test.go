package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"egod/internal/skills"
)

// TestPacksOfAnotherWorkspaceAreChecked: a client that names other folders hears of
// what is wrong there too, however long after the start.
func TestPacksOfAnotherWorkspaceAreChecked(t *testing.T) {
	checked := make(chan string, 9)
	open := func(id string) *skills.Store {
		root := t.TempDir()
		for path, text := range map[string]string{
			"manifest.json": `{"id":"` + id + `","name":"P","domains":["a.test"],"nodeTools":{"t":{"path":"tools/t.js","callable":"run","description":"d","args":{}}}}`,
			"tools/t.js":    "export const run = () => 1;\n",
		} {
			file := filepath.Join(root, id, filepath.FromSlash(path))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		store, err := skills.Open(t.Context(), skills.Config{
			Roots: []skills.Root{{Dir: root}}, Poll: -1,
			Check: func(_ context.Context, p *skills.Pack, _ *skills.Tool) ([]skills.Diagnostic, error) {
				checked <- p.ID
				return nil, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store
	}
	d := &daemon{logger: slog.New(slog.DiscardHandler)}
	d.index.replaced = make(chan struct{}, 1)
	d.index.store = open("first")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.checkAll(ctx)
	}()
	expect := func(id string) {
		t.Helper()
		select {
		case got := <-checked:
			if got != id {
				t.Errorf("%s was checked, not %s", got, id)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s is not checked", id)
		}
	}
	expect("first")
	d.index.use(open("second"))
	expect("second")
	stop()
	<-ended
}
