package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"egod/internal/frame"
)

func TestIDKey(t *testing.T) {
	for _, same := range [][]string{
		{`1000`, `1e3`, `1000.0`, `10e2`, `1E+3`},
		{`0`, `-0`, `0.0`, `-0.0e5`},
		{`"a"`, `"\u0061"`},
		{`""`},
		{`"1000"`},
		{`1.5`, `15e-1`, `1.50`},
		{`-1`, `-1.0`},
		{`9007199254740993`},
		{`9007199254740992`},
		{`9007199254740992.0`}, // no float64 tells it from its neighbour
		{`18446744073709551616`},
		{`1e400`},
	} {
		for _, raw := range same {
			if got, want := IDKey([]byte(raw)), IDKey([]byte(same[0])); got != want {
				t.Errorf("key of %s is %s, that of %s is %s", raw, got, same[0], want)
			}
		}
	}
	seen := make(map[string]string)
	for _, raw := range []string{`1`, `"1"`, `-1`, `1.5`, `"a"`, `"A"`, `""`, `9007199254740993`, `9007199254740992`} {
		key := IDKey([]byte(raw))
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have the same key", raw, other)
		}
		seen[key] = raw
	}
}

func TestDescribe(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1}`: "an object", `[1]`: "an array", `"a"`: `"a"`, `12`: "12", `null`: "null", `true`: "true",
		`"` + strings.Repeat("a", 100) + `"`: "a long string",
		strings.Repeat("1", 100):             "a long number",
		"\"\xff\"":                           "\"\uFFFD\"",
	} {
		if got := Describe([]byte(raw)); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}

// FuzzMembers: members and items are those encoding/json finds.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, ` { "a" : [ 1 , {"b":"}"} ] , "c\"d" : null , "e":-1.5e3 } `,
		`{"a":true,"a":false}`, `{"\u0061":"\\"}`, `[1,"a]",[],{}]`, `[]`, ` [ ] `,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if !json.Valid(in) {
			return
		}
		text := frame.Trim(in)
		switch text[0] {
		case '{':
			var want map[string]json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got := make(map[string][]byte)
			EachMember(text, func(key, value []byte) {
				// encoding/json repairs keys, EachMember leaves that to its callers.
				got[string(bytes.ToValidUTF8(key, []byte(frame.Replacement)))] = value
			})
			for key, value := range want {
				if strings.Contains(key, frame.Replacement) {
					continue
				}
				if !bytes.Equal(got[key], value) {
					t.Errorf("member %q of %s is %s, want %s", key, text, got[key], value)
				}
			}
		case '[':
			var want []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			n := 0
			for item, rest := NextItem(text[1:]); item != nil; item, rest = NextItem(rest) {
				if n >= len(want) || !bytes.Equal(item, want[n]) {
					t.Fatalf("item %d of %s is %s", n, text, item)
				}
				n++
			}
			if n != len(want) {
				t.Errorf("%s has %d items, got %d", text, len(want), n)
			}
		}
	})
}

// TestDeepNesting: no depth of the input costs a stack. encoding/json refuses
// what is deeper than 10,000 itself.
func TestDeepNesting(t *testing.T) {
	const depth = 9_000
	text := []byte(`{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `,"id":1}`)
	if m := ParseMessage(text); string(m.ID) != "1" {
		t.Errorf("the id behind a deep member is %s", m.ID)
	}
}
