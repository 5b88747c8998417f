package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryTick is how often egod looks at how much memory it holds.
	memoryTick = 5 * time.Second
	// memoryKept is how much it holds without a second thought, in bytes: more than
	// it needs but for results of many megabytes.
	memoryKept = 96 << 20
)

// giveMemoryBack returns to the system what large results took. Go itself would
// keep it for minutes, or for good while nothing else happens. It ends with ctx.
func giveMemoryBack(ctx context.Context) {
	tick := time.NewTicker(memoryTick)
	defer tick.Stop()
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	var allocated uint64 // when memory was last given back
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		metrics.Read(samples)
		now, held := samples[0].Value.Uint64(), samples[1].Value.Uint64()-samples[2].Value.Uint64()
		if held > memoryKept && now > allocated+64<<10 { // what did not change cannot be freed again
			debug.FreeOSMemory()
			allocated = now
		}
	}
}
