package frame

import (
	"io"
	"sync"
)

// segment is how many bytes are gathered into one write, so that a burst of small
// answers costs one system call.
const segment = 64 << 10

// NotifyShare and LogShare are the parts of the queue, one over that number, that
// notifications may fill. Past it they are dropped, and the rest is left for
// answers; console output is dropped first, as the result of the run has it as
// well.
const (
	NotifyShare = 8
	LogShare    = 16
)

// Writer owns the output. Messages are queued by any goroutine, without ever
// waiting, and written by one: Run. Answers are never dropped; the queue is
// bounded because the reader of requests stops while it is full (WaitRoom).
type Writer struct {
	out   io.Writer
	limit int64

	mu      sync.Mutex
	framing Framing  // Auto until the first message came in
	queue   [][]byte // segments in order; the last one is being filled
	queued  int64    // bytes in queue and in the write under way
	written int64    // bytes that out has taken
	dropped uint64   // notifications
	closing bool
	room    chan struct{} // closed when queued falls below the limit; nil when nobody waits

	wake   chan struct{} // tells Run that there is something to do; one place
	done   chan struct{} // closed when Run has ended
	failed chan struct{} // closed when out has failed, before done
	err    error         // why; set before failed is closed
}

// NewWriter returns a writer to out whose queue is full at limit bytes. With Auto,
// notifications are dropped until SetFraming.
func NewWriter(out io.Writer, framing Framing, limit int64) *Writer {
	return &Writer{
		out: out, framing: framing, limit: limit,
		wake: make(chan struct{}, 1), done: make(chan struct{}), failed: make(chan struct{}),
	}
}

// SetFraming sets how frames are written, once the framing is known.
func (w *Writer) SetFraming(f Framing) {
	w.mu.Lock()
	w.framing = f
	w.mu.Unlock()
}

// Send queues the answer text, one JSON text. It copies text.
func (w *Writer) Send(text []byte) {
	w.mu.Lock()
	w.push(text)
	w.mu.Unlock()
	w.signal()
}

// Notify queues a notification, or drops and counts it when the peer is slow and
// its share of the queue is full.
// Before the first message came in there is no framing to write it in: a peer
// that has said nothing is told nothing.
func (w *Writer) Notify(text []byte, share int64) (sent bool) {
	w.mu.Lock()
	switch {
	case w.framing == Auto:
	case w.queued+int64(len(text)) > w.limit/share:
		w.dropped++
	default:
		w.push(text)
		sent = true
	}
	w.mu.Unlock()
	if sent {
		w.signal()
	}
	return sent
}

// push adds a frame to the queue. Small ones share a segment.
func (w *Writer) push(text []byte) {
	if w.closing {
		return
	}
	const overhead = len("Content-Length: 9223372036854775807\r\n\r\n")
	last := len(w.queue) - 1
	if last < 0 || len(w.queue[last])+len(text)+overhead > segment && len(w.queue[last]) > 0 {
		w.queue = append(w.queue, nil)
		last++
	}
	before := len(w.queue[last])
	w.queue[last] = w.framing.Append(w.queue[last], text)
	w.queued += int64(len(w.queue[last]) - before)
}

// Done returns a channel that is closed when Run has ended.
func (w *Writer) Done() <-chan struct{} { return w.done }

// Failed returns a channel that is closed when the output has failed, before Done's.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err returns why the output has failed, once Failed is closed.
func (w *Writer) Err() error { return w.err }

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// WaitRoom waits while the queue is full. It returns at once when there is
// room, and when the output has ended or stop is closed.
func (w *Writer) WaitRoom(stop <-chan struct{}) {
	w.mu.Lock()
	if w.queued < w.limit {
		w.mu.Unlock()
		return
	}
	if w.room == nil {
		w.room = make(chan struct{})
	}
	room := w.room
	w.mu.Unlock()
	select {
	case <-room:
	case <-w.done:
	case <-stop:
	}
}

// Close lets Run end once everything queued is written.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closing = true
	w.mu.Unlock()
	w.signal()
}

// Counts returns the bytes written, those still queued, and the number of
// notifications dropped.
func (w *Writer) Counts() (written, queued int64, dropped uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written, w.queued, w.dropped
}

// Run writes what is queued until Close, or until out fails. A Write that never
// returns cannot be ended from here: the owner stops waiting for Run and leaves
// it to the end of the process.
func (w *Writer) Run() {
	defer close(w.done)
	var spare []byte
	for {
		segments, closing := w.take(spare)
		if len(segments) == 0 {
			if closing {
				return
			}
			<-w.wake
			continue
		}
		for _, s := range segments {
			if err := w.write(s); err != nil {
				w.fail(err)
				return
			}
		}
		spare = nil
		if first := segments[0]; cap(first) <= 2*segment {
			spare = first[:0]
		}
	}
}

// fail ends the queue: nothing more can be delivered.
func (w *Writer) fail(err error) {
	w.mu.Lock()
	w.closing, w.queue, w.err = true, nil, err
	w.mu.Unlock()
	close(w.failed)
}

// take returns the queued segments and leaves spare as the first empty one.
func (w *Writer) take(spare []byte) (segments [][]byte, closing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 || len(w.queue) == 1 && len(w.queue[0]) == 0 {
		return nil, w.closing
	}
	segments = w.queue
	w.queue = nil
	if spare != nil {
		w.queue = [][]byte{spare}
	}
	return segments, w.closing
}

// write passes b on in pieces, so that a slow peer is seen to be alive.
func (w *Writer) write(b []byte) error {
	for len(b) > 0 {
		n, err := w.out.Write(b[:min(len(b), segment)])
		w.account(n)
		if err != nil {
			return err
		}
		if n <= 0 {
			return io.ErrShortWrite
		}
		b = b[n:]
	}
	return nil
}

// account records that out has taken n bytes.
func (w *Writer) account(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += int64(n)
	w.queued -= int64(n)
	if w.room != nil && w.queued < w.limit/2 {
		close(w.room)
		w.room = nil
	}
}
