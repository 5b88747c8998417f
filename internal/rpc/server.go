package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

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

// Config is how a Server behaves. The zero value is good.
type Config struct {
	// Framing is frame.Auto unless the caller knows better.
	Framing frame.Framing
	// MaxMessageBytes bounds one message that comes in.
	MaxMessageBytes int64
	// DrainTimeout is how long requests may still run once the input has
	// ended; 0 means the default and less than 0 no time at all.
	DrainTimeout time.Duration
	// StopTimeout is how long Run may take to return once its context has
	// ended.
	StopTimeout time.Duration
	// MaxInFlight bounds the requests that are under way at once. Control
	// methods, and operations that are answered where they are read, do not
	// count.
	MaxInFlight int
	// MaxQueuedBytes bounds the answers the client has not yet read. Past it
	// no request is read until the client has caught up.
	MaxQueuedBytes int64
	// Initialize is called with what the client says about itself, and returns
	// what it is told. It is called on the reading goroutine, at most once with
	// success. Its error, best an *ops.Error, is the answer. Optional.
	Initialize func(Client) (Info, error)
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

// Server serves one client over one pair of streams.
type Server struct {
	backend Backend
	cfg     Config
	log     *slog.Logger
	debug   bool // the log takes a line for every request
	methods []string
	limits  limits
	// observe attaches an observer to the context of a call.
	observe func(context.Context, ops.Observer) context.Context

	started  atomic.Bool
	inflight *inflight
	stream   *stream
	conn     *jsonrpc2.Conn
	ready    chan struct{}           // closed when Run has set what is above
	base     context.Context         //nolint:containedctx // of all work; lives as long as Run
	abandon  context.CancelCauseFunc // ends base
	stop     chan struct{}           // closed when nothing more is to be read
	closed   chan struct{}           // closed when the connection is done with
	ends     chan ending             // the first reason to end; one place

	outMu sync.Mutex
	out   *frame.Writer // set by Run under outMu; read there, and freely by what Run starts

	initialized bool        // only the reading goroutine uses it
	down        atomic.Bool // shutdown was answered
	wantsLog    atomic.Bool
}

var _ jsonrpc2.Handler = (*Server)(nil)

// New returns a server for one client.
func New(backend Backend, cfg Config) *Server {
	s := &Server{
		backend: backend, cfg: cfg, log: cfg.Logger,
		methods:  methodNames(backend),
		limits:   limits{requests: cfg.maxInFlight(), bytes: 4 * cfg.maxMessageBytes()},
		observe:  ops.WithObserver,
		inflight: newInflight(),
		ready:    make(chan struct{}),
		stop:     make(chan struct{}),
		closed:   make(chan struct{}),
		ends:     make(chan ending, 1),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.debug = s.log.Enabled(context.Background(), slog.LevelDebug)
	return s
}

// Serve serves one client until its input ends, it says exit, its output is
// closed, or ctx ends. See Server.Run.
func Serve(ctx context.Context, in io.Reader, out io.Writer, backend Backend, cfg Config) (Outcome, error) {
	return New(backend, cfg).Run(ctx, in, out)
}

// Run serves the client at the other end of in and out. It may be called once.
//
// When the input ends, and when ctx ends, nothing more is read; every request
// that was read is answered, bounded by Config.DrainTimeout, and then Run
// returns. The end of ctx bounds that by Config.StopTimeout; with the cause
// ErrPeerGone nothing is waited for.
//
// A read or write that never returns cannot be interrupted: Run does not wait
// for it, and its goroutine ends when the caller closes in and out, or with the
// process. The error is what went wrong with the input or output, if anything.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) (Outcome, error) {
	if s.started.Swap(true) {
		return Outcome{}, errors.New("a server runs once")
	}
	s.base, s.abandon = context.WithCancelCause(context.WithoutCancel(ctx))
	defer s.abandon(nil)
	s.outMu.Lock()
	s.out = frame.NewWriter(out, s.cfg.Framing, s.cfg.maxQueuedBytes())
	s.outMu.Unlock()
	go s.out.Run()

	input := &gate{in: in, inflight: s.inflight, stop: s.stop}
	s.stream = &stream{
		server: s, src: frame.NewReader(input, s.cfg.Framing, s.cfg.maxMessageBytes()),
	}
	// The connection closes when its context ends, and would take the last
	// answers along: it gets one that does not.
	s.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), s.stream, s,
		jsonrpc2.OnSend(s.stream.sending), jsonrpc2.SetLogger(libraryLog{s.log}))
	close(s.ready)

	e := s.wait(ctx)
	close(s.stop)
	outcome, err := s.finish(ctx, e)
	close(s.closed)
	if closeErr := s.conn.Close(); closeErr != nil {
		s.log.Debug("closing the connection", "error", closeErr.Error())
	}
	return outcome, err
}

// output returns the writer, nil before Run.
func (s *Server) output() *frame.Writer {
	s.outMu.Lock()
	defer s.outMu.Unlock()
	return s.out
}

// libraryLog takes what the library would print to stderr.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, v ...any) {
	l.log.Debug("jsonrpc2: " + fmt.Sprintf(format, v...))
}
