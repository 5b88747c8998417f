package browser

import (
	"context"
	"fmt"

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
	p.dialog = nil
}

// openDialog returns the dialog that blocks the page, or nil.
func (p *Page) openDialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog
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
