package ops

import "context"

// LogEvent is one line of console output of a tool while it runs.
type LogEvent struct {
	Level    string `json:"level"`
	Message  string `json:"message"`
	SiteID   string `json:"siteId,omitempty"`
	ToolName string `json:"toolName,omitempty"`
	// FromPage tells that a page said it, on its own console.
	FromPage bool `json:"-"`
}

// Observer hears of a request's events while it runs. Its methods must not
// block: a face queues or drops what it cannot send.
type Observer interface {
	Log(LogEvent)
}

type observerKey struct{}

// WithObserver returns a context whose operations report to o.
func WithObserver(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, o)
}

func observerFrom(ctx context.Context) Observer {
	o, _ := ctx.Value(observerKey{}).(Observer)
	return o
}
