package browser

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-rod/rod/lib/proto"
)

// axNode is what egod reads of a node of Chrome's accessibility tree.
type axNode struct {
	id         string
	parentID   string
	childIDs   []string
	ignored    bool
	role       string
	name       string
	value      string
	properties []axProperty // those of axProperties
	backendID  int          // of its DOM node; 0 when it has none
}

type axProperty struct{ name, value string }

// axProperties are the properties that lines of snapshots and role queries show.
var axProperties = map[string]bool{
	"url": true, "checked": true, "pressed": true, "selected": true, "expanded": true, "disabled": true, "level": true,
}

func (n *axNode) property(name string) string {
	for _, p := range n.properties {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// getFullAXTree is Accessibility.getFullAXTree.
type getFullAXTree struct {
	FrameID string `json:"frameId,omitempty"`
}

func (getFullAXTree) ProtoReq() string { return "Accessibility.getFullAXTree" }

// queryAXTree is Accessibility.queryAXTree: the nodes below a DOM node, itself included.
type queryAXTree struct {
	ObjectID      string                 `json:"objectId,omitempty"`
	BackendNodeID proto.DOMBackendNodeID `json:"backendNodeId,omitempty"`
	Role          string                 `json:"role,omitempty"` // empty: nodes of every role
}

func (queryAXTree) ProtoReq() string { return "Accessibility.queryAXTree" }

// axNodes is the answer of both. A page of 5,000 elements makes one of 2.7 MB.
type axNodes struct{ nodes []axNode }

// readAnswer makes axNodes an answer that reads itself.
func (a *axNodes) readAnswer(raw json.RawMessage) error {
	if !utf8.Valid(raw) {
		return fmt.Errorf("the accessibility tree is not UTF-8")
	}
	j := &jsonText{text: string(raw)}
	j.object(func(key string) {
		if key != "nodes" {
			j.skip()
			return
		}
		j.array(func() {
			a.nodes = append(a.nodes, axNode{})
			a.nodes[len(a.nodes)-1].read(j)
		})
	})
	return j.err
}

func (n *axNode) read(j *jsonText) {
	j.object(func(key string) {
		switch key {
		case "nodeId":
			n.id = j.str()
		case "parentId":
			n.parentID = j.str()
		case "childIds":
			j.array(func() { n.childIDs = append(n.childIDs, j.str()) })
		case "ignored":
			n.ignored = j.scalar() == "true"
		case "role":
			n.role = axValue(j)
		case "name":
			n.name = axValue(j)
		case "value":
			n.value = axValue(j)
		case "properties":
			j.array(func() { n.readProperty(j) })
		case "backendDOMNodeId":
			id, err := strconv.Atoi(j.scalar())
			if err != nil {
				j.fail("node id")
			}
			n.backendID = id
		default:
			j.skip()
		}
	})
}

func (n *axNode) readProperty(j *jsonText) {
	var p axProperty
	j.object(func(key string) {
		switch key {
		case "name":
			p.name = j.str()
		case "value":
			p.value = axValue(j)
		default:
			j.skip()
		}
	})
	if axProperties[p.name] {
		n.properties = append(n.properties, p)
	}
}

// axValue reads the value of an AXValue and leaves where it comes from.
func axValue(j *jsonText) string {
	value := ""
	j.object(func(key string) {
		if key != "value" {
			j.skip()
			return
		}
		value = j.value()
	})
	return value
}
