package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/wire"
)

// stream is the ObjectStream below the library's connection. It does what the
// library does not: it tells frames apart, answers the ones that are no request
// itself, splits batches and gathers their answers, and keeps the text of ids
// and params, which the library would change. The library sees the method and a
// number for the id, and hands results and errors back under that number.
//
// ReadObject and what it calls run on the connection's reading goroutine, which
// also calls the handler; WriteObject runs under the connection's send lock.
type stream struct {
	server *Server

	// For the reading goroutine.
	batch   *batch // being read, or nil
	current *wire.Request
	exited  bool // an exit notification was read
	object  []byte

	// For the sender.
	response *jsonrpc2.Response
	scratch  []byte
}

// maxScratch is the largest buffer that is kept between two answers.
const maxScratch = 1 << 20

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject stores the next request in v, a pointer the library made. When
// the input has ended it waits until the server is done with the connection,
// because an error closes it for answers too.
func (s *stream) ReadObject(v any) error {
	<-s.server.ready
	for {
		r, err := s.next()
		if err != nil {
			s.server.InputEnded(err)
			return io.EOF
		}
		if r == nil {
			continue
		}
		if err := s.deliver(r, v); err != nil {
			s.server.answerError(r, fmt.Errorf("handing the request over: %w", err))
			continue
		}
		s.current = r
		return nil
	}
}

// deliver writes the request into the library's message. It calls the
// unmarshaler itself: the text is ours and needs no second check.
func (s *stream) deliver(r *wire.Request, v any) error {
	u, ok := v.(json.Unmarshaler)
	if !ok {
		return fmt.Errorf("cannot decode a request into %T", v)
	}
	return u.UnmarshalJSON(s.object)
}

// take returns the request that was read last; the handler is called with the
// library's view of it.
func (s *stream) take() *wire.Request {
	r := s.current
	s.current = nil
	return r
}

// next reads one message. It returns nil when the message was dealt with.
func (s *stream) next() (*wire.Request, error) {
	if s.batch != nil {
		item, rest := wire.NextItem(s.batch.rest)
		if item != nil && !s.exited {
			s.batch.rest = rest
			return s.accept(item, s.batch), nil
		}
		s.server.sealBatch(s.batch)
		s.batch = nil
	}
	if s.exited {
		return nil, wire.ErrStopped
	}
	text, err := s.server.Next()
	switch {
	case err != nil:
		return nil, err
	case text[0] == '[':
		s.open(text)
		return nil, nil
	}
	return s.accept(text, nil), nil
}

// open starts to read a batch.
func (s *stream) open(array []byte) {
	switch n := batchItems(array, maxBatch); {
	case n == 0:
		s.server.Refuse(nil, wire.InvalidRequest("the batch is empty"))
	case n > maxBatch:
		s.server.Refuse(nil, wire.InvalidRequest("the batch is too large: at most %d messages are taken", maxBatch))
	default:
		s.batch = &batch{rest: array[1:], limit: s.server.QueueLimit()}
	}
}

// accept checks one message and registers it. It returns nil when the message
// is answered already, or is no request.
func (s *stream) accept(text []byte, b *batch) *wire.Request {
	if text[0] != '{' {
		s.server.refuse(b, nil, wire.InvalidRequest("a message must be an object, got %s", wire.Describe(text)))
		return nil
	}
	m := wire.ParseMessage(text)
	if m.IsResponse() {
		s.server.Log.Debug("a response was ignored: egod sends no requests")
		return nil
	}
	if err := m.Check(); err != nil {
		s.server.refuse(b, m.Usable(), err)
		return nil
	}
	r := s.server.Request(m)
	if r.ID != nil && !s.register(r, b) {
		err := wire.ErrIDInUse(r)
		s.server.backend.Asked(r.Method, err)
		s.server.refuse(b, r.ID, err)
		return nil
	}
	if r.Method == "" {
		err := wire.ErrNoSuchMethod(m)
		s.server.backend.Asked("", err)
		s.server.answerError(r, err)
		return nil
	}
	s.object = appendObject(s.object[:0], m.Method, r.Seq)
	return r
}

// register makes r known, in its batch first: it may be answered by another
// goroutine as soon as it is in flight.
func (s *stream) register(r *wire.Request, b *batch) bool {
	if b == nil {
		return s.server.Register(r)
	}
	r.Value, r.Held = b, true
	b.expect(r)
	if s.server.Register(r) {
		return true
	}
	b.unexpect()
	return false
}

// appendObject appends the request as the library is shown it.
func appendObject(dst, method []byte, seq uint64) []byte {
	dst = append(dst, `{"method":`...)
	dst = append(dst, method...)
	if seq != 0 {
		dst = append(dst, `,"id":`...)
		dst = strconv.AppendUint(dst, seq, 10)
	}
	return append(dst, '}')
}

// WriteObject queues the answer that the connection is about to send. The
// library's own encoding of it is not used: it would escape, reorder and copy
// the result, and it does not know the id.
func (s *stream) WriteObject(any) error {
	resp := s.response
	s.response = nil
	if resp == nil {
		return errors.New("only answers go through the connection")
	}
	r := s.server.Find(resp.ID.Num)
	if r == nil {
		return fmt.Errorf("no request has the number %d", resp.ID.Num)
	}
	s.scratch = s.server.queueAnswer(s.scratch[:0], r, resp)
	if cap(s.scratch) > maxScratch {
		s.scratch = nil
	}
	return nil
}

// sending is the library's hook before WriteObject, under the same lock.
func (s *stream) sending(_ *jsonrpc2.Request, resp *jsonrpc2.Response) { s.response = resp }

// Close does nothing: the server decides what ends, and the reader and writer
// are the caller's.
func (s *stream) Close() error { return nil }
