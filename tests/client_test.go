package tests

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait of these tests. It is long, because machines are
// shared; a wait that is over sooner costs nothing.
const patience = 60 * time.Second

// answer is one frame that came from egod: a response or a notification.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *wireError      `json:"error"`
	raw    string
}

type wireError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data"`
}

// daemon is a running egod with line framing, as an agent framework has it.
type daemon struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *lockedBuffer
	exited chan struct{}
	read   chan struct{}

	mu            sync.Mutex
	changed       chan struct{} // closed and replaced at every frame
	answers       map[string]answer
	notifications []answer
	stray         []string // lines of stdout that are no frame
	nextID        int
}

// lockedBuffer collects what a process writes while others read it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// start runs egod with arguments. The test ends it, and fails when stdout held
// anything but frames.
func start(t testing.TB, args ...string) *daemon {
	t.Helper()
	return startCommand(t, exec.Command(egodPath, args...))
}

func startCommand(t testing.TB, cmd *exec.Cmd) *daemon {
	t.Helper()
	d := &daemon{
		t: t, cmd: cmd, stderr: &lockedBuffer{}, answers: map[string]answer{},
		exited: make(chan struct{}), read: make(chan struct{}), changed: make(chan struct{}),
	}
	if cmd.Env == nil {
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	}
	cmd.Stderr = d.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.stdin = stdin
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go d.readAll(stdout)
	go func() {
		<-d.read
		_ = cmd.Wait()
		close(d.exited)
	}()
	t.Cleanup(d.stop)
	return d
}

func (d *daemon) readAll(stdout io.Reader) {
	defer close(d.read)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			d.accept(line)
		}
		if err != nil {
			return
		}
	}
}

func (d *daemon) accept(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	messages := []json.RawMessage{json.RawMessage(line)}
	if strings.HasPrefix(line, "[") { // the answer to a batch
		if err := json.Unmarshal([]byte(line), &messages); err != nil {
			d.stray = append(d.stray, line)
		}
	}
	for _, text := range messages {
		a := answer{raw: string(text)}
		switch err := json.Unmarshal(text, &a); {
		case err != nil:
			d.stray = append(d.stray, line)
		case a.Method != "":
			d.notifications = append(d.notifications, a)
		default:
			d.answers[string(a.ID)] = a
		}
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// until waits until a condition on what was received holds.
func (d *daemon) until(what string, holds func() bool) {
	d.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		d.mu.Lock()
		ok, changed := holds(), d.changed
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-d.exited:
			d.mu.Lock()
			ok := holds()
			d.mu.Unlock()
			if !ok {
				d.t.Fatalf("egod ended (%v) before %s\n%s", d.cmd.ProcessState, what, d.stderr)
			}
			return
		case <-deadline.C:
			d.t.Fatalf("%s did not come within %v\n%s", what, patience, d.stderr)
		}
	}
}

// send writes one line as it is.
func (d *daemon) send(line string) {
	d.t.Helper()
	if _, err := io.WriteString(d.stdin, line+"\n"); err != nil {
		d.t.Fatalf("writing %.200s: %v\n%s", line, err, d.stderr)
	}
}

// begin sends a request and returns its id. Nil params are left out.
func (d *daemon) begin(method string, params any) string {
	d.t.Helper()
	d.mu.Lock()
	d.nextID++
	id := fmt.Sprint(d.nextID)
	d.mu.Unlock()
	if params == nil {
		d.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method))
		return id
	}
	raw, err := json.Marshal(params)
	if err != nil {
		d.t.Fatal(err)
	}
	d.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, raw))
	return id
}

// await returns the answer to a request.
func (d *daemon) await(id string) answer {
	d.t.Helper()
	var a answer
	d.until("the answer to "+id, func() bool {
		var ok bool
		a, ok = d.answers[id]
		return ok
	})
	return a
}

// call sends a request and waits for its answer.
func (d *daemon) call(method string, params any) answer {
	d.t.Helper()
	return d.await(d.begin(method, params))
}

// result sends a request and decodes the result, which must not be an error.
func (d *daemon) result(method string, params, into any) {
	d.t.Helper()
	a := d.call(method, params)
	if a.Error != nil {
		d.t.Fatalf("%s: %s\n%s", method, a.raw, d.stderr)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(a.Result, into); err != nil {
		d.t.Fatalf("%s: %v in %s", method, err, a.raw)
	}
}

// fails sends a request whose answer must be an error of a kind.
func (d *daemon) fails(kind, method string, params any) *wireError {
	d.t.Helper()
	a := d.call(method, params)
	if a.Error == nil || a.Error.Data["kind"] != kind {
		d.t.Fatalf("%s: got %.2000s, want an error of kind %s\n%s", method, a.raw, kind, d.stderr)
	}
	return a.Error
}

// notification waits for a notification that a condition holds for.
func (d *daemon) notification(method string, holds func(params json.RawMessage) bool) json.RawMessage {
	d.t.Helper()
	var found json.RawMessage
	d.until(method, func() bool {
		for _, n := range d.notifications {
			if n.Method == method && holds(n.Params) {
				found = n.Params
				return true
			}
		}
		return false
	})
	return found
}

// wait waits for the process to end by itself and returns its exit code.
func (d *daemon) wait() int {
	d.t.Helper()
	select {
	case <-d.exited:
		return d.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		d.t.Fatalf("egod did not end within %v\n%s", patience, d.stderr)
		return -1
	}
}

// stop ends the daemon in order, and by force when that does not work.
func (d *daemon) stop() {
	_ = d.stdin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case <-d.exited:
	case <-ctx.Done():
		_ = d.cmd.Process.Kill()
		d.t.Errorf("egod had to be killed after its input ended\n%s", d.stderr)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range d.stray {
		d.t.Errorf("stdout held something else than a frame: %.200q", line)
	}
	if strings.Contains(d.stderr.String(), "DATA RACE") {
		d.t.Errorf("the race detector spoke up:\n%s", d.stderr)
	}
}
