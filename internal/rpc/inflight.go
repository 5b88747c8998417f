package rpc

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// request is one message with a method that was read and is being served.
type request struct {
	// seq is the id the library sees, unique for the connection; 0 for a
	// notification.
	seq uint64
	// id is the text of the id as it came, nil for a notification; key is what
	// it is compared by.
	id     []byte
	key    string
	method string
	params json.RawMessage // nil once they are decoded
	size   int64           // of the params
	batch  *batch          // nil when the request stands alone
	read   time.Time       // when; only set when the log asks for it

	// The rest is guarded by inflight.mu.

	// answered is set by whoever answers, once. What comes later is dropped.
	answered bool
	cancel   context.CancelCauseFunc // nil until work has started
	started  time.Time               // when work was started; zero before
	progress json.RawMessage         // the progress token, nil without
	beat     *time.Timer             // reports that the work goes on; nil before
	beats    int                     // how often it has
	working  bool                    // its goroutine has not ended
}

// inflight is the state of the requests of one connection, and the only place
// where it changes. It decides when nothing is owed any more.
//
//   - open holds each request from being read until its answer is queued.
//   - byID holds the ids that are taken: of open requests, and of members of a
//     batch until the batch is queued.
//   - working counts goroutines, which may outlive the answer of a cancelled
//     request.
type inflight struct {
	mu      sync.Mutex
	seq     uint64
	open    map[uint64]*request
	byID    map[string]*request
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
	return &inflight{open: make(map[uint64]*request), byID: make(map[string]*request)}
}

// add registers a request that was just read, so that it can be cancelled from
// here on. It reports false, and registers nothing, when the id is in use.
func (f *inflight) add(r *request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, taken := f.byID[r.key]; taken {
		return false
	}
	f.seq++
	r.seq = f.seq
	f.open[r.seq] = r
	f.byID[r.key] = r
	return true
}

// find returns the open request with the number the library knows it by.
func (f *inflight) find(seq uint64) *request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open[seq]
}

// remove forgets a request whose answer is queued.
func (f *inflight) remove(r *request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, r.seq)
	if r.batch == nil {
		f.releaseLocked(r)
	}
	f.checkLocked()
}

// release makes the ids of a batch free again, once its answer is queued.
func (f *inflight) release(members []*request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range members {
		f.releaseLocked(r)
	}
}

func (f *inflight) releaseLocked(r *request) {
	if f.byID[r.key] == r {
		delete(f.byID, r.key)
	}
}

// settle makes the caller the one who answers r, and reports false when
// somebody has answered it before. last is called when r is settled, at a
// moment when no other event of r can be queued.
func (f *inflight) settle(r *request, last func()) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.answered {
		return false
	}
	r.answered = true
	if r.beat != nil {
		r.beat.Stop()
	}
	if last != nil {
		last()
	}
	return true
}

// answered reports whether somebody has answered r, so that nothing needs to be
// made for it any more.
func (f *inflight) answered(r *request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return r.answered
}

// whileOpen calls event unless r is answered: what is queued by it comes before
// the answer.
func (f *inflight) whileOpen(r *request, event func()) {
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
func (f *inflight) start(r *request, max limits, cancel context.CancelCauseFunc) (ok, answered bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.answered {
		return true, true
	}
	if f.working >= max.requests || f.bytes+r.size > max.bytes {
		return false, false
	}
	f.working++
	f.bytes += r.size
	r.cancel, r.working = cancel, true
	return true, false
}

// finish counts the work of r out.
func (f *inflight) finish(r *request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.working--
	f.bytes -= r.size
	r.working = false
	f.checkLocked()
}

// byKey returns the request with this id if it waits for its answer.
func (f *inflight) byKey(key string) *request {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.byID[key]; r != nil && !r.answered {
		return r
	}
	return nil
}

// stop tells the work of r, if there is any, to end.
func (f *inflight) stop(r *request, cause error) {
	f.mu.Lock()
	cancel := r.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel(cause)
	}
}

// unanswered returns the requests that wait for their answer, oldest first not
// guaranteed.
func (f *inflight) unanswered() []*request {
	f.mu.Lock()
	defer f.mu.Unlock()
	rs := make([]*request, 0, len(f.open))
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
