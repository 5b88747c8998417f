package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// request is a DevTools command; the types of rod's proto package satisfy it.
type request interface{ ProtoReq() string }

// event is a DevTools notification as it came.
type event struct {
	SessionID string
	Method    string
	Params    json.RawMessage
}

// protocolError is Chrome's refusal of a command.
type protocolError struct {
	Method  string `json:"-"`
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data"`
}

// permanent tells that the command itself was wrong: its name, its parameters, or
// an address in them.
func (e *protocolError) permanent() bool {
	const methodNotFound, invalidParams = -32601, -32602
	return e.Code == methodNotFound || e.Code == invalidParams || strings.Contains(e.Message, "invalid URL")
}

func (e *protocolError) Error() string {
	msg := e.Message
	if e.Data != "" {
		msg += ": " + e.Data
	}
	return fmt.Sprintf("%s: %s (%d)", e.Method, msg, e.Code)
}

// reply is what a command ended with.
type reply struct {
	result json.RawMessage
	err    error
}

// pendingCall is a command that was not answered yet.
type pendingCall struct {
	session string
	method  string
	done    func(reply) // called once, on the reader or on whoever ends the conn
}

type outgoing struct {
	id    int64
	frame []byte
}

// conn is egod's side of the seam that rod calls CDPClient: commands are matched
// with answers by id, events go to onEvent in order. It never panics on what
// arrives, and when the connection ends every pending call fails with the cause.
type conn struct {
	transport transport
	onEvent   func(event) // on the reader goroutine; must not wait for an answer
	onClose   func(error) // once, after every pending call was failed
	log       *slog.Logger
	endCause  func(error) error              // makes a lost pipe's error say more; may be nil
	trace     func(dir string, frame []byte) // tests only; nil otherwise

	mu      sync.Mutex
	lastID  int64
	pending map[int64]pendingCall
	queue   []outgoing
	err     error     // why the connection ended
	used    time.Time // when the last call was answered
	held    int       // work that is under way without a call

	wake chan struct{} // capacity 1: the queue is not empty
	done chan struct{} // closed when the connection ended
	wg   sync.WaitGroup
}

func newConn(t transport, log *slog.Logger, onEvent func(event), onClose func(error)) *conn {
	return &conn{
		transport: t,
		onEvent:   onEvent,
		onClose:   onClose,
		log:       log,
		pending:   make(map[int64]pendingCall),
		wake:      make(chan struct{}, 1),
		done:      make(chan struct{}),
		used:      time.Now(),
	}
}

// run starts the reader and the writer.
func (c *conn) run() {
	c.wg.Add(2)
	go c.readLoop()
	go c.writeLoop()
}

// Call sends a command and waits for its answer, for the end of ctx or for the
// end of the connection. It is the method of rod's proto.Client.
func (c *conn) Call(ctx context.Context, sessionID, method string, params any) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	answer := make(chan reply, 1)
	id := c.start(sessionID, method, params, func(r reply) { answer <- r })
	select {
	case r := <-answer:
		return r.result, r.err
	case <-ctx.Done():
		c.forget(id)
		return nil, context.Cause(ctx)
	}
}

// start queues a command and returns at once; done is called exactly once unless
// forget came first. A nil done ignores the answer.
func (c *conn) start(sessionID, method string, params any, done func(reply)) int64 {
	if done == nil {
		done = func(reply) {}
	}
	c.mu.Lock()
	if c.err != nil {
		err := c.err
		c.mu.Unlock()
		done(reply{err: err})
		return 0
	}
	c.lastID++
	id := c.lastID
	frame, err := json.Marshal(struct {
		ID        int64  `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
	}{id, sessionID, method, params})
	if err != nil {
		c.mu.Unlock()
		done(reply{err: fmt.Errorf("encoding %s: %w", method, err)})
		return 0
	}
	c.pending[id] = pendingCall{session: sessionID, method: method, done: done}
	c.queue = append(c.queue, outgoing{id: id, frame: frame})
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return id
}

// forget drops a call whose caller left; a command still in the queue is not sent.
func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
	for i := range c.queue {
		if c.queue[i].id == id {
			c.queue = append(c.queue[:i], c.queue[i+1:]...)
			return
		}
	}
}

// A conn serves rod's typed commands too.
var _ proto.Client = (*conn)(nil)

// hold keeps the connection from counting as idle until release.
func (c *conn) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held++
}

func (c *conn) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held--
	c.used = time.Now()
}

// idleFor is how long no call has been running and nothing held; 0 while it is.
func (c *conn) idleFor() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) > 0 || c.held > 0 {
		return 0
	}
	return time.Since(c.used)
}

// failSession fails the pending calls of a session that ended: Chrome does not
// answer what was on its way to a target that went.
func (c *conn) failSession(sessionID string, err error) {
	c.mu.Lock()
	var ended []pendingCall
	for id, p := range c.pending {
		if p.session == sessionID {
			ended = append(ended, p)
			delete(c.pending, id)
		}
	}
	c.mu.Unlock()
	for _, p := range ended {
		p.done(reply{err: err})
	}
}

// close ends the connection with cause and waits for its goroutines. It must not
// be called from onEvent or onClose.
func (c *conn) close(cause error) {
	c.fail(cause)
	c.wg.Wait()
}

// fail records why the connection ended and fails every pending call with it.
func (c *conn) fail(cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = cause
	pending := c.pending
	c.pending, c.queue = nil, nil
	close(c.done)
	c.mu.Unlock()

	if err := c.transport.Close(); err != nil {
		c.log.Debug("closing the devtools pipe", "error", err)
	}
	for _, p := range pending {
		p.done(reply{err: cause})
	}
	if c.onClose != nil {
		c.onClose(cause)
	}
}

func (c *conn) writeLoop() {
	defer c.wg.Done()
	for {
		select {
		case <-c.wake:
		case <-c.done:
			return
		}
		for {
			next, ok := c.dequeue()
			if !ok {
				break
			}
			if c.trace != nil {
				c.trace("->", next.frame)
			}
			if err := c.transport.Write(next.frame); err != nil {
				c.fail(c.gone(fmt.Errorf("writing to chrome: %w", err)))
				return
			}
		}
	}
}

func (c *conn) dequeue() (outgoing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return outgoing{}, false
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return next, true
}

func (c *conn) readLoop() {
	defer c.wg.Done()
	for {
		frame, err := c.transport.Read()
		var tooLarge *frameTooLargeError
		if errors.As(err, &tooLarge) {
			c.refuse(tooLarge)
			continue
		}
		if err != nil {
			c.fail(c.gone(readEnd(err)))
			return
		}
		if c.trace != nil {
			c.trace("<-", frame)
		}
		c.dispatch(frame)
	}
}

// gone makes the error of an end that nobody asked for.
func (c *conn) gone(err error) error {
	if c.endCause != nil {
		err = c.endCause(err)
	}
	return &GoneError{Cause: err, Hint: "call again: the next call starts a fresh browser"}
}

func readEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("its devtools pipe ended")
	}
	return fmt.Errorf("reading from chrome: %w", err)
}

// message is the union of an answer and an event.
type message struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	Error     *protocolError  `json:"error"`
}

// dispatch hands one message to whom it belongs. What it cannot read or place
// is logged and dropped: the peer is a process we do not control.
func (c *conn) dispatch(frame []byte) {
	if id, result, ok := cutAnswer(frame); ok {
		c.answered(id, result, nil)
		return
	}
	var m message
	if err := json.Unmarshal(frame, &m); err != nil {
		c.log.Warn("unreadable message from chrome dropped", "error", err, "bytes", len(frame))
		return
	}
	if m.ID == 0 {
		if m.Method != "" && c.onEvent != nil {
			c.onEvent(event{SessionID: m.SessionID, Method: m.Method, Params: m.Params})
		}
		return
	}
	c.answered(m.ID, m.Result, m.Error)
}

// refuse fails the call whose answer was too large to take; an event is lost.
func (c *conn) refuse(answer *frameTooLargeError) {
	head := answerID.FindSubmatch(answer.head)
	if head == nil {
		c.log.Warn("a message from chrome was too large and was dropped", "bytes", answer.size)
		return
	}
	id, err := strconv.ParseInt(string(head[1]), 10, 64)
	if err != nil {
		return
	}
	c.mu.Lock()
	p, ok := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if ok {
		p.done(reply{err: &TooLargeError{Subject: "the answer of " + p.method, Size: answer.size, Limit: answer.limit}})
	}
}

func (c *conn) answered(id int64, result json.RawMessage, refused *protocolError) {
	c.mu.Lock()
	p, ok := c.pending[id]
	delete(c.pending, id)
	c.used = time.Now()
	c.mu.Unlock()
	if !ok {
		return // its caller left, or chrome made the id up
	}
	if refused != nil {
		refused.Method = p.method
		p.done(reply{err: refused})
		return
	}
	p.done(reply{result: result})
}

// largeFrame is from where on it pays not to read an answer twice.
const largeFrame = 64 << 10

// answerID begins every answer.
var answerID = regexp.MustCompile(`^\{"id":([0-9]{1,18}),`)

// answerHead and answerTail are what Chrome writes around a result.
var (
	answerHead = regexp.MustCompile(`^\{"id":([0-9]{1,18}),"result":\{`)
	answerTail = regexp.MustCompile(`(,"sessionId":"[0-9A-F]*")?\}$`)
)

// cutAnswer takes the result out of a large answer without reading it: whoever gets
// it does, and finds out if it is none. ok is false for every other frame.
func cutAnswer(frame []byte) (id int64, result json.RawMessage, ok bool) {
	const tailSize = 80
	if len(frame) < largeFrame {
		return 0, nil, false
	}
	head := answerHead.FindSubmatchIndex(frame[:tailSize])
	tail := answerTail.FindIndex(frame[len(frame)-tailSize:])
	if head == nil || tail == nil {
		return 0, nil, false
	}
	id, err := strconv.ParseInt(string(frame[head[2]:head[3]]), 10, 64)
	result = frame[head[1]-1 : len(frame)-tailSize+tail[0]]
	return id, result, err == nil && result[len(result)-1] == '}'
}
