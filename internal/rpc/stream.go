package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/frame"
	"egod/internal/ops"
)

// errStopped ends reading when the server is to stop: what was read whole is
// still served, nothing more is read.
var errStopped = errors.New("the server is stopping")

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
	src     *frame.Reader
	batch   *batch // being read, or nil
	current *request
	exited  bool // an exit notification was read
	object  []byte

	// For the sender.
	response *jsonrpc2.Response
	scratch  []byte
}

// maxScratch is the largest buffer that is kept between two answers.
const maxScratch = 1 << 20

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// gate passes reads on, until the stop, and tells the in-flight state when the
// reading goroutine waits in one.
type gate struct {
	in       io.Reader
	inflight *inflight
	stop     <-chan struct{}
}

// Read reads once.
func (g *gate) Read(p []byte) (int, error) {
	if g.stopped() {
		return 0, errStopped
	}
	g.inflight.park()
	n, err := g.in.Read(p)
	if !g.inflight.resume() {
		return 0, errStopped
	}
	return n, err
}

func (g *gate) stopped() bool {
	select {
	case <-g.stop:
		return true
	default:
		return false
	}
}

// ReadObject stores the next request in v, a pointer the library made. When
// the input has ended it waits until the server is done with the connection,
// because an error closes it for answers too.
func (s *stream) ReadObject(v any) error {
	<-s.server.ready
	for {
		r, err := s.next()
		if err != nil {
			s.server.inputEnded(err)
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
func (s *stream) deliver(r *request, v any) error {
	u, ok := v.(json.Unmarshaler)
	if !ok {
		return fmt.Errorf("cannot decode a request into %T", v)
	}
	return u.UnmarshalJSON(s.object)
}

// take returns the request that was read last; the handler is called with the
// library's view of it.
func (s *stream) take() *request {
	r := s.current
	s.current = nil
	return r
}

// next reads one message. It returns nil when the message was dealt with.
func (s *stream) next() (*request, error) {
	if s.batch != nil {
		item, rest := nextItem(s.batch.rest)
		if item != nil && !s.exited {
			s.batch.rest = rest
			return s.accept(item, s.batch), nil
		}
		s.server.sealBatch(s.batch)
		s.batch = nil
	}
	if s.exited {
		return nil, errStopped
	}
	text, err := s.read()
	var bad *frame.Error
	switch {
	case errors.As(err, &bad):
		s.server.refuse(nil, nil, badFrame(bad))
		return nil, nil
	case err != nil:
		return nil, err
	case !json.Valid(text):
		s.server.refuse(nil, nil, notJSON(text))
		return nil, nil
	case text[0] == '[':
		s.open(text)
		return nil, nil
	}
	return s.accept(text, nil), nil
}

// read returns the text of the next frame. It waits while too much is owed.
func (s *stream) read() ([]byte, error) {
	framing, err := s.src.Detect()
	if err != nil {
		return nil, err
	}
	s.server.out.SetFraming(framing)
	s.server.out.WaitRoom(s.server.stop)
	return s.src.Next()
}

// open starts to read a batch.
func (s *stream) open(array []byte) {
	switch n := batchItems(array, maxBatch); {
	case n == 0:
		s.server.refuse(nil, nil, invalidRequest("the batch is empty"))
	case n > maxBatch:
		s.server.refuse(nil, nil, invalidRequest("the batch is too large: at most %d messages are taken", maxBatch))
	default:
		s.batch = &batch{rest: array[1:], limit: s.server.cfg.maxQueuedBytes()}
	}
}

// accept checks one message and registers it. It returns nil when the message
// is answered already, or is no request.
func (s *stream) accept(text []byte, b *batch) *request {
	if text[0] != '{' {
		s.server.refuse(b, nil, invalidRequest("a message must be an object, got %s", describe(text)))
		return nil
	}
	m := parseMessage(text)
	if m.isResponse() {
		s.server.log.Debug("a response was ignored: egod sends no requests")
		return nil
	}
	if err := m.check(); err != nil {
		s.server.refuse(b, m.usable(), err)
		return nil
	}
	r := newRequest(m, b)
	if s.server.debug {
		r.read = time.Now()
	}
	if r.id != nil && !s.register(r) {
		s.server.refuse(b, r.id, invalidRequest("a request with the id %s is still running", describe(r.id)).
			WithHint("give every request an id of its own"))
		return nil
	}
	if r.method == "" {
		s.server.answerError(r, ops.Errorf(ops.KindMethodNotFound, "no method has a name of %d bytes", len(m.method)-len(`""`)))
		return nil
	}
	s.object = appendObject(s.object[:0], m.method, r.seq)
	return r
}

// newRequest makes the request of a message that was checked. Its method is
// empty when the name is longer than any method. But for the params, which are
// dropped once they are decoded, it keeps nothing of the frame alive: one of
// many megabytes may hold many requests.
func newRequest(m message, b *batch) *request {
	r := &request{params: m.params, size: int64(len(m.params)), batch: b}
	if m.id != nil {
		r.id, r.key = bytes.Clone(m.id), idKey(m.id)
	}
	switch name := m.method[1 : len(m.method)-1]; {
	case len(name) > maxMethodLength:
	case bytes.IndexByte(name, '\\') >= 0:
		r.method = string(unquote(m.method))
	default:
		r.method = string(name)
	}
	return r
}

// register makes r known, in its batch first: it may be answered by another
// goroutine as soon as it is in flight.
func (s *stream) register(r *request) bool {
	if r.batch != nil {
		r.batch.expect(r)
	}
	if s.server.inflight.add(r) {
		return true
	}
	if r.batch != nil {
		r.batch.unexpect()
	}
	return false
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
	r := s.server.inflight.find(resp.ID.Num)
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

// badFrame is what the sender of a frame that cannot be taken is answered.
func badFrame(bad *frame.Error) *ops.Error {
	err := ops.Errorf(ops.KindParseError, "%s", bad.Message)
	if bad.Limit > 0 {
		err.Kind = ops.KindInvalidRequest
		err.With("limitBytes", bad.Limit)
	}
	err.Hint = bad.Hint
	return err
}

func notJSON(text []byte) *ops.Error {
	err := ops.Errorf(ops.KindParseError, "the message is not one JSON text")
	if len(text) > len(frame.ContentLength) && bytes.EqualFold(text[:len(frame.ContentLength)], []byte(frame.ContentLength)) {
		err.WithHint("the input began as one JSON text a line; begin with a header, or start egod with --framing header")
	}
	var v any
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(text, &v), &syntax) {
		err.Message = fmt.Sprintf("the message is not one JSON text: byte %d: %s", syntax.Offset, syntax.Error())
	}
	return err
}
