package browser

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCDP(t *testing.T) {
	page, ctx := newTestPage(t, html("<title>raw</title>"))
	got, err := page.CDP(ctx, "Runtime.evaluate", json.RawMessage(`{"expression":"document.title"}`), "")
	if err != nil || !strings.Contains(string(got), `"value":"raw"`) {
		t.Errorf("page command: %s, %v", got, err)
	}
	got, err = page.CDP(ctx, "Browser.getVersion", nil, "")
	if err != nil || !strings.Contains(string(got), "protocolVersion") {
		t.Errorf("browser command: %s, %v", got, err)
	}
	got, err = page.CDP(ctx, "Runtime.evaluate", json.RawMessage(`{"expression":"1"}`), page.session.id)
	if err != nil || !strings.Contains(string(got), `"value":1`) {
		t.Errorf("with a session: %s, %v", got, err)
	}
	for method, want := range map[string]string{
		"Nope.nothing": "Nope.nothing", "Browser.grantPermissions": "wasn't found", "evaluate": "not a method", "Page.navigate": "Page.navigate",
	} {
		if _, err := page.CDP(ctx, method, nil, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", method, err, want)
		}
	}
	if _, err := page.CDP(ctx, "Runtime.evaluate", nil, "stranger"); err == nil {
		t.Error("an unknown session was accepted")
	}
}

func TestDrainEvents(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>x"))
	if len(page.DrainEvents()) == 0 {
		t.Error("a navigation left no events")
	}
	if _, err := page.Evaluate(ctx, Script{Expression: `console.log("drained")`}); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range page.DrainEvents() {
		found = found || (e.Method == "Runtime.consoleAPICalled" && strings.Contains(string(e.Params), "drained") && e.SessionID != "")
	}
	if !found {
		t.Error("the console event is missing")
	}
	var r rawEvents
	for range rawEventLimit + 10 {
		r.add(event{Method: "A.b", Params: json.RawMessage(`{}`)})
	}
	if len(r.events) != rawEventLimit || r.bytes != 2*rawEventLimit {
		t.Errorf("%d events of %d bytes are kept", len(r.events), r.bytes)
	}
	r.add(event{Method: "A.big", Params: make(json.RawMessage, rawEventBytes-1)})
	if len(r.events) != 1 || r.events[0].Method != "A.big" {
		t.Errorf("%d events are kept beside a big one", len(r.events))
	}
}

func TestSpacesBeginWithTheDefaultCookies(t *testing.T) {
	m := ownManager(t, Config{})
	ctx := testContext(t)
	base, err := m.Space(DefaultSpace).Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, base, shared.server.URL+html("<p>x"))
	if _, err := base.Evaluate(ctx, Script{Expression: `document.cookie = "who=me; max-age=600"`}); err != nil {
		t.Fatal(err)
	}
	other, err := m.Space("other").Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustGoto(t, ctx, other, shared.server.URL+html("<p>x"))
	if v, err := other.Evaluate(ctx, Script{Expression: `document.cookie`}); err != nil || string(v) != `"who=me"` {
		t.Errorf("cookies of the other space: %s, %v", v, err)
	}
}
