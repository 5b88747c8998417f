package process

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// stderrKeep is how much of a child's stderr is kept for error messages, in bytes.
const stderrKeep = 8 << 10

// outputDelay bounds the wait for stderr after the child ended while a descendant
// still holds the handle.
const outputDelay = 500 * time.Millisecond

// Child is a running process and the group or job of its descendants, which end
// with egod: by Stop, and where the system can see to it also when egod is killed.
type Child struct {
	PID int
	// Strays, when set before Stop, reaps descendants that left the group and
	// returns how many of them still run.
	Strays func() int

	cmd    *exec.Cmd
	group  group
	stderr *tail
	done   chan struct{}
	err    error // how it ended; read after done
}

// Start starts a command as the leader of a group of its own. The command's
// stderr is kept for Stderr; its other streams are as cmd has them.
func Start(cmd *exec.Cmd) (*Child, error) {
	c := &Child{cmd: cmd, stderr: &tail{max: stderrKeep}, done: make(chan struct{})}
	cmd.Stderr = c.stderr
	cmd.WaitDelay = outputDelay
	prepare(cmd)
	started := make(chan error)
	go c.runLocked(started)
	return c, <-started
}

// runLocked starts the child and waits for it on one locked thread: on Linux the
// parent-death signal belongs to the thread that started the child, and a thread
// the runtime retires would take the child with it (golang/go #27505).
func (c *Child) runLocked(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.cmd.Start(); err != nil {
		close(c.done)
		started <- err
		return
	}
	c.PID = c.cmd.Process.Pid
	c.group = newGroup(c.cmd.Process)
	started <- nil
	c.err = c.cmd.Wait()
	close(c.done)
}

// Done is closed when the child was reaped.
func (c *Child) Done() <-chan struct{} { return c.done }

// Err is how the child ended, nil for exit code 0. It is read after Done.
func (c *Child) Err() error { return c.err }

// Kill ends the child and its descendants without waiting.
func (c *Child) Kill() { c.group.kill() }

// Stop waits until the child ended by itself, kills it at the end of ctx, and in
// both cases ends what is left of its group.
func (c *Child) Stop(ctx context.Context) {
	select {
	case <-c.done:
	case <-ctx.Done():
	}
	c.group.kill()
	<-c.done
	c.group.release(c.Strays)
}

// ExitCode is the child's exit code, or -1 while it runs or when a signal ended it.
func (c *Child) ExitCode() int {
	select {
	case <-c.done:
	default:
		return -1
	}
	var exit *exec.ExitError
	if errors.As(c.err, &exit) {
		return exit.ExitCode()
	}
	if c.err != nil {
		return -1
	}
	return 0
}

// Stderr returns the last n lines that the child printed, as valid UTF-8.
func (c *Child) Stderr(n int) string { return c.stderr.lines(n) }

// tail keeps the last max bytes written to it.
type tail struct {
	mu  sync.Mutex
	max int
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

func (t *tail) lines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.buf), []byte("\n"))
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return string(bytes.ToValidUTF8(bytes.Join(lines, []byte("\n")), []byte("\uFFFD")))
}
