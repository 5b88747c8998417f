package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// noted makes the files of a pack with notes by path.
func noted(id, domains string, notes map[string]string) map[string]string {
	files := map[string]string{}
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(notes)) {
		files[id+"/"+path] = notes[path]
		paths = append(paths, path)
	}
	list, err := json.Marshal(paths)
	if err != nil {
		panic(err)
	}
	files[id+"/manifest.json"] = fmt.Sprintf(`{"id":%q,"name":"The %s site","domains":[%s],"notes":%s}`, id, id, domains, list)
	return files
}

// oddNotes have names that addresses must carry through.
func oddNotes() map[string]string {
	return map[string]string{
		"notes/a b.md": "# Spaces\n", "notes/größe 例え.md": "# Letters\n", "notes/100%.md": "# Percent\n",
		"notes/what?#now.md": "# Marks\n", "notes/a%20b.md": "# Encoded\n", "notes/empty.md": "", "notes/sub/deep.md": "deep\n",
	}
}

// request sends one request and returns its result.
func request[R any](p *peer, method, params string) R {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"r","method":"` + method + `","params":` + params + `}`)
	answer, _ := p.await(`"r"`)
	if answer.Error != nil {
		p.t.Fatalf("%s %s: %+v", method, params, answer.Error)
	}
	var result R
	if err := json.Unmarshal(answer.Result, &result); err != nil {
		p.t.Fatal(err)
	}
	return result
}

func encodedParams(t testing.TB, params any) string {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// listed is the part of resources/list that tests look at.
type listed struct {
	Resources []struct {
		URI, Name, Title, Description, MIMEType string
		Size                                    int64
		Annotations                             struct{ Priority float64 }
		Meta                                    map[string]any `json:"_meta"`
	}
	NextCursor string
}

type contents struct {
	Contents []struct {
		URI, MIMEType string
		Text          *string
		Blob          *string
		Meta          map[string]any `json:"_meta"`
	}
}

// Every note that is listed can be read under the address it is listed with.
func TestResourcesAreListedAndRead(t *testing.T) {
	f := newFixture(t, noted("odd site", `"odd.test","*.odd.test","a.test","b.test"`, oddNotes()))
	p := f.connect(t, Config{})
	p.hello()
	list := request[listed](p, "resources/list", "{}")
	if len(list.Resources) != len(oddNotes()) || list.NextCursor != "" {
		t.Fatalf("%d resources, next %q", len(list.Resources), list.NextCursor)
	}
	got := map[string]string{}
	for _, r := range list.Resources {
		read := request[contents](p, "resources/read", encodedParams(t, map[string]string{"uri": r.URI}))
		c := read.Contents[0]
		text := ""
		if c.Text != nil {
			text = *c.Text
		}
		ref, _ := parseNoteURI(r.URI)
		got[ref.Path] = text
		if c.URI != r.URI || c.MIMEType != "text/markdown" || r.Size != int64(len(text)) || (c.Text == nil) == (c.Blob == nil) {
			t.Errorf("%s: %+v", r.URI, c)
		}
		origin, _ := c.Meta[MetaOrigin].(map[string]any)
		if origin["siteId"] != "odd site" || origin["untrusted"] != true || c.Meta[metaHash] != r.Meta[metaHash] {
			t.Errorf("%s has _meta %v, listed with %v", r.URI, c.Meta, r.Meta)
		}
	}
	if d := cmp.Diff(oddNotes(), got); d != "" {
		t.Errorf("read (-want +got):\n%s", d)
	}
	first := list.Resources[0]
	if first.URI != "skill://odd%20site/notes/100%25.md" || first.Name != "odd site/100%.md" || first.Title != "The odd site site: Percent" ||
		first.Description != "Note of the site skill odd site for odd.test, *.odd.test, a.test, ..., written by its author" || first.Annotations.Priority != 0.8 {
		t.Errorf("%+v", first)
	}
}

func TestResourcesAreListedInPages(t *testing.T) {
	files := map[string]string{}
	for _, site := range []string{"a", "b"} {
		notes := map[string]string{}
		for i := range pageSize + 1 {
			notes[fmt.Sprintf("notes/%03d.md", i)] = ""
		}
		maps.Copy(files, noted(site, `"p.test"`, notes))
	}
	p := newFixture(t, files).connect(t, Config{})
	p.hello()
	var uris []string
	params, pages := "{}", 0
	for {
		list := request[listed](p, "resources/list", params)
		pages++
		for _, r := range list.Resources {
			uris = append(uris, r.URI)
		}
		if list.NextCursor == "" {
			break
		}
		params = encodedParams(t, map[string]string{"cursor": list.NextCursor})
	}
	if !slices.IsSorted(uris) || len(slices.Compact(uris)) != 2*(pageSize+1) || pages != 3 {
		t.Errorf("%d resources on %d pages", len(uris), pages)
	}
}

func TestResourcesThatAreNotThere(t *testing.T) {
	files := shop()
	maps.Copy(files, noted("docs", `"docs.test"`, map[string]string{"notes/search.md": "s", "notes/index.md": "i"}))
	p := newFixture(t, files).connect(t, Config{})
	p.hello()
	for uri, want := range map[string]struct {
		message string
		near    []any
	}{
		"skill://shop/notes/abuot.md":                  {`shop has no note "notes/abuot.md"`, []any{"skill://shop/notes/about.md"}},
		"skill://shpo/notes/about.md":                  {`there is no skill "shpo"`, []any{"skill://shop/notes/about.md"}},
		"skill://dosc/notes/x.md":                      {`there is no skill "dosc"`, []any{"skill://docs/notes/index.md", "skill://docs/notes/search.md"}},
		"skill://nobody/notes/x.md":                    {`there is no skill "nobody"`, nil},
		"skill://shop/notes/../../etc":                 {"shop has no note", []any{"skill://shop/notes/about.md"}},
		"skill://shop/notes/%2e%2e/%2e%2e/x":           {"shop has no note", []any{"skill://shop/notes/about.md"}},
		"skill://shop/manifest.json":                   {"shop has no note", []any{"skill://shop/notes/about.md"}},
		"skill://shop/":                                {"not of the form", nil},
		"file:///etc/passwd":                           {"not of the form", nil},
		"":                                             {"not of the form", nil},
		"skill://shop/notes/\x00\x1b[31m.md":           {"shop has no note", []any{"skill://shop/notes/about.md"}},
		"skill://" + strings.Repeat("x", 1<<20) + "/a": {"there is no resource skill://xxx", nil},
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":` + encodedParams(t, map[string]string{"uri": uri}) + `}`)
		answer, _ := p.await("1")
		if answer.Error == nil || answer.Error.Code != codeNotFoundBefore || !strings.Contains(answer.Error.Message, want.message) || len(answer.Error.Message) > 1000 {
			t.Errorf("%.100q: %+v", uri, answer.Error)
			continue
		}
		near, _ := answer.Error.Data["near"].([]any)
		if d := cmp.Diff(want.near, near); d != "" || answer.Error.Data["kind"] != "resource_not_found" {
			t.Errorf("%.100q: near (-want +got):\n%s", uri, d)
		}
	}
	for _, cursor := range []string{"x", "e30", "bnVsbA", "WzFd"} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"` + cursor + `"}}`)
		if answer, _ := p.await("1"); answer.Error == nil || answer.Error.Code != -32602 {
			t.Errorf("cursor %q: %s", cursor, answer.text)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://a/b","_meta":{"` + mcp.MetaKeyProtocolVersion + `":"2026-07-28","` +
		mcp.MetaKeyClientCapabilities + `":{},"` + mcp.MetaKeyClientInfo + `":{"name":"t","version":"1"}}}}`)
	if answer, _ := p.await("1"); answer.Error == nil || answer.Error.Code != codeNotFound || answer.Error.Data["kind"] != "resource_not_found" {
		t.Errorf("by the later revision: %s", answer.text)
	}
}

func TestTemplates(t *testing.T) {
	p := newFixture(t, shop()).connect(t, Config{})
	p.hello()
	list := request[struct {
		ResourceTemplates []struct{ URITemplate, Name, MIMEType string }
	}](p, "resources/templates/list", "{}")
	if len(list.ResourceTemplates) != 2 || list.ResourceTemplates[0].URITemplate != noteTemplate {
		t.Errorf("%+v", list)
	}
}

// changes returns the addresses that were said to be updated and how often the list
// was said to have changed, up to the answer to a ping.
func (p *peer) changes() (updated []string, lists int) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"changes?","method":"ping"}`)
	_, before := p.await(`"changes?"`)
	for _, m := range before {
		var params struct{ URI string }
		switch m.Method {
		case "notifications/resources/updated":
			if err := json.Unmarshal(m.Params, &params); err != nil {
				p.t.Fatal(err)
			}
			updated = append(updated, params.URI)
		case "notifications/resources/list_changed":
			lists++
		}
	}
	slices.Sort(updated)
	return updated, lists
}

// awaitListChanged waits for the notice.
func (p *peer) awaitListChanged() (updated []string) {
	p.t.Helper()
	for {
		m := p.next()
		var params struct{ URI string }
		switch m.Method {
		case "notifications/resources/updated":
			if err := json.Unmarshal(m.Params, &params); err != nil {
				p.t.Fatal(err)
			}
			updated = append(updated, params.URI)
		case "notifications/resources/list_changed":
			return updated
		}
	}
}

func TestSubscriptionsFollowTheFiles(t *testing.T) {
	files := shop()
	maps.Copy(files, noted("odd", `"odd.test"`, oddNotes()))
	f := newFixture(t, files)
	p := f.connect(t, Config{})
	p.hello()
	subscribe := func(method, uri string) {
		t.Helper()
		request[struct{}](p, "resources/"+method, encodedParams(t, map[string]string{"uri": uri}))
	}
	const about, spaced, raw = "skill://shop/notes/about.md", "skill://odd/notes/a%20b.md", "skill://odd/notes/a b.md"
	for _, uri := range []string{about, spaced, raw} {
		subscribe("subscribe", uri)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"skill://shop/notes/abuot.md"}}`)
	if answer, _ := p.await("1"); answer.Error == nil || answer.Error.Code != codeNotFoundBefore {
		t.Errorf("subscribing to nothing: %s", answer.text)
	}

	f.save(t, "shop/notes/about.md", "# Shop\n\nChanged.\n")
	f.save(t, "odd/notes/100%.md", "nobody subscribed")
	f.reload(t)
	if updated, lists := p.changes(); !slices.Equal(updated, []string{about}) || lists != 0 {
		t.Errorf("after a save: %v, %d lists", updated, lists)
	}
	f.save(t, "odd/notes/a b.md", "changed")
	f.reload(t)
	if updated, _ := p.changes(); !slices.Equal(updated, []string{raw, spaced}) {
		t.Errorf("both addresses of a note: %v", updated)
	}

	// Gone and back again.
	subscribe("unsubscribe", raw)
	if err := os.RemoveAll(filepath.Join(f.root, "odd")); err != nil {
		t.Fatal(err)
	}
	f.reload(t)
	if updated := p.awaitListChanged(); !slices.Equal(updated, []string{spaced}) {
		t.Errorf("after the end of the pack: %v", updated)
	}
	for path, text := range noted("odd", `"odd.test"`, oddNotes()) {
		f.save(t, path, text)
	}
	f.reload(t)
	if updated := p.awaitListChanged(); !slices.Equal(updated, []string{spaced}) {
		t.Errorf("after its return: %v", updated)
	}

	subscribe("unsubscribe", about)
	subscribe("unsubscribe", "skill://nobody/notes/never.md")
	f.save(t, "shop/notes/about.md", "# Shop\n\nOnce more.\n")
	f.reload(t)
	if updated, lists := p.changes(); len(updated) > 0 || lists > 0 {
		t.Errorf("without a subscription: %v, %d lists", updated, lists)
	}
}

// Ten thousand subscriptions, all of which change at once: a note has many
// addresses when clients encode what they need not.
func TestManySubscriptions(t *testing.T) {
	const count = 10_000
	const name = "abcdefghijklmn"
	f := newFixture(t, noted("many", `"many.test"`, map[string]string{"notes/" + name + ".md": "one"}))
	p := f.connect(t, Config{})
	p.hello()
	var requests strings.Builder
	for i := range count {
		fmt.Fprintf(&requests, `{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"skill://many/notes/`, i)
		for bit, c := range name {
			if i>>bit&1 == 1 {
				fmt.Fprintf(&requests, "%%%x", c)
			} else {
				requests.WriteRune(c)
			}
		}
		requests.WriteString(".md\"}}\n")
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		p.send(strings.TrimSpace(requests.String()))
	}()
	for range count {
		if m := p.next(); m.Error != nil {
			t.Fatalf("%+v", m.Error)
		}
	}
	<-sent
	f.save(t, "many/notes/"+name+".md", "two")
	reloaded := make(chan error, 1)
	go func() {
		_, err := f.store.Reload(context.WithoutCancel(t.Context()))
		reloaded <- err
	}()
	seen := map[string]bool{}
	for len(seen) < count {
		m := p.next()
		if m.Method != "notifications/resources/updated" || seen[string(m.Params)] {
			t.Fatalf("after %d notices: %s", len(seen), m.text)
		}
		seen[string(m.Params)] = true
	}
	if err := <-reloaded; err != nil {
		t.Error(err)
	}
	request[struct{}](p, "ping", "{}")
}

// A long note is read whole.
func TestLongNote(t *testing.T) {
	long := strings.Repeat("ä line of a long note\n", 1<<20/24)
	p := newFixture(t, noted("long", `"long.test"`, map[string]string{"notes/long.md": long, "notes/longer.md": long + long})).connect(t, Config{})
	p.hello()
	list := request[listed](p, "resources/list", "{}")
	if len(list.Resources) != 1 || list.Resources[0].Size != int64(len(long)) {
		t.Fatalf("%+v", list)
	}
	read := request[contents](p, "resources/read", `{"uri":"skill://long/notes/long.md"}`)
	if *read.Contents[0].Text != long {
		t.Errorf("%d bytes of %d", len(*read.Contents[0].Text), len(long))
	}
}
