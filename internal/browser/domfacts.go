package browser

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// domFacts is what a snapshot needs to know of the main document beside its
// accessibility tree: attributes, how often they occur, and where nodes are drawn.
type domFacts struct {
	nodes    map[int]domNode // by backend node id: those with an attribute that locators use
	boxes    map[int]Box     // in CSS px of the document
	counts   map[nameValue]int
	roles    map[nameValue]int // of role and name in the accessibility tree
	own      map[int]bool      // backend node ids of the page's own nodes, not of what its controls are made of
	viewport Box
}

type domNode struct{ tag, testID, id, name, href string }

// nameValue is an attribute, or a role, with its value.
type nameValue struct{ name, value string }

// captureSnapshot is DOMSnapshot.captureSnapshot, whose parameters must be present.
type captureDOM struct {
	ComputedStyles []string `json:"computedStyles"`
}

func (captureDOM) ProtoReq() string { return "DOMSnapshot.captureSnapshot" }

type capturedDocument struct {
	FrameID       int     `json:"frameId"` // indexes into strings, as all numbers below that name something
	ScrollOffsetX float64 `json:"scrollOffsetX"`
	ScrollOffsetY float64 `json:"scrollOffsetY"`
	Nodes         struct {
		ParentIndex    []int `json:"parentIndex"`
		ShadowRootType struct {
			Index []int `json:"index"`
			Value []int `json:"value"`
		} `json:"shadowRootType"`
		NodeName      []int   `json:"nodeName"`
		BackendNodeID []int   `json:"backendNodeId"`
		Attributes    [][]int `json:"attributes"`
	} `json:"nodes"`
	Layout struct {
		NodeIndex []int       `json:"nodeIndex"`
		Bounds    [][]float64 `json:"bounds"`
	} `json:"layout"`
}

type capturedDOM struct {
	Documents []capturedDocument `json:"documents"`
	Strings   []string           `json:"strings"`
}

// factsOf picks the document of a frame out of what was captured. Where nodes are
// drawn is read only for a viewport.
func factsOf(captured *capturedDOM, frameID string, viewport *Box) *domFacts {
	facts := &domFacts{
		nodes: make(map[int]domNode), boxes: make(map[int]Box), counts: make(map[nameValue]int), roles: make(map[nameValue]int), own: make(map[int]bool),
	}
	text := func(i int) string {
		if i < 0 || i >= len(captured.Strings) {
			return ""
		}
		return captured.Strings[i]
	}
	for i := range captured.Documents {
		if text(captured.Documents[i].FrameID) == frameID {
			facts.read(&captured.Documents[i], text)
			if viewport != nil {
				facts.viewport = *viewport
				facts.readBoxes(&captured.Documents[i])
			}
		}
	}
	return facts
}

func (f *domFacts) read(doc *capturedDocument, text func(int) string) {
	ids := doc.Nodes.BackendNodeID
	closed := f.closed(doc, text)
	for i, id := range ids {
		if closed[i] || i >= len(doc.Nodes.Attributes) || i >= len(doc.Nodes.NodeName) || len(doc.Nodes.Attributes[i]) == 0 {
			continue
		}
		node := domNode{tag: strings.ToLower(text(doc.Nodes.NodeName[i]))}
		pairs := doc.Nodes.Attributes[i]
		used := false
		for j := 0; j+1 < len(pairs); j += 2 {
			used = f.attribute(&node, text(pairs[j]), text(pairs[j+1])) || used
		}
		if used {
			f.nodes[id] = node
		}
	}
}

// closed tells which nodes CSS does not come to, and notes those that are the page's
// own: getByRole leaves out the parts of controls. A node comes after the one it is in.
func (f *domFacts) closed(doc *capturedDocument, text func(int) string) []bool {
	kinds := make(map[int]string, len(doc.Nodes.ShadowRootType.Index))
	for i, node := range doc.Nodes.ShadowRootType.Index {
		if i < len(doc.Nodes.ShadowRootType.Value) {
			kinds[node] = text(doc.Nodes.ShadowRootType.Value[i])
		}
	}
	ids := doc.Nodes.BackendNodeID
	closed := make([]bool, len(ids))
	for i, id := range ids {
		ours := kinds[i] != "user-agent"
		closed[i] = !ours || kinds[i] == "closed"
		if i < len(doc.Nodes.ParentIndex) && doc.Nodes.ParentIndex[i] >= 0 && doc.Nodes.ParentIndex[i] < i {
			parent := doc.Nodes.ParentIndex[i]
			closed[i] = closed[i] || closed[parent]
			ours = ours && f.own[ids[parent]]
		}
		if ours {
			f.own[id] = true
		}
	}
	return closed
}

func (f *domFacts) readBoxes(doc *capturedDocument) {
	ids := doc.Nodes.BackendNodeID
	for i, index := range doc.Layout.NodeIndex {
		if index < 0 || index >= len(ids) || i >= len(doc.Layout.Bounds) || len(doc.Layout.Bounds[i]) != 4 {
			continue
		}
		b := doc.Layout.Bounds[i]
		f.boxes[ids[index]] = Box{X: b[0], Y: b[1], Width: b[2], Height: b[3]}
	}
}

// attribute notes and counts an attribute that locators use.
func (f *domFacts) attribute(node *domNode, name, value string) bool {
	counted := name
	switch name {
	case "data-testid":
		node.testID = value
	case "id":
		node.id = value
	case "href":
		node.href = value
	case "name":
		node.name, counted = value, nameOf(node.tag)
	default:
		return false
	}
	f.counts[nameValue{counted, value}]++
	return true
}

// nameOf is under what the name attributes of a kind of element are counted.
func nameOf(tag string) string { return tag + "[name]" }

// visible reports whether a node is drawn inside of the viewport.
func (f *domFacts) visible(backendID int) bool {
	b, ok := f.boxes[backendID]
	v := f.viewport
	return ok && b.Width > 0 && b.Height > 0 && b.X < v.X+v.Width && b.X+b.Width > v.X && b.Y < v.Y+v.Height && b.Y+b.Height > v.Y
}

// countRoles counts how often a role and a name occur, as role selectors match them.
func (v *frameView) countRoles() {
	for _, n := range v.nodes {
		if !n.ignored && n.backendID != 0 {
			name := squeeze(n.name)
			v.facts.roles[nameValue{n.role, name}]++
			for role, alias := range axAliases {
				if slices.Contains(alias.roles, n.role) {
					v.facts.roles[nameValue{role, name}]++
				}
			}
		}
	}
}

var (
	plainID  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	madeUpID = regexp.MustCompile(`[0-9]{3}|[0-9a-f]{8}`)
)

// locLength bounds the names and addresses that go into a locator.
const locLength = 100

// stableLocator is a selector that finds exactly this node now and likely later;
// "" when there is none. The facts count what the project's own resolver matches.
func (v *frameView) stableLocator(n *axNode, role, name string) string {
	if v.facts == nil || role == "RootWebArea" || !v.facts.own[n.backendID] {
		return ""
	}
	f, node := v.facts, v.facts.nodes[n.backendID]
	once := func(name, value string) bool { return value != "" && f.counts[nameValue{name, value}] == 1 }
	if once("data-testid", node.testID) && squeeze(node.testID) == node.testID {
		return "testid:" + node.testID
	}
	if plainID.MatchString(node.id) && !madeUpID.MatchString(node.id) && once("id", node.id) {
		return "css:#" + node.id
	}
	if name != "" && len(name) <= locLength && f.roles[nameValue{role, name}] == 1 {
		return "role:" + role + "[name=" + quoteText(name) + "]"
	}
	if plainID.MatchString(node.name) && once(nameOf(node.tag), node.name) {
		return "css:" + node.tag + `[name="` + node.name + `"]`
	}
	if node.tag == "a" && strings.HasPrefix(node.href, "/") && once("href", node.href) {
		if u, err := url.Parse(node.href); err == nil && u.Host == "" && u.String() == node.href && len(node.href) <= locLength {
			return "href:" + node.href
		}
	}
	return ""
}
