package sites

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Server serves sites on one loopback port. Its goroutines end with Close.
type Server struct {
	listener *splitListener
	http     *http.Server
	// certificate is the one that TLS clients of this server see.
	certificate *x509.Certificate
	served      sync.WaitGroup

	mu     sync.Mutex // guards misses
	misses []string
}

// Start listens on a free loopback port and serves the sites there until Close.
// The context bounds the start alone.
func Start(ctx context.Context, sites ...Site) (*Server, error) {
	certificate, err := newCertificate(sites)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	base, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{
		listener: &splitListener{Listener: base, tls: &tls.Config{
			Certificates: []tls.Certificate{certificate},
			MinVersion:   tls.VersionTLS12,
		}},
		certificate: certificate.Leaf,
	}
	s.http = &http.Server{
		Handler:           handler{sites: sites, missed: s.miss},
		ReadHeaderTimeout: 10 * time.Second,
		// A browser opens connections ahead of need and drops them: no news.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	s.served.Go(func() { _ = s.http.Serve(s.listener) }) // always ErrServerClosed, after Close
	return s, nil
}

// Addr is the address of the server, host and port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// ChromeArgs returns the Chrome flags under which every host name leads to this
// server and this server's certificate, and no other invalid one, is accepted.
func (s *Server) ChromeArgs() []string {
	return []string{
		"--host-resolver-rules=MAP * " + s.Addr(),
		"--ignore-certificate-errors-spki-list=" + pin(s.certificate),
	}
}

// EgodArgs returns ChromeArgs as flags of egod.
func (s *Server) EgodArgs() []string {
	var args []string
	for _, arg := range s.ChromeArgs() {
		args = append(args, "--chrome-arg="+arg)
	}
	return args
}

// Misses lists the addresses, as host and path, that were asked for on the hosts
// of the sites and were not recorded, in order.
func (s *Server) Misses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.misses)
}

func (s *Server) miss(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misses = append(s.misses, address)
}

// Close ends all connections and waits for the serving goroutine.
func (s *Server) Close() error {
	err := s.http.Close()
	s.served.Wait()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the site server: %w", err)
	}
	return nil
}

// splitListener makes one port speak TLS and plain HTTP: which of the two is
// told by the first byte of a connection.
type splitListener struct {
	net.Listener
	tls *tls.Config
}

func (l *splitListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &splitConn{Conn: conn, tls: l.tls}, nil
}

// splitConn looks at its first byte on the first Read, which the HTTP server
// does on the connection's own goroutine. The server sets deadlines and
// addresses on Conn at any time; only Read and Write go through the chosen side.
type splitConn struct {
	net.Conn
	tls *tls.Config

	choose sync.Once
	chosen net.Conn
}

func (c *splitConn) Read(p []byte) (int, error) { return c.side().Read(p) }

func (c *splitConn) Write(p []byte) (int, error) { return c.side().Write(p) }

// tlsHandshake is the first byte of every TLS connection; no HTTP request begins with it.
const tlsHandshake = 0x16

func (c *splitConn) side() net.Conn {
	c.choose.Do(func() {
		peeked := &peekedConn{Conn: c.Conn, reader: bufio.NewReader(c.Conn)}
		c.chosen = peeked
		if first, err := peeked.reader.Peek(1); err == nil && first[0] == tlsHandshake {
			c.chosen = tls.Server(peeked, c.tls)
		}
	})
	return c.chosen
}

// peekedConn is a connection whose first bytes wait in a reader.
type peekedConn struct {
	net.Conn
	reader *bufio.Reader
}

func (c *peekedConn) Read(p []byte) (int, error) { return c.reader.Read(p) }
