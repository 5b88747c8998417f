package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"egod/internal/skills"
)

// maxBytes bounds a policy file: a list of a few thousand packs is far below.
const maxBytes = 1 << 20

// Error says what is wrong with a policy file, and where: Line and Column are from
// one, Column in characters; both are 0 when the file could not be read.
type Error struct {
	Path         string
	Line, Column int
	Message      string
	Hint         string
	Err          error // nil unless the file could not be read
}

// Error is "policy file PATH:LINE:COLUMN: what is wrong".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("policy file %s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("policy file %s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a policy file. operations are the names that may be denied. The error is
// an *Error.
func Read(path string, operations []string) (*File, error) {
	// Opening a pipe would wait for a writer.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, unreadable(path, cmp.Or(err, errors.New("it is not a regular file")))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case len(text) > maxBytes:
		return nil, unreadable(path, fmt.Errorf("it is larger than %d bytes", maxBytes))
	}
	return Parse(path, text, operations)
}

func unreadable(path string, err error) *Error {
	reason := err
	if inner := (*os.PathError)(nil); errors.As(err, &inner) {
		reason = inner.Err
	}
	return &Error{Path: path, Message: reason.Error(), Hint: "name a JSON file; egod schema policy prints its format", Err: err}
}

// Parse reads the text of a policy file, as Read does.
func Parse(path string, text []byte, operations []string) (*File, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := &reader{path: path, text: text, operations: operations, dec: json.NewDecoder(bytes.NewReader(text))}
	r.dec.UseNumber()
	if !utf8.Valid(text) {
		return nil, r.fail(0, "the file is not UTF-8", "save it as UTF-8")
	}
	if err := r.syntax(); err != nil {
		return nil, err
	}
	return r.file()
}

// reader goes through the tokens of a file and knows where each stands.
type reader struct {
	path       string
	text       []byte
	operations []string
	dec        *json.Decoder
	start      int // offset of the token that was read last
}

// syntax finds what is wrong with the text as JSON, before any of it counts.
func (r *reader) syntax() error {
	var any json.RawMessage
	err := json.Unmarshal(r.text, &any)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(r.text)) == 0:
		return r.fail(0, "the file is empty", "write {} for a policy that changes nothing")
	case errors.As(err, &syntax):
		at := int(syntax.Offset) - 1
		if int(syntax.Offset) >= len(r.text) && strings.Contains(err.Error(), "unexpected end") {
			at = len(r.text)
		}
		return r.fail(at, "this is not JSON: "+err.Error(), "comments and commas before a closing bracket are not JSON")
	}
	return r.fail(0, "this is not JSON: "+err.Error(), "")
}

// fail makes the error about an offset.
func (r *reader) fail(at int, message, hint string) *Error {
	before := r.text[:min(max(at, 0), len(r.text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &Error{
		Path: r.path, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1, Message: message, Hint: hint,
	}
}

// next reads a token. The text is known to be JSON.
func (r *reader) next() (json.Token, error) {
	at := int(r.dec.InputOffset())
	for at < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	r.start = at
	token, err := r.dec.Token()
	if err != nil {
		return nil, r.fail(at, "this is not JSON: "+err.Error(), "")
	}
	return token, nil
}

func (r *reader) file() (*File, error) {
	f := &File{Path: r.path, Packs: map[string]Rules{}}
	fields := append(ruleFields(), topFields()...)
	if err := r.open("the policy"); err != nil {
		return nil, err
	}
	return f, r.members("", names(fields, "$schema", "packs"), func(name string) error {
		switch name {
		case "$schema":
			_, err := r.oneText("$schema")
			return err
		case "packs":
			return r.packs(f)
		}
		return r.field(f, &f.Rules, fields, name, name)
	})
}

func (r *reader) packs(f *File) error {
	if err := r.open("packs"); err != nil {
		return err
	}
	return r.members("packs", nil, func(id string) error {
		at := r.start
		if strings.TrimSpace(id) == "" {
			return r.fail(at, "the id of a pack is empty", "name a pack, or * for those that are not named")
		}
		if id != EveryPack && strings.Contains(id, "*") {
			return r.fail(at, fmt.Sprintf("%q is not the id of a pack", id), "an entry is about one pack, or with * about those that are not named")
		}
		if err := r.open(Entry(id)); err != nil {
			return err
		}
		rules := Rules{}
		err := r.members(Entry(id), names(ruleFields()), func(name string) error {
			return r.field(f, &rules, ruleFields(), name, Entry(id)+"."+name)
		})
		f.Packs[id] = rules
		return err
	})
}

func names(fields []field, more ...string) []string {
	for _, f := range fields {
		more = append(more, f.name)
	}
	return more
}

// open reads the beginning of an object.
func (r *reader) open(what string) error {
	token, err := r.next()
	if err == nil && token != json.Delim('{') {
		return r.fail(r.start, fmt.Sprintf("%s must be an object, got %s", what, describe(token)), "")
	}
	return err
}

// members reads the members of an object whose beginning was read, and its end.
// known are the names there are; nil takes any.
func (r *reader) members(of string, known []string, member func(name string) error) error {
	seen := map[string]bool{}
	for r.dec.More() {
		token, err := r.next()
		if err != nil {
			return err
		}
		name, _ := token.(string) // the key of an object
		full := strings.TrimPrefix(of+"."+name, ".")
		if known != nil && !slices.Contains(known, name) {
			return r.unknown(of, name, known)
		}
		if seen[name] {
			return r.fail(r.start, fmt.Sprintf("%q stands here twice", full), "keep one of them")
		}
		seen[name] = true
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := r.next()
	return err
}

func (r *reader) unknown(of, name string, known []string) error {
	where := "the policy"
	if of != "" {
		where = of
	}
	hint := "its members are " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
	if near := nearest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if slices.Contains(names(topFields()), name) {
		hint = name + " stands at the top of the file: it is for all packs"
	}
	return r.fail(r.start, fmt.Sprintf("%s has no member %q", where, name), hint)
}

// field reads the value of one member.
func (r *reader) field(f *File, rules *Rules, fields []field, name, full string) error {
	at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if fields[at].flag != nil {
		token, err := r.next()
		if err != nil {
			return err
		}
		value, ok := token.(bool)
		if !ok {
			return r.fail(r.start, fmt.Sprintf("%s must be true or false, got %s", full, describe(token)), "")
		}
		*fields[at].flag(f, rules) = &value
		return nil
	}
	list, err := r.list(full, fields[at].check)
	*fields[at].list(f, rules) = list
	return err
}

// list reads a list of texts.
func (r *reader) list(full string, check func(string, []string) *fault) ([]string, error) {
	token, err := r.next()
	if err != nil {
		return nil, err
	}
	if token != json.Delim('[') {
		return nil, r.fail(r.start, fmt.Sprintf("%s must be a list of strings, got %s", full, describe(token)), "")
	}
	list := []string{} // an empty list says something: nothing is meant
	for i := 0; r.dec.More(); i++ {
		text, err := r.oneText(full + "[" + strconv.Itoa(i) + "]")
		if err != nil {
			return nil, err
		}
		if wrong := check(text, r.operations); wrong != nil {
			return nil, r.fail(r.start, full+": "+wrong.message, wrong.hint)
		}
		list = append(list, text)
	}
	_, err = r.next()
	return list, err
}

// oneText reads one string.
func (r *reader) oneText(full string) (string, error) {
	token, err := r.next()
	if err != nil {
		return "", err
	}
	text, ok := token.(string)
	if !ok {
		return "", r.fail(r.start, fmt.Sprintf("%s must be a string, got %s", full, describe(token)), "")
	}
	return text, nil
}

func describe(token json.Token) string {
	switch t := token.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", t)
	case json.Number:
		return "the number " + t.String()
	case string:
		return "a string"
	case json.Delim:
		if t == '[' {
			return "a list"
		}
	}
	return "an object"
}

// PackIDs returns the packs that have an entry of their own, in order.
func (f *File) PackIDs() []string {
	ids := slices.Sorted(maps.Keys(f.Packs))
	return slices.DeleteFunc(ids, func(id string) bool { return id == EveryPack })
}

// nearest returns the name that was meant, or nothing.
func nearest(name string, known []string) string {
	if near := skills.Suggest(name, known); len(near) > 0 {
		return near[0]
	}
	return ""
}
