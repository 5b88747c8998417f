package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/ops"
)

// Handle serves what the library read. It runs on the connection's reading
// goroutine: what may wait is passed on to a goroutine of its own.
func (s *Server) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {
	r := s.stream.take()
	defer func() {
		if v := recover(); v != nil {
			s.answerError(r, &panicError{value: v, stack: debug.Stack()})
		}
	}()
	result, known, err := s.control(r)
	switch {
	case err != nil:
		s.answerError(r, err)
	case known:
		s.answerResult(r, result)
	case r.id == nil:
		// Nobody would see the result, so nothing is run for it.
		s.log.Debug("a notification was ignored", "method", r.method)
	case s.down.Load():
		s.answerError(r, errShutDown())
	default:
		s.dispatch(r)
	}
}

// dispatch prepares a request of the backend in the order of arrival, and runs
// it here when it cannot wait, else beside.
func (s *Server) dispatch(r *request) {
	call, token, err := s.prepare(r)
	r.params = nil
	if err != nil {
		s.answerError(r, err)
		return
	}
	if call.Inline {
		s.begin(r, token, false)
		s.run(s.base, r, call)
		return
	}
	ctx, cancel := context.WithCancelCause(s.base)
	ok, answered := s.inflight.start(r, s.limits, cancel)
	if !ok || answered {
		cancel(nil)
		call.Drop()
		if !answered {
			s.answerError(r, s.busy())
		}
		return
	}
	s.begin(r, token, true)
	go s.work(ctx, cancel, r, call)
}

func (s *Server) busy() *ops.Error {
	return ops.Errorf(ops.KindBusy, "too many requests are under way: %d requests or %d bytes of params are taken", s.limits.requests, s.limits.bytes).
		WithHint("wait for answers before sending more")
}

// prepare decodes the request. The call it returns must be run or dropped.
func (s *Server) prepare(r *request) (call *ops.Call, token json.RawMessage, err error) {
	if token, err = progressToken(r.params); err != nil {
		return nil, nil, err
	}
	call, known, err := s.backend.Prepare(r.method, r.params)
	if !known && err == nil {
		return nil, nil, errUnknownMethod(r.method, s.methods)
	}
	return call, token, err
}

// work runs a call on its own goroutine. It ends when the call returns, which
// may be after the request was answered: cancelling answers at once. Its owner
// is the Server, which waits for it a while when it ends.
func (s *Server) work(ctx context.Context, cancel context.CancelCauseFunc, r *request, call *ops.Call) {
	defer s.inflight.finish(r)
	defer cancel(nil)
	if ctx.Err() != nil {
		call.Drop()
		s.answerError(r, context.Cause(ctx)) // whoever cancelled it has, mostly
		return
	}
	s.run(ctx, r, call)
}

// run runs the call and answers.
func (s *Server) run(ctx context.Context, r *request, call *ops.Call) {
	if s.wantsLog.Load() {
		ctx = s.observe(ctx, &observer{server: s, request: r})
	}
	result, err := runCall(ctx, call)
	if err != nil {
		s.answerError(r, err)
		return
	}
	s.answerResult(r, result)
}

func runCall(ctx context.Context, call *ops.Call) (result any, err error) {
	defer recovered(&err)
	return call.Run(ctx)
}

// recovered turns a panic of the function that defers it into *err.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &panicError{value: v, stack: debug.Stack()}
	}
}

// answerResult answers r with the JSON form of result. It does nothing for a
// notification, and when r is answered.
func (s *Server) answerResult(r *request, result any) {
	if r.id == nil || s.inflight.answered(r) {
		return
	}
	text, err := encodeResult(result)
	if err != nil {
		s.answerError(r, fmt.Errorf("the result has no JSON form: %w", err))
		return
	}
	s.answer(r, &jsonrpc2.Response{Result: &text}, "done")
}

func encodeResult(result any) (text json.RawMessage, err error) {
	defer recovered(&err) // a MarshalJSON may panic like anything else
	if text, ok := result.(encoded); ok {
		return json.RawMessage(text), nil
	}
	return encode(result)
}

// answerError answers r with an error. It does nothing when r is answered.
func (s *Server) answerError(r *request, err error) {
	if r.id == nil {
		s.log.Debug("a notification failed", "method", r.method, "error", err.Error())
		return
	}
	if s.inflight.answered(r) {
		return // what cancelled work says about its end is no failure
	}
	wire := s.wireError(r.method, err)
	outcome := "failed"
	if wire.Code == codeCancelled {
		outcome = "cancelled"
	}
	s.answer(r, &jsonrpc2.Response{Error: wire}, outcome)
}

// answer sends the one answer to r, after its last progress.
func (s *Server) answer(r *request, resp *jsonrpc2.Response, outcome string) {
	if !s.inflight.settle(r, func() { s.reportProgress(r, "end", outcome) }) {
		return
	}
	if s.debug {
		s.log.Debug("answered", "method", r.method, "requestId", string(r.id), "outcome", outcome,
			"elapsed", time.Since(r.read).String())
	}
	resp.ID = jsonrpc2.ID{Num: r.seq}
	// The context is not the request's: an answer is sent even when the request
	// was cancelled.
	if err := s.conn.SendResponse(s.base, resp); err != nil {
		s.log.Warn("an answer could not be queued", "method", r.method, "error", err.Error())
		s.inflight.remove(r)
	}
}

// queueAnswer puts resp into the output, or into the batch that r is part of.
// It is called by the connection for answer. buf is used for the text and
// returned.
func (s *Server) queueAnswer(buf []byte, r *request, resp *jsonrpc2.Response) []byte {
	buf = appendAnswer(buf, r.id, resp)
	switch {
	case r.batch == nil:
		s.out.Send(buf)
	case r.batch.overfull(len(buf)):
		full := &jsonrpc2.Response{Error: s.wireError(r.method, errBatchFull(r.batch.limit))}
		buf = appendAnswer(buf[:0], r.id, full)
		s.sendBatch(r.batch, r.batch.add(buf, true))
	default:
		s.sendBatch(r.batch, r.batch.add(buf, true))
	}
	s.inflight.remove(r)
	return buf
}

// refuse answers a message that is no request, in its batch if it has one. id
// is nil when the message has none to be answered with.
func (s *Server) refuse(b *batch, id []byte, err *ops.Error) {
	s.log.Debug("a message was refused", "kind", string(err.Kind))
	text := appendAnswer(nil, id, &jsonrpc2.Response{Error: s.wireError("", err)})
	if b == nil {
		s.out.Send(text)
		return
	}
	s.sendBatch(b, b.add(text, false))
}

// sealBatch says that b was read to its end.
func (s *Server) sealBatch(b *batch) { s.sendBatch(b, b.seal()) }

// sendBatch sends the answer to b if it is whole, and frees the ids in it.
func (s *Server) sendBatch(b *batch, whole []byte) {
	if whole == nil {
		return
	}
	s.out.Send(whole)
	s.inflight.release(b.members)
}
