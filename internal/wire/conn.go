package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"egod/internal/frame"
	"egod/internal/ops"
)

// Defaults of Config, as docs/protocol.md states them.
const (
	DefaultMaxMessageBytes = 64 << 20
	DefaultDrainTimeout    = 5 * time.Second
	// DefaultStopTimeout leaves two of the ten seconds a signalled process has
	// to those who end after the wire: browser and workers.
	DefaultStopTimeout    = 8 * time.Second
	DefaultMaxInFlight    = 10_000
	DefaultMaxQueuedBytes = 64 << 20
)

// Config is how a connection behaves. The zero value is good.
type Config struct {
	// Framing is frame.Auto unless the caller knows better.
	Framing frame.Framing
	// MaxMessageBytes bounds one message that comes in.
	MaxMessageBytes int64
	// DrainTimeout is how long requests may still run once the input has
	// ended; 0 means the default and less than 0 no time at all.
	DrainTimeout time.Duration
	// StopTimeout is how long Finish may take to return once its context has
	// ended.
	StopTimeout time.Duration
	// MaxInFlight bounds the requests that are under way at once. What is answered
	// where it is read does not count.
	MaxInFlight int
	// MaxQueuedBytes bounds the answers the client has not yet read. Past it
	// no request is read until the client has caught up.
	MaxQueuedBytes int64
	// Logger gets what goes wrong. Params and results are never logged.
	// Optional.
	Logger *slog.Logger
}

func (c *Config) maxMessageBytes() int64 { return orDefault(c.MaxMessageBytes, DefaultMaxMessageBytes) }
func (c *Config) maxQueuedBytes() int64  { return orDefault(c.MaxQueuedBytes, DefaultMaxQueuedBytes) }
func (c *Config) maxInFlight() int       { return orDefault(c.MaxInFlight, DefaultMaxInFlight) }
func (c *Config) drainTimeout() time.Duration {
	if c.DrainTimeout == 0 {
		return DefaultDrainTimeout
	}
	return max(c.DrainTimeout, 0)
}
func (c *Config) stopTimeout() time.Duration { return orDefault(c.StopTimeout, DefaultStopTimeout) }

func orDefault[T int | int64 | time.Duration](value, byDefault T) T {
	if value <= 0 {
		return byDefault
	}
	return value
}

// Conn is one client at the other end of a pair of streams.
type Conn struct {
	Log *slog.Logger
	// Base is the context of all work, from Start on. It ends with Finish.
	Base context.Context //nolint:containedctx // lives as long as the connection

	cfg      Config
	limits   limits
	debug    bool // the log takes a line for every request
	inflight *inflight
	src      *frame.Reader
	abandon  context.CancelCauseFunc // ends Base
	stop     chan struct{}           // closed when nothing more is to be read
	closed   chan struct{}           // closed when the connection is done with
	ends     chan ending             // the first reason to end; one place

	outMu sync.Mutex
	out   *frame.Writer // set by Start under outMu; read there, and freely by what Start comes before
}

// NewConn returns a connection to one client.
func NewConn(cfg Config) *Conn {
	c := &Conn{
		Log: cfg.Logger, cfg: cfg, inflight: newInflight(),
		limits: limits{requests: cfg.maxInFlight(), bytes: 4 * cfg.maxMessageBytes()},
		stop:   make(chan struct{}),
		closed: make(chan struct{}),
		ends:   make(chan ending, 1),
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.debug = c.Log.Enabled(context.Background(), slog.LevelDebug)
	return c
}

// Start begins to serve the client at the other end of in and out. It starts the
// writer, which ends with Finish; a Write that never returns keeps it.
func (c *Conn) Start(ctx context.Context, in io.Reader, out io.Writer) {
	c.Base, c.abandon = context.WithCancelCause(context.WithoutCancel(ctx))
	c.outMu.Lock()
	c.out = frame.NewWriter(out, c.cfg.Framing, c.cfg.maxQueuedBytes())
	c.outMu.Unlock()
	go c.out.Run()
	c.src = frame.NewReader(&gate{in: in, inflight: c.inflight, stop: c.stop}, c.cfg.Framing, c.cfg.maxMessageBytes())
}

// QueueLimit is Config.MaxQueuedBytes.
func (c *Conn) QueueLimit() int64 { return c.cfg.maxQueuedBytes() }

// ErrStopped ends reading when the connection is to end: what was read whole is
// still served, nothing more is read.
var ErrStopped = errors.New("the server is stopping")

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
		return 0, ErrStopped
	}
	g.inflight.park()
	n, err := g.in.Read(p)
	if !g.inflight.resume() {
		return 0, ErrStopped
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

// Next returns the next JSON text. What is none is refused here. It waits for the
// client, and while the client owes reading too much. Its error ends the input.
func (c *Conn) Next() ([]byte, error) {
	for {
		text, err := c.read()
		var bad *frame.Error
		switch {
		case errors.As(err, &bad):
			c.Refuse(nil, badFrame(bad))
		case err != nil:
			return nil, err
		case !json.Valid(text):
			c.Refuse(nil, notJSON(text))
		default:
			return text, nil
		}
	}
}

func (c *Conn) read() ([]byte, error) {
	framing, err := c.src.Detect()
	if err != nil {
		return nil, err
	}
	c.out.SetFraming(framing)
	c.out.WaitRoom(c.stop)
	return c.src.Next()
}

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
	if frame.StartsWithHeader(text) {
		err.WithHint("the input began as one JSON text a line; begin with a header, or start egod with --framing header")
	}
	var v any
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(text, &v), &syntax) {
		err.Message = fmt.Sprintf("the message is not one JSON text: byte %d: %s", syntax.Offset, syntax.Error())
	}
	return err
}

// Refuse answers a message that is no request. id is nil when the message has none
// to be answered with.
func (c *Conn) Refuse(id []byte, err *ops.Error) { c.Send(c.Refusal(id, err)) }

// Refusal is the text of the answer to a message that is no request.
func (c *Conn) Refusal(id []byte, err *ops.Error) []byte {
	c.Log.Debug("a message was refused", "kind", string(err.Kind))
	return AppendAnswer(nil, id, Answer{Error: c.Fault("", err)})
}

// Send queues an answer, one JSON text, which is copied.
func (c *Conn) Send(text []byte) { c.out.Send(text) }

// Notify queues a notification whose params have a JSON form, or drops it when the
// client does not keep up. It may be called by any goroutine.
func (c *Conn) Notify(method string, params any) {
	c.Queue(c.Notification(method, params), frame.NotifyShare)
}

// Notification is the text of a notification, nil when its params have no JSON form.
func (c *Conn) Notification(method string, params any) []byte {
	text, err := Encode(params)
	if err != nil {
		c.Log.Error("a notification has no JSON form", "method", method, "error", err.Error())
		return nil
	}
	return AppendNotification(nil, method, text)
}

// Queue queues the text of a notification, or drops it when the client does not keep
// up: share is frame.NotifyShare or frame.LogShare. It does nothing before Start.
func (c *Conn) Queue(text []byte, share int64) {
	c.outMu.Lock()
	out := c.out
	c.outMu.Unlock()
	if out != nil && text != nil {
		out.Notify(text, share)
	}
}
