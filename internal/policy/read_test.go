package policy

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var operations = []string{"cdp", "page.evaluate", "page.goto", "locator.click", "fs.readFile"}

func TestParse(t *testing.T) {
	f, err := Parse("p.json", []byte(`{
  "$schema": "https://example.com/policy.schema.json",
  "allowFs": ["/data", "in:ro"], "allowPrivateNet": true, "legacyHelpers": true, "secrets": ["TOKEN"],
  "deny": ["cdp", "locator.*"],
  "packs": {"*": {"browser": false}, "x-com": {"tools": [], "fetchHosts": ["*.x.com", "[::1]"], "deny": []}}
}`), operations)
	if err != nil {
		t.Fatal(err)
	}
	x := f.Packs["x-com"]
	switch {
	case !slices.Equal(f.AllowFS, []string{"/data", "in:ro"}), f.AllowPrivateNet == nil || !*f.AllowPrivateNet, f.AllowAnyOrigin != nil,
		f.LegacyHelpers == nil || !*f.LegacyHelpers, !slices.Equal(f.Secrets, []string{"TOKEN"}), len(f.Deny) != 2:
		t.Errorf("the top: %+v", f)
	case x.Tools == nil || x.Deny == nil || len(x.FetchHosts) != 2 || x.AllowFS != nil || x.Browser != nil:
		t.Errorf("x-com: %+v", x) // an empty list is not the same as none
	case f.Packs["*"].Browser == nil || *f.Packs["*"].Browser:
		t.Errorf("*: %+v", f.Packs["*"])
	case !slices.Equal(f.PackIDs(), []string{"x-com"}):
		t.Errorf("packs: %v", f.PackIDs())
	}
}

// Whatever is wrong is named with its place and a way out.
func TestParseFaults(t *testing.T) {
	for _, tt := range []struct{ text, message, hint string }{
		{``, "1:1: the file is empty", "write {}"},
		{"\n ", "1:1: the file is empty", "write {}"},
		{`{"deny": ["cdp"`, "1:16: this is not JSON", ""},
		{"{\n  \"deny\": [],\n}", "3:1: this is not JSON", "commas"},
		{"{\n  // all\n}", "2:3: this is not JSON", "comments"},
		{`{} {}`, "1:4: this is not JSON", ""},
		{`[]`, "1:1: the policy must be an object, got a list", ""},
		{`null`, "1:1: the policy must be an object, got null", ""},
		{"{\"ü\": 1}", `1:2: the policy has no member "ü"`, "its members are"},
		{`{"denys": []}`, `1:2: the policy has no member "denys"`, `did you mean "deny"?`},
		{`{"allow-fs": []}`, `has no member "allow-fs"`, `did you mean "allowFs"?`},
		{`{"packs": {"a": {"secrets": []}}}`, `1:18: packs.a has no member "secrets"`, "at the top"},
		{`{"packs": {"a": {"fetchHost": []}}}`, `packs.a has no member "fetchHost"`, `did you mean "fetchHosts"?`},
		{`{"deny": [], "deny": []}`, `1:14: "deny" stands here twice`, "keep one"},
		{`{"packs": {"a": {}, "a": {}}}`, `1:21: "packs.a" stands here twice`, "keep one"},
		{`{"packs": []}`, "1:11: packs must be an object, got a list", ""},
		{`{"packs": {"a": true}}`, "1:17: packs.a must be an object, got the boolean true", ""},
		{`{"packs": {"": {}}}`, "the id of a pack is empty", "name a pack"},
		{`{"packs": {"x-*": {}}}`, `"x-*" is not the id of a pack`, "about one pack"},
		{`{"browser": "no"}`, "1:13: browser must be true or false, got a string", ""},
		{`{"browser": null}`, "browser must be true or false, got null", ""},
		{`{"secrets": "TOKEN"}`, "secrets must be a list of strings, got a string", ""},
		{`{"secrets": ["A", 5]}`, "1:19: secrets[1] must be a string, got the number 5", ""},
		{`{"secrets": [["A"]]}`, "secrets[0] must be a string, got a list", ""},
		{`{"allowFs": [" "]}`, "allowFs: the text is empty", ""},
		{`{"deny": ["cpd"]}`, `1:11: deny: there is no operation "cpd" to deny`, `did you mean "cdp"?`},
		{`{"deny": ["page.waitForEvent"]}`, `there is no operation "page.waitForEvent"`, "watch.* for page.waitForEvent"},
		{`{"deny": ["pages.*"]}`, `there is no operation "pages.*"`, ""},
		{`{"fetchHosts": ["https://x.com"]}`, `fetchHosts: "https://x.com" is not a host`, "host alone"},
		{`{"fetchHosts": ["x.com:443"]}`, `"x.com:443" is not a host`, ""},
		{`{"fetchHosts": ["[::1]:80"]}`, `"[::1]:80" is not a host`, ""},
		{`{"fetchHosts": ["a:b:c"]}`, `"a:b:c" is not a host`, ""},
		{`{"fetchHosts": ["x.com\\a"]}`, "is not a host", ""},
		{`{"fetchHosts": ["*."]}`, `"*." is not a host`, ""},
		{`{"fetchHosts": ["x.com/a"]}`, "is not a host", ""},
		{"{\"secrets\": [\"\xff\"]}", "1:1: the file is not UTF-8", "UTF-8"},
	} {
		_, err := Parse("p.json", []byte(tt.text), operations)
		var wrong *Error
		switch {
		case !errors.As(err, &wrong):
			t.Errorf("%q: %v", tt.text, err)
		case !strings.HasPrefix(err.Error(), "policy file p.json:") || !strings.Contains(err.Error(), tt.message) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%q: %v, want %s", tt.text, err, tt.message)
		case !strings.Contains(wrong.Hint, tt.hint):
			t.Errorf("%q: hint %q, want %s", tt.text, wrong.Hint, tt.hint)
		}
	}
}

func TestReadFaults(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(large, []byte(strings.Repeat(" ", maxBytes+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, message := range map[string]string{
		"no/such": "policy file no/such: ", t.TempDir(): "not a regular file", large: "larger than",
	} {
		if _, err := Read(path, operations); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"cdp", "cdp", true}, {"cdp", "cdpx", false}, {"page.*", "page.goto", true}, {"page.*", "pages", false},
		{"*", "", true}, {"*", "a.b", true}, {"get-*-by-*", "get-user-by-id", true}, {"get-*-by-*", "get-user", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"*.click", "locator.click", true}, {"", "a", false},
	} {
		if got := Matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Matches(%q, %q) = %t", tt.pattern, tt.name, got)
		}
	}
}

// TestSchemaAgrees holds the schema to the fields that are read.
func TestSchemaAgrees(t *testing.T) {
	var schema struct {
		Properties map[string]any
		Defs       map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Properties) != len(ruleFields())+len(topFields())+2 || len(schema.Defs["pack"].Properties) != len(ruleFields()) {
		t.Errorf("the schema has %d and %d members", len(schema.Properties), len(schema.Defs["pack"].Properties))
	}
	for name := range schema.Properties {
		if _, err := Parse("p", []byte(`{"`+name+`": 5}`), operations); err == nil || strings.Contains(err.Error(), "no member") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzParse looks for texts that take the reader apart, or that it takes although
// they are not JSON.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"packs":{"a":{"deny":["cdp"]}}}`, `{"secrets":["a"],"browser":false}`, `{"deny":[}`, "{\"\\u0061\":1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("p.json", []byte(text), operations)
		var wrong *Error
		switch {
		case err == nil && !json.Valid([]byte(strings.TrimPrefix(text, "\ufeff"))):
			t.Errorf("%q was taken: %+v", text, file)
		case err != nil && (!errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1):
			t.Errorf("%q: %v", text, err)
		}
	})
}
