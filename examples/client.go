// A client of egod with nothing but the standard library: go run examples/client.go bin/egod
//
// It starts egod as a child and writes and reads one JSON text per line. The page
// that the browser tool looks at is served by this program. The client in session/
// does more.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
)

const page = `<!doctype html><title>Bakery</title><ul><li id="rye" data-euros="4.23">Rye<li id="wheat" data-euros="3.19">Wheat</ul>`

type object map[string]any

// request is a request, or without an ID a notification.
type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  object `json:"params,omitempty"`
}

// client has one request under way at a time, and drops the notifications that
// come in between. After the first error it does nothing more.
type client struct {
	in     *json.Encoder
	out    *json.Decoder
	lastID int
	err    error
}

func (c *client) send(r request) {
	if r.Version = "2.0"; c.err == nil {
		c.err = c.in.Encode(r)
	}
}

func (c *client) begin(method string, params object) int {
	c.lastID++
	c.send(request{ID: c.lastID, Method: method, Params: params})
	return c.lastID
}

// answer decodes the result of a request. It returns what egod answers instead.
func (c *client) answer(id int, result any) error {
	for c.err == nil {
		var m struct {
			ID, Result json.RawMessage
			Error      *struct {
				Message string
				Data    struct{ Kind string }
			}
		}
		if c.err = c.out.Decode(&m); string(m.ID) != fmt.Sprint(id) {
			continue // a notification
		}
		if m.Error != nil {
			return fmt.Errorf("%s (%s)", m.Error.Message, m.Error.Data.Kind)
		}
		return json.Unmarshal(m.Result, result)
	}
	return c.err
}

func (c *client) call(method string, params object, result any) {
	if err := c.answer(c.begin(method, params), result); err != nil && c.err == nil {
		c.err = fmt.Errorf("%s: %w", method, err)
	}
}

func session(c *client, url string) error {
	var hello struct {
		ServerInfo struct{ Name, Version string }
	}
	var found struct{ Skills []struct{ ID string } }
	var learned struct{ Knowledge []struct{ Content string } }
	var total, prices, ignored struct{ Value object }

	c.call("initialize", object{"clientInfo": object{"name": "client.go", "version": "1"}, "processId": os.Getpid()}, &hello)
	c.call("skillsForUrl", object{"url": url}, &found)
	c.call("learnContext", object{"url": url}, &learned)
	c.call("runTool", object{"siteId": "bakery", "toolName": "total", "args": object{"prices": []float64{4.23, 3.19}}}, &total)
	c.call("page.goto", object{"url": url}, &ignored)
	c.call("runBrowserTool", object{"siteId": "bakery", "toolName": "read-prices"}, &prices)
	endless := c.begin("runScript", object{"source": "for (;;) {}"})
	c.send(request{Method: "$/cancelRequest", Params: object{"id": endless}})
	cancelled := c.answer(endless, &ignored)
	c.call("shutdown", nil, &ignored)
	c.send(request{Method: "exit"})
	if c.err != nil {
		return c.err
	}

	fmt.Println(hello.ServerInfo.Name, hello.ServerInfo.Version)
	for _, pack := range found.Skills {
		fmt.Println("packs:", pack.ID)
	}
	for _, note := range learned.Knowledge {
		fmt.Println("note:", strings.TrimSpace(note.Content))
	}
	fmt.Println("tool:", total.Value)
	fmt.Println("page:", prices.Value)
	fmt.Println("cancelled:", cancelled)
	return nil
}

func run(ctx context.Context, binary string) error {
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	defer pages.Close()

	egod := exec.CommandContext(ctx, binary, "serve", "--root", "examples/learnings")
	egod.Stderr = os.Stderr
	in, err := egod.StdinPipe()
	if err != nil {
		return err
	}
	out, err := egod.StdoutPipe()
	if err != nil {
		return err
	}
	if err := egod.Start(); err != nil {
		return err
	}
	c := &client{in: json.NewEncoder(in), out: json.NewDecoder(out)}
	if err := session(c, strings.Replace(pages.URL, "127.0.0.1", "localhost", 1)); err != nil {
		_ = in.Close() // without input egod ends by itself
		_ = egod.Wait()
		return err
	}
	return egod.Wait()
}

func main() {
	binary := "bin/egod"
	if len(os.Args) > 1 {
		binary = os.Args[1]
	}
	if err := run(context.Background(), binary); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}
