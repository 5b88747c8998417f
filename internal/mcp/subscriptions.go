package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// subscriptions are the notes that a client which shook hands wants to hear of, by the
// addresses it named them with.
type subscriptions struct {
	mu    sync.Mutex
	uris  map[ops.NoteRef]map[string]bool
	count int // of addresses
}

// maxSubscriptions bounds the addresses: a note has as many as there are ways to
// encode it.
const maxSubscriptions = 20_000

// subscribe answers resources/subscribe. A note can be subscribed to only when it is
// there, so that a slip is told at once. One that goes away later stays subscribed to,
// and is heard of when it comes back.
func (r *resources) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	n, err := r.find(req.Params.URI, notFoundCode(req.Params))
	if err != nil {
		return err
	}
	return r.subs.add(n.NoteRef, req.Params.URI)
}

func (r *resources) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	if ref, ok := parseNoteURI(req.Params.URI); ok {
		r.subs.remove(ref, req.Params.URI)
	}
	return nil
}

func (s *subscriptions) add(ref ops.NoteRef, uri string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris[ref][uri] {
		return nil
	}
	if s.count == maxSubscriptions {
		return ops.Errorf(ops.KindLimitExceeded, "%d addresses are subscribed to, which is the most that is taken", s.count).
			With("limit", "subscriptions").WithHint("unsubscribe from some")
	}
	if s.uris == nil {
		s.uris = make(map[ops.NoteRef]map[string]bool)
	}
	if s.uris[ref] == nil {
		s.uris[ref] = make(map[string]bool)
	}
	s.uris[ref][uri] = true
	s.count++
	return nil
}

func (s *subscriptions) remove(ref ops.NoteRef, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris[ref][uri] {
		delete(s.uris[ref], uri)
		s.count--
	}
	if len(s.uris[ref]) == 0 {
		delete(s.uris, ref)
	}
}

// of returns the addresses under which a note is subscribed to.
func (s *subscriptions) of(ref ops.NoteRef) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.uris[ref]))
}

// announceNotes tells the client what became of notes since the last time: each one it
// wants to hear of, and once that the list is another one.
func (s *Server) announceNotes() {
	s.resources.mu.Lock()
	defer s.resources.mu.Unlock()
	listed := false
	for _, change := range s.resources.watch.Changes() {
		listed = listed || change.Appeared || change.Gone
		s.noteChanged(change.NoteRef)
	}
	if listed {
		s.listChanged(methodResourcesChanged, func(n *mcp.NotificationSubscriptions) bool { return n.ResourcesListChanged })
	}
}
