package wire

import (
	"bytes"
	"encoding/json"
	"time"

	"egod/internal/frame"
	"egod/internal/ops"
)

const (
	// beatEvery is how often a running request is reported. The protocol
	// promises ten seconds at most; half of it leaves room for a slow machine.
	beatEvery = 5 * time.Second
	// logBeats is how many beats make a line in the log.
	logBeats = 2
)

// ProgressToken returns the token of a request that asks for progress, nil for
// one that does not.
func ProgressToken(params []byte) (json.RawMessage, error) {
	if len(params) == 0 || params[0] != '{' {
		return nil, nil
	}
	meta := Member(params, "_meta")
	if meta == nil || meta[0] != '{' {
		return nil, nil
	}
	token := Member(meta, "progressToken")
	switch {
	case token == nil || string(token) == "null":
		return nil, nil
	case !UsableID(token):
		return nil, ops.Errorf(ops.KindInvalidParams, "a progress token must be a string or a number, got %s", Describe(token)).
			With("path", "$._meta.progressToken")
	}
	return bytes.Clone(frame.ValidText(token)), nil
}

// Progress is one report about a request.
type Progress struct {
	// Kind is "begin", "report" or "end".
	Kind    string
	Message string // the outcome at the end
	Elapsed time.Duration
}

// Begin starts the reports of a request whose work is about to start. report is
// called with each, in order, by any goroutine, and must not wait; it is nil when
// the client asked for none. background means that the work has its own goroutine
// and may take long.
func (c *Conn) Begin(r *Request, background bool, report func(Progress)) {
	if report == nil && !background {
		return
	}
	c.inflight.whileOpen(r, func() {
		r.started, r.report = time.Now(), report
		r.tell("begin", "")
		if background {
			r.beat = time.AfterFunc(beatEvery, func() { c.stillRunning(r) })
		}
	})
}

// stillRunning is the heart beat of a request. It is called by the request's
// timer, which settle stops. The log is written outside the lock: it may block.
func (c *Conn) stillRunning(r *Request) {
	var elapsed time.Duration
	c.inflight.whileOpen(r, func() {
		r.tell("report", "still running")
		if r.beats++; r.beats%logBeats == 0 {
			elapsed = time.Since(r.started)
		}
		r.beat.Reset(beatEvery)
	})
	if elapsed > 0 {
		c.Log.Info("still running", "method", r.Method, "requestId", string(r.ID),
			"elapsed", elapsed.Round(time.Second).String())
	}
}

// tell makes a report. inflight.mu is held, so that none can follow the answer.
func (r *Request) tell(kind, message string) {
	if r.report != nil {
		r.report(Progress{Kind: kind, Message: message, Elapsed: time.Since(r.started)})
	}
}
