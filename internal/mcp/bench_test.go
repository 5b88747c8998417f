package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// thousand is a server over 1,000 packs with three notes each.
func thousand(b *testing.B) *Server {
	b.Helper()
	files := map[string]string{}
	for i := range 1000 {
		id := fmt.Sprintf("p%04d", i)
		maps.Copy(files, noted(id, fmt.Sprintf("%q", id+".test"), map[string]string{"notes/a.md": "# A\n", "notes/b.md": "# B\n", "notes/c.md": "# C\n"}))
	}
	server, err := New(newFixture(b, files).service, Config{})
	if err != nil {
		b.Fatal(err)
	}
	return server
}

func encodes(b *testing.B, result any, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	if text, err := json.Marshal(result); err != nil || len(text) < 100 {
		b.Fatalf("%s: %v", text, err)
	}
}

// BenchmarkListResources makes one page of the list of notes.
func BenchmarkListResources(b *testing.B) {
	r := thousand(b).resources
	for name, cursor := range map[string]string{
		"first": "", "last": writeCursor(ops.NoteMark{NoteRef: ops.NoteRef{SiteID: "p0940"}}),
	} {
		b.Run(name+"/packs=1000", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				result, err := r.list(&mcp.ListResourcesRequest{Params: &mcp.ListResourcesParams{Cursor: cursor}})
				encodes(b, result, err)
			}
		})
	}
}

// BenchmarkComplete completes an address and an id.
func BenchmarkComplete(b *testing.B) {
	s := thousand(b)
	for name, argument := range map[string]mcp.CompleteParamsArgument{
		"url": {Name: argumentURL, Value: "https://p09"}, "site": {Name: argumentSite, Value: "9"},
	} {
		b.Run(name+"/packs=1000", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				result, err := s.complete(b.Context(), &mcp.CompleteRequest{Params: &mcp.CompleteParams{
					Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: promptWork}, Argument: argument,
				}})
				encodes(b, result, err)
			}
		})
	}
}

// BenchmarkPrompt makes the prompt for the URL of one site among many.
func BenchmarkPrompt(b *testing.B) {
	s := thousand(b)
	b.ReportAllocs()
	for b.Loop() {
		messages, err := s.workOnURL(b.Context(), map[string]string{argumentURL: "https://p0500.test/"})
		encodes(b, messages, err)
	}
}
