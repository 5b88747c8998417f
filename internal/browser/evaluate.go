package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Script is code for Evaluate: exactly one of Expression and Function is set.
type Script struct {
	// Expression is evaluated as a script. A return at its top level makes it the
	// body of a function. A text that is one function is called with Arg; a
	// function as the value of any other text, such as an assignment, is {}.
	Expression string
	// Function is the source of one function, called with Arg.
	Function string
	Arg      json.RawMessage // nil: called without argument
	TargetID string          // another tab or out-of-process frame of the space; empty: this page
	Name     string          // of the script in stack traces
}

// remoteObject is the part of Runtime.RemoteObject that is read here.
type remoteObject struct {
	Type                string          `json:"type"`
	Subtype             string          `json:"subtype"`
	ClassName           string          `json:"className"`
	Value               json.RawMessage `json:"value"`
	UnserializableValue string          `json:"unserializableValue"`
	Description         string          `json:"description"`
	ObjectID            string          `json:"objectId"`
}

type exceptionDetails struct {
	Text         string        `json:"text"`
	LineNumber   int           `json:"lineNumber"`
	ColumnNumber int           `json:"columnNumber"`
	URL          string        `json:"url"`
	Exception    *remoteObject `json:"exception"`
	StackTrace   *stackTrace   `json:"stackTrace"`
}

type stackTrace struct {
	CallFrames []struct {
		URL string `json:"url"`
	} `json:"callFrames"`
}

// url is the script that threw.
func (e *exceptionDetails) url() string {
	if e.URL == "" && e.StackTrace != nil && len(e.StackTrace.CallFrames) > 0 {
		return e.StackTrace.CallFrames[0].URL
	}
	return e.URL
}

type evaluated struct {
	Result    remoteObject      `json:"result"`
	Exception *exceptionDetails `json:"exceptionDetails"`
}

// evaluateParams is Runtime.evaluate without the fields that egod never sets.
type evaluateParams struct {
	Expression      string `json:"expression"`
	UniqueContextID string `json:"uniqueContextId,omitempty"`
	AwaitPromise    bool   `json:"awaitPromise,omitempty"`
	ReturnByValue   bool   `json:"returnByValue,omitempty"`
}

func (evaluateParams) ProtoReq() string { return "Runtime.evaluate" }

// Evaluate runs a script in the page and returns its value as tagged JSON. Promises
// are awaited without a limit of their own. At the end of ctx the page is freed:
// the error is ctx's cause and later calls find the page usable.
func (p *Page) Evaluate(ctx context.Context, s Script) (json.RawMessage, error) {
	if err := p.begin(ctx); err != nil {
		return nil, pageError("evaluate", "", err)
	}
	target, frameID, err := p.target(ctx, s.TargetID)
	if err != nil {
		return nil, pageError("evaluate", "", err)
	}
	var value json.RawMessage
	err = target.retryStale(ctx, frameID, func(w *world) error {
		var err error
		if s.Function != "" {
			value, err = target.runFunction(ctx, w, s)
		} else {
			value, err = target.runExpression(ctx, w, s)
		}
		return err
	})
	return value, pageError("evaluate", target.frameURL(frameID), err)
}

// errStale says that a script did not begin because its document was replaced.
var errStale = errors.New("the document was replaced before the script ran")

// retryStale runs fn in the main world of a frame ("" is the main one), again in the
// next document as long as nothing of it ran in a document that went away.
func (p *Page) retryStale(ctx context.Context, frameID string, fn func(*world) error) error {
	for {
		w, err := p.frameWorld(ctx, frameID, inMain)
		if errors.Is(err, errStale) {
			return &PageError{Reason: "the frame was removed", Cause: errDetached}
		}
		if err != nil {
			return err
		}
		err = fn(w)
		if !errors.Is(err, errStale) {
			return err
		}
		p.forgetWorld(w)
	}
}

// mainWorld waits for the script context of the document in the main frame.
func (p *Page) mainWorld(ctx context.Context) (*world, error) {
	return p.frameWorld(ctx, "", inMain)
}

// isolatedWorld waits for egod's own context in the main frame.
func (p *Page) isolatedWorld(ctx context.Context) (*world, error) {
	return p.frameWorld(ctx, "", inIsolatedWorld)
}

func inMain(f *frame) *world          { return f.main }
func inIsolatedWorld(f *frame) *world { return f.isolated }

// frameWorld waits for a world of a frame; frameID "" is the main frame. A frame
// that is no more is errStale.
func (p *Page) frameWorld(ctx context.Context, frameID string, which func(*frame) *world) (*world, error) {
	var w *world
	err := p.await(ctx, func() bool {
		id := frameID
		if id == "" {
			id = p.doc.frameID
		}
		f := p.frames[id]
		if f == nil {
			return frameID != ""
		}
		w = which(f)
		return w != nil
	})
	if d := p.openDialog(); err != nil && d != nil {
		return nil, dialogInTheWay(d, err)
	}
	if err == nil && w == nil {
		err = errStale
	}
	return w, err
}

// forgetWorld drops a context Chrome no longer knows, in case its event was missed.
func (p *Page) forgetWorld(w *world) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropWorlds(func(other *world) bool { return other == w })
}

// runFunction calls one function expression and returns its value.
func (p *Page) runFunction(ctx context.Context, w *world, s Script) (json.RawMessage, error) {
	from := origin{source: s.Function, name: sourceURL(s.Name), shift: 1}
	text, err := p.runWrapped(ctx, w, wrapCall(p.chrome.scripts.token, from, s.Arg, false))
	if err != nil {
		return nil, placeError(err, from)
	}
	o, err := decodeOutcome(text, from)
	return o.value, err
}

// wrapCall makes the script that calls a function through the pristine wrapper. The
// function stands on lines of its own, one below where its file has it.
func wrapCall(token string, from origin, arg json.RawMessage, withPage bool) string {
	f := parseFunction(from.source)
	var b strings.Builder
	if f.strict {
		b.WriteString(`"use strict";`)
	}
	b.WriteString("{const egodTool=\n")
	b.WriteString(f.text)
	fmt.Fprintf(&b, "\n;%s.invoke(egodTool,%s,%t)}\n//# sourceURL=%s", token, argLiteral(arg), withPage, from.name)
	return b.String()
}

// argLiteral is JSON text as a JavaScript string literal, or undefined for none.
func argLiteral(arg json.RawMessage) string {
	if arg == nil {
		return "undefined"
	}
	quoted, err := json.Marshal(string(arg))
	if err != nil {
		return "undefined" // a string always marshals
	}
	return string(quoted)
}

// runWrapped evaluates a script that answers with the wrapper's JSON text. When the
// document has no wrapper yet, it is put there and the script runs then.
func (p *Page) runWrapped(ctx context.Context, w *world, expression string) (string, error) {
	res, err := p.evaluateIn(ctx, w, expression)
	if err != nil {
		return "", err
	}
	if p.lacksWrapper(res) {
		if _, err := p.evaluateIn(ctx, w, p.chrome.scripts.main); err != nil {
			return "", err
		}
		if res, err = p.evaluateIn(ctx, w, expression); err != nil {
			return "", err
		}
	}
	if res.Exception != nil {
		return "", thrown(res.Exception)
	}
	text, err := res.Result.text()
	if res.Result.Type != "string" || err != nil {
		return "", &PageError{Reason: "unexpected answer from the page wrapper: " + res.Result.Type}
	}
	return text, nil
}

func (p *Page) lacksWrapper(res *evaluated) bool {
	e := res.Exception
	return e != nil && e.Exception != nil && strings.HasPrefix(e.Exception.Description, "ReferenceError: "+p.chrome.scripts.token)
}

// evaluateIn sends one Runtime.evaluate bound to a document and frees the page when
// ctx ends before the answer. A dialog that opens meanwhile does not end it: the
// script may be what waits for the dialog's answer.
func (p *Page) evaluateIn(ctx context.Context, w *world, expression string) (*evaluated, error) {
	return p.evaluateWith(ctx, w, expression, aliveWithin, nil)
}

// evaluateOwn is evaluateIn for a script of ours, which does not loop: a page that
// does not answer it is busy with something of its own. A dialog ends it.
func (p *Page) evaluateOwn(ctx context.Context, w *world, expression string) (*evaluated, error) {
	return p.evaluateWith(ctx, w, expression, busyWithin, p.blocking())
}

func (p *Page) evaluateWith(ctx context.Context, w *world, expression string, patience time.Duration, blocked <-chan struct{}) (*evaluated, error) {
	var res evaluated
	req := evaluateParams{Expression: expression, UniqueContextID: w.uniqueID, AwaitPromise: true}
	err := w.session.callUnless(ctx, req, &res, blocked)
	switch {
	case err == nil:
		return &res, nil
	case errors.Is(err, errDialogOpened):
		if d := p.openDialog(); d != nil {
			return nil, dialogInTheWay(d, err)
		}
		return nil, &PageError{Reason: "a dialog opened and was answered meanwhile", Cause: err, Hint: "call again"}
	case ctx.Err() != nil:
		return nil, p.abandon(w.session, err, patience)
	}
	return nil, evaluationRefused(err)
}

// abandon frees the page in the background from what it may still be running. A
// dialog that blocks the page is the reason to name.
func (p *Page) abandon(s *session, err error, patience time.Duration) error {
	if d := p.dialogNear(); d != nil {
		return dialogInTheWay(d, err)
	}
	p.recover(s, patience)
	return err
}

// evaluationRefused tells apart what Chrome says when a document goes away.
func evaluationRefused(err error) error {
	var refused *protocolError
	if !errors.As(err, &refused) {
		return err
	}
	msg := refused.Message
	switch {
	case strings.Contains(msg, "uniqueContextId not found"), strings.Contains(msg, "Cannot find context"),
		strings.Contains(msg, "Cannot find default execution context"):
		return errStale
	case strings.Contains(msg, "Inspected target navigated or closed"), strings.Contains(msg, "Execution context was destroyed"):
		return &PageError{
			Reason: "the page navigated while the script ran", Cause: err,
			Hint: "wait for the navigation (page.waitForLoadState), then run it again",
		}
	case strings.Contains(msg, "Promise was collected"):
		return &PageError{Reason: "the script waits for a promise that can never settle", Cause: err}
	}
	return err
}

// inIsolated evaluates one of our own expressions, which gives JSON text, in the
// isolated world, where the page's changes to built-ins are not seen.
func (p *Page) inIsolated(ctx context.Context, expression string, into any) error {
	for {
		w, err := p.isolatedWorld(ctx)
		if err != nil {
			return err
		}
		text, err := p.runOwn(ctx, w, expression)
		if errors.Is(err, errStale) {
			p.forgetWorld(w)
			continue
		}
		if err != nil {
			return err
		}
		return json.Unmarshal([]byte(text), into)
	}
}

// runOwn evaluates an expression of ours that gives a string.
func (p *Page) runOwn(ctx context.Context, w *world, expression string) (string, error) {
	res, err := p.evaluateOwn(ctx, w, expression)
	if err != nil {
		return "", err
	}
	if res.Exception != nil {
		return "", thrown(res.Exception)
	}
	var text string
	if err := json.Unmarshal(res.Result.Value, &text); err != nil {
		return "", fmt.Errorf("decoding the page's answer: %w", err)
	}
	return text, nil
}

// target resolves Script.TargetID to a page and the frame of it that runs the script;
// "" is the main one.
func (p *Page) target(ctx context.Context, targetID string) (page *Page, frameID string, err error) {
	if targetID == "" || targetID == p.targetID {
		return p, "", nil
	}
	c := p.chrome
	c.mu.Lock()
	other := p.set.find(targetID)
	c.mu.Unlock()
	if other != nil {
		return other, "", other.begin(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[targetID]; f == nil || f.session == p.session {
		return nil, "", &PageError{Permanent: true, Reason: "no tab or frame has the target id " + targetID}
	}
	return p, targetID, nil
}

// frameURL is the address of a frame as far as is known; "" is the main one.
func (p *Page) frameURL(frameID string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[frameID]; f != nil {
		return f.url
	}
	return p.doc.url
}

// release gives remote objects back; their group is one call's.
func releaseObject(s *session, id string) {
	if id != "" {
		s.send(proto.RuntimeReleaseObject{ObjectID: proto.RuntimeRemoteObjectID(id)})
	}
}
