package mcp

import "testing"

func TestComplete(t *testing.T) {
	for result, want := range map[string]string{
		`{}`:                               `{"resultType":"complete"}`,
		`{"a":1}`:                          `{"resultType":"complete","a":1}`,
		`{"a":{"resultType":1}}`:           `{"resultType":"complete","a":{"resultType":1}}`,
		`{"resultType":"input_required"}`:  `{"resultType":"input_required"}`,
		`{"b":2, "resultType":"complete"}`: `{"b":2, "resultType":"complete"}`,
		`null`:                             `null`,
	} {
		if got := string(complete([]byte(result))); got != want {
			t.Errorf("%s became %s, want %s", result, got, want)
		}
	}
}

func TestSaysRevision(t *testing.T) {
	for params, want := range map[string]bool{
		``: false, `{}`: false, `[]`: false, `{"_meta":null}`: false, `{"_meta":{"progressToken":1}}`: false,
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`:           false,
		`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`: true,
	} {
		if got := saysRevision([]byte(params)); got != want {
			t.Errorf("%s: %t", params, got)
		}
	}
}
