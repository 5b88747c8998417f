package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/coder/websocket"
)

// socket is the connection to a Chrome that was attached to.
type socket struct {
	conn *websocket.Conn
	ctx  context.Context //nolint:containedctx // Read and Write end with Close
	end  context.CancelFunc
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
	conn.SetReadLimit(maxFrame)
	s = &socket{conn: conn}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s, status, nil
}

func (s *socket) Read() ([]byte, error) {
	kind, frame, err := s.conn.Read(s.ctx)
	switch {
	case websocket.CloseStatus(err) != -1: // the other side closed it in due form
		return nil, io.EOF
	case err != nil:
		return nil, err
	case kind != websocket.MessageText:
		return nil, fmt.Errorf("a binary message of %d bytes", len(frame))
	}
	return frame, nil
}

func (s *socket) Write(frame []byte) error { return s.conn.Write(s.ctx, websocket.MessageText, frame) }

// Close ends both directions at once: Chrome takes the end of the connection for the
// end of all that was made through it.
func (s *socket) Close() error {
	s.end()
	return s.conn.CloseNow()
}
