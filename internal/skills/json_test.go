package skills

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestSyntaxErrorsSayWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ text, at, message, hint string }{
		{"{\n  \"a\": 1,\n}", "2:9", "a comma before }", "remove the comma"},
		{"{\"a\": [1, 2,]}", "1:12", "a comma before ]", "remove the comma"},
		{"{\n // x\n}", "2:2", "comments are not allowed", "remove"},
		{"{ /* x */ }", "1:3", "comments are not allowed", "remove"},
		{"# x\n{}", "1:1", "comments are not allowed", "remove"},
		{"{'a': 1}", "1:2", "unexpected character '\\''", "straight double quotes"},
		{"{“a”: 1}", "1:2", "unexpected character '“'", "straight double quotes"},
		{"{a: 1}", "1:2", "a key without double quotes", "double quotes"},
		{"{\"a\" 1}", "1:2", "no colon after the key \"a\"", "key"},
		{"{\"a\": 1 \"b\": 2}", "1:9", "no comma or } here", "comma"},
		{"{\"a\": True}", "1:7", "unknown word True", "double quotes"},
		{"{\"a\": 01}", "1:7", "01 is not a JSON number", ""},
		{"{\"a\": .5}", "1:7", "unexpected character '.'", ""},
		{"{\"a\": 1.}", "1:7", "1. is not a JSON number", ""},
		{"{\"a\": \"b\nc\"}", "1:7", "a string that is not closed on its line", "\\n"},
		{"{\"a\": \"b\tc\"}", "1:9", "control character U+0009", "\\t"},
		{"{\"a\": \"\\x\"}", "1:8", "an escape that JSON does not have", "\\\\"},
		{"{\"a\": {\n", "2:1", "the file ends before the JSON does", "half written"},
		{"{\"a\": 1\n", "2:1", "the file ends before the } of line 1", "half written"},
		{"{} x", "1:4", "text after the end", "one object"},
		{"", "1:1", "the file ends before the JSON does", "half written"},
		{"{\"a\": ,}", "1:7", "unexpected character ','", "remove the comma"},
		{"{,}", "1:2", "unexpected character ','", "remove the comma"},
		{strings.Repeat("[", 300), "1:202", "nested deeper", ""},
	} {
		_, err := parseJSON(c.text)
		if err == nil {
			t.Errorf("%q parses", c.text)
			continue
		}
		doc := textFile{text: c.text}
		p := doc.position(err.start)
		at := fmt.Sprintf("%d:%d", p.Line+1, p.Character+1)
		if at != c.at || !strings.Contains(err.message, c.message) || !strings.Contains(err.hint, c.hint) {
			t.Errorf("%.40q: %s %s (%s), want %s %s (%s)", c.text, at, err.message, err.hint, c.at, c.message, c.hint)
		}
	}
}

// FuzzJSON holds the parser to encoding/json: what is JSON, what its strings say,
// and that compacting keeps the meaning.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e+3,"b\u00e9\ud83d\ude00",null,true]}`, `[]`, `"\ud83d"`, `{"a":1,}`, ` { "x" : [ ] } `, "\"\\u12\"", `1e5`, `-0`, `[1 2]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = decodeText([]byte(text)).text
		node, err := parseJSON(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			if err != nil && strings.HasPrefix(err.message, "nested deeper") {
				return
			}
			t.Fatalf("%q: error %v, encoding/json says %v", text, err, valid)
		}
		if err != nil {
			if err.start < 0 || err.end > len(text) || err.start > err.end {
				t.Fatalf("%q: error at %d..%d", text, err.start, err.end)
			}
			return
		}
		var want, got any
		if json.Unmarshal([]byte(text), &want) != nil {
			return // a number out of range
		}
		compact := compactJSON(text[node.start:node.end])
		if e := json.Unmarshal(compact, &got); e != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q: compacted to %s (%v)", text, compact, e)
		}
		if s, ok := want.(string); ok && s != node.str {
			t.Fatalf("%q: string %q, want %q", text, node.str, s)
		}
	})
}
