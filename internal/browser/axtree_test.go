package browser

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// sameNodes reads an answer with encoding/json, for comparison.
func sameNodes(t testing.TB, raw []byte) ([]axNode, error) {
	t.Helper()
	type value struct {
		Value json.RawMessage `json:"value"`
	}
	text := func(v value) string {
		var s string
		if json.Unmarshal(v.Value, &s) == nil && v.Value[0] == '"' {
			return s
		}
		return string(v.Value)
	}
	var res struct {
		Nodes []struct {
			NodeID, ParentID  string
			ChildIDs          []string
			Ignored           bool
			Role, Name, Value value
			Properties        []struct {
				Name  string
				Value value
			}
			BackendDOMNodeID int
		}
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	var nodes []axNode
	for _, n := range res.Nodes {
		node := axNode{
			id: n.NodeID, parentID: n.ParentID, childIDs: n.ChildIDs, ignored: n.Ignored,
			role: text(n.Role), name: text(n.Name), value: text(n.Value), backendID: n.BackendDOMNodeID,
		}
		for _, p := range n.Properties {
			if axProperties[p.Name] {
				node.properties = append(node.properties, axProperty{p.Name, text(p.Value)})
			}
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

func TestAXNodesReadsWhatChromeSends(t *testing.T) {
	page, ctx := newTestPage(t, html(`<title>"quoted" \ back</title><h2>Über 京都 😀</h2><input type=checkbox checked disabled aria-label="a&quot;b">
		<select><option selected>one<option>two</select><button aria-expanded=false aria-pressed=mixed>x&#10;y</button><input value="5" type=number>
		<a href="/x?y=1#z">link</a><p style="visibility:hidden">no</p><p>lone &#xD83D;</p><script>document.body.append("\ud83d")</script>`))
	raw, err := page.session.conn.Call(ctx, page.session.id, "Accessibility.getFullAXTree", nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sameNodes(t, raw)
	if err != nil || len(want) < 20 {
		t.Fatalf("%d nodes, %v", len(want), err)
	}
	var got axNodes
	if err := got.readAnswer(raw); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.nodes, cmp.AllowUnexported(axNode{}, axProperty{}), cmp.Transformer("empty", func(s []string) int { return len(s) })); diff != "" {
		t.Errorf("-encoding/json +egod:\n%s", diff)
	}
}

// Whatever comes is read or refused. What encoding/json reads is read the same way,
// up to names that differ in case and members that are given twice.
func FuzzAXNodes(f *testing.F) {
	for _, seed := range []string{
		`{"nodes":[{"nodeId":"1","ignored":false,"role":{"type":"role","value":"button"},"name":{"value":"a\"b\\","sources":[{"a":[1,{}]}]},"childIds":["2","-3"],"backendDOMNodeId":7}]}`,
		`{"nodes":[{"properties":[{"name":"level","value":{"type":"integer","value":2}},{"name":"x","value":null}]}],"more":[[],{}]}`,
		`{"nodes":[]}`, `{}`, `[`, `{"nodes":[{"nodeId":"\u00e9\ud83d"}]} `, `{"a":"}`, `{"a":1`, `{"a" 1}`, `{"nodes":[{"ignored":true,}]}`, `{"nodes":[{"name":{"value":{"a":"]"}}}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got axNodes
		err := got.readAnswer([]byte(text))
		want, strict := sameNodes(t, []byte(text))
		if strict != nil || !utf8.ValidString(text) || text == "null" || !exactKeys(text) {
			return
		}
		if err != nil {
			t.Fatalf("%q was refused: %v", text, err)
		}
		if len(want) != len(got.nodes) {
			t.Fatalf("%q: %d nodes, want %d", text, len(got.nodes), len(want))
		}
		for i := range want {
			if want[i].id != got.nodes[i].id || want[i].name != got.nodes[i].name {
				t.Fatalf("%q: %+v, want %+v", text, got.nodes[i], want[i])
			}
		}
	})
}

// exactKeys reports that no member of the text is null, repeated or written in another case.
func exactKeys(text string) bool {
	for _, key := range []string{"nodes", "nodeId", "name", "value", "role", "parentId", "ignored", "childIds", "properties", "backendDOMNodeId"} {
		if strings.Count(text, `"`+key+`"`) != strings.Count(strings.ToLower(text), `"`+strings.ToLower(key)+`"`) {
			return false
		}
	}
	return !strings.Contains(text, "null") && strings.Count(text, `"nodes"`) < 2 && strings.Count(text, `"nodeId"`) < 2 &&
		strings.Count(text, `"name"`) < 2 && strings.Count(text, `"value"`) < 2 && !strings.Contains(text, `\u`)
}
