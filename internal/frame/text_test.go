package frame

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestValidText(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", `{"a":"b"}`, `{"a":"b"}`},
		{"text", `"京都 😀"`, `"京都 😀"`},
		{"pair", `"\ud83d\ude00"`, `"\ud83d\ude00"`},
		{"pair in capitals", `"\uD83D\uDE00"`, `"\uD83D\uDE00"`},
		{"high alone", `"\ud83d x"`, `"\ufffd x"`},
		{"high at the end", `"\ud83d"`, `"\ufffd"`},
		{"high twice", `"\ud83d\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`},
		{"high before another escape", `"\ud83d\n"`, `"\ufffd\n"`},
		{"high before a character", `"\ud83d\u0041"`, `"\ufffd\u0041"`},
		{"low alone", `"\udc00"`, `"\ufffd"`},
		{"escaped backslash", `"\\ud83d"`, `"\\ud83d"`},
		{"two backslashes and an escape", `"\\\ud83d"`, `"\\\ufffd"`},
		{"byte", "\"\x92\"", "\"\uFFFD\""},
		{"cut sequence", "\"\xe4\xba\"", "\"\uFFFD\uFFFD\""},
		{"surrogate in bytes", "\"\xed\xa0\xbd\"", "\"\uFFFD\uFFFD\uFFFD\""},
		{"both", "\"\x92\\ud83d\"", "\"\uFFFD\\ufffd\""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(ValidText([]byte(tc.in))); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// FuzzValidText: the text stays valid JSON and means what encoding/json makes
// of it, and no half of a pair is left.
func FuzzValidText(f *testing.F) {
	for _, s := range []string{`"\ud83d x"`, "\"\x92\"", `{"\\ud83d":["\ud83d\ude00"]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if !json.Valid(in) {
			return
		}
		out := ValidText(in)
		if !utf8.Valid(out) || hasLoneSurrogate(out) {
			t.Fatalf("%q became %q", in, out)
		}
		var want, got any
		if json.Unmarshal(in, &want) != nil {
			return // a number that no float64 holds
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		a, _ := json.Marshal(want)
		b, _ := json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("%q means %s, %q means %s", in, a, out, b)
		}
	})
}
