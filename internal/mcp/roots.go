package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/wire"
)

// rootsWait is how long requests that follow notifications/initialized wait for
// the client to name its roots, so that its first list is already about them.
const rootsWait = time.Second

// maxRoots bounds the directories that a client may name.
const maxRoots = 100

// rootsFollower asks the client for its roots once it is ready, and again when it
// says that they changed.
type rootsFollower struct {
	server *Server
	// asked has room for one: an answer that is on its way may be old.
	asked chan struct{}
	// first is closed when the roots were asked for once.
	first   chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex
	giveUp context.CancelFunc // ends the wait for an answer; nil before the first
}

func newRootsFollower(server *Server) *rootsFollower {
	return &rootsFollower{server: server, asked: make(chan struct{}, 1), first: make(chan struct{})}
}

// options adds the handlers of the two notifications. The library calls the first
// one once.
func (f *rootsFollower) options(o *mcp.ServerOptions) {
	o.InitializedHandler = func(ctx context.Context, req *mcp.InitializedRequest) {
		client := req.Session.InitializeParams()
		if client == nil || client.Capabilities == nil || client.Capabilities.RootsV2 == nil {
			return
		}
		f.ask()
		f.running.Go(func() { f.run(f.server.Base, req.Session) })
		wait, cancel := context.WithTimeout(ctx, rootsWait)
		defer cancel()
		select {
		case <-f.first:
		case <-wait.Done():
		}
	}
	o.RootsListChangedHandler = func(context.Context, *mcp.RootsListChangedRequest) { f.ask() }
}

// wait returns when nothing is followed any more, which is soon after the connection
// has ended.
func (f *rootsFollower) wait() { f.running.Wait() }

// ask has the roots asked for, unless that is about to happen. An answer that is still
// awaited is given up: it would be old, and may never come.
func (f *rootsFollower) ask() {
	f.mu.Lock()
	if f.giveUp != nil {
		f.giveUp()
	}
	f.mu.Unlock()
	select {
	case f.asked <- struct{}{}:
	default:
	}
}

// run asks and adopts, one after the other, until ctx ends.
func (f *rootsFollower) run(ctx context.Context, session *mcp.ServerSession) {
	first := f.first
	for {
		select {
		case <-f.asked:
		case <-ctx.Done():
			return
		}
		if err := f.follow(ctx, session); err != nil && ctx.Err() == nil {
			f.server.Log.Warn("the client's roots are not used", "error", err.Error())
		}
		if first != nil {
			close(first)
			first = nil
		}
	}
}

func (f *rootsFollower) follow(ctx context.Context, session *mcp.ServerSession) (err error) {
	defer wire.Recovered(&err)
	answer, err := f.list(ctx, session)
	if errors.Is(err, context.Canceled) {
		return nil // asked again, or at the end
	}
	if err != nil {
		return err
	}
	if len(answer.Roots) > maxRoots {
		return fmt.Errorf("there are more than %d of them", maxRoots)
	}
	uris := make([]string, 0, len(answer.Roots))
	for _, root := range answer.Roots {
		if root != nil && !slices.Contains(uris, root.URI) {
			uris = append(uris, root.URI)
		}
	}
	changed, err := f.server.cfg.AdoptRoots(ctx, uris)
	if changed {
		f.server.Changed()
	}
	return err
}

// list asks the client, and waits until it answers or is to be asked again.
func (f *rootsFollower) list(ctx context.Context, session *mcp.ServerSession) (*mcp.ListRootsResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.mu.Lock()
	f.giveUp = cancel
	f.mu.Unlock()
	return session.ListRoots(ctx, nil)
}
