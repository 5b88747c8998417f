package wire

import (
	"context"
	"sync"
)

// inflight is the state of the requests of one connection, and the only place
// where it changes. It decides when nothing is owed any more.
//
//   - open holds each request from being read until its answer is queued.
//   - byID holds the ids that are taken: of requests without an answer, and of held ones
//     until they are released.
//   - working counts goroutines, which may outlive the answer of a cancelled
//     request.
type inflight struct {
	mu      sync.Mutex
	seq     uint64
	open    map[uint64]*Request
	byID    map[string]*Request
	bytes   int64 // of the params of requests at work
	working int
	reader  readerState

	drained chan struct{} // to close when nothing is owed; nil when nobody waits
	rested  chan struct{} // to close when nothing works; nil when nobody waits
	over    bool          // what is read from now on is not served
}

// readerState says whether more requests may come out of what was read.
type readerState int

const (
	readerBusy   readerState = iota // taking apart what was read, or in a handler
	readerParked                    // waiting for input
	readerEnded                     // will not read again
)

func newInflight() *inflight {
	return &inflight{open: make(map[uint64]*Request), byID: make(map[string]*Request)}
}

// add registers a request that was just read, so that it can be cancelled from
// here on. It reports false, and registers nothing, when the id is in use.
func (f *inflight) add(r *Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, taken := f.byID[r.key]; taken {
		return false
	}
	f.seq++
	r.Seq = f.seq
	f.open[r.Seq] = r
	f.byID[r.key] = r
	return true
}

// find returns the open request with a number.
func (f *inflight) find(seq uint64) *Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open[seq]
}

// remove forgets a request whose answer is queued.
func (f *inflight) remove(r *Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, r.Seq)
	f.checkLocked()
}

// release makes the ids of held requests free again.
func (f *inflight) release(held []*Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range held {
		f.releaseLocked(r)
	}
}

func (f *inflight) releaseLocked(r *Request) {
	if f.byID[r.key] == r {
		delete(f.byID, r.key)
	}
}

// settle makes the caller the one who answers r, and reports false when
// somebody has answered it before. The last event of r is its end, with outcome:
// no other can be queued after it.
func (f *inflight) settle(r *Request, outcome string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.answered {
		return false
	}
	r.answered = true
	if !r.Held {
		f.releaseLocked(r) // the client may use the id again as soon as it sees the answer
	}
	if r.beat != nil {
		r.beat.Stop()
	}
	r.tell("end", outcome)
	return true
}

// answered reports whether somebody has answered r, so that nothing needs to be
// made for it any more.
func (f *inflight) answered(r *Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return r.answered
}

// whileOpen calls event unless r is answered: what is queued by it comes before
// the answer.
func (f *inflight) whileOpen(r *Request, event func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !r.answered {
		event()
	}
}

// limits are what the requests at work may take together.
type limits struct {
	requests int
	bytes    int64
}

// start counts r as work under way that cancel ends. It reports false when the
// limits are reached, and answered when r needs no work any more.
func (f *inflight) start(r *Request, max limits, cancel context.CancelCauseFunc) (ok, answered bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.answered {
		return true, true
	}
	if f.working >= max.requests || f.bytes+r.Size > max.bytes {
		return false, false
	}
	f.working++
	f.bytes += r.Size
	r.cancel, r.working = cancel, true
	return true, false
}

// finish counts the work of r out.
func (f *inflight) finish(r *Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.working--
	f.bytes -= r.Size
	r.working = false
	f.checkLocked()
}

// byKey returns the request with this id if it waits for its answer.
func (f *inflight) byKey(key string) *Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.byID[key]; r != nil && !r.answered {
		return r
	}
	return nil
}

// stop tells the work of r, if there is any, to end.
func (f *inflight) stop(r *Request, cause error) {
	f.mu.Lock()
	cancel := r.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel(cause)
	}
}

// unanswered returns the requests that wait for their answer, oldest first not
// guaranteed.
func (f *inflight) unanswered() []*Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	rs := make([]*Request, 0, len(f.open))
	for _, r := range f.open {
		if !r.answered {
			rs = append(rs, r)
		}
	}
	return rs
}

// park says that the reader is about to wait for input.
func (f *inflight) park() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reader = readerParked
	f.checkLocked()
}

// resume says that the reader has got input. It reports false when it came too
// late: everything was answered, and the answer to this could not be sent.
func (f *inflight) resume() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return false
	}
	f.reader = readerBusy
	return true
}

// endReader says that the reader will not read again.
func (f *inflight) endReader() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reader = readerEnded
	f.checkLocked()
}

// drain returns a channel that is closed as soon as nothing is owed: every
// request that was read has its answer queued.
func (f *inflight) drain() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	done := make(chan struct{})
	f.drained = done
	f.checkLocked()
	return done
}

// conclude says that nobody waits for what is owed any more.
func (f *inflight) conclude() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
}

// rest returns a channel that is closed as soon as no goroutine of a request is
// left.
func (f *inflight) rest() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	done := make(chan struct{})
	f.rested = done
	f.checkLocked()
	return done
}

// checkLocked tells who waits for drain or rest. It is called after every
// change that can end their wait.
func (f *inflight) checkLocked() {
	if f.drained != nil && len(f.open) == 0 && f.reader != readerBusy {
		f.over = true
		close(f.drained)
		f.drained = nil
	}
	if f.rested != nil && f.working == 0 {
		close(f.rested)
		f.rested = nil
	}
}

// atWork returns how many goroutines of requests are left.
func (f *inflight) atWork() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.working
}

// kept returns what is remembered of requests.
func (f *inflight) kept() Kept {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Kept{Open: len(f.open), IDs: len(f.byID), Working: f.working, Bytes: f.bytes}
}
