package browser

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// stderrKeep is how much of Chrome's stderr is kept for error messages.
const stderrKeep = 8 << 10

// outputDelay bounds the wait for stderr after the main process ended while a
// descendant still holds the handle.
const outputDelay = 500 * time.Millisecond

// chromeProcess is a running Chrome and the group or job of its descendants.
type chromeProcess struct {
	pid    int
	cmd    *exec.Cmd
	group  processGroup
	stderr *tail
	done   chan struct{} // closed when the main process was reaped
	err    error         // how it ended; read after done
}

// startProcess starts path with a devtools pipe. env nil means our own environment.
// Stdin and stdout of the child are the null device.
func startProcess(path string, args, env []string) (*chromeProcess, *pipe, error) {
	ends, err := newPipeEnds()
	if err != nil {
		return nil, nil, err
	}
	p := &chromeProcess{stderr: &tail{max: stderrKeep}, done: make(chan struct{})}
	p.cmd = exec.Command(path, append(ends.args(), args...)...)
	p.cmd.Env = env
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = outputDelay
	ends.inherit(p.cmd)
	prepareCommand(p.cmd)

	started := make(chan error)
	go p.runLocked(started)
	err = <-started
	ends.closeChildSide()
	if err != nil {
		ends.closeOurSide()
		return nil, nil, err
	}
	return p, newPipe(ends.read, ends.write), nil
}

// runLocked starts the child and waits for it on one locked thread: on Linux the
// parent-death signal belongs to the thread that started the child, and a thread
// the runtime retires would take Chrome with it (golang/go #27505).
func (p *chromeProcess) runLocked(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		close(p.done)
		started <- err
		return
	}
	p.pid = p.cmd.Process.Pid
	p.group = newProcessGroup(p.cmd.Process)
	started <- nil
	p.err = p.cmd.Wait()
	close(p.done)
}

// stop waits until the process ended by itself, kills it at the end of ctx, and
// in both cases ends what is left of its group.
func (p *chromeProcess) stop(ctx context.Context) {
	select {
	case <-p.done:
	case <-ctx.Done():
	}
	p.group.kill()
	<-p.done
	p.group.release()
}

// exitCode is the child's exit code, or -1 while it runs or when a signal ended it.
func (p *chromeProcess) exitCode() int {
	select {
	case <-p.done:
	default:
		return -1
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return exit.ExitCode()
	}
	if p.err != nil {
		return -1
	}
	return 0
}

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

// lines returns the last n lines as valid UTF-8.
func (t *tail) lines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.buf), []byte("\n"))
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return string(bytes.ToValidUTF8(bytes.Join(lines, []byte("\n")), []byte("\uFFFD")))
}
