package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/ops"
	"egod/internal/wire"
)

// Handle serves what the library read. It runs on the connection's reading
// goroutine: what may wait is passed on to a goroutine of its own.
func (s *Server) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {
	r := s.stream.take()
	defer func() {
		if v := recover(); v != nil {
			s.answerError(r, &wire.PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	result, known, err := s.control(r)
	switch {
	case err != nil:
		s.answerError(r, err)
	case known:
		s.answerResult(r, result)
	case r.ID == nil:
		// Nobody would see the result, so nothing is run for it.
		s.Log.Debug("a notification was ignored", "method", r.Method)
	case s.down.Load():
		s.backend.Asked(r.Method, errShutDown())
		s.answerError(r, errShutDown())
	default:
		s.dispatch(r)
	}
}

// dispatch prepares a request of the backend in the order of arrival, and runs
// it here when it cannot wait, else beside.
func (s *Server) dispatch(r *wire.Request) {
	call, token, err := s.prepare(r)
	r.Params = nil
	if err != nil {
		s.answerError(r, err)
		return
	}
	if call.Inline {
		s.Begin(r, false, s.progress(token))
		s.run(s.Base, r, call)
		return
	}
	ctx, cancel := context.WithCancelCause(s.Base)
	answered, err := s.StartWork(r, cancel)
	if err != nil || answered {
		cancel(nil)
		if err == nil {
			call.Drop(context.Canceled)
			return
		}
		call.Drop(err)
		s.answerError(r, err)
		return
	}
	s.Begin(r, true, s.progress(token))
	go s.work(ctx, cancel, r, call)
}

// prepare decodes the request. The call it returns must be run or dropped.
func (s *Server) prepare(r *wire.Request) (call *ops.Call, token json.RawMessage, err error) {
	if token, err = wire.ProgressToken(r.Params); err != nil {
		s.backend.Asked(r.Method, err)
		return nil, nil, err
	}
	call, known, err := s.backend.Prepare(r.Method, r.Params)
	if !known && err == nil {
		err = errUnknownMethod(r.Method, s.methods)
		s.backend.Asked(r.Method, err)
	}
	return call, token, err
}

// work runs a call on its own goroutine. It ends when the call returns, which
// may be after the request was answered: cancelling answers at once. Its owner
// is the Server, which waits for it a while when it ends.
func (s *Server) work(ctx context.Context, cancel context.CancelCauseFunc, r *wire.Request, call *ops.Call) {
	defer s.FinishWork(r)
	defer cancel(nil)
	if ctx.Err() != nil {
		call.Drop(context.Cause(ctx))
		s.answerError(r, context.Cause(ctx)) // whoever cancelled it has, mostly
		return
	}
	s.run(ctx, r, call)
}

// run runs the call and answers.
func (s *Server) run(ctx context.Context, r *wire.Request, call *ops.Call) {
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
	defer wire.Recovered(&err)
	return call.Run(ctx)
}

// answerResult answers r with the JSON form of result. It does nothing for a
// notification, and when r is answered.
func (s *Server) answerResult(r *wire.Request, result any) {
	if r.ID == nil || s.Answered(r) {
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
	defer wire.Recovered(&err) // a MarshalJSON may panic like anything else
	if text, ok := result.(encoded); ok {
		return json.RawMessage(text), nil
	}
	return wire.Encode(result)
}

// answerError answers r with an error. It does nothing when r is answered.
func (s *Server) answerError(r *wire.Request, err error) {
	if r.ID == nil {
		s.Log.Debug("a notification failed", "method", r.Method, "error", err.Error())
		return
	}
	if s.Answered(r) {
		return // what cancelled work says about its end is no failure
	}
	fault := s.Fault(r.Method, err)
	outcome := "failed"
	if fault.Code == wire.CodeCancelled {
		outcome = "cancelled"
	}
	response := &jsonrpc2.Response{Error: &jsonrpc2.Error{Code: fault.Code, Message: fault.Message}}
	if fault.Data != nil {
		response.Error.Data = &fault.Data
	}
	s.answer(r, response, outcome)
}

// answer sends the one answer to r, after its last progress.
func (s *Server) answer(r *wire.Request, resp *jsonrpc2.Response, outcome string) {
	if !s.Settle(r, outcome) {
		return
	}
	resp.ID = jsonrpc2.ID{Num: r.Seq}
	// The context is not the request's: an answer is sent even when the request
	// was cancelled.
	if err := s.conn.SendResponse(s.Base, resp); err != nil {
		s.Log.Warn("an answer could not be queued", "method", r.Method, "error", err.Error())
		s.Remove(r)
	}
}

// queueAnswer puts resp into the output, or into the batch that r is part of.
// It is called by the connection for answer. buf is used for the text and
// returned.
func (s *Server) queueAnswer(buf []byte, r *wire.Request, resp *jsonrpc2.Response) []byte {
	buf = wire.AppendAnswer(buf, r.ID, answerOf(resp))
	b := batchOf(r)
	switch {
	case b == nil:
		s.Send(buf)
	case b.overfull(len(buf)):
		buf = wire.AppendAnswer(buf[:0], r.ID, wire.Answer{Error: s.Fault(r.Method, errBatchFull(b.limit))})
		s.sendBatch(b, b.add(buf, true))
	default:
		s.sendBatch(b, b.add(buf, true))
	}
	s.Remove(r)
	return buf
}

// answerOf is a response of the library as it is written.
func answerOf(resp *jsonrpc2.Response) (answer wire.Answer) {
	if resp.Result != nil {
		answer.Result = *resp.Result
	}
	if resp.Error != nil {
		answer.Error = &wire.Fault{Code: resp.Error.Code, Message: resp.Error.Message}
		if resp.Error.Data != nil {
			answer.Error.Data = *resp.Error.Data
		}
	}
	return answer
}

// refuse answers a message that is no request, in its batch if it has one. id
// is nil when the message has none to be answered with.
func (s *Server) refuse(b *batch, id []byte, err *ops.Error) {
	if b == nil {
		s.Refuse(id, err)
		return
	}
	s.sendBatch(b, b.add(s.Refusal(id, err), false))
}

// sealBatch says that b was read to its end.
func (s *Server) sealBatch(b *batch) { s.sendBatch(b, b.seal()) }

// sendBatch sends the answer to b if it is whole, and frees the ids in it.
func (s *Server) sendBatch(b *batch, whole []byte) {
	if whole == nil {
		return
	}
	s.Send(whole)
	s.Release(b.members)
}
