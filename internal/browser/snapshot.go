package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"
)

// Scopes of a snapshot.
const (
	ScopeFullPage = "full_page"
	ScopeViewport = "only_within_viewport"
	ScopeSubtree  = "subtree"
)

// SnapshotOptions says what a snapshot shows.
type SnapshotOptions struct {
	Scope           string // empty: ScopeFullPage
	Root            string // selector of the element, for ScopeSubtree
	NoRefs          bool   // leave ref=N out of the text
	NoLocators      bool   // leave loc=... out
	MaxResultLength int    // of the text in characters, cut at a line; 0: no limit
}

// Snapshot is a page as text, one line for each node that says something:
//
//   - role "name" [ref=N, loc=..., url=...]
//
// indented by depth, frames in place.
type Snapshot struct {
	Content string `json:"content"`
	Refs    []Ref  `json:"refs"`
}

// Ref is an element a snapshot named; @N is a selector for it from then on.
type Ref struct {
	BackendNodeID int    `json:"backendNodeId"`
	Role          string `json:"role"`
	Name          string `json:"name"`
	Loc           string `json:"loc,omitempty"`
	FrameID       string `json:"frameId,omitempty"` // "" is the main frame
}

// Snapshot reads the accessibility trees of the page's frames. It replaces the
// refs of the snapshot before.
func (p *Page) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	const op = "snapshot"
	switch o.Scope {
	case "", ScopeFullPage, ScopeViewport:
	case ScopeSubtree:
		if o.Root == "" {
			return nil, &PageError{Op: op, Reason: "the scope subtree needs a root", Hint: "give the selector of the element as root"}
		}
	default:
		return nil, &PageError{Op: op, Reason: "unknown scope " + o.Scope, Hint: "use full_page, only_within_viewport or subtree"}
	}
	if err := p.begin(ctx); err != nil {
		return nil, pageError(op, "", err)
	}
	if d := p.openDialog(); d != nil {
		return nil, pageError(op, p.url(), dialogInTheWay(d, nil))
	}
	b := snapshotBuilder{page: p, o: o, entries: make(map[int]refEntry)}
	if err := b.build(ctx); err != nil {
		return nil, pageError(op, p.url(), err)
	}
	p.mu.Lock()
	p.refs = b.entries
	p.mu.Unlock()
	return &Snapshot{Content: b.text(), Refs: b.refs}, nil
}

// getFullAXTree is Accessibility.getFullAXTree.
type getFullAXTree struct {
	FrameID string `json:"frameId,omitempty"`
}

func (getFullAXTree) ProtoReq() string { return "Accessibility.getFullAXTree" }

// frameView is the accessibility tree of one frame.
type frameView struct {
	frameID string
	session *session
	base    int // added to backend node ids: they are unique within a process only
	nodes   map[string]*axNode
	root    *axNode
	owners  map[int]string // ids of the frames by the backend node id of their element
	facts   *domFacts      // nil for frames in the page
}

// refSpan keeps the refs of frames in different processes apart.
const refSpan = 1 << 24

type snapshotBuilder struct {
	page    *Page
	o       SnapshotOptions
	lines   []string
	refs    []Ref
	entries map[int]refEntry
	bases   map[*session]int
}

func (b *snapshotBuilder) build(ctx context.Context) error {
	b.bases = map[*session]int{b.page.session: 0}
	main, err := b.view(ctx, b.page.mainFrameID())
	if err != nil {
		return err
	}
	if !b.o.NoLocators || b.o.Scope == ScopeViewport {
		if main.facts, err = b.page.domFacts(ctx); err != nil {
			return err
		}
		main.countRoles()
	}
	if b.o.Scope != ScopeSubtree {
		return b.node(ctx, main, main.root, 0, "")
	}
	view, node, err := b.subtree(ctx, main)
	if err != nil {
		return err
	}
	return b.node(ctx, view, node, 0, "")
}

// subtree finds the accessibility node of the root element.
func (b *snapshotBuilder) subtree(ctx context.Context, main *frameView) (*frameView, *axNode, error) {
	l := b.page.Locator(b.o.Root)
	view := main
	var id int
	err := l.withHandle(ctx, "snapshot", func(w *world, object string) error {
		var res struct {
			Node struct {
				BackendNodeID int `json:"backendNodeId"`
			} `json:"node"`
		}
		if err := w.session.call(ctx, proto.DOMDescribeNode{ObjectID: proto.RuntimeRemoteObjectID(object)}, &res); err != nil {
			return err
		}
		id = res.Node.BackendNodeID
		var err error
		if w.frameID != main.frameID {
			view, err = b.view(ctx, w.frameID)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range view.nodes {
		if n.BackendDOMNodeID == id {
			return view, n, nil
		}
	}
	return view, &axNode{Ignored: true}, nil
}

// view reads the tree of a frame and where its child frames hang.
func (b *snapshotBuilder) view(ctx context.Context, frameID string) (*frameView, error) {
	p := b.page
	p.mu.Lock()
	f := p.frames[frameID]
	var children []string
	for id, child := range p.frames {
		if child.parentID == frameID {
			children = append(children, id)
		}
	}
	p.mu.Unlock()
	if f == nil {
		return nil, errStale
	}
	v := &frameView{frameID: frameID, session: f.session, owners: make(map[int]string), nodes: make(map[string]*axNode)}
	base, known := b.bases[f.session]
	if !known {
		base = len(b.bases) * refSpan
		b.bases[f.session] = base
	}
	v.base = base
	req := getFullAXTree{FrameID: frameID}
	if f.session.targetID == frameID {
		req.FrameID = "" // the root of its session
	}
	var tree struct {
		Nodes []*axNode `json:"nodes"`
	}
	if err := f.session.call(ctx, req, &tree); err != nil {
		return nil, err
	}
	for _, n := range tree.Nodes {
		v.nodes[n.NodeID] = n
		if n.ParentID == "" && v.root == nil {
			v.root = n
		}
	}
	for _, id := range children {
		var owner struct {
			BackendNodeID int `json:"backendNodeId"`
		}
		if f.session.call(ctx, proto.DOMGetFrameOwner{FrameID: proto.PageFrameID(id)}, &owner) == nil {
			v.owners[owner.BackendNodeID] = id
		}
	}
	return v, nil
}

// silent are roles that are never a line of their own.
var silent = map[string]bool{"InlineTextBox": true, "LineBreak": true, "ListMarker": true}

// structural are roles that only a name makes worth a line.
var structural = map[string]bool{"generic": true, "none": true, "": true, "LayoutTable": true, "LayoutTableRow": true, "LayoutTableCell": true, "LabelText": true}

// node writes a node and what is below it.
func (b *snapshotBuilder) node(ctx context.Context, v *frameView, n *axNode, depth int, parentName string) error {
	if n == nil {
		return nil
	}
	role, name := n.Role.text(), squeeze(n.Name.text())
	if silent[role] || !b.shows(v, n) {
		return nil
	}
	if role == "StaticText" {
		if name != "" && name != parentName {
			b.line(depth, "text", name, nil)
		}
		return nil
	}
	inner, innerName := depth, parentName
	children := n.ChildIDs
	if !n.Ignored && (!structural[role] || name != "") {
		inner, innerName = depth+1, name
		shown := name
		if text, only := v.onlyText(n); only && (name == "" || text == name || text == squeeze(n.Value.text())) {
			children = nil // said by the line itself
			if name == "" && n.Value.text() == "" {
				shown = text
			}
		}
		b.element(v, n, role, name, shown, depth)
	}
	for _, id := range children {
		if err := b.node(ctx, v, v.nodes[id], inner, innerName); err != nil {
			return err
		}
	}
	if frameID, ok := v.owners[n.BackendDOMNodeID]; ok {
		return b.frame(ctx, frameID, inner)
	}
	return nil
}

// frame writes the tree of a child frame. One that went away meanwhile is left out.
func (b *snapshotBuilder) frame(ctx context.Context, frameID string, depth int) error {
	v, err := b.view(ctx, frameID)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return nil
	}
	return b.node(ctx, v, v.root, depth, "")
}

// onlyText is what a node says when nothing but text is below it.
func (v *frameView) onlyText(n *axNode) (string, bool) {
	var parts []string
	for _, id := range n.ChildIDs {
		child := v.nodes[id]
		if child == nil {
			continue
		}
		role := child.Role.text()
		switch {
		case role == "StaticText":
			parts = append(parts, child.Name.text())
		case silent[role]:
		case child.Ignored || role == "generic" || role == "none":
			text, only := v.onlyText(child)
			if !only {
				return "", false
			}
			parts = append(parts, text)
		default:
			return "", false
		}
	}
	text := squeeze(strings.Join(parts, ""))
	return text, text != ""
}

func (b *snapshotBuilder) shows(v *frameView, n *axNode) bool {
	if b.o.Scope != ScopeViewport || v.facts == nil {
		return true
	}
	return v.inViewport(n)
}

// inViewport reports whether a node or one below it is drawn inside of the viewport.
func (v *frameView) inViewport(n *axNode) bool {
	if v.facts.visible(n.BackendDOMNodeID) && n.Role.text() != "RootWebArea" {
		return true
	}
	for _, id := range n.ChildIDs {
		if child := v.nodes[id]; child != nil && v.inViewport(child) {
			return true
		}
	}
	return n.Role.text() == "RootWebArea"
}

func (b *snapshotBuilder) element(v *frameView, n *axNode, role, name, shown string, depth int) {
	var marks []string
	if n.BackendDOMNodeID != 0 && role != "RootWebArea" { // the document is no element
		ref := n.BackendDOMNodeID + v.base
		entry := refEntry{backendID: n.BackendDOMNodeID, role: role, name: name}
		if v.frameID != b.page.mainFrameID() {
			entry.frameID = v.frameID
		}
		loc := ""
		if !b.o.NoLocators {
			loc = v.stableLocator(n, role, name)
		}
		b.entries[ref] = entry
		b.refs = append(b.refs, Ref{BackendNodeID: ref, Role: role, Name: name, Loc: loc, FrameID: entry.frameID})
		if !b.o.NoRefs {
			marks = append(marks, fmt.Sprintf("ref=%d", ref))
		}
		if loc != "" {
			marks = append(marks, "loc="+loc)
		}
	}
	b.line(depth, role, shown, append(marks, n.marks(role)...))
}

// marks are the states and values of a node that a reader acts on.
func (n *axNode) marks(role string) []string {
	var marks []string
	if url := n.property("url"); url != "" {
		marks = append(marks, "url="+url)
	}
	if value := n.Value.text(); value != "" && role != "RootWebArea" {
		marks = append(marks, "value="+quoteText(value))
	}
	for _, state := range []string{"checked", "pressed", "selected", "expanded", "disabled"} {
		switch value := n.property(state); value {
		case "", "false":
			if state == "expanded" && value == "false" {
				marks = append(marks, "collapsed")
			}
		case "true":
			marks = append(marks, state)
		default:
			marks = append(marks, state+"="+value)
		}
	}
	if role == "heading" {
		marks = append(marks, "level="+n.property("level"))
	}
	return marks
}

func (b *snapshotBuilder) line(depth int, role, name string, marks []string) {
	var s strings.Builder
	s.WriteString(strings.Repeat("  ", depth))
	s.WriteString("- " + role)
	if name != "" {
		s.WriteString(" " + quoteText(name))
	}
	if len(marks) > 0 {
		s.WriteString(" [" + strings.Join(marks, ", ") + "]")
	}
	b.lines = append(b.lines, s.String())
}

// text joins the lines, cut to the asked length with a word on what is missing.
func (b *snapshotBuilder) text() string {
	limit := b.o.MaxResultLength
	length := 0
	for i, line := range b.lines {
		length += utf8.RuneCountInString(line) + 1
		if limit > 0 && length > limit {
			rest := 0
			for _, l := range b.lines[i:] {
				rest += utf8.RuneCountInString(l) + 1
			}
			cut := fmt.Sprintf("... %d more lines, %d more characters", len(b.lines)-i, rest)
			return strings.Join(append(b.lines[:i:i], cut), "\n")
		}
	}
	return strings.Join(b.lines, "\n")
}

// quoteText is text as a JSON string, with <, > and & as they are.
func quoteText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
