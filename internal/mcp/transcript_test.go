package mcp

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"egod/internal/wire"
)

var update = flag.Bool("update", false, "write the server's side of testdata/*.txtar from what it did")

// TestTranscripts plays the conversations of testdata/*.txtar. A file is a txtar
// archive: a comment that says where the case comes from, and sections that are
// played in order:
//
//	-- client --          each line is sent as it stands, with its newline
//	-- client quoted --   each line is a Go string literal; they are sent one after the other
//	-- server N --        the next N messages of the server, in order of their text
//	-- quiet --           nothing: a ping is answered before anything else comes
//	-- end --             what came after the input was closed, and how it ended
//
// Lines of the comment of the form "key: value" set options: toolset,
// maxMessageBytes, drainTimeout. The packs are those of shop. What differs from run
// to run is shown as X.
//
// To add a case, write the client's side, run the test with -update, and read what it
// wrote before you believe it.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	f := newFixture(t, shop())
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			want, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, f, want)
			if *update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(want)), string(txtar.Format(got))); diff != "" {
				t.Errorf("transcript differs (-want +got):\n%s", diff)
			}
		})
	}
}

// play returns want with the server's sections as they really were.
func play(t *testing.T, f *fixture, want *txtar.Archive) *txtar.Archive {
	t.Helper()
	p := f.connect(t, transcriptConfig(t, string(want.Comment)))
	got := &txtar.Archive{Comment: want.Comment}
	for _, section := range want.Files {
		name, arg, _ := strings.Cut(section.Name, " ")
		switch {
		case name == "client":
			p.sendRaw(clientBytes(t, section))
		case name == "server":
			n, err := strconv.Atoi(arg)
			if err != nil {
				t.Fatalf("section %q: %v", section.Name, err)
			}
			var lines []string
			for range n {
				lines = append(lines, f.normal(p.next().text))
			}
			section.Data = sortedLines(lines)
		case name == "quiet":
			p.send(`{"jsonrpc":"2.0","id":"quiet?","method":"ping"}`)
			_, before := p.await(`"quiet?"`)
			var lines []string
			for _, m := range before {
				lines = append(lines, f.normal(m.text))
			}
			section.Data = sortedLines(lines)
		case name == "end":
			outcome := p.end()
			var lines []string
			for line := range p.lines {
				lines = append(lines, f.normal(line))
			}
			section.Data = append(sortedLines(lines), outcome.Reason.String()+", exit code "+strconv.Itoa(outcome.ExitCode())+"\n"...)
		default:
			t.Fatalf("unknown section %q", section.Name)
		}
		got.Files = append(got.Files, section)
	}
	return got
}

func sortedLines(lines []string) []byte {
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}

func (p *peer) sendRaw(text string) {
	p.t.Helper()
	if _, err := p.input.Write([]byte(text)); err != nil {
		p.t.Fatalf("sending: %v", err)
	}
}

func clientBytes(t testing.TB, section txtar.File) string {
	t.Helper()
	if section.Name == "client" {
		return string(section.Data)
	}
	var out strings.Builder
	for line := range strings.Lines(string(section.Data)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out.WriteString(text)
	}
	return out.String()
}

// changing is what differs from run to run.
var changing = []*regexp.Regexp{
	regexp.MustCompile(`(until |\[end )[0-9a-f]{8}`),
	regexp.MustCompile(`(internal error |"errorId":")[0-9a-f]{8}`),
	regexp.MustCompile(`("durationMs":|"timeMs":)[0-9.]+`),
}

func (f *fixture) normal(line string) string {
	line = strings.ReplaceAll(line, f.root, "ROOT")
	for _, r := range changing {
		line = r.ReplaceAllString(line, "${1}X")
	}
	return line
}

func transcriptConfig(t *testing.T, comment string) Config {
	t.Helper()
	cfg := Config{Toolset: ToolsetCore, Config: wire.Config{DrainTimeout: waitLimit}}
	for line := range strings.Lines(comment) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			continue
		}
		var err error
		switch key {
		case "toolset":
			cfg.Toolset = Toolset(value)
		case "maxMessageBytes":
			cfg.MaxMessageBytes, err = strconv.ParseInt(value, 10, 64)
		case "drainTimeout":
			cfg.DrainTimeout, err = time.ParseDuration(value)
		}
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	return cfg
}
