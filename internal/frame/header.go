package frame

import (
	"bufio"
	"bytes"
	"errors"
	"math"
)

const (
	// maxHeaderLine and maxHeaders bound what may stand before a body. Language
	// clients send one or two short lines.
	maxHeaderLine = 8 << 10
	maxHeaders    = 64
	// firstBody is how much memory a body gets before its bytes have come: a
	// length is only a claim.
	firstBody = 64 << 10
	// resyncTail is how much of a line is looked at for the header that ends
	// it: the name, a length and generous blanks.
	resyncTail = 64
)

const contentLength = "content-length"

// headerFrames reads bodies that are announced by a Content-Length header.
//
// When a header is no use, the length of what follows is unknown. It then looks
// for the next "Content-Length: <digits>" that ends a line, wherever in the
// line it stands, because a body ends without a newline. A valid JSON text
// cannot hold that: it would need a raw newline inside a string.
//
// What is wrong is answered before the search: the peer may be waiting for the
// answer before it sends more.
type headerFrames struct {
	r     *bufio.Reader
	limit int64
	// pending is the search to make before the next message is read.
	pending *search
	// found is the length from a header that a search found; valid if seen.
	found length
}

// search is a search for the next Content-Length header.
type search struct {
	within int64  // how many bytes are skipped at most
	body   bool   // what is skipped is a body of that length
	tail   []byte // the end of the line that was read in part
}

// length is the value of a Content-Length header.
type length struct {
	n    int64
	seen bool
}

// next returns the next body.
func (f *headerFrames) next() ([]byte, error) {
	if err := f.search(); err != nil {
		return nil, err
	}
	n, err := f.headers()
	if err != nil {
		return nil, err
	}
	if n > f.limit {
		f.pending = &search{within: n, body: true}
		return nil, tooLarge(f.limit)
	}
	body, err := f.body(n)
	if err != nil {
		return nil, err
	}
	if body = Trim(body); len(body) == 0 {
		return nil, malformed("the message is empty")
	}
	return body, nil
}

// headers reads up to the blank line before a body and returns its length.
func (f *headerFrames) headers() (int64, error) {
	got := f.found
	f.found = length{}
	started := got.seen
	for lines := 0; ; lines++ {
		line, err := f.headerLine()
		if err != nil {
			if ended(err) && started {
				return 0, &TruncatedError{}
			}
			return 0, err
		}
		switch {
		case len(line) == 0 && !started:
			continue // blank lines between messages
		case len(line) == 0 && got.seen:
			return got.n, nil
		case len(line) == 0:
			return 0, f.resync(nil, malformed("the message has no Content-Length header"))
		case lines >= maxHeaders:
			return 0, f.resyncAfter(line, malformed("a message has at most %d header lines", maxHeaders))
		}
		started = true
		n, ok, bad := parseHeader(line)
		if bad != nil {
			return 0, f.resyncAfter(line, bad)
		}
		if ok && got.seen && n != got.n {
			return 0, f.resync(nil, malformed("the message has two Content-Length headers that differ"))
		}
		if ok {
			got = length{n: n, seen: true}
		}
	}
}

// headerLine returns the next line without its end. It is valid until the next
// read.
func (f *headerFrames) headerLine() ([]byte, error) {
	line, err := f.r.ReadSlice('\n')
	if len(line) > maxHeaderLine {
		bad := malformed("a header line is longer than %d bytes", maxHeaderLine)
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, f.resync(line, bad)
		}
		return nil, f.resyncAfter(line, bad)
	}
	if ended(err) && len(bytes.TrimSpace(line)) > 0 {
		return nil, &TruncatedError{}
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(bytes.TrimPrefix(line, bom)), nil
}

// parseHeader reads one header line. ok means it is a Content-Length.
func parseHeader(line []byte) (n int64, ok bool, bad *Error) {
	name, value, found := bytes.Cut(line, []byte(":"))
	name, value = bytes.TrimSpace(name), bytes.TrimSpace(value)
	if !found || !headerName(name) {
		bad = malformed("a header line is not of the form name: value")
		if line[0] == '{' || line[0] == '[' {
			bad.Hint = "the input began with headers; send one before each message, or start egod with --framing line"
		}
		return 0, false, bad
	}
	if !bytes.EqualFold(name, []byte(contentLength)) {
		return 0, false, nil
	}
	if n, ok = digits(value); !ok {
		return 0, false, malformed("the Content-Length is not a number of bytes")
	}
	return n, true, nil
}

// headerName reports whether name is a token as headers use it.
func headerName(name []byte) bool {
	for _, c := range name {
		alphanumeric := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alphanumeric && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(name) > 0
}

// digits reads a decimal number; one that is too large for an int64 is the
// largest int64.
func digits(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		d := int64(c - '0')
		if n > (math.MaxInt64-d)/10 {
			n = math.MaxInt64
			continue
		}
		n = n*10 + d
	}
	return n, len(b) > 0
}

// body reads n bytes. Memory grows with what has come, not with n.
func (f *headerFrames) body(n int64) ([]byte, error) {
	body := make([]byte, 0, min(n, firstBody))
	for int64(len(body)) < n {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(n, 4*int64(cap(body))))
			copy(grown, body)
			body = grown
		}
		got, err := f.r.Read(body[len(body):cap(body)])
		body = body[:len(body)+got]
		if ended(err) && int64(len(body)) < n {
			return nil, &TruncatedError{Want: n, Got: int64(len(body))}
		}
		if err != nil && !ended(err) {
			return nil, err
		}
	}
	return body, nil
}

// resync has the next usable header searched for before anything else is read,
// and returns the error to answer. begun is the part of an unfinished line that
// was read.
func (f *headerFrames) resync(begun []byte, cause *Error) error {
	f.pending = &search{within: math.MaxInt64, tail: bytes.Clone(lastBytes(begun))}
	return cause
}

// resyncAfter is resync for when line, a whole line, may end with that header.
func (f *headerFrames) resyncAfter(line []byte, cause *Error) error {
	if n, ok := trailingLength(line); ok {
		f.found = length{n: n, seen: true}
		return cause
	}
	return f.resync(nil, cause)
}

// search makes the pending search. It stops behind the first line that ends
// with a Content-Length header, and behind the bytes that are to be skipped.
func (f *headerFrames) search() error {
	if f.pending == nil {
		return nil
	}
	s := *f.pending
	f.pending = nil
	for skipped := int64(0); skipped < s.within && !f.found.seen; {
		if _, err := f.r.Peek(1); err != nil {
			if ended(err) && s.body {
				return &TruncatedError{Want: s.within, Got: skipped}
			}
			return err
		}
		window, _ := f.r.Peek(int(min(s.within-skipped, int64(f.r.Buffered()))))
		n := f.scan(&s, window)
		skipped += int64(n)
		if _, err := f.r.Discard(n); err != nil {
			return err
		}
	}
	return nil
}

// scan looks at the rest of the line that window starts in, as far as it is
// there, and returns its length.
func (f *headerFrames) scan(s *search, window []byte) int {
	line, _, whole := bytes.Cut(window, []byte("\n"))
	s.tail = append(lastBytes(s.tail), lastBytes(line)...)
	if !whole {
		return len(line)
	}
	if n, ok := trailingLength(s.tail); ok {
		f.found = length{n: n, seen: true}
	}
	s.tail = s.tail[:0]
	return len(line) + len("\n")
}

// lastBytes returns the end of a line, as much of it as trailingLength needs.
func lastBytes(b []byte) []byte { return b[max(0, len(b)-resyncTail):] }

// trailingLength returns the length from the header that line ends with.
func trailingLength(line []byte) (int64, bool) {
	line = bytes.TrimSpace(line)
	colon := bytes.LastIndexByte(line, ':')
	if colon < 0 {
		return 0, false
	}
	name := bytes.TrimRight(line[:colon], " \t")
	before := len(name) - len(contentLength)
	if before < 0 || !bytes.EqualFold(name[before:], []byte(contentLength)) {
		return 0, false
	}
	if before > 0 && name[before-1] == '-' {
		return 0, false // the end of a longer name
	}
	return digits(bytes.TrimSpace(line[colon+1:]))
}

// StartsWithHeader reports whether text, which was read as a line, is the header of
// a framed message.
func StartsWithHeader(text []byte) bool {
	return len(text) > len(contentLength) && bytes.EqualFold(text[:len(contentLength)], []byte(contentLength))
}
