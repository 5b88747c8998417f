package runtime

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// A frame is a message between the pool and a worker:
//
//	4 bytes  length of the rest, big endian
//	1 byte   kind
//	8 bytes  number of the run, 0 when it is about the worker
//	4 bytes  length of the head
//	head     JSON, its type depends on the kind
//	body     JSON of the program's own (arguments, value), passed on untouched
//
// The body stands apart so that large values are neither escaped nor scanned
// again on their way.
type frame struct {
	kind frameKind
	run  uint64
	head []byte
	body []byte
}

type frameKind byte

const (
	// From the pool.
	frameInit   frameKind = 'I' // initHead; first frame
	frameRun    frameKind = 'R' // runHead, body = arguments
	frameCheck  frameKind = 'K' // runHead
	frameReply  frameKind = 'A' // replyHead, body = value
	frameCancel frameKind = 'X' // no head

	// From the worker.
	frameReady frameKind = 'O' // no head
	frameNeed  frameKind = 'N' // no head: send the files
	frameBegin frameKind = 'B' // no head: compiled, now running
	frameLog   frameKind = 'L' // logHead
	frameCall  frameKind = 'C' // callHead, body = arguments
	frameLimit frameKind = 'M' // limitHead: a limit is passed, the worker tries to stop
	frameDone  frameKind = 'D' // doneHead, body = value
)

type initHead struct {
	Surface string            `json:"surface"`
	Table   json.RawMessage   `json:"table,omitempty"`
	Files   bool              `json:"files,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // process.env of programs
	// AddressSpace is the RLIMIT_AS the worker sets on itself, in bytes.
	AddressSpace int64 `json:"addressSpace"`
}

type runHead struct {
	Key    string      `json:"key"`
	Kind   ProgramKind `json:"kind"`
	Site   string      `json:"site,omitempty"`
	Entry  string      `json:"entry"`
	Export string      `json:"export,omitempty"`
	// Context is Program.Context.
	Context string            `json:"context,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
	Limits  Limits            `json:"limits"`
}

type callHead struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
}

type replyHead struct {
	ID    uint64     `json:"id"`
	Error *wireError `json:"error,omitempty"`
}

// wireError is a host call's error on its way into JavaScript.
type wireError struct {
	Message string          `json:"message"`
	Kind    string          `json:"kind,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// logHead carries what was printed since the last one, so that it is not lost
// when the worker has to be killed.
type logHead struct {
	Logs   []LogEntry `json:"logs,omitempty"`
	Output string     `json:"output,omitempty"`
}

type limitHead struct {
	Limit  string `json:"limit"`
	Detail string `json:"detail"`
}

type doneHead struct {
	Script   *ScriptError `json:"script,omitempty"`
	CauseID  uint64       `json:"causeId,omitempty"`
	Problems []Problem    `json:"problems,omitempty"`
	Limit    *LimitError  `json:"limit,omitempty"`
	Result   *ResultError `json:"result,omitempty"`
	Stopped  bool         `json:"stopped,omitempty"`
	Internal string       `json:"internal,omitempty"`
	Reads    []Read       `json:"reads,omitempty"`
	// Retire asks the pool to end this worker: its memory may not come back.
	Retire bool `json:"retire,omitempty"`
}

// maxFrameBytes bounds what one side takes from the other; results and
// arguments are bounded well below it.
const maxFrameBytes = 256 << 20

const frameHeader = 4 + 1 + 8 + 4

// frameWriter writes whole frames; it is safe for several goroutines.
type frameWriter struct {
	mu  sync.Mutex // guards w and buf
	w   io.Writer
	buf []byte
}

// write sends one frame. head may be nil.
func (fw *frameWriter) write(kind frameKind, run uint64, head any, body []byte) error {
	var headJSON []byte
	if head != nil {
		var err error
		if headJSON, err = json.Marshal(head); err != nil {
			return fmt.Errorf("encoding frame %q: %w", kind, err)
		}
	}
	fw.mu.Lock()
	defer fw.mu.Unlock()
	buf := binary.BigEndian.AppendUint32(fw.buf[:0], uint32(frameHeader-4+len(headJSON)+len(body)))
	buf = append(buf, byte(kind))
	buf = binary.BigEndian.AppendUint64(buf, run)
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(headJSON)))
	buf = append(buf, headJSON...)
	buf = append(buf, body...)
	_, err := fw.w.Write(buf)
	if fw.buf = buf; cap(buf) > 1<<20 {
		fw.buf = nil
	}
	return err
}

// frameReader reads frames; it belongs to one goroutine.
type frameReader struct {
	r *bufio.Reader
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// read returns the next frame. io.EOF means the other side ended between frames.
func (fr *frameReader) read() (frame, error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(fr.r, header[:]); err != nil {
		return frame{}, err
	}
	size := int64(binary.BigEndian.Uint32(header[:4])) - (frameHeader - 4)
	headLen := int64(binary.BigEndian.Uint32(header[13:]))
	if size < 0 || headLen > size || size > maxFrameBytes {
		return frame{}, fmt.Errorf("frame of %d bytes with a head of %d is not valid", size, headLen)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(fr.r, data); err != nil {
		return frame{}, fmt.Errorf("frame cut short: %w", io.ErrUnexpectedEOF)
	}
	return frame{
		kind: frameKind(header[4]),
		run:  binary.BigEndian.Uint64(header[5:13]),
		head: data[:headLen:headLen],
		body: data[headLen:],
	}, nil
}
