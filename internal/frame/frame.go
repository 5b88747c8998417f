// Package frame is how messages lie in a stream of bytes: one JSON text a line, or
// behind a Content-Length header, as docs/protocol.md has it. A Reader cuts texts
// out of an input, and goes on after a frame that is no use. A Writer owns an
// output: it is the one goroutine that writes to it.
//
// What a text means is for the packages above.
package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Framing says how messages are told apart on the wire.
type Framing int

// The framings of docs/protocol.md, "Transport".
const (
	// Auto takes line framing when the first byte that is not blank is
	// not a letter, and header framing when it is.
	Auto Framing = iota
	// Line is one JSON text per line.
	Line
	// Header is a Content-Length header before each JSON text, as
	// language servers use it.
	Header
)

// Parse reads the name of a framing: auto, line or header.
func Parse(name string) (Framing, error) {
	switch name {
	case "auto", "":
		return Auto, nil
	case "line":
		return Line, nil
	case "header":
		return Header, nil
	}
	return Auto, fmt.Errorf("unknown framing %q: it is auto, line or header", name)
}

// String returns the name that Parse reads.
func (f Framing) String() string {
	switch f {
	case Line:
		return "line"
	case Header:
		return "header"
	}
	return "auto"
}

// Append appends the frame that carries text, one JSON text without newlines.
func (f Framing) Append(dst, text []byte) []byte {
	if f == Header {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(text)), 10)
		dst = append(dst, "\r\n\r\n"...)
		return append(dst, text...)
	}
	dst = append(dst, text...)
	return append(dst, '\n')
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

// bom is the byte order mark some editors and shells put before UTF-8 text.
var bom = []byte("\xEF\xBB\xBF")

// Trim cuts a byte order mark and the blanks around a JSON text.
func Trim(b []byte) []byte {
	return bytes.TrimRight(bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n"), " \t\r\n")
}

// ended reports whether err is the regular end of an input.
func ended(err error) bool { return errors.Is(err, io.EOF) }

// Blank reports whether c is white space between JSON tokens.
func Blank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
