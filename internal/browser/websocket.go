package browser

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/coder/websocket"
)

// socket is the connection to a Chrome that was attached to.
type socket struct {
	conn  *websocket.Conn
	limit int             // of a message, in bytes
	ctx   context.Context //nolint:containedctx // Read and Write end with Close
	end   context.CancelFunc
}

// dialSocket opens a websocket. status is that of the answer; 0 when there was none.
func dialSocket(ctx context.Context, client *http.Client, address string) (s *socket, status int, err error) {
	conn, res, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: client})
	if res != nil {
		status = res.StatusCode
		if err != nil && res.Body != nil {
			res.Body.Close()
		}
	}
	if err != nil {
		return nil, status, err
	}
	conn.SetReadLimit(-1) // the library would end the connection; see Read
	s = &socket{conn: conn, limit: maxFrame}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s, status, nil
}

// Read returns the next message. One past the limit is skipped and a
// *frameTooLargeError, as with a pipe: a page can make Chrome send one.
func (s *socket) Read() ([]byte, error) {
	frame, err := s.read()
	if websocket.CloseStatus(err) != -1 { // the other side closed it in due form
		return nil, io.EOF
	}
	return frame, err
}

func (s *socket) read() ([]byte, error) {
	kind, message, err := s.conn.Reader(s.ctx)
	switch {
	case err != nil:
		return nil, err
	case kind != websocket.MessageText:
		return nil, errors.New("a message that is not text")
	}
	frame, err := io.ReadAll(io.LimitReader(message, int64(s.limit)+1))
	if err != nil || len(frame) <= s.limit {
		return frame, err
	}
	rest, err := io.Copy(io.Discard, message)
	if err != nil {
		return nil, err
	}
	return nil, &frameTooLargeError{head: slices.Clone(frame[:min(len(frame), 256)]), size: len(frame) + int(rest), limit: s.limit}
}

func (s *socket) Write(frame []byte) error { return s.conn.Write(s.ctx, websocket.MessageText, frame) }

// Close ends both directions at once: Chrome takes the end of the connection for the
// end of all that was made through it.
func (s *socket) Close() error {
	s.end()
	return s.conn.CloseNow()
}
