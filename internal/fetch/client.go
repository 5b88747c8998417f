package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"golang.org/x/text/encoding/unicode"
)

// Defaults of Config and Request.
const (
	DefaultTimeout      = 20 * time.Second
	DefaultMaxBodyBytes = 32 << 20
	DefaultMaxRedirects = 20
	DefaultUserAgent    = "Mozilla/5.0"
)

// Config is what a Client is made of. Its zero value is the strict client.
type Config struct {
	// AllowPrivate lets the client connect to addresses that are not public.
	AllowPrivate bool
	// MaxBodyBytes bounds the body of an answer; 0 means DefaultMaxBodyBytes.
	MaxBodyBytes int64
	// MaxRedirects bounds the redirects of one request; 0 means the default.
	MaxRedirects int
	// Resolver looks names up; nil means the system's.
	Resolver *net.Resolver
}

// Client fetches. It is safe for concurrent use and keeps connections until
// they are idle for a while, or Close.
type Client struct {
	cfg       Config
	guard     *guard
	transport *http.Transport
}

// New returns a client.
func New(cfg Config) *Client {
	if cfg.MaxBodyBytes <= 0 {
		cfg.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if cfg.MaxRedirects <= 0 {
		cfg.MaxRedirects = DefaultMaxRedirects
	}
	c := &Client{cfg: cfg, guard: newGuard()}
	dialer := &net.Dialer{Resolver: cfg.Resolver, ControlContext: c.checkDial}
	c.transport = &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           16,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
	return c
}

// Close gives up the connections that are kept. Requests under way go on.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Response is an answer, whatever its status.
type Response struct {
	// Method is that of the request, URL that of the last one after redirects.
	Method, URL string
	Status      int
	Header      http.Header
	Body        []byte
}

// OK tells whether the status is 200 to 299.
func (r *Response) OK() bool { return r.Status >= 200 && r.Status <= 299 }

// Text reads the body as UTF-8, as the Fetch standard does: without a byte order
// mark, with U+FFFD for what is not UTF-8.
func (r *Response) Text() string {
	body := bytes.TrimPrefix(r.Body, []byte("\ufeff"))
	text, err := unicode.UTF8.NewDecoder().Bytes(body)
	if err != nil {
		return string(body) // the decoder replaces and never fails
	}
	return string(text)
}

// Do sends a request and reads the whole answer. An answer of any status is no
// error. Errors are *RequestError, *DeniedError, *TransportError, *TimeoutError,
// *LimitError, or the cause of ctx.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	timeout := r.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	expired := &TimeoutError{Method: r.Method, URL: r.URL, Timeout: timeout}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, expired)
	defer cancel()
	req, err := c.prepare(ctx, &r)
	if refused := (*checkError)(nil); errors.As(err, &refused) {
		return nil, refused.error
	}
	if err != nil {
		return nil, err
	}
	expired.Method = req.Method
	response, err := c.exchange(req, &r)
	if err == nil {
		return response, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if refused := (*checkError)(nil); errors.As(err, &refused) {
		return nil, refused.error
	}
	return nil, explain(err, req.Method, r.URL)
}

// prepare checks a request and makes it one of net/http.
func (c *Client) prepare(ctx context.Context, r *Request) (*http.Request, error) {
	u, err := parseURL(r.URL, "")
	if err != nil {
		return nil, err
	}
	method, err := r.method()
	if err != nil {
		return nil, err
	}
	if r.Body != nil && (method == http.MethodGet || method == http.MethodHead) {
		return nil, &RequestError{"body", "a " + method + " request has no body"}
	}
	switch r.Redirects {
	case "", Follow, Refuse, Manual:
	default:
		return nil, &RequestError{"redirect", fmt.Sprintf("redirect is follow, error or manual, not %q", r.Redirects)}
	}
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, &RequestError{"url", fmt.Sprintf("%q cannot be requested: %v", r.URL, err)}
	}
	if req.Header, err = r.header(); err != nil {
		return nil, err
	}
	return req, c.checkHost(req.URL, r)
}

// exchange follows redirects and reads the body.
func (c *Client) exchange(req *http.Request, r *Request) (*Response, error) {
	client := http.Client{
		Transport: c.transport,
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			return c.redirect(next, via, r)
		},
	}
	answer, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	tooLong := &LimitError{Method: req.Method, URL: r.URL, Bytes: c.cfg.MaxBodyBytes}
	if answer.ContentLength > c.cfg.MaxBodyBytes && req.Method != http.MethodHead {
		return nil, tooLong
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, c.cfg.MaxBodyBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if int64(len(body)) > c.cfg.MaxBodyBytes {
		return nil, tooLong
	}
	return &Response{
		Method: req.Method, URL: answer.Request.URL.String(), Status: answer.StatusCode,
		Header: answer.Header, Body: body,
	}, nil
}

var (
	errRedirected       = errors.New("the answer is a redirect, and redirect is \"error\"")
	errTooManyRedirects = errors.New("too many redirects")
)

// redirect looks at the next request of a chain before it is sent. What net/http
// made of the Location header is read again by the rules of the first URL.
func (c *Client) redirect(next *http.Request, via []*http.Request, r *Request) error {
	switch {
	case r.Redirects == Manual:
		return http.ErrUseLastResponse
	case r.Redirects == Refuse:
		return errRedirected
	case len(via) > c.cfg.MaxRedirects:
		return errTooManyRedirects
	}
	u, err := parseURL(next.Response.Header.Get("Location"), via[len(via)-1].URL.String())
	if err != nil {
		return err
	}
	next.URL, next.Host = u, ""
	for _, earlier := range append(via[1:len(via):len(via)], next) {
		if earlier.URL.Scheme != via[0].URL.Scheme || earlier.URL.Host != via[0].URL.Host {
			dropCredentials(next.Header)
		}
	}
	if via[0].Header.Get("Referer") == "" {
		next.Header.Del("Referer")
	}
	return c.checkHost(u, r)
}

// dropCredentials removes what another origin must not see.
func dropCredentials(h http.Header) {
	for _, name := range []string{"Authorization", "Cookie", "Cookie2", "Www-Authenticate"} {
		h.Del(name)
	}
}

// checkHost refuses URLs whose host is a private address, before any socket is
// made: on a system without IPv6 there would never be one to check. Before that the
// request's own check is asked.
func (c *Client) checkHost(u *url.URL, r *Request) error {
	if r.Check != nil {
		if err := r.Check(u); err != nil {
			return &checkError{err}
		}
	}
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil //nolint:nilerr // a name; what it resolves to is checked at the dial
	}
	return c.check(addr, u.String())
}

// checkDial refuses private addresses where the connection is made: after DNS,
// with the very address of the socket.
func (c *Client) checkDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("reading the address %q: %w", address, err)
	}
	return c.check(at.Addr(), "")
}

func (c *Client) check(addr netip.Addr, from string) error {
	if c.cfg.AllowPrivate {
		return nil
	}
	what := c.guard.private(addr)
	if what == "" {
		return nil
	}
	return &DeniedError{
		Rule: RulePrivate, URL: from, Address: addr.String(),
		Reason: fmt.Sprintf("%s is a %s address", addr, what),
	}
}

// explain makes a typed error of what net/http returned.
func explain(err error, method, from string) error {
	var (
		denied  *DeniedError
		bad     *RequestError
		limit   *LimitError
		wrapped *url.Error
	)
	switch {
	case errors.As(err, &denied):
		named := *denied
		if named.URL == "" {
			named.URL = from
		}
		return &named
	case errors.As(err, &bad):
		return &TransportError{Method: method, URL: from, Err: fmt.Errorf("it redirects to what cannot be fetched: %w", bad)}
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &wrapped):
		err = wrapped.Err // the rest of it says method and URL once more
	}
	return &TransportError{Method: method, URL: from, Err: err}
}
