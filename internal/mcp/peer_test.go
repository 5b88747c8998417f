package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"egod/internal/wire"
)

// peer is a client at the other end of two pipes.
type peer struct {
	t      testing.TB
	server *Server
	input  *io.PipeWriter
	lines  chan string // what the server wrote; closed at its end
	stop   context.CancelCauseFunc
	ended  chan wire.Outcome
}

// waitLimit bounds every wait for the server.
const waitLimit = 30 * time.Second

// connect starts a server for a client.
func (f *fixture) connect(t testing.TB, cfg Config) *peer {
	t.Helper()
	cfg.Version = "test"
	server, err := New(f.service, cfg)
	if err != nil {
		t.Fatal(err)
	}
	f.follow(server.Changed)
	in, input := io.Pipe()
	output, out := io.Pipe()
	ctx, stop := context.WithCancelCause(context.Background())
	p := &peer{t: t, server: server, input: input, lines: make(chan string, 1<<12), stop: stop, ended: make(chan wire.Outcome, 1)}
	go func() {
		outcome, _ := server.Run(ctx, in, out)
		_, _ = in.Close(), out.Close()
		p.ended <- outcome
	}()
	go func() {
		defer close(p.lines)
		for r := bufio.NewReader(output); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() {
		p.end()
		f.follow(nil)
	})
	return p
}

// end closes the input and waits for the end of the server.
func (p *peer) end() wire.Outcome {
	p.t.Helper()
	_ = p.input.Close()
	select {
	case outcome := <-p.ended:
		p.ended <- outcome
		return outcome
	case <-time.After(waitLimit):
		p.t.Fatal("the server does not end")
		return wire.Outcome{}
	}
}

// hello opens the session.
func (p *peer) hello() {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.await(`"hello"`)
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.input, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatalf("sending: %v", err)
	}
}

// message is one thing that the server wrote.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int64          `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
	text string
}

// next returns the next message.
func (p *peer) next() message {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatal("the server has ended")
		}
		return parse(p.t, line)
	case <-time.After(waitLimit):
		p.t.Fatal("the server says nothing")
	}
	return message{}
}

func parse(t testing.TB, line string) message {
	t.Helper()
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil || !bytes.HasPrefix([]byte(line), []byte(`{"jsonrpc":"2.0",`)) {
		t.Fatalf("not a message: %.200q: %v", line, err)
	}
	m.text = line
	return m
}

// await returns the answer to the request with the id text id. What comes before it
// is returned too.
func (p *peer) await(id string) (answer message, before []message) {
	p.t.Helper()
	for {
		m := p.next()
		if m.Method == "" && string(m.ID) == id {
			return m, before
		}
		before = append(before, m)
	}
}

// called is the result of a call of a tool.
type called struct {
	Content []struct {
		Type, Text string
	}
	StructuredContent map[string]any
	IsError           bool
	Meta              map[string]any `json:"_meta"`
}

// call calls a tool and returns its result.
func (p *peer) call(name, args string) called {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`)
	answer, _ := p.await(`"call"`)
	if answer.Error != nil {
		p.t.Fatalf("calling %s: %+v", name, answer.Error)
	}
	var result called
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		p.t.Fatal(err)
	}
	return result
}

// text is what a model reads.
func (c called) text() string {
	var texts []string
	for _, content := range c.Content {
		texts = append(texts, content.Text)
	}
	return strings.Join(texts, "\n")
}

// tools returns the tools of all pages, and how many pages there were.
func (p *peer) tools() (tools []map[string]any, pages int) {
	p.t.Helper()
	cursor := ""
	for {
		p.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{` + cursor + `}}`)
		answer, _ := p.await(`"list"`)
		var page struct {
			Tools      []map[string]any
			NextCursor string
		}
		if err := json.Unmarshal(answer.Result, &page); err != nil {
			p.t.Fatalf("%s: %v", answer.text, err)
		}
		tools = append(tools, page.Tools...)
		pages++
		if page.NextCursor == "" {
			return tools, pages
		}
		cursor = `"cursor":"` + page.NextCursor + `"`
	}
}
