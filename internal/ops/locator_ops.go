package ops

import (
	"context"
	"encoding/json"
	"time"

	"egod/internal/browser"
)

func locatorRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "locator.evaluateAll", js: args(function("pageFunction"), value("arg")),
			doc: "Call a function in the page with all matching elements and an argument.",
		}, locatorEvaluateAll),
		define(spec{
			name: "locator.getAttribute", js: args(value("name"), options()),
			doc: "Return an attribute of the matching element, or null when it has none.",
		}, locatorGetAttribute),
	}
}

func (sc *Scope) locator(ctx context.Context, selector string) (*browser.Locator, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return nil, err
	}
	return page.Locator(selector), nil
}

type evaluateAllParams struct {
	selectorParams
	PageFunction string          `json:"pageFunction" doc:"source of a function that gets (elements, arg)"`
	Arg          json.RawMessage `json:"arg,omitempty" doc:"value passed to the function"`
	IsFunction   bool            `json:"isFunction,omitempty" doc:"pageFunction is a function; found out by itself when left out"`
}

func locatorEvaluateAll(ctx context.Context, sc *Scope, p evaluateAllParams) (json.RawMessage, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return locator.EvaluateAll(ctx, p.PageFunction, p.Arg)
}

type attributeParams struct {
	selectorParams
	Name    string        `json:"name" doc:"name of the attribute"`
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the element; 10000 when left out"`
}

func locatorGetAttribute(ctx context.Context, sc *Scope, p attributeParams) (*string, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return locator.GetAttribute(ctx, p.Name, p.Timeout.orDefault())
}

// value returns the span as a Go duration.
func (m Milliseconds) value() time.Duration {
	return time.Duration(float64(m) * float64(time.Millisecond))
}

// orDefault returns the span as leaf packages take it, where zero asks for the
// operation's own default. A caller's own zero, which means one look and no
// wait, is negative there.
func (m *Milliseconds) orDefault() time.Duration {
	switch {
	case m == nil:
		return 0
	case *m == 0:
		return -1
	}
	return m.value()
}
