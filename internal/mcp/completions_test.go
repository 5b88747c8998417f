package mcp

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type completed struct {
	Completion struct {
		Values  []string
		Total   int
		HasMore bool
	}
}

func TestCompletions(t *testing.T) {
	files := shop()
	maps.Copy(files, noted("odd site", `"odd.test","*.wide.test"`, oddNotes()))
	for i := range 150 {
		maps.Copy(files, noted(fmt.Sprintf("many-%03d", i), fmt.Sprintf(`"many-%03d.test"`, i), map[string]string{"notes/same.md": ""}))
	}
	p := newFixture(t, files).connect(t, Config{})
	p.hello()
	const work, use = `{"type":"ref/prompt","name":"work_on_url"}`, `{"type":"ref/prompt","name":"use_tool"}`
	const note, byPath = `{"type":"ref/resource","uri":"` + noteTemplate + `"}`, `{"type":"ref/resource","uri":"` + pathTemplate + `"}`
	for _, c := range []struct {
		ref, argument, value, site string
		want                       []string
	}{
		{use, "site", "sh", "", []string{"shop"}},
		{use, "site", "OP", "", []string{"shop"}},
		{use, "tool", "", "shop", []string{"big", "echo", "fail", "hold", "order", "read", "say"}},
		{use, "tool", "a", "shop", []string{"fail", "read", "say"}},
		{use, "tool", "x", "shop", []string{}},
		{use, "tool", "ec", "", []string{"echo"}},
		{use, "tool", "ec", "nobody", []string{}},
		{note, "site", "odd", "", []string{"odd site"}},
		{note, "file", "a", "odd site", []string{"a b.md", "a%20b.md", "what?#now.md"}},
		{note, "file", "same", "", []string{"same.md"}},
		{byPath, "path", "notes/sub", "odd site", []string{"notes/sub/deep.md"}},
		{work, "url", "sho", "", []string{"https://shop.test/"}},
		{work, "url", "http://od", "", []string{"http://odd.test/"}},
		{work, "url", "a.wi", "", []string{"https://a.wide.test/"}},
		{work, "task", "buy", "", []string{}},
		{work, "nothing", "x", "", []string{}},
	} {
		params := fmt.Sprintf(`{"ref":%s,"argument":{"name":%q,"value":%q}`, c.ref, c.argument, c.value)
		if c.site != "" {
			params += fmt.Sprintf(`,"context":{"arguments":{"site":%q}}`, c.site)
		}
		got := request[completed](p, "completion/complete", params+"}").Completion
		if d := cmp.Diff(c.want, got.Values); d != "" || got.Total != len(c.want) || got.HasMore {
			t.Errorf("%s %q: %+v (-want +got):\n%s", c.argument, c.value, got, d)
		}
	}
	for _, params := range []string{
		`{"ref":` + use + `,"argument":{"name":"site","value":"many"}}`,
		`{"ref":` + work + `,"argument":{"name":"url","value":"many"}}`,
	} {
		got := request[completed](p, "completion/complete", params).Completion
		if len(got.Values) != maxCompletions || got.Total != 150 || !got.HasMore {
			t.Errorf("%s: %d values of %d, more %v", params, len(got.Values), got.Total, got.HasMore)
		}
	}
	for _, params := range []string{
		`{"ref":{"type":"ref/prompt","name":"nothing"},"argument":{"name":"url","value":""}}`,
		`{"ref":{"type":"ref/resource","uri":"file:///x"},"argument":{"name":"file","value":""}}`,
		`{"ref":{"type":"ref/tool","name":"echo"},"argument":{"name":"file","value":""}}`,
		`{"argument":{"name":"url","value":""}}`,
		`{"ref":` + work + `}`,
		`{"ref":null,"argument":null}`, `[]`, `{}`,
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":` + params + `}`)
		if answer, _ := p.await("1"); answer.Error == nil || answer.Error.Code != -32602 {
			t.Errorf("%s: %s", params, answer.text)
		}
	}
}
