package rpc

import (
	"sync"

	"egod/internal/ops"
	"egod/internal/wire"
)

// maxBatch is how many messages one batch may hold. Each costs an answer that
// is kept until the last one is there; where each is a refusal of two hundred
// bytes, that is 25 MB for a frame of 256 KB.
const maxBatch = 1 << 17

// batch gathers the answers to one array of messages. They leave as one array
// when every member has been read and has its answer.
type batch struct {
	// rest is what is still unread of the array; only the reader uses it.
	rest []byte
	// limit bounds the bytes of the answers together.
	limit int64

	mu      sync.Mutex
	answers []byte // "[a,b" once there is one
	members []*wire.Request
	waiting int // members without an answer
	sealed  bool
}

// batchOf returns the batch that r is part of, nil when it stands alone.
func batchOf(r *wire.Request) *batch {
	b, _ := r.Value.(*batch)
	return b
}

// expect registers a member that will be answered.
func (b *batch) expect(r *wire.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, r)
	b.waiting++
}

// unexpect takes the last expect back.
func (b *batch) unexpect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = b.members[:len(b.members)-1]
	b.waiting--
}

// add takes the answer of a member, or one that stands for a message that is
// no request. It returns the whole array when that was the last one.
func (b *batch) add(answer []byte, member bool) (whole []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if member {
		b.waiting--
	}
	if len(b.answers) == 0 {
		b.answers = append(b.answers, '[')
	} else {
		b.answers = append(b.answers, ',')
	}
	b.answers = append(b.answers, answer...)
	return b.wholeLocked()
}

// seal says that every message of the array was read. It returns the array of
// answers when they are all there.
func (b *batch) seal() (whole []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sealed = true
	return b.wholeLocked()
}

// wholeLocked returns the array once; nil while something is missing, and when
// the batch held only notifications.
func (b *batch) wholeLocked() []byte {
	if !b.sealed || b.waiting > 0 || len(b.answers) == 0 {
		return nil
	}
	whole := append(b.answers, ']')
	b.answers = nil
	return whole
}

// overfull reports whether n more bytes are too many.
func (b *batch) overfull(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(len(b.answers)+n) > b.limit
}

// errBatchFull stands in for an answer that does not fit.
func errBatchFull(limit int64) *ops.Error {
	return ops.Errorf(ops.KindLimitExceeded, "the answers of this batch are larger than %d bytes together", limit).
		With("limit", "batch").With("limitBytes", limit).
		WithHint("send the request on its own")
}

// batchItems counts the items of a valid JSON array, up to max+1.
func batchItems(array []byte, max int) int {
	n := 0
	for item, rest := wire.NextItem(array[1:]); item != nil && n <= max; item, rest = wire.NextItem(rest) {
		n++
	}
	return n
}
