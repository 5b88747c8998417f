package ops

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func ruled(deny ...string) Policy { return Policy{File: "p.json", Deny: deny} }

func TestDeniedOperations(t *testing.T) {
	for _, tt := range []struct {
		deny, name string
		denied     bool
	}{
		{"cdp", "cdp", true}, {"cdp", "page.goto", false}, {"page.*", "page.mouse.click", true}, {"*", "ping", true},
		{"runTool", "site.runTool", true}, {"site.runTool", "runTool", false}, {"learnContext", "site.learnContext", true},
	} {
		if err := ruled(tt.deny).checkOperation(&Operation{Name: tt.name}); denied(err) != tt.denied {
			t.Errorf("deny %s: %s: %v", tt.deny, tt.name, err)
		}
	}
	if err := (Policy{NoBrowser: true, File: "p.json"}).checkOperation(&Operation{Name: "taskSpaces.complete"}); !denied(err) {
		t.Errorf("a task space without a browser: %v", err)
	}
}

func TestFetchHosts(t *testing.T) {
	p := Policy{File: "p.json", FetchHosts: []string{"api.x.com", "*.Example.com", "::1", "[2001:DB8::1]", "münchen.example", "*.例え.jp", "dot.test.", "0x7f.1"}}
	for host, allowed := range map[string]bool{
		"api.x.com": true, "API.X.COM": true, "api.x.com.": true, "x.com": false, "evil-api.x.com": false,
		"a.example.com": true, "a.b.example.com": true, "example.com": false, "evilexample.com": false, "example.com.evil.test": false, "::1": true,
		"2001:db8::1": true, "xn--mnchen-3ya.example": true, "MÜNCHEN.example": true, "a.xn--r8jz45g.jp": true, "xn--r8jz45g.jp": false,
		"dot.test": true, "dot.test.": true, "127.0.0.1": true, "127.0.0.2": false, "": false, "a b": false,
	} {
		if err := p.checkHost(host); denied(err) == allowed {
			t.Errorf("%s: %v", host, err)
		}
	}
	if err := (Policy{}).checkHost("any.test"); err != nil {
		t.Error(err)
	}
	if err := (Policy{File: "p.json", FetchHosts: []string{}}).checkHost("any.test"); !denied(err) {
		t.Errorf("an empty list: %v", err)
	}
}

// TestNestedPolicies is a tool that calls a tool: what is denied to the outer pack
// stays denied, and what it is allowed is not passed on.
func TestNestedPolicies(t *testing.T) {
	svc := &Service{policy: Policy{File: "p.json", Deny: []string{"cdp"}, Packs: map[string]Policy{
		"*":     {File: "p.json", Deny: []string{"cdp"}},
		"lame":  {File: "p.json", Deny: []string{"page.*"}, NoBrowser: true, AllowPrivateNet: true},
		"sound": {File: "p.json", AllowAnyOrigin: true},
	}}}
	run := func(id string) *toolRun { return &toolRun{siteID: id} }
	client := &Scope{svc: svc, policy: svc.policy}
	deny := func(sc *Scope, op string) bool {
		return denied(sc.refused(func(p Policy) error { return p.checkOperation(&Operation{Name: op}) }))
	}
	script := client.nested(nil, nil)
	direct, scripted := client.nested(nil, run("sound")), script.nested(nil, run("sound"))
	through := client.nested(nil, run("lame")).nested(nil, run("sound"))
	deep := through.nested(nil, run("other"))
	for _, tt := range []struct {
		name string
		sc   *Scope
		want string // of cdp, page.goto, browser, private net, any origin: denied or allowed
	}{
		{"client", client, "dabdd"}, {"script", script, "dabdd"}, {"sound", direct, "aabda"}, {"script to sound", scripted, "aabda"},
		{"lame", client.nested(nil, run("lame")), "addad"}, {"lame to sound", through, "addda"}, {"to other", deep, "ddddd"},
	} {
		letter := func(denied bool, allowed string) string {
			if denied {
				return "d"
			}
			return allowed
		}
		got := letter(deny(tt.sc, "cdp"), "a") + letter(deny(tt.sc, "page.goto"), "a") + letter(denied(tt.sc.refused(Policy.checkBrowser)), "b") +
			letter(!tt.sc.policy.AllowPrivateNet, "a") + letter(!tt.sc.policy.AllowAnyOrigin, "a")
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestHowToAllow: a flag is named where it helps, and the entry where it does not.
func TestHowToAllow(t *testing.T) {
	for _, tt := range []struct {
		p    Policy
		hint string
	}{
		{Policy{}, "start egod with --allow-private-net"},
		{Policy{File: "p.json"}, "start egod with --allow-private-net, or say allowPrivateNet in the policy file p.json"},
		{Policy{File: "p.json", From: map[string]string{"allowPrivateNet": "packs.x.allowPrivateNet"}},
			"the policy file p.json decides it in packs.x.allowPrivateNet: change it there; --allow-private-net has no effect on that pack"},
	} {
		if e := tt.p.allow(Errorf(KindPolicyDenied, "no"), "allowPrivateNet", "--allow-private-net"); e.Hint != tt.hint {
			t.Errorf("%q, want %q", e.Hint, tt.hint)
		}
	}
}

// TestEveryRowIsDenied denies each operation by its own name, from the wire and in a
// run: no row goes by the name of another.
func TestEveryRowIsDenied(t *testing.T) {
	table := NewTable()
	rows := slices.Clone(table.Rows())
	for _, row := range table.inner {
		rows = append(rows, row)
	}
	for _, row := range rows {
		for _, pattern := range append([]string{row.Name}, strings.Fields(row.shortFor)...) {
			svc := &Service{table: table, policy: ruled(pattern)}
			if _, err := row.Prepare(svc.NewSession(), nil); !denied(err) {
				t.Errorf("deny %s: %s from the wire: %v", pattern, row.Name, err)
			}
			if _, err := row.host(t.Context(), &Scope{svc: svc, policy: svc.policy}, nil); !denied(err) || !strings.Contains(err.Error(), row.Name+" is refused") {
				t.Errorf("deny %s: %s in a run: %v", pattern, row.Name, err)
			}
		}
	}
}

func TestDeniedBeforeParams(t *testing.T) {
	svc := &Service{table: NewTable(), policy: ruled("cdp", "fs.*")}
	row, _ := svc.table.Lookup("cdp")
	_, err := row.Prepare(svc.NewSession(), json.RawMessage(`{"wrong":1}`))
	if !denied(err) || !strings.Contains(err.Error(), "policy file p.json, rule deny") {
		t.Error(err)
	}
	if names := svc.table.Operations(); !slices.Contains(names, "fs.readFile") || !slices.Contains(names, "page.goto") {
		t.Errorf("operations: %v", names)
	}
}

// TestDialogsWithoutBrowser: what a client may do out of turn is under the policy too,
// in a space that a pack with other rules has made.
func TestDialogsWithoutBrowser(t *testing.T) {
	sc := &Scope{svc: &Service{}, policy: Policy{File: "p.json", NoBrowser: true}}
	if _, err := sc.pageBeside(t.Context(), SpaceRef{}); !denied(err) {
		t.Error(err)
	}
}
