package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"egod/internal/ops"
)

// Framing says how messages are told apart on the wire.
type Framing int

// The framings of docs/protocol.md, "Transport".
const (
	// FramingAuto takes line framing when the first byte that is not blank is
	// not a letter, and header framing when it is.
	FramingAuto Framing = iota
	// FramingLine is one JSON text per line.
	FramingLine
	// FramingHeader is a Content-Length header before each JSON text, as
	// language servers use it.
	FramingHeader
)

// ParseFraming reads the value of --framing: auto, line or header.
func ParseFraming(name string) (Framing, error) {
	switch name {
	case "auto", "":
		return FramingAuto, nil
	case "line":
		return FramingLine, nil
	case "header":
		return FramingHeader, nil
	}
	return FramingAuto, fmt.Errorf("unknown framing %q: it is auto, line or header", name)
}

// String returns the name that ParseFraming reads.
func (f Framing) String() string {
	switch f {
	case FramingLine:
		return "line"
	case FramingHeader:
		return "header"
	}
	return "auto"
}

// frame appends the frame that carries text, one JSON text without newlines.
func (f Framing) frame(dst, text []byte) []byte {
	if f == FramingHeader {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(text)), 10)
		dst = append(dst, "\r\n\r\n"...)
		return append(dst, text...)
	}
	dst = append(dst, text...)
	return append(dst, '\n')
}

// readBuffer is the size of the buffer all input goes through: large enough
// that a burst of small requests costs one read, and the least memory that a
// connection takes.
const readBuffer = 64 << 10

// frames yields the texts of one input, one after the other. An error is a
// *frameError, after which next may be called again, or the end of the input.
type frames interface {
	next() ([]byte, error)
}

func newFrames(framing Framing, r *bufio.Reader, limit int64) frames {
	if framing == FramingHeader {
		return &headerFrames{r: r, limit: limit}
	}
	return &lineFrames{r: r, limit: limit}
}

// frameError is a frame that cannot be taken but after which reading goes on. Its
// cause is what the peer is answered with.
type frameError struct{ cause *ops.Error }

func (e *frameError) Error() string { return e.cause.Message }
func (e *frameError) Unwrap() error { return e.cause }

func malformed(format string, args ...any) *frameError {
	return &frameError{ops.Errorf(ops.KindParseError, format, args...)}
}

func tooLarge(limit int64) *frameError {
	return &frameError{ops.Errorf(ops.KindInvalidRequest,
		"message too large: at most %d bytes are taken", limit).
		With("limitBytes", limit).
		WithHint("send less, or start egod with a larger --max-message-bytes")}
}

// TruncatedError means that the input ended inside a header-framed message.
type TruncatedError struct {
	// Want and Got are bytes of the body; Want is 0 when the input ended inside
	// the headers.
	Want, Got int64
}

func (e *TruncatedError) Error() string {
	if e.Want == 0 {
		return "input ended inside the headers of a message"
	}
	return fmt.Sprintf("input ended inside a message: %d of %d bytes were read", e.Got, e.Want)
}

// detectFraming reads what may stand before the first message and chooses the
// framing by the first byte of it. That byte is left in r.
func detectFraming(r *bufio.Reader) (Framing, error) {
	for {
		first, err := r.Peek(1)
		if err != nil {
			return FramingAuto, err
		}
		skip := 0
		switch c := first[0]; {
		case blank(c):
			skip = 1
		case c == bom[0] && startsWith(r, bom):
			skip = len(bom)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			return FramingHeader, nil
		default:
			return FramingLine, nil
		}
		if _, err := r.Discard(skip); err != nil {
			return FramingAuto, err
		}
	}
}

// bom is the byte order mark some editors and shells put before UTF-8 text.
var bom = []byte("\xEF\xBB\xBF")

func startsWith(r *bufio.Reader, prefix []byte) bool {
	got, err := r.Peek(len(prefix))
	return err == nil && bytes.Equal(got, prefix)
}

// trimText cuts a byte order mark and the blanks around a JSON text.
func trimText(b []byte) []byte {
	return bytes.TrimRight(bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n"), " \t\r\n")
}

// ended reports whether err is the regular end of an input.
func ended(err error) bool { return errors.Is(err, io.EOF) }
