//go:build unix

package tests

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var (
	stressSeed   = flag.Uint64("stress.seed", 0, "seed of TestStress; 0 takes one from the clock and prints it")
	stressRounds = flag.Int("stress.rounds", 1000, "rounds of TestStress")
	stressTime   = flag.Duration("stress.time", 40*time.Second, "when TestStress stops to begin new rounds")
)

// TestStress plays random clients: requests, garbage, cancellations, batches and
// floods, in rounds of a few messages, several rounds to a daemon, and then one
// of the ways a daemon ends. Whatever they do, a daemon that ends in order has
// answered every request once, with a fitting answer; every daemon ends, and
// takes its workers along.
//
// A failure names the seed; -stress.seed plays the same clients again.
func TestStress(t *testing.T) {
	seed := *stressSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("play again with -stress.seed=%d", seed)
	root := t.TempDir()
	demoPack.write(t, root)
	ctx, cancel := context.WithTimeout(t.Context(), *stressTime)
	defer cancel()
	var daemons, rounds, requests atomic.Int64
	var group sync.WaitGroup
	for player := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(player)))
			for ctx.Err() == nil && rounds.Load() < int64(*stressRounds) {
				c := &chaos{t: t, random: random, name: fmt.Sprintf("seed %d player %d daemon %d", seed, player, daemons.Add(1)), sent: map[string]string{}}
				c.play(root, t.TempDir())
				rounds.Add(int64(c.rounds))
				requests.Add(int64(len(c.sent)))
				if t.Failed() {
					return
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d rounds with %d daemons and %d requests", rounds.Load(), daemons.Load(), requests.Load())
	if rounds.Load() < int64(*stressRounds)/20 {
		t.Errorf("only %d rounds were played in %v", rounds.Load(), *stressTime)
	}
}

// TestStressOneDaemon plays many rounds against one daemon: its descriptors and
// threads do not grow.
func TestStressOneDaemon(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	demoPack.write(t, root)
	d := startClean(t, "serve", "--root", root, "--builtin=false", "--workers", "1", "--max-concurrent-runs", "3")
	c := &chaos{t: t, random: rand.New(rand.NewPCG(1, 2)), name: "one daemon", sent: map[string]string{}, stdin: d.stdin}
	rounds := func(n int) {
		for range n {
			c.round()
		}
		for id := range c.sent {
			d.await(id)
		}
	}
	count := func(what string) int {
		entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/%s", d.cmd.Process.Pid, what))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	settled := func() bool { return len(descendants(d.cmd.Process.Pid)) <= 1 }
	rounds(100)
	eventually(t, patience, "one worker left", settled)
	files, threads := count("fd"), count("task")
	rounds(400)
	eventually(t, patience, "one worker left", settled)
	took, ok := within(10*time.Second, func() bool { return count("fd") <= files })
	t.Logf("descriptors %d, then %d after %v; threads %d, then %d", files, count("fd"), took, threads, count("task"))
	if !ok {
		t.Errorf("%d descriptors are open, %d were after the first rounds", count("fd"), files)
	}
	if now := count("task"); now > threads+20 {
		t.Errorf("%d threads, %d after the first rounds", now, threads)
	}
}

// chaos is one daemon and its client.
type chaos struct {
	t      testing.TB
	random *rand.Rand
	name   string
	rounds int

	stdin  io.WriteCloser
	header bool // framing
	mayEnd bool // the daemon may have ended: writing may fail
	nextID int
	// sent are the requests that need an answer: id -> what it must be.
	sent map[string]string
	// invalid counts messages whose answer has the id null.
	invalid int
}

// What an answer must be.
const (
	anyAnswer = "any"
	aResult   = "result"
	anError   = "error"
)

func (c *chaos) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s: "+format, append([]any{c.name}, args...)...)
}

// play runs one daemon through some rounds and an end.
func (c *chaos) play(root, tempDir string) {
	cmd := exec.Command(egodPath, "serve", "--root", root, "--builtin=false", "--workers", "1", "--max-concurrent-runs", "3", "--drain-timeout", "20s")
	cmd.Env = append(os.Environ(), "TMPDIR="+tempDir)
	stderr := &lockedBuffer{}
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		c.errorf("%v", err)
		return
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		c.errorf("%v", err)
		return
	}
	if err := cmd.Start(); err != nil {
		c.errorf("%v", err)
		return
	}
	c.stdin, c.header = stdin, c.random.IntN(3) == 0
	answers := make(chan map[string][]string, 1)
	go func() { answers <- c.readAnswers(stdout) }()

	c.request("ping", "", aResult) // settles the framing
	for range 1 + c.random.IntN(15) {
		c.rounds++
		c.round()
	}
	below := descendants(cmd.Process.Pid)
	orderly := c.end(cmd.Process, stdout)
	got := <-answers
	watchdog := time.AfterFunc(patience, func() {
		c.errorf("the daemon did not end\n%s", stderr)
		_ = cmd.Process.Kill()
	})
	_ = cmd.Wait()
	watchdog.Stop()
	if orderly {
		c.check(got, stderr.String())
	}
	if strings.Contains(stderr.String(), "panic") || strings.Contains(stderr.String(), "DATA RACE") {
		c.errorf("stderr:\n%s", stderr)
	}
	if _, ok := within(5*time.Second, func() bool { return ended(below) }); !ok {
		c.errorf("a worker outlived its daemon")
	}
}

// round sends a few messages of one sort.
func (c *chaos) round() {
	switch c.random.IntN(10) {
	case 0:
		c.garbage()
	case 1:
		c.batch()
	case 2: // cancel something that runs, waits, has ended or never was
		id := c.request("runTool", `{"siteId":"demo","toolName":"forever","space":`+c.space()+`}`, anError)
		c.request("ping", "", aResult)
		c.note("$/cancelRequest", `{"id":`+id+`}`)
		c.note("$/cancelRequest", fmt.Sprintf(`{"id":%d}`, c.random.IntN(1000)))
	case 3: // cancel at once, before it can have begun
		id := c.request("runTool", `{"siteId":"demo","toolName":"spin","space":`+c.space()+`}`, anError)
		c.note("notifications/cancelled", `{"requestId":`+id+`}`)
	case 4: // a flood
		for range c.random.IntN(200) {
			c.request("skillsForUrl", `["https://demo.test/"]`, aResult)
		}
	case 5:
		c.request("runTool", `{"siteId":"demo","toolName":"echo","args":{"text":"`+strings.Repeat("x", c.random.IntN(100_000))+`"}}`, aResult)
	case 6:
		c.request("runTool", `["demo","fail"]`, anError)
		c.request("runTool", `["demo","nothing"]`, anError)
		c.request("no/such/method", "", anError)
		c.request("ping", `{"unknown":1}`, anyAnswer)
	case 7:
		c.request("runTool", fmt.Sprintf(`{"siteId":"demo","toolName":"slow","args":{"ms":%d},"space":%s,"_meta":{"progressToken":%d}}`, c.random.IntN(30), c.space(), c.nextID), aResult)
	case 8:
		c.request("runTool", fmt.Sprintf(`{"siteId":"demo","toolName":"spin","timeoutMs":%d,"space":%s}`, 1+c.random.IntN(50), c.space()), anError)
	case 9: // notifications are never answered
		c.note("runTool", `["demo","echo"]`)
		c.note("no/such/method", "")
		c.note("initialized", "{}")
	}
}

// space is one of a few task spaces: runs in one wait for each other, and runs in
// different ones for a place among the runs.
func (c *chaos) space() string { return fmt.Sprintf(`"space %d"`, c.random.IntN(5)) }

// garbage sends what is no message. With headers, its length is right, so that
// the next message can be found.
func (c *chaos) garbage() {
	for range 1 + c.random.IntN(3) {
		switch c.random.IntN(5) {
		case 0:
			c.frame(`{"jsonrpc":"2.0","id":1,`)
		case 1:
			c.frame(`{"jsonrpc":"1.0"}`)
		case 2:
			noise := make([]byte, 1+c.random.IntN(300))
			for i := range noise {
				noise[i] = byte('!' + c.random.IntN(90)) // no line feed: it would be two lines
			}
			c.frame("!" + string(noise))
		case 3:
			c.frame(strings.Repeat("[", 20_000))
		case 4:
			c.frame("[]")
		}
		c.invalid++
	}
}

func (c *chaos) batch() {
	var items []string
	for range 1 + c.random.IntN(5) {
		id := c.id(aResult)
		items = append(items, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
	}
	items = append(items, `{"jsonrpc":"2.0","method":"initialized"}`)
	c.frame("[" + strings.Join(items, ",") + "]")
}

func (c *chaos) id(want string) string {
	c.nextID++
	id := fmt.Sprintf("%d", c.nextID)
	if c.random.IntN(2) == 0 {
		id = fmt.Sprintf("%q", "id-"+id)
	}
	c.sent[id] = want
	return id
}

func (c *chaos) request(method, params, want string) (id string) {
	id = c.id(want)
	c.frame(message(id, method, params))
	return id
}

func (c *chaos) note(method, params string) { c.frame(message("", method, params)) }

func message(id, method, params string) string {
	text := `{"jsonrpc":"2.0"`
	if id != "" {
		text += `,"id":` + id
	}
	text += `,"method":"` + method + `"`
	if params != "" {
		text += `,"params":` + params
	}
	return text + "}"
}

func (c *chaos) frame(text string) {
	if c.header {
		text = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
	} else {
		text += "\n"
	}
	if _, err := io.WriteString(c.stdin, text); err != nil && !c.mayEnd {
		c.errorf("the daemon stopped reading: %v", err)
	}
}

// end ends the daemon in one of its ways. orderly means that it must have
// answered everything.
func (c *chaos) end(p *os.Process, stdout io.Closer) (orderly bool) {
	c.mayEnd = true
	switch c.random.IntN(6) {
	case 0:
		_ = p.Kill()
	case 1:
		_ = stdout.Close()
	case 2: // asked to go, and gone
		c.request("shutdown", "", aResult)
		c.note("exit", "")
	case 3:
		_ = p.Signal(syscall.SIGTERM)
		_ = p.Signal(syscall.SIGINT)
	case 4: // what was not read before the signal needs no answer
		_ = p.Signal(syscall.SIGTERM)
	default:
		_ = c.stdin.Close()
		return true
	}
	return false
}

// readAnswers collects the answers by id until the output ends.
func (c *chaos) readAnswers(stdout io.Reader) map[string][]string {
	got := map[string][]string{}
	take := func(raw json.RawMessage) {
		var a answer
		if err := json.Unmarshal(raw, &a); err != nil {
			c.errorf("stdout held something else than a message: %v: %.200q", err, raw)
			return
		}
		if a.Method != "" {
			return
		}
		kind := aResult
		if a.Error != nil {
			kind = anError
		}
		got[string(a.ID)] = append(got[string(a.ID)], kind)
	}
	for in := bufio.NewReader(stdout); ; {
		text, err := c.readFrame(in)
		if err != nil {
			return got
		}
		if bytes.HasPrefix(text, []byte("[")) {
			var list []json.RawMessage
			if err := json.Unmarshal(text, &list); err != nil {
				c.errorf("stdout held something else than a message: %v: %.200q", err, text)
			}
			for _, raw := range list {
				take(raw)
			}
			continue
		}
		take(text)
	}
}

func (c *chaos) readFrame(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadBytes('\n')
	if err != nil || !c.header {
		return line, err
	}
	var length int
	if _, err := fmt.Sscanf(string(line), "Content-Length: %d\r\n", &length); err != nil {
		c.errorf("no header: %.200q", line)
		return nil, err
	}
	if _, err := in.Discard(len("\r\n")); err != nil {
		return nil, err
	}
	body := make([]byte, length)
	_, err = io.ReadFull(in, body)
	return body, err
}

// check compares what came with what was sent.
func (c *chaos) check(got map[string][]string, stderr string) {
	for id, want := range c.sent {
		kinds := got[id]
		delete(got, id)
		if len(kinds) != 1 || want != anyAnswer && kinds[0] != want {
			c.errorf("request %s got %v, want one %s\n%s", id, kinds, want, stderr)
		}
	}
	invalid := got["null"]
	delete(got, "null")
	if len(invalid) != c.invalid {
		c.errorf("%d answers for %d messages that were none\n%s", len(invalid), c.invalid, stderr)
	}
	for id, kinds := range got {
		c.errorf("there are answers %v for %s, which was not sent", kinds, id)
	}
}
