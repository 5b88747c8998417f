package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// responseBuffer is how many bytes of response bodies a page keeps for us.
const responseBuffer = 32 << 20

// networkEnable has the fields of Network.enable that rod's type lacks as plain numbers.
type networkEnable struct {
	MaxTotalBufferSize    int `json:"maxTotalBufferSize"`
	MaxResourceBufferSize int `json:"maxResourceBufferSize"`
}

func (networkEnable) ProtoReq() string { return "Network.enable" }

// Request is a request of a page or one of its frames.
type Request struct {
	ID           string            `json:"id"`
	URL          string            `json:"url"`
	Method       string            `json:"method"`
	Headers      map[string]string `json:"headers"` // names in lower case
	PostData     *string           `json:"postData"`
	ResourceType string            `json:"resourceType"` // lower case, e.g. "document", "fetch"

	session *session // that told of it last, and has its body; guarded by Page.mu
}

// Response is the answer to a request. Each hop of a redirect has its own.
type Response struct {
	Request    *Request          `json:"request"`
	URL        string            `json:"url"`
	Status     int               `json:"status"`
	StatusText string            `json:"statusText"`
	Headers    map[string]string `json:"headers"` // names in lower case
	MIMEType   string            `json:"mimeType"`

	redirect bool // a hop: what followed took its place
}

// OK reports whether the status says success.
func (r *Response) OK() bool { return r.Status >= 200 && r.Status <= 299 }

// traffic knows which requests of a page are on their way. Streams that stay open
// by design (EventSource, WebSocket, pings) are not waited for.
type traffic struct {
	// open is by request id, which is one of the whole browser: the document of a frame
	// that moves to another process is told of by the sessions of both.
	open map[string]openRequest
	last time.Time // of the last request event
}

type openRequest struct {
	request  *Request
	loaderID string
	stream   bool // not waited for
}

func newTraffic() traffic {
	return traffic{open: make(map[string]openRequest), last: time.Now()}
}

// newDocument drops the requests of documents that are no more.
func (t *traffic) newDocument(loaderID string) {
	for id, r := range t.open {
		if r.loaderID != loaderID {
			delete(t.open, id)
		}
	}
}

// sessionOver drops the requests of a frame's process that nothing will be told of any
// more. The one of a document that the frame shows by now is another session's.
func (t *traffic) sessionOver(s *session, shown map[string]bool) {
	for id, r := range t.open {
		if r.request.session == s && !shown[r.loaderID] {
			delete(t.open, id)
		}
	}
}

// busy reports whether a request is on its way that is waited for.
func (t *traffic) busy() bool {
	for _, r := range t.open {
		if !r.stream {
			return true
		}
	}
	return false
}

type networkEvent struct {
	RequestID        string        `json:"requestId"`
	LoaderID         string        `json:"loaderId"`
	Type             string        `json:"type"`
	Request          *requestInfo  `json:"request"`
	RedirectResponse *responseInfo `json:"redirectResponse"`
	Response         *responseInfo `json:"response"`
}

type requestInfo struct {
	URL         string            `json:"url"`
	URLFragment string            `json:"urlFragment"`
	Method      string            `json:"method"`
	Headers     map[string]string `json:"headers"`
	PostData    *string           `json:"postData"`
}

type responseInfo struct {
	URL        string            `json:"url"`
	Status     int               `json:"status"`
	StatusText string            `json:"statusText"`
	Headers    map[string]string `json:"headers"`
	MIMEType   string            `json:"mimeType"`
}

// networkEvent follows the requests of the page.
func (p *Page) networkEvent(s *session, e event) {
	switch e.Method {
	case "Network.requestWillBeSent":
		on(p, s, e, p.requestSent)
	case "Network.responseReceived":
		on(p, s, e, p.responseReceived)
	case "Network.loadingFinished", "Network.loadingFailed":
		on(p, s, e, p.requestEnded)
	}
}

func (p *Page) requestSent(s *session, e *networkEvent) {
	p.net.last = time.Now()
	if e.Request == nil {
		return
	}
	if before, ok := p.net.open[e.RequestID]; ok && e.RedirectResponse != nil {
		p.reportResponse(before.request, e.RedirectResponse, true)
	}
	r := &Request{
		ID: e.RequestID, URL: e.Request.URL + e.Request.URLFragment, Method: e.Request.Method, Headers: lowerNames(e.Request.Headers),
		PostData: e.Request.PostData, ResourceType: strings.ToLower(e.Type), session: s,
	}
	open := openRequest{request: r, loaderID: e.LoaderID}
	switch e.Type {
	case "EventSource", "WebSocket", "Ping", "CSPViolationReport":
		open.stream = true
	}
	p.net.open[e.RequestID] = open
	p.report(Event{Kind: EventRequest, Request: r})
}

func (p *Page) responseReceived(_ *session, e *networkEvent) {
	if open, ok := p.net.open[e.RequestID]; ok && e.Response != nil {
		p.reportResponse(open.request, e.Response, false)
	}
}

func (p *Page) reportResponse(r *Request, info *responseInfo, redirect bool) {
	p.report(Event{Kind: EventResponse, Response: &Response{
		Request: r, URL: info.URL, Status: info.Status, StatusText: info.StatusText,
		Headers: lowerNames(info.Headers), MIMEType: info.MIMEType, redirect: redirect,
	}})
}

func (p *Page) requestEnded(s *session, e *networkEvent) {
	p.net.last = time.Now()
	if open, ok := p.net.open[e.RequestID]; ok {
		open.request.session = s
		delete(p.net.open, e.RequestID)
	}
}

func lowerNames(headers map[string]string) map[string]string {
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		out[strings.ToLower(name)] = value
	}
	return out
}

// ResponseBody waits until a request ended and returns the body of its response,
// which is kept until the page has another document.
func (p *Page) ResponseBody(ctx context.Context, answer *Response) ([]byte, error) {
	const op = "response.body"
	r := answer.Request
	if answer.redirect {
		return nil, &PageError{Op: op, URL: answer.URL, Permanent: true, Reason: "a redirect has no body", Hint: "wait for the response that it leads to"}
	}
	var s *session
	ended := func() bool {
		s = r.session
		_, open := p.net.open[r.ID]
		return !open
	}
	if err := p.await(ctx, ended); err != nil {
		return nil, pageError(op, r.URL, err)
	}
	var res struct {
		Body          string `json:"body"`
		Base64Encoded bool   `json:"base64Encoded"`
	}
	err := s.call(ctx, proto.NetworkGetResponseBody{RequestID: proto.NetworkRequestID(r.ID)}, &res)
	var refused *protocolError
	switch {
	case err == nil:
	case errors.As(err, &refused) && strings.HasPrefix(refused.Message, "No data found"): // it was answered without a body
		return []byte{}, nil
	case errors.As(err, &refused) && strings.HasPrefix(refused.Message, "No resource"):
		return nil, &PageError{
			Op: op, URL: r.URL, Permanent: true, Reason: "the body is not kept any more", Cause: err,
			Hint: "read it before the page goes elsewhere; a page keeps 32 MiB of bodies",
		}
	default:
		return nil, pageError(op, r.URL, err)
	}
	if !res.Base64Encoded {
		return []byte(res.Body), nil
	}
	body, err := base64.StdEncoding.DecodeString(res.Body)
	if err != nil {
		return nil, fmt.Errorf("decoding the body of %s: %w", r.URL, err)
	}
	return body, nil
}

// WaitForRequest returns the next request that match accepts. Listening begins
// when the watch was opened; the timeout's end (0: DefaultTimeout) is an error.
func (w *Watch) WaitForRequest(ctx context.Context, match func(*Request) bool, timeout time.Duration) (*Request, error) {
	e, err := w.wait(ctx, "page.waitForRequest", timeout, func(e Event) bool { return e.Request != nil && match(e.Request) })
	return e.Request, err
}

// WaitForResponse returns the next response that match accepts.
func (w *Watch) WaitForResponse(ctx context.Context, match func(*Response) bool, timeout time.Duration) (*Response, error) {
	e, err := w.wait(ctx, "page.waitForResponse", timeout, func(e Event) bool { return e.Response != nil && match(e.Response) })
	return e.Response, err
}

// WaitFor returns the next event of the watch's kinds.
func (w *Watch) WaitFor(ctx context.Context, timeout time.Duration) (Event, error) {
	return w.wait(ctx, "page.waitForEvent", timeout, func(Event) bool { return true })
}

func (w *Watch) wait(ctx context.Context, op string, timeout time.Duration, match func(Event) bool) (Event, error) {
	until, cancel := deadline(ctx, timeout, DefaultTimeout)
	defer cancel()
	for {
		e, err := w.Next(until)
		switch {
		case err == nil && match(e):
			return e, nil
		case err == nil:
		case ctx.Err() == nil && until.Err() != nil:
			return Event{}, &PageError{
				Reason: fmt.Sprintf("%s timed out after %dms", op, orDefault(timeout, DefaultTimeout).Milliseconds()),
				Hint:   "start the wait before the action that causes the event",
			}
		default:
			return Event{}, pageError(op, "", err)
		}
	}
}
