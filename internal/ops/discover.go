package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// ErrorCode is a row of a face's table of errors, for rpc.discover.
type ErrorCode struct {
	Code    int64
	Kind    Kind
	Meaning string
}

// ControlMethod is a method that a face serves itself, for rpc.discover. A nil Result
// says that it is a notification.
type ControlMethod struct {
	Name, Doc string
	Params    []Param
	Result    reflect.Type
	Fails     []Kind
}

func discoverRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "rpc.discover", inline: true,
			doc: "Return the OpenRPC document of all methods.",
		}, func(_ context.Context, sc *Scope, _ struct{}) (json.RawMessage, error) {
			document, err := sc.svc.table.openRPC(sc.svc.version, sc.svc.errorCodes, sc.svc.controls)
			if err != nil {
				return nil, err
			}
			return json.Marshal(document)
		}),
	}
}

// openRPCVersion is the version of the OpenRPC specification that the document
// follows (https://spec.open-rpc.org).
const openRPCVersion = "1.3.2"

// openRPC is the part of an OpenRPC document that egod has something to say in.
type openRPC struct {
	OpenRPC    string            `json:"openrpc"`
	Info       openRPCInfo       `json:"info"`
	Methods    []openRPCMethod   `json:"methods"`
	Components openRPCComponents `json:"components"`
}

type openRPCInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type openRPCMethod struct {
	Name           string           `json:"name"`
	Summary        string           `json:"summary"`
	ParamStructure string           `json:"paramStructure"`
	Params         []openRPCContent `json:"params"`
	Result         *openRPCContent  `json:"result,omitempty"` // nil for a notification
	Errors         []openRPCRef     `json:"errors"`
}

// openRPCContent is a Content Descriptor.
type openRPCContent struct {
	Name     string             `json:"name"`
	Summary  string             `json:"summary,omitempty"`
	Required bool               `json:"required"`
	Schema   *jsonschema.Schema `json:"schema"`
}

type openRPCRef struct {
	Ref string `json:"$ref"`
}

type openRPCComponents struct {
	Errors map[string]openRPCError `json:"errors"`
}

// openRPCError is an error by its code. The message of a real one says more; its
// data has at least these members.
type openRPCError struct {
	Code    int64          `json:"code"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data"`
}

func (t *Table) openRPC(version string, codes []ErrorCode, controls []ControlMethod) (*openRPC, error) {
	document := &openRPC{
		OpenRPC: openRPCVersion,
		Info: openRPCInfo{
			Title: "egod", Version: version,
			Description: "The methods of egod over JSON-RPC 2.0 on stdio. Params are named or positional.",
		},
		Components: openRPCComponents{Errors: make(map[string]openRPCError, len(codes))},
	}
	for _, c := range codes {
		document.Components.Errors[string(c.Kind)] = openRPCError{c.Code, c.Meaning, map[string]any{"kind": c.Kind}}
	}
	all := slices.Clone(controls)
	for _, row := range t.rows {
		all = append(all, ControlMethod{row.Name, row.Doc, row.Params, row.Result, row.kinds()})
	}
	slices.SortFunc(all, func(a, b ControlMethod) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range all {
		method, err := m.openRPC()
		if err != nil {
			return nil, fmt.Errorf("describing %s: %w", m.Name, err)
		}
		for _, kind := range m.Fails {
			if _, known := document.Components.Errors[string(kind)]; known {
				method.Errors = append(method.Errors, openRPCRef{"#/components/errors/" + string(kind)})
			}
		}
		document.Methods = append(document.Methods, method)
	}
	return document, nil
}

func (m ControlMethod) openRPC() (openRPCMethod, error) {
	method := openRPCMethod{
		Name: m.Name, Summary: m.Doc, ParamStructure: "either",
		Params: []openRPCContent{}, Errors: []openRPCRef{},
	}
	for _, p := range m.Params {
		schema, err := p.Schema()
		if err != nil {
			return method, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		method.Params = append(method.Params, openRPCContent{p.Name, p.Doc, p.Required, schema})
	}
	if m.Result == nil {
		return method, nil
	}
	schema, err := schemaOf(m.Result)
	method.Result = &openRPCContent{"result", "", true, schema}
	return method, err
}

// kinds are the errors a caller of the operation has to reckon with.
func (o *Operation) kinds() []Kind {
	kinds := []Kind{KindInvalidParams, KindCancelled, KindInternal}
	if o.UsesSpace {
		kinds = append(kinds, KindBrowserUnavailable, KindBrowserGone, KindPageError, KindPolicyDenied, KindTimeout)
	}
	if o.Runs {
		kinds = append(kinds, KindSkillNotFound, KindToolNotFound, KindSkillBroken, KindToolFailed, KindLimitExceeded, KindResultInvalid, KindBusy)
	}
	for _, kind := range o.fails {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
