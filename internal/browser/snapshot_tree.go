package browser

import (
	"context"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// frameView is the accessibility tree of one frame.
type frameView struct {
	frameID string
	session *session
	base    int // added to backend node ids: they are unique within a process only
	nodes   map[string]*axNode
	root    *axNode
	owners  map[int]string // ids of the frames by the backend node id of their element
	facts   *domFacts      // nil for frames in the page
	inView  map[*axNode]bool
	texts   map[*axNode]string // what onlyText found: elements in each other ask for the same

	asked struct { // and not read yet
		tree   *asked
		owners map[string]*asked // by frame id
		dom    *asked            // nil when nothing of the DOM is needed
		layout *asked            // nil when where nodes are drawn is not needed
	}
}

// refSpan keeps the refs of frames in different processes apart.
const refSpan = 1 << 24

// askAll sends the requests for every frame at once: while one renderer makes its
// tree, the answers of others are on their way. What of the DOM is needed is asked
// for last, so that Chrome writes the trees meanwhile.
func (b *snapshotBuilder) askAll() {
	p := b.page
	p.mu.Lock()
	ids := []string{b.main}
	for id := range p.frames {
		if id != b.main {
			ids = append(ids, id)
		}
	}
	p.mu.Unlock()
	b.views = make(map[string]*frameView, len(ids))
	for _, id := range ids {
		if v := b.ask(id); v != nil {
			b.views[id] = v
		}
	}
	if v := b.views[b.main]; v != nil {
		b.askFacts(v)
	}
}

// ask sends the requests for one frame: its tree, and where its child frames hang.
// nil: the frame is gone.
func (b *snapshotBuilder) ask(frameID string) *frameView {
	v := b.newView(frameID)
	if v == nil {
		return nil
	}
	req := getFullAXTree{FrameID: frameID}
	if v.session.targetID == frameID {
		req.FrameID = "" // the root of its session
	}
	v.asked.tree = v.session.ask(req)
	b.askOwners(v)
	return v
}

func (b *snapshotBuilder) newView(frameID string) *frameView {
	p := b.page
	p.mu.Lock()
	f := p.frames[frameID]
	p.mu.Unlock()
	if f == nil {
		return nil
	}
	v := &frameView{frameID: frameID, session: f.session, owners: make(map[int]string), nodes: make(map[string]*axNode), inView: make(map[*axNode]bool), texts: make(map[*axNode]string)}
	base, known := b.bases[f.session]
	if !known {
		base = len(b.bases) * refSpan
		b.bases[f.session] = base
	}
	v.base = base
	return v
}

func (b *snapshotBuilder) askOwners(v *frameView) {
	p := b.page
	p.mu.Lock()
	var children []string
	for id, child := range p.frames {
		if child.parentID == v.frameID {
			children = append(children, id)
		}
	}
	p.mu.Unlock()
	v.asked.owners = make(map[string]*asked, len(children))
	for _, id := range children {
		v.asked.owners[id] = v.session.ask(proto.DOMGetFrameOwner{FrameID: proto.PageFrameID(id)})
	}
}

// askFacts asks for the DOM of the main frame, as far as locators and the scope need it.
func (b *snapshotBuilder) askFacts(v *frameView) {
	if b.o.Scope == ScopeViewport {
		v.asked.layout = v.session.ask(proto.PageGetLayoutMetrics{})
	}
	if !b.o.NoLocators || b.o.Scope == ScopeViewport {
		v.asked.dom = v.session.ask(captureDOM{ComputedStyles: []string{}})
	}
}

// view reads the tree of a frame, asked for now when it was not yet.
func (b *snapshotBuilder) view(ctx context.Context, frameID string) (*frameView, error) {
	v := b.views[frameID]
	delete(b.views, frameID) // its answers are read once
	if v == nil {
		v = b.ask(frameID)
	}
	if v == nil {
		return nil, errStale
	}
	return v, v.read(ctx)
}

func (v *frameView) read(ctx context.Context) error {
	var tree axNodes
	if err := v.asked.tree.wait(ctx, &tree); err != nil {
		return err
	}
	if err := v.readFacts(ctx); err != nil {
		return err
	}
	v.take(&tree)
	for id, owner := range v.asked.owners {
		var res struct {
			BackendNodeID int `json:"backendNodeId"`
		}
		if owner.wait(ctx, &res) == nil {
			v.owners[res.BackendNodeID] = id
		}
	}
	return nil
}

func (v *frameView) readFacts(ctx context.Context) error {
	if v.asked.dom == nil {
		return nil
	}
	var viewport *Box
	if v.asked.layout != nil {
		var res struct {
			View struct {
				X      float64 `json:"pageX"`
				Y      float64 `json:"pageY"`
				Width  float64 `json:"clientWidth"`
				Height float64 `json:"clientHeight"`
			} `json:"cssLayoutViewport"`
		}
		if err := v.asked.layout.wait(ctx, &res); err != nil {
			return err
		}
		viewport = &Box{X: res.View.X, Y: res.View.Y, Width: res.View.Width, Height: res.View.Height}
	}
	var captured capturedDOM
	if err := v.asked.dom.wait(ctx, &captured); err != nil {
		return err
	}
	v.facts = factsOf(&captured, v.frameID, viewport)
	return nil
}

// take makes the nodes of an answer those of the view.
func (v *frameView) take(tree *axNodes) {
	for i := range tree.nodes {
		n := &tree.nodes[i]
		v.nodes[n.id] = n
		if n.parentID == "" && v.root == nil {
			v.root = n
		}
	}
	if v.facts != nil {
		v.countRoles()
	}
}

// subtree finds the accessibility node of the root element. Without locators, whose
// uniqueness is a matter of the whole document, nothing else of the tree is read.
func (b *snapshotBuilder) subtree(ctx context.Context) (*frameView, *axNode, error) {
	var view *frameView
	var id int
	err := b.page.Locator(b.o.Root).withHandle(ctx, "snapshot", func(w *world, object string) error {
		var res struct {
			Node struct {
				BackendNodeID int `json:"backendNodeId"`
			} `json:"node"`
		}
		if err := w.session.call(ctx, proto.DOMDescribeNode{ObjectID: proto.RuntimeRemoteObjectID(object)}, &res); err != nil {
			return err
		}
		id = res.Node.BackendNodeID
		if view = b.newView(w.frameID); view == nil {
			return errStale
		}
		if w.frameID == b.main && !b.o.NoLocators {
			view.asked.tree = view.session.ask(getFullAXTree{})
			b.askFacts(view)
		} else {
			view.asked.tree = view.session.ask(queryAXTree{ObjectID: object})
		}
		b.askOwners(view)
		return view.read(ctx)
	})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range view.nodes {
		if n.backendID == id {
			return view, n, nil
		}
	}
	return view, &axNode{ignored: true}, nil
}

// onlyText is what a node says when nothing but text is below it, within so many levels.
func (v *frameView) onlyText(n *axNode, levels int) (string, bool) {
	if levels == 0 {
		return "", false
	}
	if text, known := v.texts[n]; known {
		return text, true
	}
	var parts []string
	for _, id := range n.childIDs {
		child := v.nodes[id]
		if child == nil {
			continue
		}
		role := child.role
		switch {
		case role == "StaticText":
			parts = append(parts, child.name)
		case silent[role]:
		case child.ignored || role == "generic" || role == "none":
			text, only := v.onlyText(child, levels-1)
			if !only {
				return "", false
			}
			parts = append(parts, text)
		default:
			return "", false
		}
	}
	text := squeeze(strings.Join(parts, ""))
	if text == "" {
		return "", false
	}
	v.texts[n] = text
	return text, true
}

func (b *snapshotBuilder) shows(v *frameView, n *axNode) bool {
	if b.o.Scope != ScopeViewport || v.facts == nil {
		return true
	}
	return v.inViewport(n)
}

// inViewport reports whether a node or one below it is drawn inside of the viewport.
func (v *frameView) inViewport(n *axNode) bool {
	if known, ok := v.inView[n]; ok {
		return known
	}
	shown := n.role == "RootWebArea" || v.facts.visible(n.backendID)
	for _, id := range n.childIDs {
		if shown {
			break
		}
		child := v.nodes[id]
		shown = child != nil && v.inViewport(child)
	}
	v.inView[n] = shown
	return shown
}
