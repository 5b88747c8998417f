package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"egod/internal/frame"
	"egod/internal/ops"
	"egod/internal/wire"
)

// request returns a request with string params.
func requestText(id any, method string, params ...string) string {
	list, _ := json.Marshal(append([]string{}, params...))
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":%q,"params":%s}`, id, method, list)
}

func cancelText(id any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%v}}`, id)
}

// TestStopWhileReading: Run returns when its context ends, although the read it
// waits in never does.
func TestStopWhileReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{Framing: frame.Line}})
		go func() {
			c.send(requestText(1, "sleep", "3s"))
			synctest.Wait()
			c.stop(nil)
		}()
		start := time.Now()
		answers := c.readAll()
		if len(answers) != 1 || answers[0].Error != nil {
			t.Errorf("answers: %+v", answers)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("Run took %s, the request 3s", took)
		}
		if c.outcome.Reason != wire.Stopped || c.outcome.ExitCode() != 0 {
			t.Errorf("outcome: %+v", c.outcome)
		}
	})
}

// TestStopDeadline: work that does not end and a client that does not read
// cannot keep Run for longer than StopTimeout after its context has ended.
func TestStopDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{DrainTimeout: time.Hour, StopTimeout: 4 * time.Second}})
		c.send(requestText(1, "stuck"), requestText(2, "big", "xxxx"))
		synctest.Wait()
		start := time.Now()
		c.stop(nil)
		<-c.done
		if took := time.Since(start); took > 4*time.Second+time.Second/2 {
			t.Errorf("Run took %s", took)
		}
		if c.outcome.Unsent == 0 || c.outcome.Abandoned != 1 || c.outcome.Cancelled != 1 {
			t.Errorf("outcome: %+v", c.outcome)
		}
	})
}

// TestEndOfInputThenStop: a signal during the drain shortens it.
func TestEndOfInputThenStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{DrainTimeout: time.Hour, StopTimeout: 2 * time.Second}})
		c.send(requestText(1, "stuck"))
		_ = c.input.Close()
		passTime(time.Minute)
		start := time.Now()
		c.stop(nil)
		c.readAll()
		if took := time.Since(start); took > 2*time.Second+time.Second/2 {
			t.Errorf("Run took %s", took)
		}
		if c.outcome.Reason != wire.InputEnded {
			t.Errorf("outcome: %+v", c.outcome)
		}
	})
}

// TestPeerGone: when nobody reads any more, nothing is waited for.
func TestPeerGone(t *testing.T) {
	t.Run("write fails", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := startLines(t, Config{})
			_ = c.output.CloseWithError(io.ErrClosedPipe)
			start := time.Now()
			c.send(requestText(1, "wait"), requestText(2, "echo"))
			<-c.done
			if took := time.Since(start); took > time.Second {
				t.Errorf("Run took %s", took)
			}
			if c.outcome.Reason != wire.PeerGone || c.outcome.ExitCode() != 1 || !errors.Is(c.err, io.ErrClosedPipe) {
				t.Errorf("outcome: %+v, %v", c.outcome, c.err)
			}
			if n := c.backend.ended.Load() + c.backend.dropped.Load(); n != 1 {
				t.Error("the running request was not ended")
			}
		})
	})
	t.Run("told by the caller", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := startLines(t, Config{})
			c.send(requestText(1, "stuck"))
			synctest.Wait()
			start := time.Now()
			c.stop(wire.ErrPeerGone)
			<-c.done
			if took := time.Since(start); took > time.Second {
				t.Errorf("Run took %s", took)
			}
			if c.outcome.Reason != wire.PeerGone || c.outcome.Abandoned != 1 {
				t.Errorf("outcome: %+v", c.outcome)
			}
		})
	})
}

// TestReadFails: an input that breaks is an error, after what was read is
// answered.
func TestReadFails(t *testing.T) {
	broken := errors.New("input/output error")
	in := io.MultiReader(strings.NewReader(requestText(1, "later")+"\n"+`{"half":`), errReader{broken})
	var out bytes.Buffer
	outcome, err := Serve(t.Context(), in, &out, newFakeBackend(), Config{})
	if !errors.Is(err, broken) || outcome.Reason != wire.InputBroken || outcome.ExitCode() != 1 {
		t.Errorf("outcome: %+v, %v", outcome, err)
	}
	if answers := parseOutput(t, out.String()); len(answers) != 1 || string(answers[0].Result) != `"later"` {
		t.Errorf("answers: %s", out.String())
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestRunOnce(t *testing.T) {
	s := New(newFakeBackend(), Config{})
	s.Changed(Change{Generation: 1, Updated: []string{"x"}}) // before Run: nobody to tell
	if _, err := s.Run(t.Context(), strings.NewReader(""), io.Discard); err != nil {
		t.Fatal(err)
	}
	s.Changed(Change{Generation: 2, Updated: []string{"x"}}) // after Run: the same
	if _, err := s.Run(t.Context(), strings.NewReader(""), io.Discard); err == nil {
		t.Error("a second Run did not fail")
	}
}

// TestInitializeHook: the hook gets what the client says, and its error is the
// answer, after which initialize may be tried again.
func TestInitializeHook(t *testing.T) {
	var got []Client
	cfg := Config{Initialize: func(c Client) (Info, error) {
		got = append(got, c)
		if c.Workspace == "/missing" {
			return Info{}, ops.Errorf(ops.KindInvalidParams, "there is no directory /missing")
		}
		return Info{Version: "1.2.3"}, nil
	}}
	c := converse(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"workspace":"/missing"}}
{"jsonrpc":"2.0","id":2,"method":"initialize","params":["1",{"name":"n","version":"v","icon":1},17,"/w",["/a"],{"log":true,"other":{}}]}
`, cfg)
	if a := c.withID("1"); len(a) != 1 || a[0].Error == nil || a[0].Error.Code != -32602 {
		t.Errorf("first: %+v", a)
	}
	if a := c.withID("2"); len(a) != 1 || a[0].Error != nil || !strings.Contains(string(a[0].Result), `"roots":[]`) {
		t.Errorf("second: %+v", a)
	}
	want := Client{Name: "n", Version: "v", ProtocolVersion: "1", ProcessID: 17, Workspace: "/w", Roots: []string{"/a"}, Log: true}
	if len(got) != 2 || fmt.Sprint(got[1]) != fmt.Sprint(want) {
		t.Errorf("the hook got %+v", got)
	}
}

// TestMethodsAreListed: initialize lists what there is, in order.
func TestMethodsAreListed(t *testing.T) {
	c := converse(t, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, Config{})
	var result struct {
		Capabilities struct{ Methods, Notifications []string }
	}
	if len(c.answers) != 1 || json.Unmarshal(c.answers[0].Result, &result) != nil {
		t.Fatalf("%+v", c.answers)
	}
	methods := result.Capabilities.Methods
	if !slices.IsSorted(methods) || len(methods) != len(Controls())+len(newFakeBackend().Methods()) {
		t.Errorf("methods: %q", methods)
	}
	names := newFakeBackend().Methods()
	for _, control := range Controls() {
		names = append(names, control.Name)
	}
	for _, name := range names {
		if !slices.Contains(methods, name) {
			t.Errorf("%s is missing", name)
		}
	}
	if !slices.Equal(result.Capabilities.Notifications, notifications()) {
		t.Errorf("notifications: %q", result.Capabilities.Notifications)
	}
}

// TestTooManyRequests: past the limit a request is busy, and control methods
// are not.
func TestTooManyRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{MaxInFlight: 2}})
		go func() {
			c.send(requestText(1, "wait"), requestText(2, "wait"), requestText(3, "wait"),
				requestText(4, "ping"), requestText(5, "echo"))
			synctest.Wait()
			c.send(cancelText(1))
			synctest.Wait()
			c.send(requestText(6, "later"))
			_ = c.input.Close()
			synctest.Wait()
			c.backend.end()
		}()
		codes := make(map[string]int)
		for _, a := range c.readAll() {
			codes[string(a.ID)] = 0
			if a.Error != nil {
				codes[string(a.ID)] = a.Error.Code
			}
		}
		if want := "map[1:-32800 2:0 3:-32050 4:0 5:0 6:0]"; fmt.Sprint(codes) != want {
			t.Errorf("got %v, want %s", codes, want)
		}
		if c.backend.dropped.Load() != 1 {
			t.Errorf("%d calls were dropped", c.backend.dropped.Load())
		}
	})
}

// TestLargeParams: the params of requests under way are bounded together.
func TestLargeParams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{MaxMessageBytes: 1000}})
		busy := make(chan int)
		go func() {
			for i := range 8 {
				c.send(requestText(i, "wait", strings.Repeat("x", 800)))
			}
			_ = c.input.Close()
			synctest.Wait()
			c.backend.end()
		}()
		go func() {
			n := 0
			for _, a := range c.readAll() {
				if a.Error != nil && a.Error.Code == -32050 {
					n++
				}
			}
			busy <- n
		}()
		if n := <-busy; n != 4 {
			t.Errorf("%d of 8 requests were refused, want 4", n)
		}
	})
}

// TestLargeBatch: a batch is bounded in messages and in bytes of answers.
func TestLargeBatch(t *testing.T) {
	item := `{"jsonrpc":"2.0","method":"ping"}`
	c := converse(t, "["+strings.Repeat(item+",", maxBatch)+item+"]\n["+requestText(1, "big", "xxxx")+","+
		requestText(2, "big", "x")+","+requestText(3, "ping")+"]\n"+alive, Config{Config: wire.Config{MaxQueuedBytes: 5000}})
	if len(c.answers) != 5 {
		t.Fatalf("answers: %+v", c.answers)
	}
	if a := c.answers[0]; a.Error == nil || a.Error.Code != -32600 || string(a.ID) != "null" {
		t.Errorf("too many messages: %+v", a)
	}
	for id, want := range map[string]bool{"1": true, "2": false, "3": true} {
		if a := c.withID(id); len(a) != 1 || (a[0].Error == nil) != want {
			t.Errorf("answer %s: %+v", id, a)
		}
	}
	if a := c.withID("2")[0]; a.Error.Code != -32022 || a.Error.Data["limit"] != "batch" {
		t.Errorf("too many bytes: %+v", a.Error)
	}
}

// TestLongRequests is mark3labs/mcp-go #588 and #155, and ThinkInAIXYZ/go-mcp
// #128: a long line ended the connection.
func TestLongRequests(t *testing.T) {
	for _, n := range []int{70_000, 5 << 20} {
		text := strings.Repeat("x", n)
		c := converse(t, requestText(1, "echo", text)+"\n"+alive, Config{})
		if a := c.withID("1"); len(a) != 1 || len(a[0].Result) != n+len(`[""]`) {
			t.Errorf("%d characters: no answer", n)
		}
		if len(c.withID(`"still alive?"`)) != 1 {
			t.Errorf("%d characters: the next request was not answered", n)
		}
	}
}

// TestLongMethod: a name that is longer than any is not decoded, repeated or
// compared.
func TestLongMethod(t *testing.T) {
	name := strings.Repeat("x", 1<<20)
	c := converse(t, requestText(1, name)+"\n"+`{"jsonrpc":"2.0","method":"`+name+`"}`+"\n"+alive, Config{})
	if len(c.answers) != 2 || c.answers[0].Error == nil || c.answers[0].Error.Code != -32601 || len(c.answers[0].Error.Message) > 200 {
		t.Errorf("answers: %+v", c.answers)
	}
}

// TestChangedWithoutDiagnostics: lists are lists on the wire, also when they are
// nil; what cannot be encoded is left out, and does not clear anything.
func TestChangedWithoutDiagnostics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{Framing: frame.Line}})
		synctest.Wait()
		c.server.Changed(Change{Generation: 2, Updated: []string{"a"}, Reason: "save", Diagnostics: []FileDiagnostics{
			{URI: "file:///a"}, {URI: "file:///b", Diagnostics: []string(nil)},
			{URI: "file:///c", Diagnostics: func() {}},
		}})
		// Findings alone are no new index.
		c.server.Changed(Change{Generation: 2, Reason: "checked", Diagnostics: []FileDiagnostics{{URI: "file:///d", Diagnostics: []string{"x"}}}})
		_ = c.input.Close()
		var got []string
		for _, a := range c.readAll() {
			got = append(got, a.Method+" "+string(a.Params))
		}
		want := []string{
			`skills/changed {"generation":2,"added":[],"updated":["a"],"removed":[],"reason":"save"}`,
			`skills/diagnostics {"uri":"file:///a","siteId":"","diagnostics":[]}`,
			`skills/diagnostics {"uri":"file:///b","siteId":"","diagnostics":[]}`,
			`skills/diagnostics {"uri":"file:///d","siteId":"","diagnostics":["x"]}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}

// TestDepthBomb: no nesting takes the stack of the daemon.
func TestDepthBomb(t *testing.T) {
	for name, bomb := range map[string]string{
		"arrays":         strings.Repeat("[", 5_000_000),
		"closed arrays":  strings.Repeat("[", 300_000) + strings.Repeat("]", 300_000),
		"objects":        strings.Repeat(`{"a":`, 1_000_000),
		"params":         `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}",
		"a batch of one": "[" + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + "]",
	} {
		c := converse(t, bomb+"\n"+alive, Config{})
		if len(c.answers) != 2 || c.answers[0].Error == nil || len(c.withID(`"still alive?"`)) != 1 {
			t.Errorf("%s: %+v", name, c.answers)
		}
	}
}

// TestErrorIDIsInTheLog: what the client is told of a panic leads to the stack.
func TestErrorIDIsInTheLog(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	for _, method := range []string{"panic", "prepare.panic", "burst", "unjson"} {
		log.Reset()
		c := converse(t, requestText(1, method)+"\n"+alive, Config{Config: wire.Config{Logger: logger, DrainTimeout: time.Minute}})
		a := c.withID("1")
		if len(a) != 1 || a[0].Error == nil || a[0].Error.Code != -32603 {
			t.Fatalf("%s: %+v", method, c.answers)
		}
		id, _ := a[0].Error.Data["errorId"].(string)
		if len(id) != 8 || !strings.Contains(log.String(), id) {
			t.Errorf("%s: id %q is not in the log: %s", method, id, log.String())
		}
		if method != "unjson" && !strings.Contains(log.String(), "fake_test.go") {
			t.Errorf("%s: no stack in the log: %s", method, log.String())
		}
		if len(c.withID(`"still alive?"`)) != 1 {
			t.Errorf("%s: the server did not go on", method)
		}
	}
}

// TestLogHasNoParams: whatever is logged, it is not what clients send and get.
func TestLogHasNoParams(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	const secret = "hunter2"
	converse(t, strings.Join([]string{
		requestText(1, "echo", secret), requestText(2, "later", secret), requestText(3, "ping", secret),
		`{"jsonrpc":"2.0","id":4,"method":"ping","params":"hunter2"}`,
		`{"jsonrpc":"2.0","id":5,"method":"echo","params":["hunter2"}`,
		`{"jsonrpc":"2.0","method":"echo","params":["hunter2"]}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":["hunter2",2]}`,
		`[{"jsonrpc":"2.0","id":6,"method":"echo","params":["hunter2"]},"hunter2"]`,
		`{"jsonrpc":"2.0","id":7,"result":"hunter2"}`,
	}, "\n"), Config{Config: wire.Config{Logger: logger, DrainTimeout: time.Minute}})
	if log.Len() == 0 || strings.Contains(log.String(), secret) {
		t.Errorf("log: %s", log.String())
	}
}

// TestHungCallIsVisible is citrolabs/ego-lite #307: a call that hung could not
// be told from one that was never made.
func TestHungCallIsVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c := startLines(t, Config{Config: wire.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}})
		c.send(requestText(1, "wait"))
		passTime(12 * time.Second)
		synctest.Wait()
		_ = c.input.Close()
		c.readAll()
		if n := strings.Count(log.String(), "still running"); n != 1 || !strings.Contains(log.String(), "method=wait") {
			t.Errorf("%d lines: %s", n, log.String())
		}
	})
}

// TestCancelledWorkIsNoFailure: what work says after its request was cancelled
// is neither sent nor logged as an error, and the cause it sees is a
// context.Canceled.
func TestCancelledWorkIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c := startLines(t, Config{Config: wire.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}})
		c.send(requestText(1, "grumble"))
		synctest.Wait()
		c.send(cancelText(1))
		_ = c.input.Close()
		if answers := c.readAll(); len(answers) != 1 || answers[0].Error.Code != -32800 {
			t.Errorf("answers: %+v", answers)
		}
		if c.backend.ended.Load() != 1 || log.Len() > 0 {
			t.Errorf("ended %d, log: %s", c.backend.ended.Load(), log.String())
		}
	})
	for _, err := range []error{wire.ErrCancelledByClient, wire.ErrEnding} {
		if !errors.Is(fmt.Errorf("running: %w", err), context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no context.Canceled", err)
		}
	}
}

// TestCancelWhileQueued: a request that was read can be cancelled, and is not
// run when it was.
func TestCancelWhileQueued(t *testing.T) {
	f := newFakeBackend()
	s := newTestServer(f, Config{})
	ctx, cancel := context.WithCancelCause(context.Background())
	s.Start(t.Context(), strings.NewReader(""), io.Discard)
	r := s.Request(wire.ParseMessage([]byte(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)))
	s.Register(r)
	call, _, err := f.Prepare("wait", nil)
	if err != nil {
		t.Fatal(err)
	}
	if answered, err := s.StartWork(r, cancel); answered || err != nil {
		t.Fatalf("start of a request: %v, %v", answered, err)
	}
	s.Settle(r, "cancelled")
	cancel(wire.ErrCancelledByClient)
	s.work(ctx, cancel, r, call)
	if answered, err := s.StartWork(r, cancel); !answered || err != nil {
		t.Errorf("start of an answered request: %v, %v", answered, err)
	}
	s.Remove(r)
	s.Exit()
	if _, err := s.Finish(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if f.ran.Load() != 0 || f.dropped.Load() != 1 {
		t.Errorf("ran %d, dropped %d", f.ran.Load(), f.dropped.Load())
	}
}

// TestNotificationsDoNotRun: a call without an id is not even prepared.
func TestNotificationsDoNotRun(t *testing.T) {
	f := newFakeBackend()
	in := strings.NewReader(`{"jsonrpc":"2.0","method":"echo"}` + "\n" + `{"jsonrpc":"2.0","method":"wait"}`)
	var out bytes.Buffer
	if _, err := Serve(t.Context(), in, &out, f, Config{}); err != nil || out.Len() > 0 || f.ran.Load() > 0 {
		t.Errorf("%v, ran %d, out %q", err, f.ran.Load(), out.String())
	}
}
