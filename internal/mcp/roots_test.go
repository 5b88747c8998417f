package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// greetRoots opens a session of a client that has roots.
func (p *peer) greetRoots(capabilities string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `,"clientInfo":{"name":"test","version":"1"}}}`)
	p.await(`"hello"`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// nextOf returns the next message with a method.
func (p *peer) nextOf(method string) message {
	p.t.Helper()
	for {
		if m := p.next(); m.Method == method {
			return m
		}
	}
}

// adopter keeps what it was told.
type adopter struct {
	told chan []string
	give func([]string) (bool, error)
}

func (a *adopter) adopt(_ context.Context, uris []string) (bool, error) {
	a.told <- uris
	if a.give != nil {
		return a.give(uris)
	}
	return true, nil
}

func TestRootsAreFollowed(t *testing.T) {
	f := newFixture(t, shop())
	a := &adopter{told: make(chan []string, 9)}
	p := f.connect(t, Config{AdoptRoots: a.adopt})
	p.greetRoots(`{"roots":{"listChanged":true}}`)
	// What is sent meanwhile is served when the roots are there.
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
	ask := p.nextOf("roots/list")
	f.save(t, "late/manifest.json", `{"id":"late","name":"Late","domains":["late.test"],"notes":["notes/a.md"]}`)
	f.save(t, "late/notes/a.md", "late")
	a.give = func([]string) (bool, error) {
		_, err := f.store.Reload(t.Context())
		return true, err
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"},{"uri":"file:///a"}]}}`, ask.ID))
	if d := cmp.Diff([]string{"file:///a", "file:///b"}, <-a.told); d != "" {
		t.Error(d)
	}
	if answer, _ := p.await("1"); !strings.Contains(answer.text, "skill://late/notes/a.md") {
		t.Errorf("the first list is from before the roots: %s", answer.text)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	ask = p.nextOf("roots/list")
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, ask.ID))
	if got := <-a.told; len(got) != 0 {
		t.Errorf("told %v", got)
	}
}

// A client that does not answer, or not with roots, is served without them.
func TestRootsThatDoNotCome(t *testing.T) {
	f := newFixture(t, shop())
	for name, reply := range map[string]string{
		"an error": `"error":{"code":-32603,"message":"no"}`,
		"nonsense": `"result":{"roots":"none"}`,
		"null":     `"result":null`,
		"too many": `"result":{"roots":[` + strings.Repeat(`{"uri":"file:///x"},`, maxRoots) + `{"uri":"file:///x"}]}`,
		"silence":  "",
	} {
		t.Run(name, func(t *testing.T) {
			a := &adopter{told: make(chan []string, 9)}
			p := f.connect(t, Config{AdoptRoots: a.adopt})
			p.greetRoots(`{"roots":{}}`)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)
			ask := p.nextOf("roots/list")
			if reply != "" {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, ask.ID, reply))
			}
			if answer, _ := p.await("1"); answer.Error != nil {
				t.Errorf("%+v", answer.Error)
			}
			if name != "null" && len(a.told) > 0 {
				t.Errorf("adopted %v", <-a.told)
			}
			p.end()
		})
	}
}

func TestRootsThatCannotBeAdopted(t *testing.T) {
	f := newFixture(t, shop())
	for _, fail := range []func([]string) (bool, error){
		func([]string) (bool, error) { return false, errors.New("no such place") },
		func([]string) (bool, error) { panic("on purpose") },
	} {
		a := &adopter{told: make(chan []string, 9), give: fail}
		p := f.connect(t, Config{AdoptRoots: a.adopt})
		p.greetRoots(`{"roots":{}}`)
		ask := p.nextOf("roots/list")
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[{"uri":"file:///a"}]}}`, ask.ID))
		<-a.told
		request[listed](p, "resources/list", "{}")
		p.end()
	}
}

// A client without the capability is not asked, and neither is any when it is said
// already where packs are.
func TestRootsAreNotAskedFor(t *testing.T) {
	f := newFixture(t, shop())
	a := &adopter{told: make(chan []string, 9)}
	for name, c := range map[string]struct {
		cfg          Config
		capabilities string
	}{
		"no capability": {Config{AdoptRoots: a.adopt}, `{}`},
		"said already":  {Config{}, `{"roots":{"listChanged":true}}`},
	} {
		p := f.connect(t, c.cfg)
		p.greetRoots(c.capabilities)
		p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		_, before := p.await("1")
		for _, m := range before {
			if m.Method == "roots/list" {
				t.Errorf("%s: asked for roots", name)
			}
		}
		p.end()
	}
}

// A client that did not answer is asked again when it says that its roots changed.
func TestRootsAreAskedForAgain(t *testing.T) {
	f := newFixture(t, shop())
	a := &adopter{told: make(chan []string, 9)}
	p := f.connect(t, Config{AdoptRoots: a.adopt})
	p.greetRoots(`{"roots":{"listChanged":true}}`)
	unanswered := p.nextOf("roots/list")
	p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	again := p.nextOf("roots/list")
	for _, m := range []message{unanswered, again} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[{"uri":"file:///%s"}]}}`, m.ID, m.ID))
	}
	if got := <-a.told; len(got) != 1 || got[0] != "file:///"+string(again.ID) {
		t.Errorf("told %v, asked as %s and %s", got, unanswered.ID, again.ID)
	}
	p.end()
	if len(a.told) > 0 {
		t.Errorf("told %v as well", <-a.told)
	}
}
