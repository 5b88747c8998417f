package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
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
			return nil, &PageError{Op: op, Permanent: true, Reason: "the scope subtree needs a root", Hint: "give the selector of the element as root"}
		}
	default:
		return nil, &PageError{Op: op, Permanent: true, Reason: "unknown scope " + o.Scope, Hint: "use full_page, only_within_viewport or subtree"}
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

type snapshotBuilder struct {
	page    *Page
	o       SnapshotOptions
	main    string // id of the main frame
	views   map[string]*frameView
	lines   []string
	refs    []Ref
	entries map[int]refEntry
	bases   map[*session]int
}

func (b *snapshotBuilder) build(ctx context.Context) error {
	b.bases = map[*session]int{b.page.session: 0}
	b.main = b.page.mainFrameID()
	if b.o.Scope == ScopeSubtree {
		view, node, err := b.subtree(ctx)
		if err != nil {
			return err
		}
		return b.node(ctx, view, node, 0, "")
	}
	b.askAll()
	view, err := b.view(ctx, b.main)
	if err != nil {
		return err
	}
	return b.node(ctx, view, view.root, 0, "")
}

const (
	// maxIndent is the depth from which on lines are not indented further: a page may
	// nest its elements ten thousand deep.
	maxIndent = 200
	// textDepth is how far below a node its text is looked for.
	textDepth = 50
)

// silent are roles that are never a line of their own.
var silent = map[string]bool{"InlineTextBox": true, "LineBreak": true, "ListMarker": true}

// structural are roles that only a name makes worth a line.
var structural = map[string]bool{"generic": true, "none": true, "": true, "LayoutTable": true, "LayoutTableRow": true, "LayoutTableCell": true, "LabelText": true}

// node writes a node and what is below it.
func (b *snapshotBuilder) node(ctx context.Context, v *frameView, n *axNode, depth int, parentName string) error {
	if n == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	role, name := n.role, squeeze(n.name)
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
	children := n.childIDs
	if !n.ignored && (!structural[role] || name != "") {
		inner, innerName = depth+1, name
		shown := name
		if text, only := v.onlyText(n, textDepth); only && (name == "" || text == name || text == squeeze(n.value)) {
			children = nil // said by the line itself
			if name == "" && n.value == "" {
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
	if frameID, ok := v.owners[n.backendID]; ok {
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

func (b *snapshotBuilder) element(v *frameView, n *axNode, role, name, shown string, depth int) {
	var marks []string
	if n.backendID != 0 && role != "RootWebArea" { // the document is no element
		ref := n.backendID + v.base
		role, name := strings.Clone(role), strings.Clone(name) // the refs outlive the tree, whose text they are parts of
		entry := refEntry{backendID: n.backendID, role: role, name: name}
		if v.frameID != b.main {
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
	if value := n.value; value != "" && role != "RootWebArea" {
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
	s.WriteString(strings.Repeat("  ", min(depth, maxIndent)))
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
