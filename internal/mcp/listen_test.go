package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"egod/internal/ops"
	"egod/internal/wire"
)

// listen opens a request of subscriptions/listen and waits until it is acknowledged.
func (p *peer) listen(id, notifications string) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":%s,"_meta":{"%s":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		id, notifications, metaRevision))
	if m := p.next(); m.Method != "notifications/subscriptions/acknowledged" || m.subscription(p.t) != id {
		p.t.Fatalf("instead of an acknowledgement: %s", m.text)
	}
}

// subscription is the id of the request that a notification belongs to.
func (m *message) subscription(t testing.TB) string {
	t.Helper()
	var params struct {
		Meta struct {
			ID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(m.Params, &params); err != nil {
		t.Fatal(err)
	}
	return string(params.Meta.ID)
}

// notices returns "method id" for each notification up to now, in order of text.
func (p *peer) notices() []string {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"now","method":"prompts/list","params":{"_meta":{"%s":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, metaRevision))
	_, before := p.await(`"now"`)
	notices := []string{}
	for _, m := range before {
		notices = append(notices, m.Method[len("notifications/"):]+" "+m.subscription(p.t))
	}
	slices.Sort(notices)
	return notices
}

// TestListenersAreApart: each request hears what it asked for, under its own id, and
// goes on when another one ends.
func TestListenersAreApart(t *testing.T) {
	f := newFixture(t, shop())
	p := f.connect(t, Config{Toolset: ToolsetAll})
	const note = `"resourceSubscriptions":["skill://shop/notes/about.md","skill://shop/notes/to%20come.md"]`
	p.listen(`1`, `{"toolsListChanged":true,`+note+`}`)
	p.listen(`"<2>"`, `{"toolsListChanged":true,"resourcesListChanged":true,`+note+`}`)
	generation := 0
	expect := func(want ...string) {
		t.Helper()
		generation++
		id := "more-" + strconv.Itoa(generation)
		for path, text := range pack(id, id+".test", "A note.\n", packTool{name: "one", source: "export const run = () => ({});\n"}) {
			f.save(t, path, text)
		}
		f.save(t, "shop/notes/about.md", "# "+id+"\n")
		f.reload(t)
		slices.Sort(want)
		if got := p.notices(); !slices.Equal(got, want) {
			t.Errorf("change %d: %q, want %q", generation, got, want)
		}
	}
	second := []string{`tools/list_changed "<2>"`, `resources/list_changed "<2>"`, `resources/updated "<2>"`}
	expect(append([]string{"tools/list_changed 1", "resources/updated 1"}, second...)...)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	expect(second...)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"<2>"}}`)
	expect()
}

// TestHandshakeOfALaterRevision: a client that shakes hands is told of changes, also
// one that asked for a revision that it was not given.
func TestHandshakeOfALaterRevision(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2099-01-01"} {
		f := newFixture(t, shop())
		p := f.connect(t, Config{Toolset: ToolsetPacks})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.await("1")
		request[struct{}](p, "resources/subscribe", `{"uri":"skill://shop/notes/about.md"}`)
		f.save(t, "shop/notes/about.md", "# Other\n")
		for path, text := range pack("more", "more.test", "", packTool{name: "one", source: "export const run = () => ({});\n"}) {
			f.save(t, path, text)
		}
		f.reload(t)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		_, before := p.await("2")
		var got []string
		for _, m := range before {
			got = append(got, m.Method)
		}
		slices.Sort(got)
		if want := []string{methodUpdated, methodToolsChanged}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", revision, got, want)
		}
	}
}

// TestListeningToNothing: params that want nothing are answered at once, and those
// that are none are refused.
func TestListeningToNothing(t *testing.T) {
	p := newFixture(t, shop()).connect(t, Config{})
	p.listen(`1`, `{"promptsListChanged":true}`)
	if answer, _ := p.await("1"); answer.Error != nil {
		t.Errorf("%s", answer.text)
	}
	for _, notifications := range []string{`null`, `5`, `{"resourceSubscriptions":["http://shop.test/"]}`} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":%s,"_meta":{"%s":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			notifications, metaRevision))
		if answer, _ := p.await("2"); answer.Error == nil || answer.Error.Code != wire.CodeInvalidParams {
			t.Errorf("%s: %s", notifications, answer.text)
		}
	}
}

// TestNobodyListensAtTheEnd: what wants to listen when listening has ended is told so
// at once, and holds nothing up.
func TestNobodyListensAtTheEnd(t *testing.T) {
	p := newFixture(t, shop()).connect(t, Config{})
	p.listen(`1`, `{"toolsListChanged":true}`)
	p.server.conn.endListening()
	p.await("1")
	p.listen(`2`, `{"toolsListChanged":true}`)
	p.await("2")
}

func TestSubscriptionsAreBounded(t *testing.T) {
	var s subscriptions
	ref := ops.NoteRef{SiteID: "shop", Path: "notes/about.md"}
	for i := range maxSubscriptions {
		if err := s.add(ref, strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.add(ref, "0"); err != nil {
		t.Errorf("one that is there: %v", err)
	}
	if err := s.add(ref, "more"); err == nil {
		t.Error("one too many is taken")
	}
	s.remove(ref, "nobody's")
	s.remove(ref, "0")
	if err := s.add(ref, "more"); err != nil {
		t.Error(err)
	}
}

// TestRemovedToolsAreForgotten: the first ones to go are the first to be forgotten.
func TestRemovedToolsAreForgotten(t *testing.T) {
	removed := map[string]uint64{}
	for i := range maxRemoved + 10 {
		removed[strconv.Itoa(i)] = uint64(i)
	}
	forgetOldest(removed)
	if _, ok := removed["9"]; ok || len(removed) != maxRemoved || removed["10"] != 10 {
		t.Errorf("%d are remembered", len(removed))
	}
}
