package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// session is our attachment to one target: a tab or an out-of-process frame.
type session struct {
	conn     *conn
	id       string
	targetID string
	// barred says why the scripts of its page do not run now; nil: nothing bars them.
	barred func() error

	once sync.Once
	done chan struct{} // closed when the target went away or crashed
	err  error         // why; read after done
}

func newSession(c *conn, id, targetID string) *session {
	return &session{conn: c, id: id, targetID: targetID, done: make(chan struct{})}
}

// call sends req and decodes the answer into res (nil: ignored). It ends with the
// answer, with ctx (its cause), with the target or with the connection.
func (s *session) call(ctx context.Context, req request, res any) error {
	return s.callUnless(ctx, req, res, nil)
}

// callUnless is call that ends with errDialogOpened, too, once blocked is closed.
func (s *session) callUnless(ctx context.Context, req request, res any, blocked <-chan struct{}) error {
	if err := s.ended(ctx); err != nil {
		return err
	}
	if s.barred != nil && needsScripts(req.ProtoReq()) {
		if err := s.barred(); err != nil {
			return err
		}
	}
	return s.ask(req).waitUnless(ctx, res, blocked)
}

// asked is a command that was sent and whose answer was not read yet.
type asked struct {
	session *session
	req     request
	id      int64
	answer  chan reply
}

// ask sends req at once: what does not depend on each other need not wait for each
// other. An answer that nobody waits for is dropped.
func (s *session) ask(req request) *asked {
	a := &asked{session: s, req: req, answer: make(chan reply, 1)}
	a.id = s.conn.start(s.id, req.ProtoReq(), req, func(r reply) { a.answer <- r })
	return a
}

// wait decodes the answer into res as call does.
func (a *asked) wait(ctx context.Context, res any) error { return a.waitUnless(ctx, res, nil) }

func (a *asked) waitUnless(ctx context.Context, res any, blocked <-chan struct{}) error {
	return a.waitWith(ctx, res, blocked, nil, nil)
}

// waitUrging is wait that calls urge each time that no answer came for a while. urge
// must not block.
func (a *asked) waitUrging(ctx context.Context, res any, every time.Duration, urge func()) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	return a.waitWith(ctx, res, nil, tick.C, urge)
}

func (a *asked) waitWith(ctx context.Context, res any, blocked <-chan struct{}, tick <-chan time.Time, urge func()) error {
	s := a.session
	for {
		select {
		case r := <-a.answer:
			return s.decode(ctx, a.req, r, res)
		case <-ctx.Done():
			s.conn.forget(a.id)
			return context.Cause(ctx)
		case <-s.done:
			s.conn.forget(a.id)
			return s.err
		case <-blocked:
			s.conn.forget(a.id)
			return errDialogOpened
		case <-tick:
			urge()
		}
	}
}

// selfReader is an answer that reads itself, faster than encoding/json would.
type selfReader interface{ readAnswer(json.RawMessage) error }

func (s *session) ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// over reports whether the target went away or crashed.
func (s *session) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *session) decode(ctx context.Context, req request, r reply, res any) error {
	if r.err != nil {
		return s.explain(ctx, r.err)
	}
	if res == nil {
		return nil
	}
	read := func(raw json.RawMessage) error { return json.Unmarshal(raw, res) }
	if own, ok := res.(selfReader); ok {
		read = own.readAnswer
	}
	if err := read(r.result); err != nil {
		return fmt.Errorf("decoding the answer of %s: %w", req.ProtoReq(), err)
	}
	return nil
}

// explain tells a closing or crashed target from a navigation: Chrome answers both
// with the same message, and the reason follows in an event shortly after.
func (s *session) explain(ctx context.Context, err error) error {
	var refused *protocolError
	if !errors.As(err, &refused) || !strings.Contains(refused.Message, "closed") {
		return err
	}
	grace := time.NewTimer(50 * time.Millisecond)
	defer grace.Stop()
	select {
	case <-s.done:
		return s.err
	case <-grace.C:
	case <-ctx.Done():
	}
	return err
}

// send queues a command whose answer nobody waits for.
func (s *session) send(req request) {
	s.conn.start(s.id, req.ProtoReq(), req, nil)
}

// then queues a command and hands its answer to done on the reader goroutine.
func (s *session) then(req request, done func(json.RawMessage, error)) {
	s.conn.start(s.id, req.ProtoReq(), req, func(r reply) { done(r.result, r.err) })
}

// end fails the calls of the session, running and later ones.
func (s *session) end(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
		s.conn.failSession(s.id, err)
	})
}
