package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// nodeAnswer is an expression and what Node answered, from testdata.
type nodeAnswer struct{ expr, want string }

func readAnswers(t *testing.T, file string) []nodeAnswer {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []nodeAnswer
	for _, line := range strings.Split(string(data), "\n") {
		if want, ok := strings.CutPrefix(line, "=> "); ok {
			if err := json.Unmarshal([]byte(want), &list[len(list)-1].want); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		} else if line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, nodeAnswer{expr: line})
		}
	}
	return list
}

// showSource is how an answer is written down, the same as in differential.mjs.
const showSource = "const show = (v) => typeof v === 'string' ? v : String(JSON.stringify(v, (key, x) => (typeof x === 'bigint' ? `${x}n` : x === undefined ? 'undefined' : typeof x === 'number' && (!Number.isFinite(x) || Object.is(x, -0)) ? (Object.is(x, -0) ? '-0' : String(x)) : x)));\n"

// TestAnswersLikeNode compares this runtime with what Node 22 answered
// (testdata/differential.mjs), for everything both have.
func TestAnswersLikeNode(t *testing.T) {
	p := newTestPool(t)
	for _, a := range readAnswers(t, "testdata/differential.txt") {
		prog := module(showSource + fmt.Sprintf("export async function run() {\n  try { return show(await (async () => (%s))()) } catch (error) { return 'throws ' + error.name }\n}\n", a.expr))
		res, err := run(t, p, Request{Program: prog})
		got := ""
		if err != nil {
			// What Node finds wrong when it runs may be found here when it is compiled.
			got = "throws SyntaxError"
			if ce := (*CompileError)(nil); !errors.As(err, &ce) {
				t.Errorf("%s\n  failed: %v", a.expr, err)
				continue
			}
		} else if err := json.Unmarshal(res.Value, &got); err != nil {
			t.Fatal(err)
		}
		if got != a.want {
			t.Errorf("%s\n   got %q\n  want %q", a.expr, got, a.want)
		}
	}
}
