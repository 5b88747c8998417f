package runtime

import (
	"container/heap"
	"slices"
	"sync"
	"time"
)

// loop is the event loop of one realm. All but post and stop belong to the
// goroutine that runs it. Jobs of promises need no care: the engine runs them
// when the outermost call returns.
type loop struct {
	timers     timerHeap
	immediates []*timer  // in the order they were asked for
	due        time.Time // of the timers that come before the next immediates, if it is set
	polled     bool      // what was posted had its turn last
	ticks      []func() error
	enter      func() error // calls runTicks from within the engine; nil without one
	byID       map[int64]*timer
	nextID     int64
	waiting    int // host calls without an answer

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

// addImmediate asks for a call in the next turn of the loop.
func (l *loop) addImmediate(fire func() error) int64 {
	l.nextID++
	t := &timer{id: l.nextID, fire: fire, index: -1}
	l.byID[t.id] = t
	l.immediates = append(l.immediates, t)
	return t.id
}

// addTick asks for a call as soon as the code that runs now has come to its end:
// in a callback before the jobs of promises, in such a job after all of them.
func (l *loop) addTick(fire func() error) { l.ticks = append(l.ticks, fire) }

// runTicks makes the calls that addTick was asked for, and those they ask for.
func (l *loop) runTicks() error {
	for len(l.ticks) > 0 {
		fire := l.ticks[0]
		l.ticks = l.ticks[1:]
		if err := fire(); err != nil {
			return err
		}
	}
	return nil
}

// drainTicks is runTicks outside of any code. The jobs of promises that the calls
// make wait for the last of them, which they do within one call of the engine.
func (l *loop) drainTicks() error {
	if len(l.ticks) == 0 || l.enter == nil {
		return l.runTicks()
	}
	return l.enter()
}

func (l *loop) clearTimer(id int64) {
	if t := l.byID[id]; t != nil {
		delete(l.byID, id)
		l.immediates = slices.DeleteFunc(l.immediates, func(o *timer) bool { return o == t })
		if t.index >= 0 {
			heap.Remove(&l.timers, t.index)
		}
	}
}

// run works until finished reports true, nothing is left to wait for, or stop is
// called. Timers without a reference are waited for when patient. It returns the
// error of a timer's callback at once.
func (l *loop) run(patient bool, finished func() bool) error {
	for {
		if cause := l.stopCause(); cause != nil {
			return cause
		}
		if err := l.drainTicks(); err != nil {
			return err
		}
		if finished() {
			return nil
		}
		// Answers that keep coming keep nothing else away.
		if l.polled = !l.polled && l.runPosted(); l.polled {
			continue
		}
		fired, err := l.turn()
		if err != nil {
			return err
		}
		if fired || l.runPosted() {
			continue
		}
		if !l.alive(patient) {
			return nil
		}
		l.sleep()
	}
}

// turn makes the calls of immediates, or one of a timer. Timers that were due when
// immediates had their turn come before the next ones, as in Node: immediates that
// ask for another each time do not keep them away.
func (l *loop) turn() (fired bool, err error) {
	if !l.due.IsZero() {
		if fired, err = l.runTimer(l.due); fired || err != nil {
			return fired, err
		}
		l.due = time.Time{}
	}
	if fired, err = l.runImmediates(); fired || err != nil {
		l.due = time.Now()
		return fired, err
	}
	return l.runTimer(time.Now())
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

// runImmediates makes the calls of this turn; what they ask for is for the next.
func (l *loop) runImmediates() (fired bool, err error) {
	turn := l.immediates
	l.immediates = nil
	for _, t := range turn {
		if l.byID[t.id] == nil {
			continue // cleared by an earlier one
		}
		delete(l.byID, t.id)
		if err := t.fire(); err != nil {
			return true, err
		}
		if err := l.drainTicks(); err != nil {
			return true, err
		}
	}
	return len(turn) > 0, nil
}

// runTimer fires the next timer if it is due by then.
func (l *loop) runTimer(by time.Time) (fired bool, err error) {
	if len(l.timers) == 0 || l.timers[0].at.After(by) {
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
func (l *loop) alive(patient bool) bool {
	if l.waiting > 0 || len(l.immediates) > 0 {
		return true
	}
	for _, t := range l.timers {
		if patient || !t.unref {
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
