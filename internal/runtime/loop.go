package runtime

import (
	"container/heap"
	"sync"
	"time"
)

// loop is the event loop of one realm. All but post and stop belong to the
// goroutine that runs it. Jobs of promises need no care: the engine runs them
// when the outermost call returns.
type loop struct {
	timers  timerHeap
	byID    map[int64]*timer
	nextID  int64
	waiting int // host calls without an answer

	wake    chan struct{} // has room for one
	stopped chan struct{} // closed by stop

	mu     sync.Mutex // guards posted and cause
	posted []func()
	cause  error
}

type timer struct {
	id     int64
	at     time.Time
	every  time.Duration // of an interval
	repeat bool
	unref  bool // does not keep the loop going
	fire   func() error
	index  int // in the heap, -1 when not in it
}

func newLoop() *loop {
	return &loop{byID: map[int64]*timer{}, wake: make(chan struct{}, 1), stopped: make(chan struct{})}
}

// post queues fn for the loop's goroutine; from any goroutine, never blocks.
func (l *loop) post(fn func()) {
	l.mu.Lock()
	l.posted = append(l.posted, fn)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// stop ends the loop; the first cause stays.
func (l *loop) stop(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause == nil {
		l.cause = cause
		close(l.stopped)
	}
}

// stopCause returns why the loop was stopped, nil if it was not.
func (l *loop) stopCause() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// addTimer starts a timer. Delays count from now, at least 1 ms as in Node.
func (l *loop) addTimer(delay time.Duration, repeat bool, fire func() error) int64 {
	delay = max(delay, time.Millisecond)
	l.nextID++
	t := &timer{id: l.nextID, at: time.Now().Add(delay), every: delay, repeat: repeat, fire: fire}
	l.byID[t.id] = t
	heap.Push(&l.timers, t)
	return t.id
}

func (l *loop) clearTimer(id int64) {
	if t := l.byID[id]; t != nil {
		delete(l.byID, id)
		if t.index >= 0 {
			heap.Remove(&l.timers, t.index)
		}
	}
}

// run works until finished reports true, nothing is left to wait for, or stop is
// called. It returns the error of a timer's callback at once.
func (l *loop) run(finished func() bool) error {
	for {
		if cause := l.stopCause(); cause != nil {
			return cause
		}
		if finished() {
			return nil
		}
		if l.runPosted() {
			continue
		}
		fired, err := l.runTimer()
		if err != nil {
			return err
		}
		if fired {
			continue
		}
		if !l.alive() {
			return nil
		}
		l.sleep()
	}
}

// runPosted runs what other goroutines sent; false if there was nothing.
func (l *loop) runPosted() bool {
	l.mu.Lock()
	posted := l.posted
	l.posted = nil
	l.mu.Unlock()
	for _, fn := range posted {
		fn()
	}
	return len(posted) > 0
}

// runTimer fires the next timer if it is due.
func (l *loop) runTimer() (fired bool, err error) {
	if len(l.timers) == 0 || time.Until(l.timers[0].at) > 0 {
		return false, nil
	}
	t := l.timers[0]
	if t.repeat {
		t.at = time.Now().Add(t.every)
		heap.Fix(&l.timers, 0)
	} else {
		heap.Pop(&l.timers)
		delete(l.byID, t.id)
	}
	return true, t.fire()
}

// alive tells whether anything can still happen.
func (l *loop) alive() bool {
	if l.waiting > 0 {
		return true
	}
	for _, t := range l.timers {
		if !t.unref {
			return true
		}
	}
	return false
}

// sleep waits for the next timer, for something posted, or for stop.
func (l *loop) sleep() {
	var due <-chan time.Time
	if len(l.timers) > 0 {
		alarm := time.NewTimer(time.Until(l.timers[0].at))
		defer alarm.Stop()
		due = alarm.C
	}
	select {
	case <-due:
	case <-l.wake:
	case <-l.stopped:
	}
}

// timerHeap orders timers by time, then by age.
type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].id < h[j].id
	}
	return h[i].at.Before(h[j].at)
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t, ok := x.(*timer)
	if !ok {
		return
	}
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	t.index = -1
	*h = old[:len(old)-1]
	return t
}
