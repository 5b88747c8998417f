package ops

import (
	"context"
	"errors"
	"testing"
)

func TestAdmissionRefusesBeyondTheQueue(t *testing.T) {
	a := newAdmission(1, 2)
	for i := range 3 {
		if err := a.admit(); err != nil {
			t.Fatalf("admit %d: %v", i, err)
		}
	}
	err := a.admit()
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindBusy || !e.Retryable {
		t.Fatalf("admit beyond the queue = %v, want a retryable busy", err)
	}
	a.leave()
	if err := a.admit(); err != nil {
		t.Errorf("admit after one left: %v", err)
	}
}

func TestAdmissionWaitsForASlot(t *testing.T) {
	a := newAdmission(1, 2)
	if err := a.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("told to stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := a.acquire(ctx); !errors.Is(err, cause) {
		t.Errorf("acquire with an ended context = %v, want its cause", err)
	}
	a.yield()
	if err := a.acquire(t.Context()); err != nil {
		t.Errorf("acquire of a free slot: %v", err)
	}
}
