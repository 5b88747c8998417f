package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// outcome is what the wrapper in the page reports: exactly one field is set, but
// for value, url and title, which come together.
type outcome struct {
	value      json.RawMessage
	url, title string
}

// origin says where a script came from, to place errors in it.
type origin struct {
	source string
	name   string // as its frames show in stacks
	shift  int    // lines of ours above the source
}

// decodeOutcome reads the wrapper's JSON text.
func decodeOutcome(text string, from origin) (outcome, error) {
	if o, ok := largeOutcome(text); ok {
		var err error
		o.value, err = fitting(wellFormed(o.value))
		return o, err
	}
	var wire struct {
		V json.RawMessage `json:"v"`
		U string          `json:"u"`
		T string          `json:"t"`
		E *thrownValue    `json:"e"`
		R *struct {
			Path   string `json:"path"`
			Reason string `json:"reason"`
		} `json:"r"`
		N string `json:"n"`
		Q string `json:"q"`
		X int    `json:"x"`
	}
	if err := json.Unmarshal([]byte(text), &wire); err != nil {
		return outcome{}, fmt.Errorf("decoding the page's answer: %w", err)
	}
	switch {
	case wire.E != nil:
		return outcome{}, wire.E.asError(from)
	case wire.R != nil:
		return outcome{}, &ResultError{
			Path: wire.R.Path, Reason: wire.R.Reason,
			Hint: "return plain data: strings, numbers, arrays and objects of them",
		}
	case wire.X > 0:
		return outcome{}, &TooLargeError{Subject: resultSubject, Size: wire.X, Limit: maxResult}
	case wire.N != "":
		return outcome{}, &EvalError{
			Name: "TypeError", Message: "the source is not a function but a value of type " + wire.N,
			File: from.name, Line: 1, Column: 1, Expression: excerpt(from.source),
		}
	case wire.Q != "":
		return outcome{}, queryProblem(wire.Q)
	}
	return outcome{value: wellFormed(wire.V), url: wire.U, title: wire.T}, nil
}

// thrownValue is an exception as the wrapper saw it: an Error's parts, or the value.
type thrownValue struct {
	Name    string          `json:"name"`
	Message string          `json:"message"`
	Stack   string          `json:"stack"`
	Value   json.RawMessage `json:"value"`
	Text    string          `json:"text"`
	Type    string          `json:"$type"`
}

func (t *thrownValue) asError(from origin) error {
	e := &EvalError{Expression: excerpt(from.source)}
	if t.Type != "error" {
		e.Message, e.Value = t.Text, wellFormed(t.Value)
		return e
	}
	e.Name, e.Message = t.Name, t.Message
	e.Stack, e.Line, e.Column = relocate(t.Stack, from)
	if e.Line > 0 {
		e.File, e.Column = from.name, throwColumn(from.source, e.Line, e.Column)
	}
	return e
}

// throwAtEnd finds the keyword of "throw new Error()" before the error is made; no
// line may end between.
var throwAtEnd = regexp.MustCompile(`(?:^|[^\w$.])(throw)[\s(]*$`)

// throwColumn is the column of the throw, where the stack of an Error has that of its
// making and both are one statement.
func throwColumn(source string, line, column int) int {
	lines := strings.Split(source, "\n")
	if line > len(lines) {
		return column
	}
	units := utf16.Encode([]rune(lines[line-1]))
	if column < 1 || column-1 > len(units) {
		return column
	}
	before := string(utf16.Decode(units[:column-1]))
	at := throwAtEnd.FindStringSubmatchIndex(before)
	if at == nil {
		return column
	}
	return len(utf16.Encode([]rune(before[:at[2]]))) + 1
}

// framePosition finds "name:line:column" at the end of a stack line.
var framePosition = regexp.MustCompile(`^(.*?)([^\s()]+):(\d+):(\d+)(\)?)$`)

// relocate turns a stack of a script into one of its file: positions moved up by
// our lines, frames of our wrapper left out. It returns the position of the throw.
func relocate(stack string, from origin) (out string, line, column int) {
	var kept []string
	for _, text := range strings.Split(stack, "\n") {
		m := framePosition.FindStringSubmatch(text)
		switch {
		case m == nil:
			kept = append(kept, text)
		case m[2] == wrapperURL:
		case m[2] == from.name:
			l, _ := strconv.Atoi(m[3])
			c, _ := strconv.Atoi(m[4])
			if l -= from.shift; l < 1 { // our own line above the source
				continue
			}
			if line == 0 {
				line, column = l, c
			}
			kept = append(kept, fmt.Sprintf("%s%s:%d:%d%s", strings.Replace(m[1], "egodTool", "<tool>", 1), from.name, l, c, m[5]))
		default:
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n"), line, column
}

// thrown makes an error of Chrome's own report, which is used where the wrapper
// had no say: a script that did not parse, or a primitive thrown by a script text.
func thrown(e *exceptionDetails) error {
	out := &EvalError{Line: e.LineNumber + 1, Column: e.ColumnNumber + 1, File: e.url()}
	if e.Exception == nil {
		out.Message = e.Text
		return out
	}
	out.Syntax = isSyntaxError(e)
	switch {
	case e.Exception.Subtype == "error":
		first, _, _ := strings.Cut(e.Exception.Description, "\n")
		out.Name, out.Message, _ = strings.Cut(first, ": ")
		out.Stack = e.Exception.Description
	case e.Exception.Type == "string":
		if json.Unmarshal(e.Exception.Value, &out.Message) == nil {
			out.Value = wellFormed(e.Exception.Value)
		}
	case e.Exception.UnserializableValue != "":
		out.Message = strings.TrimSuffix(e.Exception.UnserializableValue, "n")
		out.Value, _ = packNumber(e.Exception)
	case len(e.Exception.Value) > 0:
		out.Message, out.Value = string(e.Exception.Value), e.Exception.Value
	default:
		out.Message = e.Exception.Type
		if e.Exception.Description != "" {
			out.Message = e.Exception.Description
		}
	}
	return out
}

func asEval(err error, into **EvalError) bool { return errors.As(err, into) }

// placeError puts an error of Chrome's report into the script's own lines. A syntax
// error behind the end of the source, in our wrapper, is put at its end.
func placeError(err error, from origin) error {
	var e *EvalError
	if !asEval(err, &e) {
		return err
	}
	e.Expression = excerpt(from.source)
	if !e.Syntax {
		e.Stack, e.Line, e.Column = relocated(e, from)
		return err
	}
	e.File, e.Stack = from.name, ""
	lines := strings.Split(strings.TrimPrefix(from.source, "\uFEFF"), "\n")
	e.Line = max(e.Line-from.shift, 1)
	if e.Line > len(lines) {
		e.Line = len(lines)
		e.Column = len([]rune(lines[e.Line-1])) + 1
	}
	return err
}

func relocated(e *EvalError, from origin) (stack string, line, column int) {
	stack, line, column = relocate(e.Stack, from)
	if line == 0 && e.File == from.name && e.Line > from.shift {
		line, column = e.Line-from.shift, e.Column
	}
	return stack, line, column
}

// wellFormed replaces lone surrogates in JSON text, which JSON.stringify writes as
// escapes, by U+FFFD: they are no characters and break readers down the line.
func wellFormed(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 >= len(text) {
			out = append(out, text[i])
			i++
			continue
		}
		n := 2
		if text[i+1] == 'u' {
			n = escapeLength(text[i:])
		}
		if n < 0 {
			out = append(out, `\ufffd`...)
			i += 6
			continue
		}
		n = min(n, len(text)-i)
		out = append(out, text[i:i+n]...)
		i += n
	}
	return out
}

// escapeLength is how many bytes a \u escape or pair of them takes; -1 for a lone surrogate.
func escapeLength(s []byte) int {
	first := hex4(s)
	switch {
	case first < 0xd800 || first > 0xdfff:
		return 6
	case first <= 0xdbff && len(s) >= 12 && s[6] == '\\' && s[7] == 'u':
		if second := hex4(s[6:]); second >= 0xdc00 && second <= 0xdfff {
			return 12
		}
	}
	return -1
}

func hex4(s []byte) int {
	if len(s) < 6 {
		return 0
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return int(n)
}
