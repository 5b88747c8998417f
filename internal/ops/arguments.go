package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"egod/internal/skills"
)

// maxSafeInteger is the largest integer that JavaScript tells apart from its
// neighbours: 2^53 - 1.
const maxSafeInteger = 1<<53 - 1

// checkArguments compares the args of a run with the manifest's declaration:
// required ones present, types right, none unknown, no number that JavaScript
// would round. It returns the args object to pass on ("{}" for none).
func checkArguments(tool *skills.Tool, raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		raw = json.RawMessage("{}")
	}
	if raw[0] != '{' {
		return nil, invalidParam("$.args", "an object", jsonType(raw), "args must be an object, got "+jsonType(raw))
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, Errorf(KindInvalidParams, "args are not JSON: %v", err).With("path", "$.args")
	}
	if len(tool.RawArgs) == 0 {
		return raw, checkNumbers(raw) // a dialect without declarations: nothing to compare with
	}
	for _, arg := range tool.Args {
		value, given := members[arg.Name]
		delete(members, arg.Name)
		if err := checkArgument(tool, arg, value, given); err != nil {
			return nil, err
		}
	}
	if len(members) > 0 {
		return nil, unknownArguments(tool, slices.Sorted(maps.Keys(members)))
	}
	return raw, checkNumbers(raw)
}

func checkArgument(tool *skills.Tool, arg skills.Arg, value json.RawMessage, given bool) error {
	if !given {
		if arg.Required {
			return invalidParam("$.args."+arg.Name, typeWords(arg.Type), "nothing",
				fmt.Sprintf("%s needs the argument %q (%s)", tool.Name, arg.Name, arg.Type)).
				WithHint("%s", signature(tool))
		}
		return nil
	}
	if !arg.Required && bytes.Equal(bytes.TrimSpace(value), []byte("null")) || hasType(value, arg.Type) {
		return nil
	}
	return invalidParam("$.args."+arg.Name, typeWords(arg.Type), jsonType(value),
		fmt.Sprintf("argument %q of %s must be %s, got %s", arg.Name, tool.Name, typeWords(arg.Type), jsonType(value))).
		WithHint("%s", signature(tool))
}

// unknownArguments refuses arguments that are not declared: the first by path, all
// of them in unknown.
func unknownArguments(tool *skills.Tool, unknown []string) error {
	names := make([]string, 0, len(tool.Args))
	for _, a := range tool.Args {
		names = append(names, a.Name)
	}
	quoted := make([]string, len(unknown))
	for i, name := range unknown {
		quoted[i] = strconv.Quote(name)
	}
	e := invalidParam("$.args."+unknown[0], "one of: "+strings.Join(names, ", "), unknown[0],
		fmt.Sprintf("%s takes no argument %s", tool.Name, strings.Join(quoted, ", "))).With("unknown", unknown)
	if near := skills.Suggest(unknown[0], names); len(near) > 0 {
		return e.WithHint("did you mean %q?", near[0])
	}
	return e.WithHint("%s", signature(tool))
}

// hasType tells whether a JSON text is of a manifest type. A type the format
// does not know accepts anything: the manifest's own diagnostics tell of it.
func hasType(raw json.RawMessage, want string) bool {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return false
	}
	switch want {
	case "string":
		return raw[0] == '"'
	case "boolean":
		return raw[0] == 't' || raw[0] == 'f'
	case "array":
		return raw[0] == '['
	case "object":
		return raw[0] == '{'
	case "number":
		return isNumber(raw)
	case "integer":
		if !isNumber(raw) {
			return false
		}
		f, _, err := big.ParseFloat(string(raw), 10, 200, big.ToNearestEven)
		return err == nil && f.IsInt()
	}
	return true
}

func isNumber(raw []byte) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }

func typeWords(valueType string) string {
	switch valueType {
	case "integer", "array", "object":
		return "an " + valueType
	}
	return "a " + valueType
}

// checkNumbers refuses numbers that a JavaScript number cannot hold: they would
// be rounded without a word, and ids of posts are the usual victims.
func checkNumbers(raw json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return Errorf(KindInvalidParams, "args are not JSON: %v", err).With("path", "$.args")
		}
		n, ok := token.(json.Number)
		if !ok {
			continue
		}
		f, err := n.Float64()
		if err != nil || math.Abs(f) > maxSafeInteger && !strings.ContainsAny(n.String(), ".eE") {
			return invalidParam("$.args", "numbers up to 2^53", "the number "+n.String(),
				fmt.Sprintf("the number %s cannot be held exactly by JavaScript", n)).
				WithHint("pass it as a string")
		}
	}
}
