package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"egod/internal/ops"
)

// Request is one message with a method that was read and is being served.
type Request struct {
	// Seq is the number of the request, unique for the connection; 0 for a
	// notification. Libraries know it by that.
	Seq uint64
	// ID is the text of the id as it came, nil for a notification.
	ID     []byte
	Method string
	Params json.RawMessage // nil once they are decoded
	Size   int64           // of the params
	// Held keeps the id taken after the answer, until Release.
	Held bool
	// Value is what the face keeps with the request.
	Value any
	read  time.Time // when; only set when the log asks for it
	key   string    // what ids are compared by

	// The rest is guarded by inflight.mu.

	// answered is set by whoever answers, once. What comes later is dropped.
	answered bool
	cancel   context.CancelCauseFunc // nil until work has started
	started  time.Time               // when work was started; zero before
	report   func(Progress)          // nil when the client asked for no progress
	beat     *time.Timer             // reports that the work goes on; nil before
	beats    int                     // how often it has
	working  bool                    // its goroutine has not ended
}

// Request makes the request of a message that was checked. Its method is empty
// when the name is longer than any method. But for the params, which are dropped
// once they are decoded, it keeps nothing of the frame alive: one of many
// megabytes may hold many requests.
func (c *Conn) Request(m Message) *Request {
	r := &Request{Params: m.Params, Size: int64(len(m.Params))}
	if m.ID != nil {
		r.ID, r.key = bytes.Clone(m.ID), IDKey(m.ID)
	}
	switch name := m.Method[1 : len(m.Method)-1]; {
	case len(name) > MaxMethodLength:
	case bytes.IndexByte(name, '\\') >= 0:
		r.Method = string(unquote(m.Method))
	default:
		r.Method = string(name)
	}
	if c.debug {
		r.read = time.Now()
	}
	return r
}

// ErrNoSuchMethod is about a name that is longer than any method.
func ErrNoSuchMethod(m Message) *ops.Error {
	return ops.Errorf(ops.KindMethodNotFound, "no method has a name of %d bytes", len(m.Method)-len(`""`))
}

// ErrIDInUse is about a request whose id another one has.
func ErrIDInUse(r *Request) *ops.Error {
	return InvalidRequest("a request with the id %s is still running", Describe(r.ID)).
		WithHint("give every request an id of its own")
}

// Register gives a request that was just read its number, so that it can be found
// and cancelled from here on. It reports false, and registers nothing, when the id
// is in use.
func (c *Conn) Register(r *Request) bool { return c.inflight.add(r) }

// Find returns the open request with a number, nil when there is none.
func (c *Conn) Find(seq uint64) *Request { return c.inflight.find(seq) }

// ByID returns the request with an id, a JSON value, that waits for its answer;
// nil when there is none.
func (c *Conn) ByID(id json.RawMessage) *Request {
	if len(id) == 0 || !UsableID(id) {
		return nil
	}
	return c.inflight.byKey(IDKey(id))
}

// Remove forgets a request whose answer is queued.
func (c *Conn) Remove(r *Request) { c.inflight.remove(r) }

// Release makes the ids of held requests free again.
func (c *Conn) Release(held []*Request) { c.inflight.release(held) }

// Settle makes the caller the one who answers r, and reports false when somebody
// has answered it before. Its last progress, which names the outcome, comes before
// the answer.
func (c *Conn) Settle(r *Request, outcome string) bool {
	if !c.inflight.settle(r, outcome) {
		return false
	}
	if c.debug {
		c.Log.Debug("answered", "method", r.Method, "requestId", string(r.ID), "outcome", outcome,
			"elapsed", time.Since(r.read).String())
	}
	return true
}

// Answered reports whether somebody has answered r, so that nothing needs to be
// made for it any more.
func (c *Conn) Answered(r *Request) bool { return c.inflight.answered(r) }

// WhileOpen calls event unless r is answered: what is queued by it comes before
// the answer.
func (c *Conn) WhileOpen(r *Request, event func()) { c.inflight.whileOpen(r, event) }

// StartWork counts r as work under way that cancel ends. Its error says that too
// much is; answered, that r needs no work any more. Else FinishWork must follow.
func (c *Conn) StartWork(r *Request, cancel context.CancelCauseFunc) (answered bool, err error) {
	ok, answered := c.inflight.start(r, c.limits, cancel)
	if !ok {
		return false, ops.Errorf(ops.KindBusy, "too many requests are under way: %d requests or %d bytes of params are taken", c.limits.requests, c.limits.bytes).
			WithHint("wait for answers before sending more")
	}
	return answered, nil
}

// FinishWork counts the work of r out.
func (c *Conn) FinishWork(r *Request) { c.inflight.finish(r) }

// StopWork tells the work of r, if there is any, to end.
func (c *Conn) StopWork(r *Request, cause error) { c.inflight.stop(r, cause) }

// Kept is what a connection keeps: nothing once all requests are answered and the
// client has read the answers.
type Kept struct {
	// Open requests wait for their answer, IDs are taken, Working are goroutines, and
	// Bytes are those of the params they work on.
	Open, IDs, Working int
	Bytes              int64
	// Queued are bytes that the client has not read.
	Queued int64
}

// Kept returns what is kept now, from Start on.
func (c *Conn) Kept() Kept {
	kept := c.inflight.kept()
	_, kept.Queued, _ = c.out.Counts()
	return kept
}

// CancelledError is the cause that work sees when it is to end. It is a
// context.Canceled that says why.
type CancelledError string

// The causes of cancelled work.
const (
	ErrCancelledByClient CancelledError = "the request was cancelled by the client"
	ErrEnding            CancelledError = "the request was cancelled because egod is ending"
)

func (e CancelledError) Error() string { return string(e) }

// Is makes errors.Is(err, context.Canceled) hold.
func (e CancelledError) Is(target error) bool { return target == context.Canceled }
