package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// fakePeer plays Chrome over two in-memory pipes.
type fakePeer struct {
	t    *testing.T
	conn *conn
	in   *bufio.Reader // what the conn sent
	out  *io.PipeWriter
}

func newFakePeer(t *testing.T, onEvent func(event)) *fakePeer {
	t.Helper()
	return newFakePeerWithin(t, maxFrame, onEvent)
}

// newFakePeerWithin takes messages up to a limit.
func newFakePeerWithin(t *testing.T, limit int, onEvent func(event)) *fakePeer {
	t.Helper()
	toPeerR, toPeerW := io.Pipe()
	fromPeerR, fromPeerW := io.Pipe()
	pipe := newPipe(fromPeerR, toPeerW)
	pipe.limit = limit
	c := newConn(pipe, slog.New(slog.DiscardHandler), onEvent, nil)
	c.run()
	p := &fakePeer{t: t, conn: c, in: bufio.NewReader(toPeerR), out: fromPeerW}
	t.Cleanup(func() {
		c.close(errClosed)
		toPeerR.Close()
		fromPeerW.Close()
		goleak.VerifyNone(t, goleak.IgnoreCurrent())
	})
	return p
}

// receive reads the next command.
func (p *fakePeer) receive() (id int64, method string) {
	p.t.Helper()
	frame, err := readFrame(p.in, maxFrame)
	if err != nil {
		p.t.Fatalf("reading a command: %v", err)
	}
	var m struct {
		ID     int64
		Method string
	}
	if err := json.Unmarshal(frame, &m); err != nil {
		p.t.Fatalf("command %q: %v", frame, err)
	}
	return m.ID, m.Method
}

func (p *fakePeer) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.out, text+"\x00"); err != nil {
		p.t.Fatalf("sending to the conn: %v", err)
	}
}

// call starts a command in the background.
func (p *fakePeer) call(ctx context.Context, method string) <-chan reply {
	done := make(chan reply, 1)
	go func() {
		result, err := p.conn.Call(ctx, "", method, nil)
		done <- reply{result: result, err: err}
	}()
	return done
}

func TestConnMatchesAnswersByID(t *testing.T) {
	p := newFakePeer(t, nil)
	first := p.call(t.Context(), "A.a")
	idA, _ := p.receive()
	second := p.call(t.Context(), "B.b")
	idB, method := p.receive()
	if method != "B.b" || idA == idB {
		t.Fatalf("second command is %s with id %d", method, idB)
	}
	p.send(fmt.Sprintf(`{"id":%d,"result":{"v":2}}`, idB))
	p.send(fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"no","data":"why"}}`, idA))
	if r := <-second; r.err != nil || string(r.result) != `{"v":2}` {
		t.Errorf("second = %s, %v", r.result, r.err)
	}
	var refused *protocolError
	if r := <-first; !errors.As(r.err, &refused) || refused.Error() != "A.a: no: why (-32000)" {
		t.Errorf("first = %v", r.err)
	}
}

func TestConnSurvivesGarbage(t *testing.T) {
	events := make(chan event, 10)
	p := newFakePeer(t, func(e event) { events <- e })
	answer := p.call(t.Context(), "A.a")
	id, _ := p.receive()
	for _, garbage := range []string{
		"", "{", "null", "[]", "7", `"x"`, "{bad json}", `{"id":"text"}`, `{"id":99999,"result":{}}`, `{"id":-1}`, `{}`,
		`{"id":1e99}`, `{"method":7}`, `{"result":{}}`, "\xff\xfe", `{"id":0,"method":""}`, strings.Repeat("[", 20000),
	} {
		p.send(garbage)
	}
	p.send(`{"method":"X.y","sessionId":"s","params":{"a":1}}`)
	if e := <-events; e.Method != "X.y" || e.SessionID != "s" || string(e.Params) != `{"a":1}` {
		t.Errorf("event = %+v", e)
	}
	p.send(fmt.Sprintf(`{"id":%d,"result":{}}`, id))
	if r := <-answer; r.err != nil {
		t.Errorf("call after garbage: %v", r.err)
	}
}

// An answer that is too large fails its call, and nothing else.
func TestConnRefusesLargeAnswers(t *testing.T) {
	events := make(chan event, 10)
	p := newFakePeerWithin(t, 1<<10, func(e event) { events <- e })
	done := make(chan error, 1)
	go func() {
		_, err := p.conn.Call(context.Background(), "", "A.b", nil)
		done <- err
	}()
	id, _ := p.receive()
	long := strings.Repeat("x", 100<<10)
	p.send(`{"method":"A.large","params":{"text":"` + long + `"}}`)
	p.send(fmt.Sprintf(`{"id":%d,"result":{"text":%q}}`, id, long))
	var large *TooLargeError
	if err := <-done; !errors.As(err, &large) || large.Size < len(long) || large.Limit != 1<<10 || !strings.Contains(err.Error(), "A.b") {
		t.Errorf("error %v", err)
	}
	p.send(`{"method":"A.small","params":{}}`)
	if e := <-events; e.Method != "A.small" {
		t.Errorf("got the event %s", e.Method)
	}
}

func TestConnEndFailsEveryCall(t *testing.T) {
	tests := []struct {
		name string
		end  func(*fakePeer)
		want string
	}{
		{"peer closes", func(p *fakePeer) { p.out.Close() }, "its devtools pipe ended"},
		{"half a frame", func(p *fakePeer) { io.WriteString(p.out, `{"id":1,"res`); p.out.Close() }, "unexpected EOF"},
		{"closed by us", func(p *fakePeer) { p.conn.fail(&GoneError{Cause: errClosed}) }, errClosed.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newFakePeer(t, nil)
			calls := []<-chan reply{p.call(t.Context(), "A.a"), p.call(t.Context(), "B.b")}
			p.receive()
			p.receive()
			tt.end(p)
			for _, c := range calls {
				var gone *GoneError
				if r := <-c; !errors.As(r.err, &gone) || !strings.Contains(r.err.Error(), tt.want) {
					t.Errorf("pending call: %v, want %q", r.err, tt.want)
				}
			}
			var gone *GoneError
			if _, err := p.conn.Call(t.Context(), "", "C.c", nil); !errors.As(err, &gone) {
				t.Errorf("later call: %v", err)
			}
		})
	}
}

func TestConnCancel(t *testing.T) {
	p := newFakePeer(t, nil)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	answer := p.call(ctx, "A.a")
	id, _ := p.receive()
	cancel(cause)
	if r := <-answer; !errors.Is(r.err, cause) {
		t.Errorf("cancelled call: %v", r.err)
	}
	p.send(fmt.Sprintf(`{"id":%d,"result":{}}`, id)) // nobody waits for it any more
	next := p.call(t.Context(), "B.b")
	if _, method := p.receive(); method != "B.b" {
		t.Errorf("next command is %s", method)
	}
	p.conn.fail(errClosed)
	<-next
}

// A peer that does not read must not keep a caller beyond its context, and a
// command that was not sent when its caller left is never sent.
func TestConnCancelBeforeSent(t *testing.T) {
	p := newFakePeer(t, nil)
	first := make(chan reply, 1)
	p.conn.start("", "A.stuck", nil, func(r reply) { first <- r }) // its write blocks: nobody reads
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.conn.Call(ctx, "", "B.dropped", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("call behind a blocked write: %v", err)
	}
	third := p.call(t.Context(), "C.third")
	if _, method := p.receive(); method != "A.stuck" {
		t.Errorf("first command is %s", method)
	}
	if _, method := p.receive(); method != "C.third" {
		t.Errorf("second command is %s", method)
	}
	p.conn.fail(errClosed)
	<-first
	<-third
}

func TestReadFrame(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	tests := []struct {
		name, input string
		want        []string
		err         error
	}{
		{"empty", "", nil, io.EOF},
		{"two", "a\x00bc\x00", []string{"a", "bc"}, io.EOF},
		{"empty frame", "\x00a\x00", []string{"", "a"}, io.EOF},
		{"longer than the buffer", long + "\x00", []string{long}, io.EOF},
		{"cut", "a\x00b", []string{"a"}, io.ErrUnexpectedEOF},
		{"too large", strings.Repeat("y", 300<<10) + "\x00a\x00", []string{"too large: yyyy 307201", "a"}, io.EOF},
		{"too large and cut", strings.Repeat("y", 300<<10), nil, io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := bufio.NewReaderSize(strings.NewReader(tt.input), 4096)
			var got []string
			for {
				frame, err := readFrame(r, 256<<10)
				var tooLarge *frameTooLargeError
				if errors.As(err, &tooLarge) {
					got = append(got, fmt.Sprintf("too large: %s %d", tooLarge.head[:4], tooLarge.size))
					continue
				}
				if err != nil {
					if !errors.Is(err, tt.err) {
						t.Errorf("error = %v, want %v", err, tt.err)
					}
					break
				}
				got = append(got, string(frame))
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %.60q, want %.60q", got, tt.want)
			}
		})
	}
}

func FuzzConnReader(f *testing.F) {
	for _, seed := range []string{
		"", "\x00", `{"id":1,"result":{}}` + "\x00", `{"method":"A.b","params":{}}` + "\x00{", `{"id":1,"error":{"code":"x"}}` + "\x00",
		`{"id":1,"error":null,"result":null}` + "\x00\x00\x00", "[[[[",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		sink, drained := io.Pipe()
		go io.Copy(io.Discard, sink)
		frames := bytes.Count(input, []byte{0})
		events := 0
		c := newConn(newPipe(io.NopCloser(bytes.NewReader(input)), drained), slog.New(slog.DiscardHandler),
			func(event) { events++ }, nil)
		answer := make(chan reply, 2)
		c.start("", "A.a", nil, func(r reply) { answer <- r })
		c.run()
		<-c.done
		c.wg.Wait()
		if len(answer) != 1 {
			t.Fatalf("the pending call ended %d times", len(answer))
		}
		if events > frames {
			t.Fatalf("%d events from %d frames", events, frames)
		}
	})
}

// Chrome does not answer what was on its way to a target that went away.
func TestEndedSessionFailsItsPendingCalls(t *testing.T) {
	p := newFakePeer(t, nil)
	s := newSession(p.conn, "S", "T")
	answers := make(chan error, 1)
	s.then(evaluateParams{Expression: "1"}, func(_ json.RawMessage, err error) { answers <- err })
	p.receive()
	s.end(errDetached)
	if err := <-answers; !errors.Is(err, errDetached) {
		t.Errorf("pending command: %v", err)
	}
	if err := s.call(t.Context(), evaluateParams{Expression: "1"}, nil); !errors.Is(err, errDetached) {
		t.Errorf("later command: %v", err)
	}
	if p.conn.idleFor() == 0 {
		t.Error("a call is still pending")
	}
}

// Large answers are cut out of their frames; the result is the one that a decoder finds.
func TestCutAnswer(t *testing.T) {
	long := strings.Repeat("x", largeFrame)
	for _, c := range []struct {
		name, frame string
		cut         bool
	}{
		{"of a session", `{"id":7,"result":{"a":"` + long + `"},"sessionId":"0AF9"}`, true},
		{"of the browser", `{"id":7,"result":{"a":["` + long + `"]}}`, true},
		{"a session id of its own", `{"id":7,"result":{"a":"` + long + `","sessionId":"AA"}}`, true},
		{"both", `{"id":7,"result":{"a":"` + long + `","sessionId":"AA"},"sessionId":"BB"}`, true},
		{"text like an end", `{"id":7,"result":{"a":"` + long + `},\"sessionId\":\"AA\"}"},"sessionId":"BB"}`, true},
		{"small", `{"id":7,"result":{},"sessionId":"BB"}`, false},
		{"an event", `{"method":"A.b","params":{"a":"` + long + `"},"sessionId":"BB"}`, false},
		{"an error", `{"id":7,"error":{"code":1,"message":"` + long + `"}}`, false},
		{"other order", `{"result":{"a":"` + long + `"},"id":7}`, false},
		{"more behind", `{"id":7,"result":{"a":"` + long + `"},"other":"BB"}`, false},
		{"no object", `{"id":7,"result":"` + long + `"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			id, result, ok := cutAnswer([]byte(c.frame))
			if ok != c.cut {
				t.Fatalf("cut: %v", ok)
			}
			if !ok {
				return
			}
			var want message
			if err := json.Unmarshal([]byte(c.frame), &want); err != nil {
				t.Fatal(err)
			}
			if id != want.ID || string(result) != string(want.Result) {
				t.Errorf("id %d, %d bytes; want id %d, %d bytes", id, len(result), want.ID, len(want.Result))
			}
		})
	}
}
