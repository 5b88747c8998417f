package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"egod/internal/skills"
)

// Param describes one named parameter of an operation.
type Param struct {
	Name     string
	Doc      string
	Required bool
	Type     reflect.Type

	index []int
}

// paramsOf reads the parameters of a struct type from its tags:
// `json:"name"` (with omitempty when it may be left out) and `doc:"..."`.
// Fields of embedded structs follow in place; what must be given comes first, as the
// OpenRPC specification wants it ("params"): locator.fill(selector, value, ...).
func paramsOf(t reflect.Type) []Param {
	var params []Param
	for _, field := range reflect.VisibleFields(t) {
		tag, ok := field.Tag.Lookup("json")
		if !ok || field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		params = append(params, Param{
			Name:     name,
			Doc:      field.Tag.Get("doc"),
			Required: !strings.Contains(options, "omit"),
			Type:     field.Type,
			index:    field.Index,
		})
	}
	slices.SortStableFunc(params, func(a, b Param) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return params
}

// decoder turns wire params into a struct. It is made once per operation.
type decoder struct {
	params []Param
	names  []string
}

func newDecoder(t reflect.Type) *decoder {
	d := &decoder{params: paramsOf(t)}
	for _, p := range d.params {
		d.names = append(d.names, p.Name)
	}
	return d
}

// Decoder reads params of one shape, the fields of P, as the operations do: named
// or positional, unknown names refused with a hint. Faces use it for what is
// theirs alone.
type Decoder[P any] struct{ d *decoder }

// NewDecoder makes a decoder from the json and doc tags of P. A field whose tag
// lacks omitempty is required.
func NewDecoder[P any]() Decoder[P] { return Decoder[P]{newDecoder(reflect.TypeFor[P]())} }

// Decode reads params: an object, an array in the order of the fields, or nothing.
// The error is an *Error of KindInvalidParams.
func (d Decoder[P]) Decode(raw json.RawMessage) (P, error) {
	var p P
	err := d.d.decode(raw, reflect.ValueOf(&p).Elem(), true)
	return p, err
}

// Params are the parameters it takes, in positional order.
func (d Decoder[P]) Params() []Param { return d.d.params }

// decode fills the struct that dst points at. Strict decoding refuses unknown
// names; a tool's option objects are decoded leniently, as Playwright and the
// original runtime do.
func (d *decoder) decode(raw json.RawMessage, dst reflect.Value, strict bool) error {
	raw = bytes.TrimSpace(raw)
	values := make([]json.RawMessage, len(d.params))
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
	case raw[0] == '[':
		if err := d.positional(raw, values); err != nil {
			return err
		}
	case raw[0] == '{':
		if err := d.named(raw, values, strict); err != nil {
			return err
		}
	default:
		return invalidParam("$", "an object or an array", jsonType(raw), "params must be an object or an array")
	}
	for i, p := range d.params {
		if err := p.set(values[i], dst); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) positional(raw json.RawMessage, values []json.RawMessage) error {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return Errorf(KindInvalidParams, "params are not a JSON array: %v", err)
	}
	if len(items) > len(values) {
		e := Errorf(KindInvalidParams, "too many positional params: got %d, at most %d are taken", len(items), len(values))
		if len(d.names) > 0 {
			e.WithHint("the order is %s", strings.Join(d.names, ", "))
		}
		return e
	}
	copy(values, items)
	return nil
}

func (d *decoder) named(raw json.RawMessage, values []json.RawMessage, strict bool) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return Errorf(KindInvalidParams, "params are not a JSON object: %v", err)
	}
	delete(members, "_meta")
	for i, name := range d.names {
		if v, ok := members[name]; ok {
			values[i] = v
			delete(members, name)
		}
	}
	if !strict {
		return nil
	}
	for name := range members {
		return d.unknown(name)
	}
	return nil
}

func (d *decoder) unknown(name string) error {
	e := Errorf(KindInvalidParams, "unknown parameter %q", name).With("path", "$."+name)
	if near := skills.Suggest(name, d.names); len(near) > 0 {
		return e.WithHint("did you mean %q?", near[0])
	}
	if len(d.names) == 0 {
		return e.WithHint("this method takes no parameters")
	}
	return e.WithHint("the parameters are %s", strings.Join(d.names, ", "))
}

func (p *Param) set(raw json.RawMessage, dst reflect.Value) error {
	if len(raw) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) && p.Type != reflect.TypeFor[json.RawMessage]() {
		if p.Required {
			return invalidParam("$."+p.Name, typeName(p.Type), "nothing",
				fmt.Sprintf("missing required parameter %q", p.Name))
		}
		return nil
	}
	err := json.Unmarshal(raw, dst.FieldByIndex(p.index).Addr().Interface())
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return own.With("path", "$."+p.Name)
	}
	path, want := "$."+p.Name, typeName(p.Type)
	if i, item := misfit(raw, p.Type); item != nil {
		return invalidParam(fmt.Sprintf("%s[%d]", path, i), typeName(p.Type.Elem()), jsonType(item),
			fmt.Sprintf("item %d of parameter %q must be %s, got %s", i, p.Name, typeName(p.Type.Elem()), jsonType(item)))
	}
	var typeErr *json.UnmarshalTypeError
	if errors.As(err, &typeErr) && typeErr.Field != "" {
		path, want = path+"."+typeErr.Field, typeName(typeErr.Type)
	}
	return invalidParam(path, want, jsonType(raw), fmt.Sprintf("parameter %q must be %s, got %s", p.Name, want, jsonType(raw)))
}

// misfit finds the first item of an array that is not of the type that the items
// of a slice have; nil when raw is no array or t no slice.
func misfit(raw json.RawMessage, t reflect.Type) (int, json.RawMessage) {
	var items []json.RawMessage
	if t.Kind() != reflect.Slice || json.Unmarshal(raw, &items) != nil {
		return 0, nil
	}
	for i, item := range items {
		if json.Unmarshal(item, reflect.New(t.Elem()).Interface()) != nil {
			return i, item
		}
	}
	return 0, nil
}

func invalidParam(path, expected, actual, message string) *Error {
	return Errorf(KindInvalidParams, "%s", message).With("path", path).With("expected", expected).With("actual", actual)
}

// typeName names a Go type as a JSON author knows it.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return "a value"
		}
		return "an array"
	}
	return "an object"
}

// jsonType names the type of a JSON text.
func jsonType(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "the number " + string(raw)
}

// MaxTimeoutMs is the longest deadline a caller may ask for: thirty minutes.
// Larger values are nearly always seconds multiplied once too often.
const MaxTimeoutMs = 30 * 60 * 1000

// Milliseconds is a time span on the wire: a number of milliseconds, zero or
// more and at most MaxTimeoutMs.
type Milliseconds float64

// UnmarshalJSON checks the range, so that a slip of units is told at once.
func (m *Milliseconds) UnmarshalJSON(raw []byte) error {
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil {
		return invalidParam("", "a number of milliseconds", jsonType(raw),
			fmt.Sprintf("a time must be a number of milliseconds, got %s", jsonType(raw)))
	}
	if f < 0 || math.IsNaN(f) {
		return invalidParam("", "a number of milliseconds, zero or more", jsonType(raw),
			fmt.Sprintf("a time must not be negative, got %v", f))
	}
	if f > MaxTimeoutMs {
		return invalidParam("", fmt.Sprintf("at most %d milliseconds", MaxTimeoutMs), jsonType(raw),
			fmt.Sprintf("%s ms is longer than the %d ms allowed", plain(f), MaxTimeoutMs)).
			WithHint("times are milliseconds: did you mean %s (%s s)?", plain(f/1000), plain(f/1000/1000))
	}
	*m = Milliseconds(f)
	return nil
}

// plain writes a number without an exponent.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
