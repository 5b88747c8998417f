package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// FrameSelector finds child inside the frame of the iframe element owner.
func FrameSelector(owner, child string) string {
	return "internal:frame:" + url.PathEscape(encode(struct {
		Owner string `json:"owner"`
		Child string `json:"child"`
	}{owner, child}))
}

// NamedFrameSelector finds child inside the frame with this name, or whose address
// is, or else contains, the text.
func NamedFrameSelector(nameOrURL, child string) string {
	return "internal:frame:" + url.PathEscape(encode(struct {
		Name  string `json:"name"`
		Child string `json:"child"`
	}{nameOrURL, child}))
}

// locate walks the frames of a selector: the frame ("" is the main one) and the
// query inside of it.
func (l *Locator) locate(ctx context.Context) (string, *query, error) {
	q, err := parseSelector(l.selector)
	if err != nil {
		return "", nil, err
	}
	frameID := ""
	for q.Kind == "frame" {
		if q.Base == nil {
			frameID, err = l.page.frameNamed(q.Value)
		} else {
			frameID, err = l.page.frameOf(ctx, l, frameID, q.Base)
		}
		if err != nil {
			return "", nil, err
		}
		q = q.Child
	}
	if known, ok := l.page.refIn(q); ok && frameID == "" {
		frameID = known.frameID
	}
	return frameID, q, nil
}

// frameOf is the frame of the iframe element that a query finds in a frame.
func (p *Page) frameOf(ctx context.Context, l *Locator, parentID string, q *query) (string, error) {
	w, err := p.frameWorld(ctx, parentID, inIsolatedWorld)
	if err != nil {
		return "", err
	}
	var id string
	err = l.resolved(ctx, w, parentID, q, func(w *world, q *query) error {
		object, err := p.handleOf(ctx, w, q)
		if err != nil {
			return err
		}
		defer releaseObject(w.session, object)
		var res struct {
			Node struct {
				FrameID string `json:"frameId"`
			} `json:"node"`
		}
		req := proto.DOMDescribeNode{ObjectID: proto.RuntimeRemoteObjectID(object)}
		if err := w.session.call(ctx, req, &res); err != nil {
			return err
		}
		if id = res.Node.FrameID; id == "" {
			return &queryProblemError{Kind: "wrong", Message: "the element is not a frame"}
		}
		return nil
	})
	return id, err
}

func (p *Page) frameNamed(nameOrURL string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, fits := range []func(*frame) bool{
		func(f *frame) bool { return f.name == nameOrURL || f.url == nameOrURL },
		func(f *frame) bool { return strings.Contains(f.url, nameOrURL) },
	} {
		found := ""
		for id, f := range p.frames {
			if id != p.doc.frameID && fits(f) && (found == "" || id < found) {
				found = id
			}
		}
		if found != "" {
			return found, nil
		}
	}
	return "", &queryProblemError{Kind: "frame", Message: "no frame has the name or address " + nameOrURL}
}

// parentOf is the frame that shows another one; ok is false for the main frame.
func (p *Page) parentOf(frameID string) (parentID string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[frameID]; f != nil {
		parentID = f.parentID
	}
	return parentID, frameID != p.doc.frameID && frameID != ""
}

// revealFrame scrolls a frame's element into view in its parents. With a point it
// moves the point from the frame's viewport to that of the page instead, and says
// what covers the frame there.
func (p *Page) revealFrame(ctx context.Context, frameID string, at *Point) error {
	parentID, ok := p.parentOf(frameID)
	if !ok {
		return nil
	}
	if at == nil { // outermost first
		if err := p.revealFrame(ctx, parentID, nil); err != nil {
			return err
		}
		return p.onOwner(ctx, parentID, frameID, "act.scroll(query)", nil)
	}
	if err := p.onOwner(ctx, parentID, frameID, "act.through(query,"+encode(at)+")", at); err != nil {
		return err
	}
	return p.revealFrame(ctx, parentID, at)
}

// leaveFrame moves points from a frame's viewport to that of the page, whether they
// can be seen there or not.
func (p *Page) leaveFrame(ctx context.Context, frameID string, at *[]Point) error {
	parentID, ok := p.parentOf(frameID)
	if !ok {
		return nil
	}
	if err := p.onOwner(ctx, parentID, frameID, "act.outside(query,"+encode(at)+")", at); err != nil {
		return err
	}
	return p.leaveFrame(ctx, parentID, at)
}

// onOwner asks for something of the element that shows a frame.
func (p *Page) onOwner(ctx context.Context, parentID, frameID, expression string, into any) error {
	w, err := p.frameWorld(ctx, parentID, inIsolatedWorld)
	if err != nil {
		return err
	}
	var owner struct {
		BackendNodeID int `json:"backendNodeId"`
	}
	if err := w.session.call(ctx, proto.DOMGetFrameOwner{FrameID: proto.PageFrameID(frameID)}, &owner); err != nil {
		if isRefusal(err) {
			return errors.Join(errStale, err)
		}
		return err
	}
	r := resolver{page: p, world: w}
	defer r.release()
	key, _, err := r.hold(ctx, []int{owner.BackendNodeID}, false)
	if err != nil {
		return err
	}
	return p.askIn(ctx, w, &query{Kind: "held", Held: key}, expression, into)
}

// refEntry is a node that a snapshot named.
type refEntry struct {
	backendID int
	frameID   string // "" is the main frame
	role      string
	name      string
}

// ref looks a snapshot's ref up.
func (p *Page) ref(number int) (refEntry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.refs[number]
	return e, ok
}

// refIn finds the first ref in a query that a snapshot named.
func (p *Page) refIn(q *query) (refEntry, bool) {
	if q == nil {
		return refEntry{}, false
	}
	if q.Kind == "ref" {
		return p.ref(q.ref)
	}
	for _, part := range []*query{q.Base, q.Child, q.Has, q.HasNot} {
		if e, ok := p.refIn(part); ok {
			return e, true
		}
	}
	return refEntry{}, false
}
