package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/ops"
	"egod/internal/wire"
)

// Config is how a Server behaves. The zero value is good.
type Config struct {
	wire.Config
	// Initialize is called with what the client says about itself, and returns
	// what it is told. It is called on the reading goroutine, at most once with
	// success. Its error, best an *ops.Error, is the answer. Optional.
	Initialize func(Client) (Info, error)
}

// Server serves one client over one pair of streams.
type Server struct {
	*wire.Conn
	backend Backend
	cfg     Config
	methods []string
	// observe attaches an observer to the context of a call.
	observe func(context.Context, ops.Observer) context.Context

	started atomic.Bool
	stream  *stream
	conn    *jsonrpc2.Conn
	ready   chan struct{} // closed when Run has set what is above

	initialized bool        // only the reading goroutine uses it
	down        atomic.Bool // shutdown was answered
	wantsLog    atomic.Bool
}

var _ jsonrpc2.Handler = (*Server)(nil)

// New returns a server for one client.
func New(backend Backend, cfg Config) *Server {
	return &Server{
		Conn: wire.NewConn(cfg.Config), backend: backend, cfg: cfg,
		methods: methodNames(backend),
		observe: ops.WithObserver,
		ready:   make(chan struct{}),
	}
}

// Serve serves one client until its input ends, it says exit, its output is
// closed, or ctx ends. See Server.Run.
func Serve(ctx context.Context, in io.Reader, out io.Writer, backend Backend, cfg Config) (wire.Outcome, error) {
	return New(backend, cfg).Run(ctx, in, out)
}

// Run serves the client at the other end of in and out, as wire.Conn.Finish says. It
// may be called once.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) (wire.Outcome, error) {
	if s.started.Swap(true) {
		return wire.Outcome{}, errors.New("a server runs once")
	}
	s.Start(ctx, in, out)
	s.stream = &stream{server: s}
	// The connection closes when its context ends, and would take the last
	// answers along: it gets one that does not.
	s.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), s.stream, s,
		jsonrpc2.OnSend(s.stream.sending), jsonrpc2.SetLogger(libraryLog{s.Log}))
	close(s.ready)

	outcome, err := s.Finish(ctx, func(r *wire.Request, err *ops.Error) { s.answerError(r, err) })
	outcome.Shutdown = s.down.Load()
	if closeErr := s.conn.Close(); closeErr != nil {
		s.Log.Debug("closing the connection", "error", closeErr.Error())
	}
	return outcome, err
}

// libraryLog takes what the library would print to stderr.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, v ...any) {
	l.log.Debug("jsonrpc2: " + fmt.Sprintf(format, v...))
}
