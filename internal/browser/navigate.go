package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Load states a wait can ask for. Commit is done when the new document is there.
const (
	StateLoad        = "load"
	StateInteractive = "domcontentloaded"
	StateIdle        = "networkidle"
	StateCommit      = "commit"
)

const (
	defaultGotoTimeout = 20 * time.Second
	defaultLoadTimeout = 15 * time.Second
	defaultIdleTimeout = 10 * time.Second
	defaultIdleSpan    = 500 * time.Millisecond
)

// GotoOptions says how long Goto waits and for what.
type GotoOptions struct {
	WaitUntil string        // StateLoad (default), StateInteractive, StateIdle or StateCommit
	Timeout   time.Duration // 0: 20 s. Its end is no error: Loaded is false then
	Settle    time.Duration // waited after the load
	Referrer  string
}

// GotoResult tells where the main frame went.
type GotoResult struct {
	Navigation Navigation `json:"navigation"`
	Loaded     bool       `json:"loaded"` // the asked state was reached in time; false for StateCommit
}

// Navigation is Chrome's answer to Page.navigate. ErrorText names a network error
// ("net::ERR_..."): the frame shows an error page then, and Goto is no failure.
type Navigation struct {
	FrameID    string `json:"frameId"`
	LoaderID   string `json:"loaderId,omitempty"`
	ErrorText  string `json:"errorText,omitempty"`
	IsDownload bool   `json:"isDownload"` // the document stays
}

// Goto opens url in the page. Only what Chrome refuses outright is an error.
func (p *Page) Goto(ctx context.Context, url string, o GotoOptions) (GotoResult, error) {
	var res GotoResult
	if err := p.begin(ctx); err != nil {
		return res, pageError("goto", url, err)
	}
	until, cancel := deadline(ctx, o.Timeout, defaultGotoTimeout)
	defer cancel()
	seq := p.sequence()
	err := p.session.call(until, proto.PageNavigate{URL: url, Referrer: o.Referrer}, &res.Navigation)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, errWaitEnded) {
			res.Navigation.FrameID = p.mainFrameID()
			return res, nil
		}
		return res, pageError("goto", url, err)
	}
	committed := func() bool { return true }
	if res.Navigation.LoaderID != "" && !p.keepsDocument(res.Navigation.ErrorText) {
		committed = func() bool {
			return p.doc.seq > seq && (slices.Contains(p.doc.recent, res.Navigation.LoaderID) || res.Navigation.ErrorText != "")
		}
	}
	if o.WaitUntil == StateCommit { // where the page goes from there is another's business
		_, err = reached(ctx, p.await(until, committed))
		return res, pageError("goto", url, err)
	}
	res.Loaded, err = p.reach(ctx, until, o.WaitUntil, defaultIdleSpan, committed)
	if err != nil {
		return res, pageError("goto", url, err)
	}
	return res, settle(ctx, o.Settle)
}

// keepsDocument reports whether a navigation that ended so leaves the old document
// in place: a download, an answer without content, or one stopped by another.
func (p *Page) keepsDocument(errorText string) bool { return errorText == "net::ERR_ABORTED" }

// ReloadOptions says how Reload reloads and waits.
type ReloadOptions struct {
	IgnoreCache bool
	WaitUntil   string        // as in GotoOptions
	Timeout     time.Duration // 0: 15 s
}

// Reload loads the document again and reports whether the asked state was reached
// in time; with StateCommit it does not wait and the answer is false.
func (p *Page) Reload(ctx context.Context, o ReloadOptions) (bool, error) {
	if err := p.begin(ctx); err != nil {
		return false, pageError("reload", "", err)
	}
	until, cancel := deadline(ctx, o.Timeout, defaultLoadTimeout)
	defer cancel()
	seq := p.sequence()
	if err := p.session.call(until, proto.PageReload{IgnoreCache: o.IgnoreCache}, nil); err != nil {
		if ctx.Err() == nil && errors.Is(err, errWaitEnded) {
			return false, nil
		}
		return false, pageError("reload", p.url(), err)
	}
	if o.WaitUntil == StateCommit {
		return false, nil
	}
	ok, err := p.reach(ctx, until, o.WaitUntil, defaultIdleSpan, func() bool { return p.doc.seq > seq })
	return ok, pageError("reload", p.url(), err)
}

// Info is what the page shows; with an open dialog only Dialog is set.
type Info struct {
	URL    string      `json:"url"`
	Title  string      `json:"title"`
	W      float64     `json:"w"`  // viewport, CSS px
	H      float64     `json:"h"`  //
	SX     float64     `json:"sx"` // scroll offset
	SY     float64     `json:"sy"` //
	PW     float64     `json:"pw"` // whole document
	PH     float64     `json:"ph"` //
	Dialog *DialogInfo `json:"dialog,omitempty"`
}

// DialogInfo is the dialog that blocks a page.
type DialogInfo struct {
	URL           string `json:"url"`
	Message       string `json:"message"`
	Type          string `json:"type"`
	DefaultPrompt string `json:"defaultPrompt"`
}

// MarshalJSON leaves the other fields out while a dialog is open.
func (i Info) MarshalJSON() ([]byte, error) {
	if i.Dialog != nil {
		return json.Marshal(struct {
			Dialog *DialogInfo `json:"dialog"`
		}{i.Dialog})
	}
	type plain Info
	return json.Marshal(plain(i))
}

const infoExpression = `(() => {
  const root = document.documentElement;
  return JSON.stringify({ url: location.href, title: document.title, w: innerWidth, h: innerHeight, sx: scrollX, sy: scrollY,
    pw: root ? root.scrollWidth : innerWidth, ph: root ? root.scrollHeight : innerHeight });
})()`

// Info reads the page's address, title and sizes without touching its scripts.
func (p *Page) Info(ctx context.Context) (Info, error) {
	var info Info
	if err := p.begin(ctx); err != nil {
		return info, pageError("info", "", err)
	}
	if d := p.openDialog(); d != nil {
		info.Dialog = &DialogInfo{URL: d.URL, Message: d.Message, Type: d.Type, DefaultPrompt: d.DefaultValue}
		return info, nil
	}
	if err := p.inIsolated(ctx, infoExpression, &info); err != nil {
		return info, pageError("info", p.url(), err)
	}
	return info, nil
}

// URL is the address of the document, also while a dialog is open.
func (p *Page) URL(ctx context.Context) (string, error) {
	info, err := p.Info(ctx)
	if info.Dialog != nil {
		return p.url(), err
	}
	return info.URL, err
}

// Title is the title of the document.
func (p *Page) Title(ctx context.Context) (string, error) {
	info, err := p.Info(ctx)
	if err == nil {
		err = p.barred()
	}
	return info.Title, pageError("title", p.url(), err)
}

func (p *Page) sequence() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc.seq
}

func (p *Page) mainFrameID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc.frameID
}

// errWaitEnded is the cause of a context that one of our own timeouts ended.
var errWaitEnded = errors.New("the wait's timeout ended")

// deadline bounds ctx by timeout, or by def when timeout is 0.
func deadline(ctx context.Context, timeout, def time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		timeout = def
	}
	return context.WithTimeoutCause(ctx, timeout, errWaitEnded)
}

func settle(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pageError gives err the operation and the address it is about. Errors that
// have a type of their own, and the ends of contexts, stay as they are.
func pageError(op, url string, err error) error {
	if err == nil {
		return nil
	}
	var refused *protocolError
	if errors.As(err, &refused) {
		return &PageError{Op: op, URL: url, Reason: refusal(refused), Permanent: refused.permanent(), Cause: err}
	}
	var page *PageError
	if errors.As(err, &page) {
		named := *page
		if named.Op == "" {
			named.Op = op
		}
		if named.URL == "" {
			named.URL = url
		}
		return &named
	}
	return err
}

func refusal(e *protocolError) string {
	if e.Data == "" {
		return e.Message
	}
	return fmt.Sprintf("%s: %s", e.Message, e.Data)
}
