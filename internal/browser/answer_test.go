package browser

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReadString: strings are read as encoding/json reads them.
func FuzzReadString(f *testing.F) {
	for _, seed := range []string{
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\uD83D\uDE00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`, `"\`, `"\u12"`, `"\x"`, `x`, `"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want string
		if !utf8.Valid(text) || json.Unmarshal(text, &want) != nil || text[0] != '"' || text[len(text)-1] != '"' {
			return
		}
		if got, err := readString(text); err != nil || got != want {
			t.Errorf("readString(%q) = %q, %v; want %q", text, got, err, want)
		}
	})
}

// What the wrapper answers is the same read as a large answer and as a small one.
func TestLargeAnswers(t *testing.T) {
	pad := strings.Repeat("x\"\\\n\u00e9 ", 20_000)
	inner, err := json.Marshal(map[string]any{"v": []any{pad, map[string]int{"n": 1}}, "u": "https://a.test/?q=\"", "t": "T\u00e9"})
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(string(inner))
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{
		`{"result":{"type":"string","value":` + string(quoted) + `}}`,
		`{ "result" : { "value" : ` + string(quoted) + ` , "type" : "string" } }`,
	} {
		var large, small evaluated
		if err := errors.Join(large.readAnswer([]byte(raw)), json.Unmarshal([]byte(raw), &small)); err != nil {
			t.Fatal(err)
		}
		text, err := large.Result.text()
		if err != nil || text != string(inner) || string(large.Result.Value) != string(small.Result.Value) || large.Result.Type != small.Result.Type {
			t.Errorf("read as %.80q, %v", text, err)
		}
		o, err := decodeOutcome(text, origin{})
		var want struct{ V json.RawMessage }
		if json.Unmarshal(inner, &want) != nil || err != nil || string(o.value) != string(want.V) || o.url != "https://a.test/?q=\"" || o.title != "T\u00e9" {
			t.Errorf("the outcome is %.80s, %q, %q, %v", o.value, o.url, o.title, err)
		}
	}
	// An exception with a large value is read in full.
	raw := `{"result":{"type":"object"},"exceptionDetails":{"text":"Uncaught","exception":{"type":"string","value":` + string(quoted) + `}}}`
	var e evaluated
	if err := e.readAnswer([]byte(raw)); err != nil || e.Exception == nil || e.Exception.Exception == nil || e.Result.Type != "object" {
		t.Errorf("%+v, %v", e.Exception, err)
	}
	if err := new(evaluated).readAnswer([]byte(strings.Repeat(" ", largeFrame) + "{")); err == nil {
		t.Error("an answer that is cut was read")
	}
}

// A result that is too large is not even sent by the page.
func TestResultsThatAreTooLarge(t *testing.T) {
	page, ctx := newTestPage(t, "")
	var large *TooLargeError
	for _, s := range []Script{{Function: `() => "ab".repeat(60 << 20)`}, {Expression: `({ a: "ab".repeat(17 << 20) })`}} {
		if v, err := page.Evaluate(ctx, s); !errors.As(err, &large) || large.Limit != maxResult || large.Size <= maxResult {
			t.Errorf("%+v: %d bytes, %v", s, len(v), err)
		}
	}
	if _, err := fitting(make(json.RawMessage, maxResult+1)); !errors.As(err, &large) {
		t.Errorf("a value that is too large by its bytes: %v", err)
	}
	if v, err := fitting(make(json.RawMessage, maxResult)); err != nil || len(v) != maxResult {
		t.Errorf("a value that just fits: %v", err)
	}
}
