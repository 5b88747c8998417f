package ops

import (
	"context"
	"encoding/json"

	"egod/internal/browser"
)

func waitRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.waitForURL", js: args(value("url"), options()),
			doc: "Wait until the page has an address and loaded; false when it did not in time.",
		}, waitForURL),
		define(spec{
			name: "page.waitForFunction", js: args(function("pageFunction"), value("arg"), options()),
			doc: "Evaluate a function until its value is truthy and return the value; false when it was not in time.",
		}, waitForFunction),
		define(spec{
			name: "page.acceptDialog", js: args(value("text")),
			doc: "Accept the dialog that is open (with --dialog manual).",
		}, func(ctx context.Context, sc *Scope, p dialogParams) (Nothing, error) {
			return handleDialog(ctx, sc, p.Space, true, p.Text)
		}),
		define(spec{
			name: "page.dismissDialog", js: args(),
			doc: "Dismiss the dialog that is open (with --dialog manual).",
		}, func(ctx context.Context, sc *Scope, p dismissParams) (Nothing, error) {
			return handleDialog(ctx, sc, p.Space, false, "")
		}),
		define(spec{
			name: "browser.iframeTarget", js: args(value("url")),
			doc: "Return the target id of an out-of-process frame whose address contains a text, or null.",
		}, iframeTarget),
	}
}

type waitForURLParams struct {
	URL string `json:"url" doc:"the whole address; with * (not /) and ** (anything) a pattern"`
	inSpace
	WaitUntil string        `json:"waitUntil,omitempty" doc:"load (default), domcontentloaded, networkidle or commit"`
	Timeout   *Milliseconds `json:"timeout,omitempty" doc:"milliseconds; 10000 when left out"`
}

func waitForURL(ctx context.Context, sc *Scope, p waitForURLParams) (bool, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return false, err
	}
	return page.WaitForURL(ctx, browser.MatchURL(p.URL), p.WaitUntil, sc.timeout(p.Timeout))
}

type waitForFunctionParams struct {
	PageFunction string          `json:"pageFunction" doc:"source of a function, or an expression"`
	Arg          json.RawMessage `json:"arg,omitempty" doc:"value passed to the function"`
	IsFunction   bool            `json:"isFunction,omitempty" doc:"pageFunction is a function; found out by itself when left out"`
	inSpace
	Polling Milliseconds  `json:"polling,omitempty" doc:"milliseconds between two evaluations; 100 when left out"`
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds; 10000 when left out"`
}

func waitForFunction(ctx context.Context, sc *Scope, p waitForFunctionParams) (json.RawMessage, error) {
	page, err := sc.page(ctx)
	if err != nil {
		return nil, err
	}
	return sc.log.during(page, func() (json.RawMessage, error) {
		return page.WaitForFunction(ctx, pageScript(p.PageFunction, p.IsFunction, p.Arg), p.Polling.value(), sc.timeout(p.Timeout))
	})
}

type dialogParams struct {
	Text string `json:"text,omitempty" doc:"what a prompt returns"`
	inSpace
}

type dismissParams struct{ inSpace }

// A request to answer a dialog does not wait for its turn: whoever has it may be
// waiting for the answer.
func (p dialogParams) taskSpace() (SpaceRef, bool)  { return p.Space, false }
func (p dismissParams) taskSpace() (SpaceRef, bool) { return p.Space, false }

func handleDialog(ctx context.Context, sc *Scope, ref SpaceRef, accept bool, text string) (Nothing, error) {
	page, err := sc.pageBeside(ctx, ref)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, page.HandleDialog(ctx, accept, text)
}

type iframeParams struct {
	URL string `json:"url" doc:"a part of the frame's address"`
	inSpace
}

func iframeTarget(ctx context.Context, sc *Scope, p iframeParams) (*string, error) {
	space, err := sc.browserSpace(ctx)
	if err != nil {
		return nil, err
	}
	id, err := space.IframeTarget(ctx, p.URL)
	if err != nil || id == "" {
		return nil, err
	}
	return &id, nil
}
