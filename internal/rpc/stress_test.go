package rpc

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"egod/internal/frame"
	"egod/internal/wire"
)

var rounds = flag.Int("rounds", 1000, "how many conversations TestStress has")

// TestStress has many short conversations that end in every way there is, in
// the middle of everything. No request is answered twice, and none is left out
// when the input ends as it should; Run always returns. The seed of a round is
// its number.
func TestStress(t *testing.T) {
	n := *rounds
	if testing.Short() {
		n = min(n, 200)
	}
	for seed := range n {
		r := newRound(uint64(seed))
		if err := r.run(); err != nil {
			t.Fatalf("round %d: %v\ninput: %q\noutput: %q", seed, err, r.input.String(), r.out.String())
		}
	}
}

// round is one conversation.
type round struct {
	rng     *rand.Rand
	framing frame.Framing
	input   strings.Builder
	owed    map[string]bool // ids that must be answered
	ids     int
	cut     bool // the input ends inside a message
	exits   bool // the input says exit
	ctx     bool // the context ends at some time
	gone    bool // the output is closed at some time
	out     bytes.Buffer
}

func newRound(seed uint64) *round {
	r := &round{rng: rand.New(rand.NewPCG(seed, 7)), framing: frame.Line, owed: make(map[string]bool)}
	if r.rng.IntN(2) == 0 {
		r.framing = frame.Header
	}
	for range r.rng.IntN(25) {
		r.message()
	}
	switch r.rng.IntN(10) {
	case 0:
		r.cut = true
		r.input.WriteString("Content-Length: 50\r\n\r\n{\"jsonrpc")
	case 1:
		r.exits = true
		r.frame(`{"jsonrpc":"2.0","method":"exit"}`)
		r.message()
	case 2, 3:
		r.ctx = true
	case 4:
		r.gone = true
	}
	return r
}

// message adds one message of any kind.
func (r *round) message() {
	switch r.rng.IntN(9) {
	case 0:
		r.garbage()
	case 8: // sourcegraph/jsonrpc2 #103: a response that came while closing panicked
		r.frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, r.rng.IntN(3)))
	case 1:
		var items []string
		for range 1 + r.rng.IntN(4) {
			items = append(items, r.request())
		}
		r.frame("[" + strings.Join(items, ",") + "]")
	case 2:
		r.frame(`{"jsonrpc":"2.0","method":"later"}`)
	case 3:
		r.frame(cancelText(fmt.Sprintf(`"%d"`, r.rng.IntN(r.ids+1))))
	default:
		r.frame(r.request())
	}
}

func (r *round) request() string {
	id := fmt.Sprintf(`"%d"`, r.ids)
	r.ids++
	r.owed[id] = true
	switch r.rng.IntN(9) {
	case 0:
		return requestText(id, "sleep", fmt.Sprintf("%dus", r.rng.IntN(3000)))
	case 1:
		return requestText(id, "wait")
	case 2:
		return requestText(id, "stuck")
	case 3:
		return requestText(id, "later")
	case 4:
		return requestText(id, "big", strings.Repeat("x", r.rng.IntN(100)))
	case 5:
		return requestText(id, "burst")
	case 6:
		return requestText(id, "panic")
	case 7:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"echo","params":{"_meta":{"progressToken":1}}}`, id)
	}
	return requestText(id, "ping")
}

func (r *round) frame(text string) { r.input.Write(r.framing.Append(nil, []byte(text))) }

// garbage adds what is no request, and takes nothing along that follows.
func (r *round) garbage() {
	all := []string{"{bad}", "[", `{"jsonrpc":"1.0","id":"x","method":"ping"}`, "null", `{"id":null}`, "\xff"}
	text := all[r.rng.IntN(len(all))]
	if r.framing == frame.Header && r.rng.IntN(2) == 0 {
		r.input.WriteString(text + "\r\n")
		return
	}
	r.frame(text)
}

// feed writes the input in random pieces and ends everything that goes on.
func (r *round) feed(input *io.PipeWriter, backend *fakeBackend) {
	rest := r.input.String()
	for rest != "" {
		n := min(1+r.rng.IntN(200), len(rest))
		if _, err := io.WriteString(input, rest[:n]); err != nil {
			break
		}
		rest = rest[n:]
	}
	_ = input.Close()
	backend.end()
}

func (r *round) run() error {
	in, input := io.Pipe()
	output, out := io.Pipe()
	backend := newFakeBackend()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	delay := time.Duration(r.rng.IntN(2000)) * time.Microsecond
	if r.ctx || r.gone || r.exits {
		// The input may never be read to its end, so feed cannot do it.
		time.AfterFunc(2*delay, backend.end)
	}
	if r.ctx {
		time.AfterFunc(delay, stop)
	}
	if r.gone {
		time.AfterFunc(delay, func() { _ = output.CloseWithError(io.ErrClosedPipe) })
	}
	server := newTestServer(backend, Config{Config: wire.Config{Framing: r.framing}})
	var outcome wire.Outcome
	done := make(chan struct{})
	go func() {
		defer close(done)
		outcome, _ = server.Run(ctx, in, out)
		_, _ = in.CloseWithError(io.ErrClosedPipe), out.Close()
		backend.end()
	}()
	go r.feed(input, backend)
	_, _ = io.Copy(&r.out, output)
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		return fmt.Errorf("Run does not return")
	}
	if err := r.check(outcome); err != nil {
		return err
	}
	return nothingKept(server, outcome)
}

// nothingKept checks that a server that has ended in order has forgotten every
// request.
func nothingKept(server *Server, outcome wire.Outcome) error {
	if outcome.Reason == wire.PeerGone || outcome.Abandoned > 0 {
		return nil
	}
	if kept := server.Kept(); kept != (wire.Kept{}) {
		return fmt.Errorf("kept: %+v: %+v", kept, outcome)
	}
	return nil
}

func (r *round) check(outcome wire.Outcome) error {
	var tb fatal
	answers := tb.parse(r.out.String())
	if tb.err != nil && !r.gone {
		return tb.err
	}
	seen := make(map[string]int)
	for _, a := range answers {
		if seen[string(a.ID)]++; seen[string(a.ID)] > 1 && r.owed[string(a.ID)] {
			return fmt.Errorf("request %s was answered twice", a.ID)
		}
	}
	regular := outcome.Reason == wire.InputEnded || outcome.Reason == wire.InputBroken && r.cut
	for id := range r.owed {
		if regular && seen[id] == 0 {
			return fmt.Errorf("request %s was not answered: %+v", id, outcome)
		}
	}
	if !regular && !r.exits && !r.ctx && !r.gone {
		return fmt.Errorf("it ended in another way: %+v", outcome)
	}
	return nil
}

// fatal is a testing.TB that keeps what fails instead of ending the test: only
// the goroutine of the test may do that, with the round's input at hand.
type fatal struct {
	testing.TB
	err error
}

func (f *fatal) Helper() {}

func (f *fatal) Fatalf(format string, args ...any) {
	f.err = fmt.Errorf(format, args...)
	panic(f)
}

func (f *fatal) parse(out string) (answers []answer) {
	defer func() {
		if v := recover(); v != nil && v != any(f) {
			panic(v)
		}
	}()
	return parseOutput(f, out)
}
