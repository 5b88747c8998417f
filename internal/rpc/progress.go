package rpc

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

// progressToken returns the token of a request that asks for progress, nil for
// one that does not.
func progressToken(params []byte) (json.RawMessage, error) {
	if len(params) == 0 || params[0] != '{' {
		return nil, nil
	}
	meta := member(params, "_meta")
	if meta == nil || meta[0] != '{' {
		return nil, nil
	}
	token := member(meta, "progressToken")
	switch {
	case token == nil || string(token) == "null":
		return nil, nil
	case !usableID(token):
		return nil, ops.Errorf(ops.KindInvalidParams, "a progress token must be a string or a number, got %s", describe(token)).
			With("path", "$._meta.progressToken")
	}
	return bytes.Clone(frame.ValidText(token)), nil
}

// begin starts the reports of a request whose work is about to start, to token
// unless it is nil. background means that the work has its own goroutine and
// may take long.
func (s *Server) begin(r *request, token json.RawMessage, background bool) {
	if token == nil && !background {
		return
	}
	s.inflight.whileOpen(r, func() {
		r.started, r.progress = time.Now(), token
		s.reportProgress(r, "begin", "")
		if background {
			r.beat = time.AfterFunc(beatEvery, func() { s.stillRunning(r) })
		}
	})
}

// stillRunning is the heart beat of a request. It is called by the request's
// timer, which settle stops. The log is written outside the lock: it may block.
func (s *Server) stillRunning(r *request) {
	var elapsed time.Duration
	s.inflight.whileOpen(r, func() {
		s.reportProgress(r, "report", "still running")
		if r.beats++; r.beats%logBeats == 0 {
			elapsed = time.Since(r.started)
		}
		r.beat.Reset(beatEvery)
	})
	if elapsed > 0 {
		s.log.Info("still running", "method", r.method, "requestId", string(r.id),
			"elapsed", elapsed.Round(time.Second).String())
	}
}

// reportProgress queues one progress notification. inflight.mu is held, so that
// none can follow the answer.
func (s *Server) reportProgress(r *request, kind, message string) {
	if r.progress == nil {
		return
	}
	text, err := encode(progressParams{
		Token: r.progress,
		Value: progressValue{Kind: kind, Message: message, ElapsedMs: time.Since(r.started).Milliseconds()},
	})
	if err != nil {
		return // cannot be: a token is valid JSON
	}
	s.out.Notify(appendNotification(nil, "$/progress", text), frame.NotifyShare)
}

type progressParams struct {
	Token json.RawMessage `json:"token"`
	Value progressValue   `json:"value"`
}

type progressValue struct {
	Kind      string `json:"kind"`
	Message   string `json:"message,omitempty"`
	ElapsedMs int64  `json:"elapsedMs"`
}
