package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"egod/internal/ops"
)

// fakeBackend is a set of operations that do to the server whatever a real one
// might.
type fakeBackend struct {
	calls map[string]func(params []string) *ops.Call
	// release lets the operation "stuck" end, which no context does.
	release chan struct{}
	once    sync.Once

	ran     atomic.Int64 // operations that were run
	dropped atomic.Int64 // calls that were dropped
	ended   atomic.Int64 // waiting operations that saw their context end
	active  atomic.Int64 // waiting operations under way
}

type fakeObserverKey struct{}

func newFakeBackend() *fakeBackend {
	f := &fakeBackend{release: make(chan struct{})}
	f.calls = map[string]func([]string) *ops.Call{
		"echo":    f.inline(func(p []string) (any, error) { return p, nil }),
		"big":     f.inline(f.big),
		"raw":     f.inline(func(p []string) (any, error) { return json.RawMessage(p[0]), nil }),
		"fail":    f.inline(func(p []string) (any, error) { return nil, f.failure(p) }),
		"panic":   f.inline(func([]string) (any, error) { panic("out of cheese") }),
		"later":   f.background(func(context.Context, []string) (any, error) { return "later", nil }),
		"burst":   f.background(func(context.Context, []string) (any, error) { panic(strings.Repeat("x", 10)) }),
		"sleep":   f.background(f.sleep),
		"wait":    f.background(f.wait),
		"stuck":   f.background(f.stuck),
		"grumble": f.background(f.grumble),
		"mumble":  f.background(f.mumble),
		"print":   f.background(f.print),
		"unjson":  f.inline(func([]string) (any, error) { return map[string]any{"f": func() {}}, nil }),
	}
	return f
}

// end lets every stuck operation go.
func (f *fakeBackend) end() { f.once.Do(func() { close(f.release) }) }

func (f *fakeBackend) Methods() []string {
	names := []string{"prepare.panic"}
	for name := range f.calls {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f *fakeBackend) Prepare(method string, params json.RawMessage) (*ops.Call, bool, error) {
	if method == "prepare.panic" {
		panic("cannot prepare")
	}
	make, ok := f.calls[method]
	if !ok {
		return nil, false, nil
	}
	var p []string
	if len(params) > 0 && params[0] == '[' {
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, true, ops.Errorf(ops.KindInvalidParams, "params are no strings")
		}
	}
	call := make(p)
	call.Drop = func(error) { f.dropped.Add(1) }
	return call, true, nil
}

func (f *fakeBackend) inline(run func([]string) (any, error)) func([]string) *ops.Call {
	return func(p []string) *ops.Call {
		return &ops.Call{Inline: true, Run: func(context.Context) (any, error) {
			f.ran.Add(1)
			return run(p)
		}}
	}
}

func (f *fakeBackend) background(run func(context.Context, []string) (any, error)) func([]string) *ops.Call {
	return func(p []string) *ops.Call {
		return &ops.Call{Run: func(ctx context.Context) (any, error) {
			f.ran.Add(1)
			f.active.Add(1)
			defer f.active.Add(-1)
			return run(ctx, p)
		}}
	}
}

// big returns a string as long as the first parameter says in units of KiB,
// one per letter.
func (f *fakeBackend) big(p []string) (any, error) {
	return strings.Repeat("x", len(p[0])<<10), nil
}

func (f *fakeBackend) failure(p []string) error {
	switch p[0] {
	case "canceled":
		return context.Canceled
	case "deadline":
		return context.DeadlineExceeded
	case "plain":
		return context.Cause(context.Background())
	}
	e := ops.Errorf(ops.Kind(p[0]), "it failed\nin two lines").WithHint("try again")
	e.Data = map[string]any{"detail": "<b>"}
	return e
}

func (f *fakeBackend) sleep(ctx context.Context, p []string) (any, error) {
	d, err := time.ParseDuration(p[0])
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return p[0], nil
	case <-ctx.Done():
		f.ended.Add(1)
		return nil, context.Cause(ctx)
	}
}

func (f *fakeBackend) wait(ctx context.Context, _ []string) (any, error) {
	select {
	case <-ctx.Done():
		f.ended.Add(1)
		return nil, context.Cause(ctx)
	case <-f.release:
		return "released", nil
	}
}

func (f *fakeBackend) stuck(context.Context, []string) (any, error) {
	<-f.release
	return "too late", nil
}

// grumble ends when it is told to, and complains.
func (f *fakeBackend) grumble(ctx context.Context, _ []string) (any, error) {
	<-ctx.Done()
	f.ended.Add(1)
	return nil, errors.New("the page went away")
}

// print prints each parameter as a line of console output.
func (f *fakeBackend) print(ctx context.Context, p []string) (any, error) {
	o, _ := ctx.Value(fakeObserverKey{}).(ops.Observer)
	for _, line := range p {
		if o != nil {
			o.Log(ops.LogEvent{Level: "info", Message: line, SiteID: "shop", ToolName: "list"})
		}
	}
	return len(p), nil
}

// newTestServer returns a server over the fake whose operations find their
// observer where the fake looks for it.
func newTestServer(f *fakeBackend, cfg Config) *Server {
	s := New(f, cfg)
	s.observe = func(ctx context.Context, o ops.Observer) context.Context {
		return context.WithValue(ctx, fakeObserverKey{}, o)
	}
	return s
}

// mumble prints once it is told to end.
func (f *fakeBackend) mumble(ctx context.Context, p []string) (any, error) {
	<-ctx.Done()
	defer f.ended.Add(1)
	return f.print(ctx, p)
}

// passTime lets fake time pass; it is called in synctest bubbles only.
func passTime(d time.Duration) { <-time.After(d) }

func (f *fakeBackend) Asked(string, error) {}

func (f *fakeBackend) Introduce(string, string) {}
