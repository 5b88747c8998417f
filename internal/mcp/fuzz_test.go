package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"egod/internal/frame"
	"egod/internal/wire"
)

// FuzzSessionFraming: whatever comes in, what goes out is messages, and a request on a
// line of its own is answered after it. Tools that run code are left out.
func FuzzSessionFraming(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range txtar.Parse(data).Files {
			if strings.HasPrefix(section.Name, "client") {
				f.Add(clientBytes(f, section))
			}
		}
	}
	fixture := newFixture(f, map[string]string{})
	f.Fuzz(func(t *testing.T, in string) {
		server, err := New(fixture.service, Config{Toolset: ToolsetAll, Config: wire.Config{
			Framing: frame.Line, MaxMessageBytes: 8 << 10, DrainTimeout: -1,
		}})
		if err != nil {
			t.Fatal(err)
		}
		const alive = `{"jsonrpc":"2.0","id":"still alive?","method":"ping"}`
		var out bytes.Buffer
		outcome, err := server.Run(t.Context(), strings.NewReader(in+"\n"+alive+"\n"), &out)
		if err != nil || outcome.Reason != wire.InputEnded {
			t.Fatalf("%+v, %v", outcome, err)
		}
		if !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			t.Fatalf("the output ends within a line: %q", out.String())
		}
		answered := false
		for line := range strings.Lines(out.String()) {
			var m message
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("not a message: %q", line)
			}
			answered = answered || string(m.ID) == `"still alive?"`
		}
		if !answered {
			t.Fatalf("no answer at the end: %s", out.String())
		}
	})
}
