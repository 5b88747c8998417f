//go:build unix

package tests

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// spaceNames are the names that taskSpaces.list shows, with the owners.
func spaceNames(d *daemon) map[string]string {
	var list []struct{ Name, Ownership string }
	d.result("taskSpaces.list", object{}, &list)
	names := make(map[string]string)
	for _, s := range list {
		names[s.Name] = s.Ownership
	}
	return names
}

// A task space that nobody uses ends by itself, unless a user has it; one that is
// used for longer than that does not.
func TestSpaceEndsUnused(t *testing.T) {
	for _, isolation := range []string{"isolated", "shared"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			held := make(chan struct{}, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				if r.URL.Path == "/slow" {
					held <- struct{}{}
					<-release
				}
			}))
			t.Cleanup(server.Close)
			d := startClean(t, "serve", "--space-idle-timeout", "2s", "--space-isolation", isolation)
			for _, name := range []string{"lent", "kept"} {
				d.result("taskSpaces.useOrCreate", object{"target": name}, nil)
			}
			d.result("taskSpaces.handOff", object{"target": "lent"}, nil)
			d.result("taskSpaces.complete", object{"target": "kept", "options": object{"keep": true}}, nil)
			for _, name := range []string{"left", "kept"} {
				d.result("page.goto", object{"space": name, "url": server.URL}, nil)
			}
			busy := d.begin("page.evaluate", object{"space": "busy", "pageFunction": "fetch('" + server.URL + "/slow', {mode: 'no-cors'}).then(() => 'done')"})
			<-held
			eventually(t, patience, "the unused space is gone", func() bool { return spaceNames(d)["left"] == "" })
			got := spaceNames(d)
			if got["lent"] != "agentDelegatedToUser" || got["kept"] != "user" || got["busy"] != "agent" {
				t.Errorf("the spaces are %v", got)
			}
			close(release)
			if a := d.await(busy); string(a.Result) != `"done"` {
				t.Errorf("the call that outlasted the time ended with %s %v", a.Result, a.Error)
			}
			eventually(t, patience, "the space of the call is gone", func() bool { return spaceNames(d)["busy"] == "" })
			d.result("page.goto", object{"space": "left", "url": server.URL}, nil)
			if got := spaceNames(d); got["left"] != "agent" {
				t.Errorf("after one more use the spaces are %v", got)
			}
			d.result("taskSpaces.takeOver", object{"target": "lent"}, nil)
			eventually(t, patience, "the space that was lent is gone", func() bool { return spaceNames(d)["lent"] == "" })
			if got := spaceNames(d); got["kept"] != "user" {
				t.Errorf("the spaces are %v", got)
			}
		})
	}
}

// The list of spaces is exact, whatever completes a space under whom.
func TestSpaceListIsExact(t *testing.T) {
	d := startClean(t, "serve")
	var result struct{ Value json.RawMessage }
	d.result("runScript", object{"source": `
await taskSpaces.useOrCreate("mine");
await page.evaluate(() => 1);
await taskSpaces.complete("mine", { keep: false });
const between = (await taskSpaces.list()).map((s) => s.name);
await page.evaluate(() => 2);
return [between, (await taskSpaces.list()).map((s) => s.name), (await browser.listTabs()).length];`}, &result)
	if want := `[[],["mine"],1]`; string(result.Value) != want {
		t.Errorf("got %s, want %s", result.Value, want)
	}
	for _, name := range []any{"京都 😀", "7", 1} {
		d.result("page.evaluate", object{"space": name, "pageFunction": "1"}, nil)
	}
	if got := spaceNames(d); len(got) != 3 || got["京都 😀"] == "" || got["7"] == "" || got["mine"] == "" {
		t.Errorf("the spaces are %v", got)
	}
	for _, name := range []any{"", "  ", 0, -1, 1.5, true, object{}, 99} {
		d.fails("invalid_params", "page.evaluate", object{"space": name, "pageFunction": "1"})
	}
	if got := spaceNames(d); len(got) != 3 {
		t.Errorf("after the refused calls the spaces are %v", got)
	}
}
