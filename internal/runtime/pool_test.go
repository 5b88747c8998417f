package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// idleWorkers are the workers that wait for a run.
func idleWorkers(p *Pool) []*workerProcess {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*workerProcess(nil), p.idle...)
}

func TestWorkerIsReusedAndItsProgramsAreKept(t *testing.T) {
	p := newTestPool(t)
	prog := body("return 1")
	for range 5 {
		if _, err := run(t, p, Request{Program: prog}); err != nil {
			t.Fatal(err)
		}
	}
	workers := idleWorkers(p)
	if len(workers) != 1 || workers[0].runs != 5 || len(workers[0].known) != 1 {
		t.Errorf("%d idle workers after runs one after the other", len(workers))
	}
}

func TestProgramsForgottenByTheWorkerAreSentAgain(t *testing.T) {
	p := newTestPool(t)
	for i := range maxCachedPrograms + 10 {
		if got := value(t, p, fmt.Sprintf("return %d", i)); got != fmt.Sprint(i) {
			t.Fatalf("program %d gave %s", i, got)
		}
	}
	for _, i := range []int{0, 5, maxCachedPrograms} {
		if got := value(t, p, fmt.Sprintf("return %d", i)); got != fmt.Sprint(i) {
			t.Errorf("program %d gave %s the second time", i, got)
		}
	}
	if w := idleWorkers(p); len(w) != 1 || w[0].runs != maxCachedPrograms+13 {
		t.Errorf("the worker was not the same for all")
	}
}

func TestWorkerThatDiesIdleIsReplaced(t *testing.T) {
	p := newTestPool(t)
	value(t, p, "return 1")
	for range 5 {
		for _, w := range idleWorkers(p) {
			killProcess(w.cmd)
		}
		if got := value(t, p, "return 2"); got != "2" {
			t.Fatalf("got %s", got)
		}
	}
}

func TestWorkerThatDiesInARun(t *testing.T) {
	p := newTestPool(t)
	started := make(chan struct{}, 1)
	host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	value(t, p, "return 1")
	w := idleWorkers(p)[0]
	go func() {
		<-started
		killProcess(w.cmd)
	}()
	_, err := run(t, p, Request{Program: body("await ctx.call('x')"), Host: host})
	var we *WorkerError
	if !errors.As(err, &we) || !strings.Contains(we.Reason, "killed") {
		t.Errorf("error %v, want a WorkerError that says killed", err)
	}
	if got := value(t, p, "return 2"); got != "2" {
		t.Errorf("the next run gave %s", got)
	}
}

func TestMoreWorkersOnDemand(t *testing.T) {
	p := newTestPool(t)
	const n = 5
	var all sync.WaitGroup
	all.Add(n)
	host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		all.Done()
		all.Wait() // every run is in its worker at the same time
		return nil, nil
	})
	errs := make(chan error, n)
	for range n {
		go func() {
			_, err := run(t, p, Request{Program: body("await ctx.call('x')"), Host: host})
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if got := len(idleWorkers(p)); got != n {
		t.Errorf("%d idle workers after %d runs at once", got, n)
	}
	p.mu.Lock()
	for _, w := range p.idle {
		w.idleFrom = w.idleFrom.Add(-2 * idleExtra)
	}
	p.mu.Unlock()
	p.trim()
	if got := len(idleWorkers(p)); got != 1 {
		t.Errorf("%d idle workers after the extra ones were idle for long, want 1", got)
	}
}

func TestRunsPastMaxWorkersWait(t *testing.T) {
	p := newTestPool(t, func(c *Config) { c.MaxWorkers = 1 })
	release := make(chan struct{})
	inside := make(chan struct{}, 1)
	host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		inside <- struct{}{}
		<-release
		return nil, nil
	})
	done := make(chan error, 1)
	go func() {
		_, err := run(t, p, Request{Program: body("await ctx.call('x')"), Host: host})
		done <- err
	}()
	<-inside
	_, err := p.Run(context.Background(), Request{Program: body("return 1"), Timeout: 50 * time.Millisecond})
	var te *TimeoutError
	if !errors.As(err, &te) {
		t.Errorf("error %v, want a TimeoutError while waiting for a worker", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := value(t, p, "return 2"); got != "2" {
		t.Errorf("got %s", got)
	}
}

func TestWorkersHaveNoEnvironmentAndNoFiles(t *testing.T) {
	p := newTestPool(t)
	value(t, p, "return 1")
	w := idleWorkers(p)[0]
	if goruntime.GOOS != "linux" {
		return
	}
	env, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(w.cmd.Process.Pid), "environ"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Trim(string(env), "\x00"); got != workerEnv+"=1" {
		t.Errorf("environment %q", got)
	}
}

func TestNothingPrintedReachesTheFrames(t *testing.T) {
	if goruntime.GOOS != "linux" {
		return
	}
	p := newTestPool(t)
	value(t, p, "return 1")
	dir := filepath.Join("/proc", fmt.Sprint(idleWorkers(p)[0].cmd.Process.Pid), "fd")
	stdout, err1 := os.Readlink(filepath.Join(dir, "1"))
	stderr, err2 := os.Readlink(filepath.Join(dir, "2"))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if stdout != stderr {
		t.Errorf("the worker's stdout is %s, its stderr %s: what a library prints would be taken for a frame", stdout, stderr)
	}
}

func TestMemoryDoesNotGrowOverRuns(t *testing.T) {
	if goruntime.GOOS != "linux" || testing.Short() {
		return
	}
	p := newTestPool(t)
	prog := body("console.log('x'); await ctx.call('echo', {a: 1}); return {list: [1, 2, 3].map((x) => x + 1)}")
	host := hostFunc(func(_ context.Context, _ string, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	rss := func() int {
		data, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(idleWorkers(p)[0].cmd.Process.Pid), "statm"))
		if err != nil {
			t.Fatal(err)
		}
		var total, resident int
		if _, err := fmt.Sscan(string(data), &total, &resident); err != nil {
			t.Fatal(err)
		}
		return resident * os.Getpagesize() >> 10
	}
	runMany := func(n int) {
		for range n {
			if _, err := p.Run(context.Background(), Request{Program: prog, Host: host}); err != nil {
				t.Fatal(err)
			}
		}
	}
	runMany(500)
	before := rss()
	runMany(1000)
	if after := rss(); after > before+before/4+8<<10 {
		t.Errorf("the worker grew from %d KB to %d KB in 1,000 runs", before, after)
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	p := newTestPool(t)
	asked, release, late := make(chan struct{}), make(chan struct{}), make(chan struct{})
	host := hostFunc(func(_ context.Context, name string, _ json.RawMessage) (json.RawMessage, error) {
		if name == "asked" {
			<-asked
			return nil, nil
		}
		close(asked)
		<-release // does not look at its context, as a host should
		defer close(late)
		return json.RawMessage(`"late"`), nil
	})
	if _, err := run(t, p, Request{Program: body("ctx.call('x'); await ctx.call('asked')"), Host: host}); err != nil {
		t.Fatal(err)
	}
	close(release)
	echo := hostFunc(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		<-late
		return json.RawMessage(`"right"`), nil
	})
	res, err := run(t, p, Request{Program: body("return ctx.call('y')"), Host: echo})
	if err != nil || string(res.Value) != `"right"` {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestHostPanicFailsTheCallAlone(t *testing.T) {
	p := newTestPool(t)
	host := hostFunc(func(context.Context, string, json.RawMessage) (json.RawMessage, error) { panic("bug") })
	res, err := run(t, p, Request{Program: body("try { await ctx.call('x') } catch (e) { return e.message }"), Host: host})
	if err != nil || string(res.Value) != `"host call x failed: internal error"` {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestManyCancelsLeaveNothing(t *testing.T) {
	var log bytes.Buffer
	p := newTestPool(t, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	prog := body("await ctx.call('x')")
	for range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
			cancel()
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		if _, err := p.Run(ctx, Request{Program: prog, Host: host}); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
	}
	if got := value(t, p, "return 1"); got != "1" {
		t.Errorf("the next run gave %s", got)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if log.Len() > 0 { // an interrupt must not look like a fault of the worker
		t.Errorf("logged %s", log.String())
	}
}

// Answers that keep coming leave a turn to what else there is.
func TestLoopGivesEveryKindItsTurn(t *testing.T) {
	l := newLoop()
	done := false
	posts := 0
	var again func()
	again = func() {
		if posts++; !done && posts < 1000 {
			l.post(again)
		}
	}
	l.post(again)
	l.addImmediate(func() error { done = true; return nil })
	if err := l.run(false, func() bool { return false }); err != nil {
		t.Fatal(err)
	}
	if posts == 1000 || !done {
		t.Errorf("an immediate came after %d answers, done %v", posts, done)
	}
}

// The loop's own clock, without a worker.
func TestLoopFiresTimersInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoop()
		var got []string
		add := func(name string, d time.Duration, repeat bool) int64 {
			return l.addTimer(d, repeat, func() error { got = append(got, name); return nil })
		}
		add("30", 30*time.Millisecond, false)
		add("10a", 10*time.Millisecond, false)
		add("10b", 10*time.Millisecond, false)
		gone := add("gone", 5*time.Millisecond, false)
		l.clearTimer(gone)
		every := add("every", 12*time.Millisecond, true)
		l.addTimer(25*time.Millisecond, false, func() error { l.clearTimer(every); return nil })
		start := time.Now()
		if err := l.run(false, func() bool { return false }); err != nil {
			t.Fatal(err)
		}
		if want := "[10a 10b every every 30]"; fmt.Sprint(got) != want {
			t.Errorf("fired %v, want %s", got, want)
		}
		if took := time.Since(start); took != 30*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}
