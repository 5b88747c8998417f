package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"egod/internal/frame"
)

var update = flag.Bool("update", false, "write the server's side of testdata/*.txtar from what it did")

// TestTranscripts plays the conversations of testdata/*.txtar. A file is a
// txtar archive: a comment that says where the case comes from, and sections
// that are played in order:
//
//	-- client --          each line is sent as it stands, with its newline
//	-- client quoted --   each line is a Go string literal; they are sent one after the other
//	-- client framed --   each line is sent with a Content-Length header
//	-- wait 10s --        time passes; it is fake and costs nothing
//	-- changed --         the skill index was swapped
//	-- stop --            the context of Run ends, as after a signal
//	-- server --          what the server has written since, one message a line
//	-- end --             how it ended; the input is closed before it
//
// Lines of the comment of the form "key: value" set options: framing,
// maxMessageBytes, drainTimeout. The operations are those of fakeBackend. Ids of
// internal errors are shown as XXXXXXXX, and where JSON is wrong as N.
//
// To add a case, write the client's side, run the test with -update, and read
// what it wrote before you believe it.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			want, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got *txtar.Archive
			synctest.Test(t, func(t *testing.T) { got = play(t, want) })
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

// player is one conversation.
type player struct {
	server *Server
	input  *io.PipeWriter
	output *recorder
	stop   context.CancelFunc
	result chan string
}

// recorder keeps what the server writes.
type recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

// take returns what was written since the last take.
func (r *recorder) take() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := bytes.Clone(r.buf.Bytes())
	r.buf.Reset()
	return b
}

// play returns want with the server's sections as they really were.
func play(t *testing.T, want *txtar.Archive) *txtar.Archive {
	t.Helper()
	backend := newFakeBackend()
	defer backend.end()
	p := startPlayer(t, newTestServer(backend, transcriptConfig(t, string(want.Comment))))
	got := &txtar.Archive{Comment: want.Comment}
	for _, section := range want.Files {
		section.Data = p.step(t, section)
		got.Files = append(got.Files, section)
	}
	p.stop()
	_ = p.input.Close()
	return got
}

func startPlayer(t *testing.T, s *Server) *player {
	t.Helper()
	in, input := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	p := &player{server: s, input: input, output: &recorder{}, stop: stop, result: make(chan string, 1)}
	go func() {
		outcome, err := s.Run(ctx, in, p.output)
		text := fmt.Sprintf("%s, exit code %d\n", outcome.Reason, outcome.ExitCode())
		if err != nil {
			text += "error: " + err.Error() + "\n"
		}
		p.result <- text
		_ = in.Close()
	}()
	return p
}

func (p *player) step(t *testing.T, section txtar.File) []byte {
	t.Helper()
	name, arg, _ := strings.Cut(section.Name, " ")
	switch {
	case name == "client":
		p.send(t, section)
	case name == "wait":
		d, err := time.ParseDuration(arg)
		if err != nil {
			t.Fatal(err)
		}
		passTime(d)
		synctest.Wait()
	case name == "changed":
		p.server.Changed(Change{Generation: 7, Updated: []string{"shop"}, Reason: "manifest.json",
			Diagnostics: []FileDiagnostics{{URI: "file:///packs/shop/manifest.json", SiteID: "shop"}}})
		synctest.Wait()
	case name == "stop":
		p.stop()
		synctest.Wait()
	case name == "server":
		return messages(t, p.output.take())
	case name == "end":
		_ = p.input.Close()
		return []byte(<-p.result)
	default:
		t.Fatalf("unknown section %q", section.Name)
	}
	return section.Data
}

// send writes a client section. The write does not have to be read: a server
// that ended reads nothing.
func (p *player) send(t *testing.T, section txtar.File) {
	t.Helper()
	out := clientBytes(t, section)
	go func() { _, _ = io.WriteString(p.input, out) }()
	synctest.Wait()
}

// clientBytes returns what a client section sends.
func clientBytes(tb testing.TB, section txtar.File) string {
	tb.Helper()
	if section.Name == "client" {
		return string(section.Data)
	}
	var out strings.Builder
	for line := range strings.Lines(string(section.Data)) {
		text := strings.TrimSuffix(line, "\n")
		switch section.Name {
		case "client quoted":
			s, err := strconv.Unquote(text)
			if err != nil {
				tb.Fatalf("%s: %v", text, err)
			}
			out.WriteString(s)
		case "client framed":
			out.Write(frame.Header.Append(nil, []byte(text)))
		default:
			tb.Fatalf("unknown section %q", section.Name)
		}
	}
	return out.String()
}

var (
	header     = regexp.MustCompile(`^Content-Length: (\d+)\r\n\r\n`)
	errorIDs   = regexp.MustCompile(`(internal error |"errorId":")[0-9a-f]{8}`)
	syntaxText = regexp.MustCompile(`byte \d+: [^"]*`)
	methodList = regexp.MustCompile(`"methods":\[[^]]*\]`)
)

// messages returns the texts of the frames in b, one a line, and fails the test
// when one of them is not valid.
func messages(t *testing.T, b []byte) []byte {
	t.Helper()
	var lines []byte
	for len(b) > 0 {
		var text []byte
		if m := header.FindSubmatch(b); m != nil {
			n, err := strconv.Atoi(string(m[1]))
			if err != nil || len(b) < len(m[0])+n {
				t.Fatalf("frame is cut: %q", b)
			}
			text, b = b[len(m[0]):len(m[0])+n], b[len(m[0])+n:]
		} else {
			line, rest, ok := bytes.Cut(b, []byte("\n"))
			if !ok {
				t.Fatalf("line without end: %q", b)
			}
			text, b = line, rest
		}
		if !json.Valid(text) || bytes.ContainsRune(text, '\n') {
			t.Fatalf("not one JSON text on one line: %q", text)
		}
		lines = append(append(lines, text...), '\n')
	}
	lines = errorIDs.ReplaceAll(lines, []byte("${1}XXXXXXXX"))
	lines = methodList.ReplaceAll(lines, []byte(`"methods":[...]`))
	return syntaxText.ReplaceAll(lines, []byte("byte N: ..."))
}

func transcriptConfig(t *testing.T, comment string) Config {
	t.Helper()
	cfg := Config{Initialize: func(c Client) (Info, error) {
		return Info{Version: "0.0.0", PID: 42, Workspace: "/work", Roots: []string{"/work/packs"}, Generation: 3}, nil
	}}
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var err error
		switch key {
		case "framing":
			cfg.Framing, err = frame.Parse(value)
		case "maxMessageBytes":
			cfg.MaxMessageBytes, err = strconv.ParseInt(value, 10, 64)
		case "drainTimeout":
			cfg.DrainTimeout, err = time.ParseDuration(value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return cfg
}
