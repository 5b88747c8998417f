package ops

import (
	"context"
	"sync/atomic"
)

// admission bounds the runs: limit of them at once, and a queue of a fixed
// length behind them. It is safe for concurrent use.
type admission struct {
	slots    chan struct{}
	capacity int64 // running and waiting together
	admitted atomic.Int64
}

func newAdmission(limit, queue int) *admission {
	return &admission{slots: make(chan struct{}, limit), capacity: int64(limit + queue)}
}

// admit counts one more run in, or refuses it when the queue is full.
func (a *admission) admit() error {
	if n := a.admitted.Add(1); n > a.capacity {
		a.admitted.Add(-1)
		e := Errorf(KindBusy, "%d runs are under way or waiting, which is the most that is taken", n-1).
			WithHint("retry when one of them has ended, or start egod with a larger --max-concurrent-runs")
		e.Retryable = true
		return e
	}
	return nil
}

// leave counts an admitted run out.
func (a *admission) leave() { a.admitted.Add(-1) }

// acquire waits for one of the slots; yield gives it back.
func (a *admission) acquire(ctx context.Context) error {
	select {
	case a.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (a *admission) yield() { <-a.slots }
