package ops

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"egod/internal/skills"
)

func sampleTool() *skills.Tool {
	typed := func(name, valueType string, required bool) skills.Arg {
		return skills.Arg{Name: name, ValueSchema: skills.ValueSchema{Type: valueType}, Required: required}
	}
	return &skills.Tool{
		Name: "search", Kind: skills.NodeTool, RawArgs: json.RawMessage(`{"query":{}}`),
		Args: []skills.Arg{
			typed("query", "string", true), typed("limit", "integer", false), typed("ratio", "number", false),
			typed("deep", "boolean", false), typed("tags", "array", false), typed("where", "object", false),
		},
	}
}

func TestCheckArguments(t *testing.T) {
	for _, raw := range []string{
		`{"query":"a"}`,
		`{"query":"a","limit":5}`,
		`{"query":"a","limit":5.0}`,
		`{"query":"a","limit":1e3}`,
		`{"query":"a","limit":null}`,
		`{"query":"","ratio":-0.5,"deep":false,"tags":[],"where":{}}`,
		`{"query":"9007199254740993"}`,
		`{"query":"a","ratio":1.7976931348623157e308}`,
	} {
		if _, err := checkArguments(sampleTool(), json.RawMessage(raw)); err != nil {
			t.Errorf("checkArguments(%s): %v", raw, err)
		}
	}
}

// TestCheckArgumentsRefuses holds what the original let through: an integer
// argument got "not-a-number", and nobody said a word.
func TestCheckArgumentsRefuses(t *testing.T) {
	for _, tt := range []struct{ raw, path, expected, actual string }{
		{``, "$.args.query", "a string", "nothing"},
		{`null`, "$.args.query", "a string", "nothing"},
		{`[]`, "$.args", "an object", "an array"},
		{`"x"`, "$.args", "an object", "a string"},
		{`{"query":null}`, "$.args.query", "a string", "null"},
		{`{"query":5}`, "$.args.query", "a string", "the number 5"},
		{`{"query":"a","limit":"5"}`, "$.args.limit", "an integer", "a string"},
		{`{"query":"a","limit":5.5}`, "$.args.limit", "an integer", "the number 5.5"},
		{`{"query":"a","ratio":"1"}`, "$.args.ratio", "a number", "a string"},
		{`{"query":"a","deep":0}`, "$.args.deep", "a boolean", "the number 0"},
		{`{"query":"a","tags":{}}`, "$.args.tags", "an array", "an object"},
		{`{"query":"a","where":[]}`, "$.args.where", "an object", "an array"},
		{`{"query":"a","limti":5}`, "$.args.limti", "one of: query, limit, ratio, deep, tags, where", "limti"},
		{`{"query":"a","limit":9007199254740993}`, "$.args", "numbers up to 2^53", "the number 9007199254740993"},
		{`{"query":"a","where":{"id":[18446744073709551616]}}`, "$.args", "numbers up to 2^53", "the number 18446744073709551616"},
		{`{"query":"a","ratio":1e999}`, "$.args", "numbers up to 2^53", "the number 1e999"},
	} {
		_, err := checkArguments(sampleTool(), json.RawMessage(tt.raw))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("checkArguments(%s) = %v, want an *Error", tt.raw, err)
			continue
		}
		if e.Kind != KindInvalidParams || e.Data["path"] != tt.path || e.Data["expected"] != tt.expected || e.Data["actual"] != tt.actual {
			t.Errorf("checkArguments(%s): %s %v, want path %s, expected %s, actual %s", tt.raw, e.Kind, e.Data, tt.path, tt.expected, tt.actual)
		}
	}
}

func TestCheckArgumentsSuggests(t *testing.T) {
	_, err := checkArguments(sampleTool(), json.RawMessage(`{"query":"a","limti":5}`))
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, `"limit"`) {
		t.Errorf("hint of a mistyped argument: %v, want limit in it", err)
	}
}
