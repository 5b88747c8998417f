package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// subscriptions are the notes that a client wants to hear of, by the addresses it
// named them with: the SDK compares those letter for letter.
type subscriptions struct {
	mu   sync.Mutex
	uris map[ops.NoteRef]map[string]bool
}

// subscribe answers resources/subscribe, and is asked for each address that a request
// of subscriptions/listen names. One note can be subscribed to only when it is there,
// so that a slip is told at once; a list may name notes that have gone, or are still
// to come. A note that goes away later stays subscribed to, and is heard of when it
// comes back.
func (r *resources) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	code := notFoundCode(req.Params)
	ref, ok := parseNoteURI(req.Params.URI)
	if listed := code == codeNotFound; !ok || !listed { // later revisions have the list alone
		if _, err := r.find(req.Params.URI, code); err != nil {
			return err
		}
	}
	r.subs.add(ref, req.Params.URI)
	return nil
}

func (r *resources) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	if ref, ok := parseNoteURI(req.Params.URI); ok {
		r.subs.remove(ref, req.Params.URI)
	}
	return nil
}

func (s *subscriptions) add(ref ops.NoteRef, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris == nil {
		s.uris = make(map[ops.NoteRef]map[string]bool)
	}
	if s.uris[ref] == nil {
		s.uris[ref] = make(map[string]bool)
	}
	s.uris[ref][uri] = true
}

func (s *subscriptions) remove(ref ops.NoteRef, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.uris[ref], uri)
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

// announce tells the client what became of notes since the last time: each one it
// subscribed to that has another content, went away or came back, and once that
// the list is another one. It does not wait for the client.
func (r *resources) announce(server *mcp.Server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	listed := false
	for _, change := range r.watch.Changes() {
		listed = listed || change.Appeared || change.Gone
		for _, uri := range r.subs.of(change.NoteRef) {
			// It fails for nobody: the connection queues or drops.
			_ = server.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
	if listed {
		// The SDK tells of a changed list when something is added to it, again or not.
		server.AddResourceTemplate(templates()[0], readNothing)
	}
}
