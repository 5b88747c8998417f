package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/frame"
	"egod/internal/ops"
)

const (
	methodToolsChanged     = "notifications/tools/list_changed"
	methodResourcesChanged = "notifications/resources/list_changed"
	methodUpdated          = "notifications/resources/updated"
)

// listener is a request of subscriptions/listen that is open.
type listener struct {
	// call is the request: what it hears of has its id.
	call  *call
	wants mcp.NotificationSubscriptions
	// notes are the addresses of wants by the notes they name.
	notes map[ops.NoteRef][]string
}

// listeners are the requests of subscriptions/listen that are open, by number. The
// library keeps what the latest of them wants, and forgets it when any of them ends:
// a client that asks anew before it ends the old one would hear nothing any more.
type listeners struct {
	mu   sync.Mutex
	open map[uint64]*listener
}

// add opens a request. welcome is called before it is told anything.
func (l *listeners) add(one *listener, welcome func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = make(map[uint64]*listener)
	}
	l.open[one.call.Seq] = one
	welcome()
}

func (l *listeners) remove(one *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, one.call.Seq)
}

func (l *listeners) all() []*listener {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.open))
}

// listen answers subscriptions/listen when the client cancels it or the connection
// ends, and at once when nothing is wanted that ever changes. The notes it names may
// be still to come.
func (s *Server) listen(ctx context.Context, req mcp.Request, served *call) (mcp.Result, error) {
	params, _ := req.GetParams().(*mcp.SubscriptionsListenParams)
	if params == nil || params.Notifications == nil {
		return nil, ops.Errorf(ops.KindInvalidParams, "%s needs %q", methodListen, "notifications").With("path", "$.notifications")
	}
	one := &listener{call: served, wants: *params.Notifications, notes: make(map[ops.NoteRef][]string)}
	one.wants.PromptsListChanged = false // there are always the same
	for _, uri := range one.wants.ResourceSubscriptions {
		ref, ok := parseNoteURI(uri)
		if !ok {
			_, err := s.resources.find(uri, codeNotFound)
			return nil, err
		}
		if !slices.Contains(one.notes[ref], uri) {
			one.notes[ref] = append(one.notes[ref], uri)
		}
	}
	s.listeners.add(one, func() {
		text := s.Notification("notifications/subscriptions/acknowledged", noticeParams{Meta: one.meta(), Notifications: &one.wants})
		s.WhileOpen(served.Request, func() { s.Send(text) })
	})
	defer s.listeners.remove(one)
	if one.wants.ToolsListChanged || one.wants.ResourcesListChanged || len(one.notes) > 0 {
		<-ctx.Done()
	}
	return &mcp.SubscriptionsListenResult{Meta: one.meta()}, nil
}

// meta marks what belongs to the request, with its id byte for byte.
func (l *listener) meta() mcp.Meta {
	return mcp.Meta{mcp.MetaKeySubscriptionID: json.RawMessage(l.call.ID)}
}

// noticeParams are those of notifications about changes.
type noticeParams struct {
	Meta          mcp.Meta                       `json:"_meta,omitempty"`
	URI           string                         `json:"uri,omitempty"`
	Notifications *mcp.NotificationSubscriptions `json:"notifications,omitempty"`
}

// tell tells one request of a change, until it is answered. Like all notices it waits
// for nobody: a client that does not keep up misses some.
func (s *Server) tell(one *listener, method string, params noticeParams) {
	params.Meta = one.meta()
	text := s.Notification(method, params)
	s.WhileOpen(one.call.Request, func() { s.Queue(text, frame.NotifyShare) })
}

// listChanged tells of another list: a client that shook hands and has asked for
// something since, and each request that wants to hear of it.
func (s *Server) listChanged(method string, wants func(*mcp.NotificationSubscriptions) bool) {
	if s.conn.greeted.Load() && s.conn.ready.Load() {
		s.Notify(method, noticeParams{})
	}
	for _, one := range s.listeners.all() {
		if wants(&one.wants) {
			s.tell(one, method, noticeParams{})
		}
	}
}

// noteChanged tells of a note with another content, one that went or came back, under
// every address that it was asked for by.
func (s *Server) noteChanged(ref ops.NoteRef) {
	for _, uri := range s.resources.subs.of(ref) {
		s.Notify(methodUpdated, noticeParams{URI: uri})
	}
	for _, one := range s.listeners.all() {
		for _, uri := range one.notes[ref] {
			s.tell(one, methodUpdated, noticeParams{URI: uri})
		}
	}
}
