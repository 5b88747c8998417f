package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"egod/internal/frame"
	"egod/internal/wire"
)

// answer is one message from the server.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

// conversation is what the server said to a whole input.
type conversation struct {
	answers []answer
	outcome wire.Outcome
	err     error
}

// converse serves input, and checks that every byte of the output belongs to a
// message. It may be called by fuzz targets: nothing in input can make it wait.
func converse(tb testing.TB, input string, cfg Config) conversation {
	tb.Helper()
	backend := newFakeBackend()
	backend.end()
	var out bytes.Buffer
	if cfg.DrainTimeout == 0 {
		cfg.DrainTimeout = -1
	}
	var c conversation
	c.outcome, c.err = newTestServer(backend, cfg).Run(context.Background(), strings.NewReader(input), &out)
	c.answers = parseOutput(tb, out.String())
	return c
}

// parseOutput takes the output of a server apart, in either framing.
func parseOutput(tb testing.TB, out string) []answer {
	tb.Helper()
	framing := frame.Line
	if strings.HasPrefix(out, "Content-Length") {
		framing = frame.Header
	}
	var answers []answer
	for rest := out; rest != ""; {
		text, after, ok := cutFrame(framing, rest)
		if !ok || !utf8.ValidString(text) || !json.Valid([]byte(text)) {
			tb.Fatalf("not a message: %q", rest)
		}
		rest = after
		var batch []answer
		if strings.HasPrefix(text, "[") {
			if err := json.Unmarshal([]byte(text), &batch); err != nil || len(batch) == 0 {
				tb.Fatalf("not a batch: %s: %v", text, err)
			}
			answers = append(answers, batch...)
			continue
		}
		var one answer
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			tb.Fatalf("not a message: %s: %v", text, err)
		}
		answers = append(answers, one)
	}
	return answers
}

// cutFrame splits the first frame off s.
func cutFrame(framing frame.Framing, s string) (text, rest string, ok bool) {
	if framing == frame.Line {
		return strings.Cut(s, "\n")
	}
	m := header.FindStringSubmatch(s)
	if m == nil {
		return "", "", false
	}
	n, err := strconv.Atoi(m[1])
	if s = s[len(m[0]):]; err != nil || len(s) < n {
		return "", "", false
	}
	return s[:n], s[n:], true
}

// withID returns the answers to the request with the id text id.
func (c *conversation) withID(id string) []answer {
	var found []answer
	for _, a := range c.answers {
		if string(a.ID) == id {
			found = append(found, a)
		}
	}
	return found
}

// lines is a client at the other end of two pipes, in line framing.
type lines struct {
	t       *testing.T
	server  *Server
	backend *fakeBackend
	input   *io.PipeWriter
	output  *io.PipeReader
	stop    context.CancelCauseFunc
	done    chan struct{} // closed when Run has returned
	outcome wire.Outcome
	err     error
}

// startLines starts a server for a client that reads when it wants to.
func startLines(t *testing.T, cfg Config) *lines {
	t.Helper()
	in, input := io.Pipe()
	output, out := io.Pipe()
	ctx, stop := context.WithCancelCause(context.Background())
	backend := newFakeBackend()
	c := &lines{
		t: t, backend: backend, server: newTestServer(backend, cfg),
		input: input, output: output, stop: stop, done: make(chan struct{}),
	}
	go func() {
		defer close(c.done)
		c.outcome, c.err = c.server.Run(ctx, in, out)
	}()
	t.Cleanup(func() {
		backend.end()
		stop(nil)
		_, _, _, _ = in.Close(), input.Close(), output.Close(), out.Close()
		<-c.done
	})
	return c
}

// send writes requests, one a line. It returns when the server has read them.
func (c *lines) send(requests ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.input, strings.Join(requests, "\n")+"\n"); err != nil {
		c.t.Error(err)
	}
}

// readAll reads to the end of the output, which comes when Run has returned.
func (c *lines) readAll() []answer {
	go func() {
		<-c.done
		_ = c.output.Close()
	}()
	text, _ := io.ReadAll(c.output)
	return parseOutput(c.t, string(text))
}
