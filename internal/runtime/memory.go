package runtime

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryPoll is how often the watchdog looks. A loop that allocates as fast as
	// it can makes some 10 MB in that time.
	memoryPoll = 5 * time.Millisecond
	// retireHeap retires a worker whose heap is larger than this after a run: a
	// new process is cheaper than the memory.
	retireHeap = 96 << 20
	heapMetric = "/memory/classes/heap/objects:bytes"
)

// memoryGuard makes watches; it belongs to the executor.
type memoryGuard struct {
	softLimit int64 // what the garbage collector was told last
}

// memoryWatch watches the heap during one run. Its goroutine ends with stop.
type memoryWatch struct {
	quit chan struct{}
	done chan struct{}
}

// watch calls exceeded, once, when the heap has grown by more than limit. The
// garbage collector is told to try hard before that; telling it stops the world,
// so it is done only when the number changes by much.
func (g *memoryGuard) watch(limit int64, exceeded func(used int64)) *memoryWatch {
	base := heapBytes()
	if soft := base + limit/8*7 + 32<<20; soft < g.softLimit-16<<20 || soft > g.softLimit+16<<20 {
		g.softLimit = soft
		debug.SetMemoryLimit(soft)
	}
	w := &memoryWatch{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(memoryPoll)
		defer tick.Stop()
		for {
			select {
			case <-w.quit:
				return
			case <-tick.C:
				if used := heapBytes() - base; used > limit {
					exceeded(used)
					return
				}
			}
		}
	}()
	return w
}

// stop ends the watch and tells whether the worker should be retired.
func (w *memoryWatch) stop() bool {
	close(w.quit)
	<-w.done
	return heapBytes() > retireHeap
}

// heapBytes is the size of the objects on the heap, dead ones not yet swept included.
func heapBytes() int64 {
	sample := []metrics.Sample{{Name: heapMetric}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
