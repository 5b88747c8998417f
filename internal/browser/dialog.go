package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// Dialog is an alert, confirm, prompt or beforeunload that a page opened.
type Dialog struct {
	Type         string `json:"type"`
	Message      string `json:"message"`
	DefaultValue string `json:"defaultValue"`
	Action       string `json:"action"` // "accepted", "dismissed" or "open"
	URL          string `json:"-"`
}

func (d *Dialog) String() string { return fmt.Sprintf("%s %q", d.Type, d.Message) }

func (p *Page) dialogOpening(s *session, e *struct {
	URL           string `json:"url"`
	Message       string `json:"message"`
	Type          string `json:"type"`
	DefaultPrompt string `json:"defaultPrompt"`
}) {
	d := Dialog{
		Type: e.Type, Message: cutText(e.Message, messageLimit), DefaultValue: cutText(e.DefaultPrompt, messageLimit),
		URL: e.URL, Action: "dismissed",
	}
	policy := p.chrome.cfg.Dialog
	accept := policy == DialogAccept || (policy != DialogManual && e.Type == "beforeunload")
	if accept {
		d.Action = "accepted"
	}
	if policy == DialogManual {
		d.Action = "open"
		if p.dialog == nil {
			close(p.blocked)
		}
		p.dialog = &d
	} else {
		s.send(proto.PageHandleJavaScriptDialog{Accept: accept, PromptText: e.DefaultPrompt})
	}
	for c := range p.collectors {
		c.addDialog(d)
	}
	p.report(Event{Kind: EventDialog, Dialog: &d})
}

func (p *Page) dialogClosed(_ *session, e *struct {
	Result bool `json:"result"`
}) {
	if p.dialog != nil {
		p.dialog, p.blocked = nil, make(chan struct{})
	}
}

// openDialog returns the dialog that blocks the page, or nil.
func (p *Page) openDialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog
}

// dialogNear is the dialog that blocks the page, or one of another tab of its space:
// tabs that know each other may share the thread that it blocks.
func (p *Page) dialogNear() *Dialog {
	if d := p.openDialog(); d != nil {
		return d
	}
	p.chrome.mu.Lock()
	var others []*Page
	if p.set != nil {
		others = slices.Clone(p.set.pages)
	}
	p.chrome.mu.Unlock()
	for _, other := range others {
		if d := other.openDialog(); d != nil {
			return d
		}
	}
	return nil
}

// blocking is a channel that is closed once a dialog blocks the page.
func (p *Page) blocking() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.blocked
}

// barred is the error of whoever asks the page's scripts while a dialog is open.
// They would answer only after it.
func (p *Page) barred() error {
	if d := p.openDialog(); d != nil {
		return dialogInTheWay(d, nil)
	}
	return nil
}

// errDialogOpened is the cause of the end of a script of ours that a dialog interrupted.
var errDialogOpened = errors.New("it opened while the page was at work")

// dialogInTheWay is the error of what a dialog holds up.
func dialogInTheWay(d *Dialog, cause error) error {
	return &PageError{
		Reason: "dialog open: " + d.String(), Cause: cause,
		Hint: "answer it with page.acceptDialog or page.dismissDialog, or start with --dialog dismiss",
	}
}

// browserDomains are answered by Chrome itself, whatever the page is at; so are
// some commands of other domains.
var (
	browserDomains = map[string]bool{
		"Target": true, "Browser": true, "Storage": true, "Fetch": true, "IO": true, "Input": true, "Tracing": true, "SystemInfo": true,
	}
	browserCommands = map[string]bool{
		"Page.handleJavaScriptDialog": true, "Page.navigate": true, "Page.close": true, "Page.bringToFront": true, "Page.crash": true,
		"Page.getNavigationHistory": true, "Page.screencastFrameAck": true, "Page.stopScreencast": true,
		"Network.getCookies": true, "Network.setCookie": true, "Network.setCookies": true, "Network.deleteCookies": true,
		"Network.clearBrowserCookies": true, "Runtime.terminateExecution": true,
	}
)

// needsScripts reports whether a command is answered by the thread on which the
// page's scripts run.
func needsScripts(method string) bool {
	domain, _, _ := strings.Cut(method, ".")
	return !browserDomains[domain] && !browserCommands[method]
}

// HandleDialog answers the dialog that is open under the manual policy. text is
// what a prompt returns.
func (p *Page) HandleDialog(ctx context.Context, accept bool, text string) error {
	if p.openDialog() == nil {
		return &PageError{Op: "dialog", Reason: "no dialog is open", URL: p.url()}
	}
	if err := p.session.call(ctx, proto.PageHandleJavaScriptDialog{Accept: accept, PromptText: text}, nil); err != nil {
		return pageError("dialog", p.url(), err)
	}
	return p.await(ctx, func() bool { return p.dialog == nil })
}
