package frame

import (
	"bufio"
	"bytes"
	"errors"
)

// lineFrames reads one JSON text per line.
type lineFrames struct {
	r     *bufio.Reader
	limit int64
	// skip means that the rest of a line that is too long is still unread: the
	// peer is told before the line has ended.
	skip bool
}

// next returns the next line that is not blank. The last line needs no newline.
func (f *lineFrames) next() ([]byte, error) {
	for {
		if err := f.skipLine(); err != nil {
			return nil, err
		}
		line, err := f.line()
		if text := Trim(line); len(text) > 0 {
			return text, nil // the error, if there is one, comes again
		}
		if err != nil {
			return nil, err
		}
	}
}

// line returns a copy of the next line. At the end of the input it returns what
// stands behind the last newline together with io.EOF; with any other error the
// line is not whole and nil.
func (f *lineFrames) line() ([]byte, error) {
	chunk, err := f.r.ReadSlice('\n')
	if err == nil && int64(len(chunk)) <= f.limit {
		return bytes.Clone(chunk), nil
	}
	// A long line is kept in pieces until its end has come, which costs one copy
	// more, and not the several of a slice that grows.
	var pieces [][]byte
	for size := int64(0); ; {
		if size+int64(len(bytes.TrimRight(chunk, "\r\n"))) > f.limit {
			f.skip = errors.Is(err, bufio.ErrBufferFull)
			return nil, tooLarge(f.limit)
		}
		pieces = append(pieces, bytes.Clone(chunk))
		size += int64(len(chunk))
		switch {
		case err == nil || ended(err):
			return bytes.Join(pieces, nil), err
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		chunk, err = f.r.ReadSlice('\n')
	}
}

// skipLine reads to the end of a line that is too long.
func (f *lineFrames) skipLine() error {
	for f.skip {
		_, err := f.r.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		f.skip = err != nil
	}
	return nil
}
