package browser

import (
	"context"
	"net/url"
	"regexp"
	"strings"
)

// domFacts is what a snapshot needs to know of the main document beside its
// accessibility tree: attributes, how often they occur, and where nodes are drawn.
type domFacts struct {
	nodes    map[int]domNode // by backend node id
	boxes    map[int]Box     // in CSS px of the document
	counts   map[string]int  // of "attribute=value" and "tag[attribute=value]"
	roles    map[string]int  // of role and name in the accessibility tree
	viewport Box
}

type domNode struct {
	tag        string
	attributes map[string]string
}

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
		NodeName      []int   `json:"nodeName"`
		BackendNodeID []int   `json:"backendNodeId"`
		Attributes    [][]int `json:"attributes"`
	} `json:"nodes"`
	Layout struct {
		NodeIndex []int       `json:"nodeIndex"`
		Bounds    [][]float64 `json:"bounds"`
	} `json:"layout"`
}

// domFacts captures the main document.
func (p *Page) domFacts(ctx context.Context) (*domFacts, error) {
	var captured struct {
		Documents []capturedDocument `json:"documents"`
		Strings   []string           `json:"strings"`
	}
	if err := p.session.call(ctx, captureDOM{ComputedStyles: []string{}}, &captured); err != nil {
		return nil, err
	}
	info, err := p.Info(ctx)
	if err != nil {
		return nil, err
	}
	facts := &domFacts{
		nodes: make(map[int]domNode), boxes: make(map[int]Box), counts: make(map[string]int), roles: make(map[string]int),
		viewport: Box{X: info.SX, Y: info.SY, Width: info.W, Height: info.H},
	}
	text := func(i int) string {
		if i < 0 || i >= len(captured.Strings) {
			return ""
		}
		return captured.Strings[i]
	}
	main := p.mainFrameID()
	for i := range captured.Documents {
		if text(captured.Documents[i].FrameID) == main {
			facts.read(&captured.Documents[i], text)
		}
	}
	return facts, nil
}

func (f *domFacts) read(doc *capturedDocument, text func(int) string) {
	ids := doc.Nodes.BackendNodeID
	for i, id := range ids {
		if i >= len(doc.Nodes.Attributes) || i >= len(doc.Nodes.NodeName) || len(doc.Nodes.Attributes[i]) == 0 {
			continue
		}
		node := domNode{tag: strings.ToLower(text(doc.Nodes.NodeName[i])), attributes: make(map[string]string)}
		pairs := doc.Nodes.Attributes[i]
		for j := 0; j+1 < len(pairs); j += 2 {
			name, value := text(pairs[j]), text(pairs[j+1])
			node.attributes[name] = value
			f.counts[name+"="+value]++
			f.counts[node.tag+"["+name+"="+value+"]"]++
		}
		f.nodes[id] = node
	}
	for i, index := range doc.Layout.NodeIndex {
		if index < 0 || index >= len(ids) || i >= len(doc.Layout.Bounds) || len(doc.Layout.Bounds[i]) != 4 {
			continue
		}
		b := doc.Layout.Bounds[i]
		f.boxes[ids[index]] = Box{X: b[0], Y: b[1], Width: b[2], Height: b[3]}
	}
}

// visible reports whether a node is drawn inside of the viewport.
func (f *domFacts) visible(backendID int) bool {
	b, ok := f.boxes[backendID]
	v := f.viewport
	return ok && b.Width > 0 && b.Height > 0 && b.X < v.X+v.Width && b.X+b.Width > v.X && b.Y < v.Y+v.Height && b.Y+b.Height > v.Y
}

// countRoles counts how often a role and a name occur, as role selectors match them.
func (v *frameView) countRoles() {
	for _, n := range v.nodes {
		if !n.Ignored && n.BackendDOMNodeID != 0 {
			v.facts.roles[n.Role.text()+"\x00"+squeeze(n.Name.text())]++
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
	if v.facts == nil || role == "RootWebArea" {
		return ""
	}
	f, node := v.facts, v.facts.nodes[n.BackendDOMNodeID]
	if id, ok := node.attributes["data-testid"]; ok && id != "" && f.counts["data-testid="+id] == 1 && squeeze(id) == id {
		return "testid:" + id
	}
	if id := node.attributes["id"]; plainID.MatchString(id) && !madeUpID.MatchString(id) && f.counts["id="+id] == 1 {
		return "css:#" + id
	}
	if name != "" && len(name) <= locLength && f.roles[role+"\x00"+name] == 1 {
		return "role:" + role + "[name=" + quoteText(name) + "]"
	}
	if field := node.attributes["name"]; field != "" && plainID.MatchString(field) && f.counts[node.tag+"[name="+field+"]"] == 1 {
		return "css:" + node.tag + `[name="` + field + `"]`
	}
	if href := node.attributes["href"]; node.tag == "a" && strings.HasPrefix(href, "/") && f.counts["href="+href] == 1 {
		if u, err := url.Parse(href); err == nil && u.Host == "" && u.String() == href && len(href) <= locLength {
			return "href:" + href
		}
	}
	return ""
}
