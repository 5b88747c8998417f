package runtime

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultWorkers    = 2
	defaultMaxWorkers = 64
	// maxRunsPerWorker retires a worker that did much, so that no slow growth of
	// any library's caches can add up.
	maxRunsPerWorker = 2000
	// idleExtra is how long a worker beyond Config.Workers is kept for the next burst.
	idleExtra = 5 * time.Second
	// startTimeout bounds the start of a worker, which takes some milliseconds.
	startTimeout = 20 * time.Second
)

// Pool keeps worker processes and runs programs in them. All its methods may be
// called concurrently.
type Pool struct {
	cfg    Config
	limits Limits
	log    *slog.Logger
	ctx    context.Context //nolint:containedctx // lives as long as the pool
	cancel context.CancelFunc
	tasks  sync.WaitGroup // every goroutine, worker and run of the pool
	runSeq atomic.Uint64

	mu     sync.Mutex // guards the fields below
	closed bool
	idle   []*workerProcess // last used last
	live   int              // idle, busy and starting workers
	starts int              // workers starting now
	all    map[*workerProcess]struct{}
	// waiting runs, first come first served; each channel has room for one worker.
	waiting  []chan *workerProcess
	lastFail error // of the last start, given to waiting runs
	trimmer  *time.Timer
}

// NewPool makes a pool and starts its warm workers in the background.
func NewPool(cfg Config) (*Pool, error) {
	if len(cfg.Command) == 0 {
		return nil, errors.New("runtime pool needs the command of its workers")
	}
	if cfg.Workers <= 0 {
		cfg.Workers = defaultWorkers
	}
	if cfg.MaxWorkers <= 0 {
		cfg.MaxWorkers = max(defaultMaxWorkers, cfg.Workers)
	}
	p := &Pool{cfg: cfg, limits: cfg.Limits.over(defaultLimits), log: cfg.Logger, all: map[*workerProcess]struct{}{}}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.mu.Lock()
	p.refillLocked()
	p.mu.Unlock()
	return p, nil
}

// Close ends every worker, and the runs in them, and waits until they are gone.
func (p *Pool) Close() error {
	p.mu.Lock()
	already := p.closed
	p.closed = true
	p.cancel()
	if p.trimmer != nil {
		p.trimmer.Stop()
	}
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	if !already {
		for _, w := range idle {
			w.kill()
		}
	}
	p.tasks.Wait()
	return nil
}

// refillLocked starts workers until Config.Workers live, or until every waiting
// run has one coming.
func (p *Pool) refillLocked() {
	for !p.closed && p.live < p.cfg.MaxWorkers && (p.live < p.cfg.Workers || p.starts < len(p.waiting)) {
		p.live++
		p.starts++
		p.tasks.Add(1)
		go p.start()
	}
}

// start starts one worker and hands it to a waiting run or to the idle ones.
func (p *Pool) start() {
	defer p.tasks.Done()
	ctx, cancel := context.WithTimeout(p.ctx, startTimeout)
	defer cancel()
	w, err := startWorker(ctx, &p.cfg, addressSpaceFor(p.limits.MemoryBytes))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starts--
	if err != nil {
		p.live--
		if p.ctx.Err() == nil {
			p.lastFail = err
			p.log.Error("worker did not start", "error", err)
			p.failWaitingLocked()
		}
		return
	}
	p.all[w] = struct{}{}
	p.tasks.Add(1)
	go p.watch(w)
	p.handLocked(w)
}

// watch waits for the end of a worker and takes it out of the books.
func (p *Pool) watch(w *workerProcess) {
	defer p.tasks.Done()
	<-w.exited
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, w)
	p.dismissLocked(w)
	for i, idle := range p.idle {
		if idle == w { // died while idle, killed by somebody
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.log.Warn("idle worker ended", "status", w.status)
			go drain(w.frames)
			break
		}
	}
}

// dismissLocked takes a worker that ends out of the count, once, so that its
// replacement starts now and not when the process is gone.
func (p *Pool) dismissLocked(w *workerProcess) {
	if w.dismissed {
		return
	}
	w.dismissed = true
	p.live--
	p.refillLocked()
}

// failWaitingLocked ends the wait of every run when no worker can be started.
func (p *Pool) failWaitingLocked() {
	if p.starts > 0 || p.live > 0 {
		return
	}
	for _, c := range p.waiting {
		close(c)
	}
	p.waiting = nil
}

// handLocked gives a worker to the first waiting run or makes it idle.
func (p *Pool) handLocked(w *workerProcess) {
	switch {
	case p.closed:
		w.kill()
	case len(p.waiting) > 0:
		c := p.waiting[0]
		p.waiting = p.waiting[1:]
		c <- w
	default:
		w.idleFrom = time.Now()
		p.idle = append(p.idle, w)
		p.trimLaterLocked()
	}
}

// acquire takes an idle worker or waits for one.
func (p *Pool) acquire(ctx context.Context) (*workerProcess, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if w := p.takeIdleLocked(); w != nil {
		p.mu.Unlock()
		return w, nil
	}
	c := make(chan *workerProcess, 1)
	p.waiting = append(p.waiting, c)
	p.refillLocked()
	p.mu.Unlock()
	select {
	case w, ok := <-c:
		if !ok {
			return nil, p.startFailure()
		}
		return w, nil
	case <-ctx.Done():
		p.abandon(c)
		return nil, context.Cause(ctx)
	case <-p.ctx.Done():
		p.abandon(c)
		return nil, ErrClosed
	}
}

// takeIdleLocked takes the one of the last Config.Workers used that has been idle
// for longest. After a run a worker makes the runtime for its next one, so taking
// turns hides that; extra workers stay idle and can be ended.
func (p *Pool) takeIdleLocked() *workerProcess {
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	at := n - min(n, p.cfg.Workers)
	w := p.idle[at]
	p.idle = append(p.idle[:at], p.idle[at+1:]...)
	return w
}

func (p *Pool) startFailure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastFail
}

// abandon takes a run that gave up out of the queue; a worker that reached it in
// the meantime goes to the next.
func (p *Pool) abandon(c chan *workerProcess) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.waiting {
		if other == c {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			return
		}
	}
	select {
	case w, ok := <-c:
		if ok {
			p.handLocked(w)
		}
	default:
	}
}

// release gives a worker back after a run; retire ends it instead.
func (p *Pool) release(w *workerProcess, retire bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if retire || w.runs >= maxRunsPerWorker {
		p.dismissLocked(w)
		w.end()
		return
	}
	p.handLocked(w)
}

// discard kills a worker that did not stop or went wrong.
func (p *Pool) discard(w *workerProcess) {
	w.kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dismissLocked(w)
}

// trimLaterLocked arms the timer that ends extra workers.
func (p *Pool) trimLaterLocked() {
	if p.closed || p.trimmer != nil || p.live <= p.cfg.Workers {
		return
	}
	p.trimmer = time.AfterFunc(idleExtra, p.trim)
}

// trim ends workers beyond Config.Workers that nobody used for a while.
func (p *Pool) trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trimmer = nil
	cutoff := time.Now().Add(-idleExtra)
	for len(p.idle) > 0 && p.live > p.cfg.Workers && p.idle[0].idleFrom.Before(cutoff) {
		w := p.idle[0]
		p.idle = p.idle[1:]
		p.dismissLocked(w)
		w.end()
	}
	p.trimLaterLocked()
}

// addressSpaceFor is how much address space a worker may take: the heap limit,
// what a single native call may ask beyond it before the watchdog sees it, and
// what the Go runtime reserves. A worker at rest has 1.6 GiB of it reserved, so that
// less than 2 GiB is none: it would not start.
func addressSpaceFor(memory int64) int64 {
	return max(2<<30, 1<<30+4*memory)
}
