package ops

import (
	"encoding/json"
	"testing"
)

func TestExampleArgs(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:   `{}`,
		`null`: `{}`,
		`[1]`:  `{}`,
		`{"q":{"type":"string","required":true},"a":{"type":"integer","required":true},"x":{"type":"string"}}`:      `{"q": "...", "a": 1}`,
		`{"on":{"type":"boolean","required":true},"list":{"type":"array","required":true},"any":{"required":true}}`: `{"on": true, "list": [], "any": {}}`,
		`{"a\"b":{"type":"string","required":true}}`:                                                                `{"a\"b": "..."}`,
		`{"q":"string","b":{"type":"string","required":true}}`:                                                      `{"b": "..."}`,
	} {
		tool := LearnedTool{Args: json.RawMessage(args)}
		got := tool.ExampleArgs()
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
