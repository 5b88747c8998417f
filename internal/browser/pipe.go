package browser

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// maxFrame bounds one protocol message from Chrome. The largest legitimate ones
// are page values, with their escapes, and screenshots.
const maxFrame = 128 << 20

// frameTooLargeError is a message that passed the limit. It was skipped: the next one
// can be read.
type frameTooLargeError struct {
	head        []byte // its beginning
	size, limit int
}

func (e *frameTooLargeError) Error() string {
	return fmt.Sprintf("a protocol message of %d bytes is too large", e.size)
}

// transport carries whole protocol messages. Read and Write are each called
// from one goroutine; Close may be called from any and ends both.
type transport interface {
	Read() ([]byte, error)
	Write(frame []byte) error
	Close() error
}

// pipe is Chrome's --remote-debugging-pipe: JSON texts, each ended by a NUL byte.
type pipe struct {
	in    io.ReadCloser
	out   io.WriteCloser
	buf   *bufio.Reader
	limit int // of a message, in bytes
	close sync.Once
	err   error
}

func newPipe(in io.ReadCloser, out io.WriteCloser) *pipe {
	return &pipe{in: in, out: out, buf: bufio.NewReaderSize(in, 64<<10), limit: maxFrame}
}

// Read returns the next message without its NUL. A message that the end of the
// stream cuts short is io.ErrUnexpectedEOF; one past the limit is skipped and a
// *frameTooLargeError.
func (p *pipe) Read() ([]byte, error) {
	return readFrame(p.buf, p.limit)
}

func readFrame(r *bufio.Reader, limit int) ([]byte, error) {
	var frame []byte
	for {
		part, err := r.ReadSlice(0)
		if len(frame)+len(part) > limit+1 {
			return nil, skipFrame(r, append(frame, part...), limit, err)
		}
		if len(frame)+len(part) > cap(frame) {
			frame = slices.Grow(frame, max(len(part), len(frame))) // twice as much: append alone would copy megabytes five times
		}
		frame = append(frame, part...)
		switch {
		case err == nil:
			return frame[:len(frame)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(frame) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// skipFrame reads on to the end of a message of which read came before. err is how
// its reading ended so far.
func skipFrame(r *bufio.Reader, read []byte, limit int, err error) error {
	tooLarge := &frameTooLargeError{head: slices.Clone(read[:min(len(read), 256)]), size: len(read), limit: limit}
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = r.ReadSlice(0)
		tooLarge.size += len(part)
	}
	switch {
	case err == nil:
		return tooLarge
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}

func (p *pipe) Write(frame []byte) error {
	_, err := p.out.Write(append(frame, 0))
	return err
}

// Close closes both ends; Chrome takes the end of its input as the order to quit.
func (p *pipe) Close() error {
	p.close.Do(func() { p.err = errors.Join(p.out.Close(), p.in.Close()) })
	return p.err
}
