package runtime

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCheckFunction: whatever a browser tool's file holds, the check ends with no
// problem or with problems that lie in the file.
func FuzzCheckFunction(f *testing.F) {
	for _, seed := range []string{
		"(args) => 1", "'use strict'; function () {}", "/* a */ async (a) => a; // b", "export default 1", "", "\ufeff", "x =\n1",
		"() => {\n\u2028", "'x='; () => 1", "a\r\nb", "\"\\", "/*", "() => 1); (", "`${", "#!/bin/js\n() => 1", "<!-- x\n() => 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if !utf8.ValidString(source) || len(source) > 4096 {
			return // files are decoded before, and large ones nest too deeply for this process
		}
		_, err := compileFunction(&runHead{
			Kind: Function, Entry: "b.js", Files: map[string]string{"b.js": source}, Limits: defaultLimits,
		})
		if err == nil {
			return
		}
		var compile *CompileError
		if !errors.As(err, &compile) || len(compile.Problems) == 0 {
			t.Fatalf("%q: %v", source, err)
		}
		lines := len(lineEnds.FindAllString(strings.TrimPrefix(source, "\ufeff"), -1)) + 1
		for _, p := range compile.Problems {
			if p.Line < 0 || p.Line > lines || p.Column < 0 || p.Line > 0 && p.Column < 1 || p.Message == "" || p.Code == "" {
				t.Errorf("%q: %+v in %d lines", source, p, lines)
			}
		}
	})
}
