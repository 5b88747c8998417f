package frame

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// readBuffer is the size of the buffer all input goes through: large enough
// that a burst of small requests costs one read, and the least memory that a
// connection takes.
const readBuffer = 64 << 10

// Reader yields the texts of one input, one after the other. It is for one
// goroutine.
type Reader struct {
	src     *bufio.Reader
	limit   int64
	framing Framing
	frames  frames // nil until the framing is known
}

// frames are those of one framing. An error is an *Error, after which next may be
// called again, or the end of the input.
type frames interface {
	next() ([]byte, error)
}

// NewReader returns a reader of the frames of in. A frame of more than limit bytes
// is refused.
func NewReader(in io.Reader, framing Framing, limit int64) *Reader {
	return &Reader{src: bufio.NewReaderSize(in, readBuffer), limit: limit, framing: framing}
}

// Detect finds out the framing, unless it is known: it reads what may stand before
// the first message, and then returns the framing by the first byte of that.
func (r *Reader) Detect() (Framing, error) {
	if r.framing != Auto {
		return r.framing, nil
	}
	for {
		first, err := r.src.Peek(1)
		if err != nil {
			return Auto, err
		}
		skip := 0
		switch c := first[0]; {
		case Blank(c):
			skip = 1
		case c == bom[0] && startsWith(r.src, bom):
			skip = len(bom)
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			r.framing = Header
			return Header, nil
		default:
			r.framing = Line
			return Line, nil
		}
		if _, err := r.src.Discard(skip); err != nil {
			return Auto, err
		}
	}
}

// Next returns the next text that is not empty, without the blanks around it. The
// error is an *Error when a frame cannot be taken but reading goes on, a
// *TruncatedError when the input ended inside one, and else that of the input.
func (r *Reader) Next() ([]byte, error) {
	if r.frames == nil {
		framing, err := r.Detect()
		if err != nil {
			return nil, err
		}
		if framing == Header {
			r.frames = &headerFrames{r: r.src, limit: r.limit}
		} else {
			r.frames = &lineFrames{r: r.src, limit: r.limit}
		}
	}
	return r.frames.next()
}

// Error is a frame that cannot be taken but after which reading goes on.
type Error struct {
	// Message says what is wrong with it, Hint what the sender can do.
	Message, Hint string
	// Limit is the largest size in bytes that is taken when that is what is wrong,
	// else 0.
	Limit int64
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func malformed(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) *Error {
	return &Error{
		Message: fmt.Sprintf("message too large: at most %d bytes are taken", limit),
		Hint:    "send less, or start egod with a larger --max-message-bytes", Limit: limit,
	}
}

func startsWith(r *bufio.Reader, prefix []byte) bool {
	got, err := r.Peek(len(prefix))
	return err == nil && bytes.Equal(got, prefix)
}
