package rpc

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"egod/internal/wire"
)

// TestClientThatReadsLate: while the client reads nothing, no handler and no
// notification waits, the queue stays within its bound because requests are no
// longer read, and notifications are what is lost. When it reads, it gets every
// answer.
func TestClientThatReadsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const requests, limit = 500, 256 << 10
		c := startLines(t, Config{Config: wire.Config{MaxQueuedBytes: limit}})
		c.send(requestText(`"first"`, "sleep", "1s"))
		var sending sync.WaitGroup
		sending.Go(func() {
			for i := range requests {
				c.send(requestText(i, "big", "xxxx"))
			}
			_ = c.input.Close()
		})
		synctest.Wait()
		if n := c.backend.ran.Load(); n >= requests {
			t.Errorf("all %d requests were run before anything was read", n)
		}
		for i := range 1000 {
			c.server.Changed(Change{Generation: uint64(i), Updated: []string{"x"}})
		}
		passTime(2 * time.Second) // the handler of "first" ends by itself
		synctest.Wait()
		if n := c.backend.active.Load(); n != 0 {
			t.Errorf("%d handlers wait for the client", n)
		}
		if queued := c.server.Kept().Queued; queued > limit+16<<10 {
			t.Errorf("%d bytes are queued", queued)
		}
		checkLateAnswers(t, c.readAll(), requests)
		sending.Wait()
		if c.outcome.Reason != wire.InputEnded || c.outcome.Unsent != 0 || c.outcome.Dropped == 0 {
			t.Errorf("outcome: %+v", c.outcome)
		}
	})
}

func checkLateAnswers(t *testing.T, answers []answer, requests int) {
	t.Helper()
	seen := make(map[string]int)
	for _, a := range answers {
		if a.Method == "" {
			seen[string(a.ID)]++
		}
	}
	if len(seen) != requests+1 {
		t.Errorf("%d requests were answered, want %d", len(seen), requests+1)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("request %s was answered %d times", id, n)
		}
	}
}

// TestClientThatReadsSlowly: at the end of the input, the time to drain does
// not cut off a client that still reads.
func TestClientThatReadsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{DrainTimeout: 2 * time.Second}})
		c.send(requestText(1, "big", strings.Repeat("x", 2000)))
		_ = c.input.Close()
		go func() {
			<-c.done
			_ = c.output.Close()
		}()
		var got bytes.Buffer
		piece := make([]byte, 100<<10)
		for {
			passTime(time.Second)
			n, err := io.ReadAtLeast(c.output, piece, len(piece))
			got.Write(piece[:n])
			if err != nil {
				break
			}
		}
		if answers := parseOutput(t, got.String()); len(answers) != 1 || c.outcome.Unsent != 0 {
			t.Errorf("%d answers, outcome %+v", len(answers), c.outcome)
		}
	})
}

// TestClientThatStoppedReading: one that does not read is not waited for.
func TestClientThatStoppedReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{DrainTimeout: 2 * time.Second}})
		c.send(requestText(1, "big", "xxx"))
		_ = c.input.Close()
		start := time.Now()
		<-c.done
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("Run took %s", took)
		}
		if c.outcome.Unsent < 3<<10 {
			t.Errorf("outcome: %+v", c.outcome)
		}
	})
}

// TestCancelPastTheClient: what is cancelled while answers pile up is ended
// although its answer cannot be delivered yet.
func TestCancelPastTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{})
		c.send(requestText(1, "wait"))
		synctest.Wait()
		c.send(requestText(2, "big", "xxxx"), requestText(3, "big", "xxxx"), cancelText(1))
		synctest.Wait()
		if c.backend.ended.Load() != 1 {
			t.Error("the cancelled request goes on")
		}
		_ = c.input.Close()
		if answers := c.readAll(); len(answers) != 3 {
			t.Errorf("%d answers", len(answers))
		}
	})
}

// TestConsoleOutputIsDroppedFirst: a tool that prints without end takes no room
// from a change of the skill index, nor from answers.
func TestConsoleOutputIsDroppedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startLines(t, Config{Config: wire.Config{MaxQueuedBytes: 160 << 10}})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"log":true}}}`)
		lines := make([]string, 1000)
		for i := range lines {
			lines[i] = strings.Repeat("x", 100)
		}
		c.send(requestText(2, "print", lines...))
		synctest.Wait()
		c.server.Changed(Change{Generation: 2, Updated: []string{"x"}})
		c.send(requestText(3, "echo"))
		_ = c.input.Close()
		seen := make(map[string]int)
		for _, a := range c.readAll() {
			seen[a.Method]++
		}
		if seen["log"] == 0 || seen["log"] == len(lines) || seen["skills/changed"] != 1 || seen[""] != 3 {
			t.Errorf("got %v", seen)
		}
		if want := uint64(len(lines) - seen["log"]); c.outcome.Dropped != want {
			t.Errorf("%d notifications were counted as dropped, want %d", c.outcome.Dropped, want)
		}
	})
}
