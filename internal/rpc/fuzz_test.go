package rpc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"egod/internal/frame"
	"egod/internal/wire"
)

const (
	fuzzLimit = 4 << 10
	alive     = `{"jsonrpc":"2.0","id":"still alive?","method":"ping"}`
)

// FuzzLineFraming: whatever comes in, what goes out is messages, and a request
// on a line of its own is answered after it.
func FuzzLineFraming(f *testing.F) {
	addTranscripts(f, "client", "client quoted")
	f.Fuzz(func(t *testing.T, in string) {
		checkAlive(t, converse(t, in+"\n"+alive+"\n", Config{Config: wire.Config{Framing: frame.Line, MaxMessageBytes: fuzzLimit}}))
	})
}

// FuzzHeaderFraming is the same for header framing. What comes in may end in a
// header that takes what follows for its body: so there is more than one body of
// blank lines before the request, and as the length may end inside the header of
// the request, the request comes twice.
func FuzzHeaderFraming(f *testing.F) {
	addTranscripts(f, "client framed", "client quoted")
	f.Fuzz(func(t *testing.T, in string) {
		request := string(frame.Header.Append(nil, []byte(alive)))
		in += "\n" + strings.Repeat("\n", 2*fuzzLimit) + request + request
		checkAlive(t, converse(t, in, Config{Config: wire.Config{Framing: frame.Header, MaxMessageBytes: fuzzLimit}}))
	})
}

func checkAlive(t *testing.T, c conversation) {
	t.Helper()
	if c.outcome.Reason == wire.Exited {
		return // the input said so
	}
	answers := c.withID(`"still alive?"`)
	for _, a := range answers {
		if a.Error != nil && c.outcome.Shutdown {
			return
		}
	}
	if c.outcome.Reason != wire.InputEnded || len(answers) == 0 {
		t.Fatalf("no answer at the end: %+v, %v, %d answers", c.outcome, c.err, len(c.answers))
	}
}

// addTranscripts makes seeds of what clients send in the transcripts.
func addTranscripts(f *testing.F, sections ...string) {
	f.Helper()
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
			for _, name := range sections {
				if section.Name == name {
					f.Add(clientBytes(f, section))
				}
			}
		}
	}
}
