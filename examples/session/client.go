package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// client speaks JSON-RPC, one JSON text per line, with egod as a child process.
// It has one request in flight at a time and belongs to one goroutine; the
// reader goroutine only fills lines and ends with the child's output.
type client struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string
	nextID int
	show   func(direction, line string)
}

// request is a request, or without an ID a notification.
type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// message is what a line from egod may be: an answer (ID set) or a notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    struct {
			Kind string `json:"kind"`
			Hint string `json:"hint"`
		} `json:"data"`
	} `json:"error"`
}

// start runs egod with the arguments. The child is killed when ctx ends.
func start(ctx context.Context, show func(direction, line string), egod string, args ...string) (*client, error) {
	cmd := exec.CommandContext(ctx, egod, args...)
	cmd.Stderr = os.Stderr
	cmd.WaitDelay = 5 * time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("open the input of %s: %w", egod, err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("open the output of %s: %w", egod, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start egod: %w", err)
	}
	c := &client{cmd: cmd, stdin: stdin, lines: make(chan string), show: show}
	go c.read(ctx, stdout)
	return c, nil
}

func (c *client) read(ctx context.Context, stdout io.Reader) {
	defer close(c.lines)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		select {
		case c.lines <- lines.Text():
		case <-ctx.Done():
			return
		}
	}
}

// call sends a request and waits for its answer; notifications on the way are shown.
// A nil result is not decoded.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	c.nextID++
	if err := c.send(request{Version: "2.0", ID: c.nextID, Method: method, Params: params}); err != nil {
		return err
	}
	for {
		m, err := c.receive(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", method, err)
		case string(m.ID) != fmt.Sprint(c.nextID):
			continue
		case m.Error != nil:
			return fmt.Errorf("%s: error %d (%s): %s %s", method, m.Error.Code, m.Error.Data.Kind, m.Error.Message, m.Error.Data.Hint)
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("%s: decode the result: %w", method, err)
		}
		return nil
	}
}

// notify sends a notification, which has no answer.
func (c *client) notify(method string) error {
	return c.send(request{Version: "2.0", Method: method})
}

// await waits for a notification of the method.
func (c *client) await(ctx context.Context, method string) error {
	for {
		m, err := c.receive(ctx)
		if err != nil {
			return fmt.Errorf("wait for %s: %w", method, err)
		}
		if m.Method == method {
			return nil
		}
	}
}

func (c *client) send(m request) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	c.show("->", string(line))
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write to egod: %w", err)
	}
	return nil
}

func (c *client) receive(ctx context.Context) (message, error) {
	select {
	case <-ctx.Done():
		return message{}, context.Cause(ctx)
	case line, ok := <-c.lines:
		if !ok {
			return message{}, errors.New("egod closed its output")
		}
		c.show("<-", line)
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return message{}, fmt.Errorf("egod wrote a line that is not JSON: %w", err)
		}
		return m, nil
	}
}

// wait returns the exit code of egod, which must be on its way out.
func (c *client) wait(ctx context.Context) (int, error) {
	for {
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case line, ok := <-c.lines:
			if ok {
				c.show("<-", line)
				continue
			}
		}
		break
	}
	err := c.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, fmt.Errorf("wait for egod: %w", err)
	}
	return c.cmd.ProcessState.ExitCode(), nil
}
