package browser

import (
	"context"
	"encoding/json"
	"errors"
)

// Function is a browser tool: one function expression that runs in the page.
type Function struct {
	Source string
	Args   json.RawMessage // nil: {}
	Name   string          // of the tool's file, for positions in errors
	// Allow is asked with the address of the very document that will run the
	// function; its error is returned as it is. nil allows every document.
	Allow func(url string) error
	// OnLog hears of each console message while the tool runs, in order; nil: nobody.
	OnLog func(ConsoleMessage)
}

// Outcome is what a browser tool left behind.
type Outcome struct {
	Value   json.RawMessage // tagged JSON
	Logs    []ConsoleMessage
	Dialogs []Dialog
	URL     string // of the document at the end
	Title   string
}

// Call runs a browser tool in the main frame. Console messages and dialogs of the
// page are collected while it runs, also when it fails. A navigation between the
// question to Allow and the run fails the call; nothing runs elsewhere.
func (p *Page) Call(ctx context.Context, f Function) (*Outcome, error) {
	collected := p.startCollecting(f.OnLog)
	out, err := p.callTool(ctx, f)
	logs, dialogs := p.finishCollecting(collected)
	out.Logs, out.Dialogs = logs, dialogs
	return out, err
}

func (p *Page) callTool(ctx context.Context, f Function) (*Outcome, error) {
	out := &Outcome{}
	if err := p.begin(ctx); err != nil {
		return out, pageError("call", "", err)
	}
	w, err := p.allowed(ctx, f.Allow)
	if err != nil {
		return out, err
	}
	args := f.Args
	if args == nil {
		args = json.RawMessage("{}")
	}
	from := origin{source: f.Source, name: sourceURL(f.Name), shift: 1}
	text, err := p.runWrapped(ctx, w, wrapCall(p.chrome.scripts.token, from, args, true))
	if err != nil {
		return out, pageError("call", p.url(), p.staleCall(placeError(err, from)))
	}
	res, err := decodeOutcome(text, from)
	out.Value, out.URL, out.Title = res.value, res.url, res.title
	return out, err
}

// staleCall says that the allowed document went away before the tool began.
func (p *Page) staleCall(err error) error {
	if !errors.Is(err, errStale) {
		return err
	}
	return &PageError{
		Reason: "the page navigated before the tool ran", Cause: err,
		Hint: "wait for the navigation (page.waitForLoadState), then run it again",
	}
}

// allowed asks whether the document now in the main frame may run the tool and
// returns its world.
func (p *Page) allowed(ctx context.Context, allow func(string) error) (*world, error) {
	for {
		w, err := p.mainWorld(ctx)
		if err != nil {
			return nil, pageError("call", p.url(), err)
		}
		if allow == nil {
			return w, nil
		}
		url, err := p.worldURL(ctx, w)
		if errors.Is(err, errStale) {
			p.forgetWorld(w)
			continue
		}
		if err != nil {
			return nil, pageError("call", p.url(), err)
		}
		return w, allow(url)
	}
}

// worldURL is the address of the document a world belongs to: asked in that very
// world once, then kept up to date by the events of same-document navigations.
// location cannot be replaced by the page.
func (p *Page) worldURL(ctx context.Context, w *world) (string, error) {
	p.mu.Lock()
	known := w.url
	p.mu.Unlock()
	if known != "" {
		return known, nil
	}
	url, err := p.runOwn(ctx, w, "location.href")
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w.url = url
	return url, nil
}
