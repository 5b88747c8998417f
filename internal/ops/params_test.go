package ops

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

type sampleParams struct {
	URL   string          `json:"url" doc:"where"`
	Count int             `json:"count,omitempty" doc:"how many"`
	Wait  *Milliseconds   `json:"wait,omitempty" doc:"how long"`
	Any   json.RawMessage `json:"any,omitempty" doc:"whatever"`
	inSpace
}

func decodeSample(raw string, strict bool) (sampleParams, error) {
	var p sampleParams
	err := newDecoder(reflect.TypeFor[sampleParams]()).decode(json.RawMessage(raw), reflect.ValueOf(&p).Elem(), strict)
	return p, err
}

func TestDecodeParams(t *testing.T) {
	wait := Milliseconds(1.5)
	for _, tt := range []struct {
		raw  string
		want sampleParams
	}{
		{`{"url":"a"}`, sampleParams{URL: "a"}},
		{`["a"]`, sampleParams{URL: "a"}},
		{`["a",2,1.5,{"x":1},"s"]`, sampleParams{URL: "a", Count: 2, Wait: &wait, Any: json.RawMessage(`{"x":1}`), inSpace: inSpace{SpaceRef{name: "s"}}}},
		{`{"url":"a","space":7}`, sampleParams{URL: "a", inSpace: inSpace{SpaceRef{name: "7", number: 7}}}},
		{`{"url":"a","count":null}`, sampleParams{URL: "a"}},
		{`{"url":"a","any":null}`, sampleParams{URL: "a", Any: json.RawMessage(`null`)}},
		{` {"url":"a","_meta":{"progressToken":1}} `, sampleParams{URL: "a"}},
	} {
		got, err := decodeSample(tt.raw, true)
		if err != nil {
			t.Errorf("decode(%s): %v", tt.raw, err)
			continue
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("decode(%s) = %+v, want %+v", tt.raw, got, tt.want)
		}
	}
}

func TestDecodeParamsRefuses(t *testing.T) {
	for _, tt := range []struct {
		raw, message, path, hint string
	}{
		{``, `missing required parameter "url"`, "$.url", ""},
		{`{"url":null}`, `missing required parameter "url"`, "$.url", ""},
		{`{"url":5}`, `parameter "url" must be a string, got the number 5`, "$.url", ""},
		{`{"url":"a","count":"2"}`, `parameter "count" must be an integer`, "$.count", ""},
		{`{"url":"a","count":2.5}`, `parameter "count" must be an integer`, "$.count", ""},
		{`{"URL":"a"}`, `unknown parameter "URL"`, "$.URL", `did you mean "url"?`},
		{`{"url":"a","cuont":1}`, `unknown parameter "cuont"`, "$.cuont", `did you mean "count"?`},
		{`{"url":"a","space":true}`, `a task space is named by`, "$.space", ""},
		{`{"url":"a","space":" "}`, `a task space is named by`, "$.space", ""},
		{`{"url":"a","wait":-1}`, `a time must not be negative`, "$.wait", ""},
		{`{"url":"a","wait":4000000}`, `is longer than the 1800000 ms allowed`, "$.wait", "did you mean 4000 (4 s)?"},
		{`["a",1,2,3,"s",6]`, `too many positional params`, "", "the order is url, count, wait, any, space"},
		{`"a"`, `params must be an object or an array`, "$", ""},
	} {
		_, err := decodeSample(tt.raw, true)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("decode(%s) = %v, want an *Error", tt.raw, err)
			continue
		}
		if e.Kind != KindInvalidParams || !strings.Contains(e.Message, tt.message) {
			t.Errorf("decode(%s): %s %q, want invalid_params with %q", tt.raw, e.Kind, e.Message, tt.message)
		}
		if path, _ := e.Data["path"].(string); path != tt.path {
			t.Errorf("decode(%s): path %q, want %q", tt.raw, path, tt.path)
		}
		if !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("decode(%s): hint %q, want %q in it", tt.raw, e.Hint, tt.hint)
		}
	}
}

func TestDecodeLenientIgnoresUnknownOptions(t *testing.T) {
	got, err := decodeSample(`{"url":"a","label":"x"}`, false)
	if err != nil || got.URL != "a" {
		t.Errorf("lenient decode = %+v, %v; want the known parameter", got, err)
	}
}

// TestTableParams holds every row to the rules that the generated references
// and positional calls rely on.
func TestTableParams(t *testing.T) {
	for _, row := range NewTable().Rows() {
		if !strings.HasSuffix(row.Doc, ".") || strings.Contains(row.Doc, "\n") {
			t.Errorf("%s: doc %q is not one sentence", row.Name, row.Doc)
		}
		names := map[string]bool{}
		optional := false
		for _, p := range row.Params {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no doc", row.Name, p.Name)
			}
			if names[p.Name] {
				t.Errorf("%s: parameter %s is declared twice", row.Name, p.Name)
			}
			names[p.Name] = true
			if p.Required && optional && row.JS == nil {
				t.Errorf("%s: required parameter %s follows an optional one", row.Name, p.Name)
			}
			optional = optional || !p.Required
		}
		if row.JS == nil {
			continue
		}
		for _, arg := range row.JS.Args {
			if arg.Form != "options" && !names[arg.Name] {
				t.Errorf("%s: JS argument %s is no parameter", row.Name, arg.Name)
			}
		}
	}
}

func TestDecodeParamsNamesTheItem(t *testing.T) {
	_, err := NewDecoder[learnContextParams]().Decode(json.RawMessage(`{"knownHashes":["a",5]}`))
	var e *Error
	if !errors.As(err, &e) || e.Message != `item 1 of parameter "knownHashes" must be a string, got the number 5` || e.Data["path"] != "$.knownHashes[1]" {
		t.Errorf("got %v with %v", err, e.Data)
	}
}
