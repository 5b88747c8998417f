package mcp

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// Codes of a resource that is not there: the revisions of the protocol up to
// 2025-11-25 have one of their own, later ones count it among the wrong params.
const (
	codeNotFoundBefore = -32002
	codeNotFound       = jsonrpc.CodeInvalidParams
)

// notFoundCode is the code that the sender of a request knows. Requests of later
// revisions name theirs.
func notFoundCode(params mcp.Params) int64 {
	if _, named := params.GetMeta()[mcp.MetaKeyProtocolVersion]; named {
		return codeNotFound
	}
	return codeNotFoundBefore
}

// find returns the note of an address, or an error with addresses that are near.
func (r *resources) find(uri string, code int64) (ops.Note, error) {
	ref, ok := parseNoteURI(uri)
	if !ok {
		return ops.Note{}, notFound(code, uri, "it is not of the form "+noteTemplate, "resources/list has the addresses there are", nil)
	}
	n, err := r.svc.Note(ref)
	var known *ops.Error
	if !errors.As(err, &known) {
		return n, err
	}
	near := r.near(ref, known)
	hint := "resources/list has the addresses there are"
	if len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return ops.Note{}, notFound(code, uri, known.Message, hint, near)
}

// near are addresses that may have been meant: of the notes of that pack, or of
// packs with an id like that.
func (r *resources) near(ref ops.NoteRef, e *ops.Error) []string {
	const most = 3
	uris := []string{}
	add := func(refs ...ops.NoteRef) {
		for _, ref := range refs {
			if len(uris) < most {
				uris = append(uris, noteURI(ref))
			}
		}
	}
	if paths, ok := e.Data["notes"].([]string); ok {
		for _, p := range paths {
			add(ops.NoteRef{SiteID: ref.SiteID, Path: p})
		}
	}
	sites, _ := e.Data["near"].([]string)
	for _, site := range sites {
		same := ops.NoteRef{SiteID: site, Path: ref.Path}
		if _, err := r.svc.Note(same); err == nil {
			add(same)
			continue
		}
		notes, _, _ := r.svc.Notes(ops.NoteMark{NoteRef: ops.NoteRef{SiteID: site}}, most)
		for i := range notes {
			if notes[i].SiteID == site {
				add(notes[i].NoteRef)
			}
		}
	}
	return uris
}

// notFound is the error of the protocol for a resource that is not there.
func notFound(code int64, uri, why, hint string, near []string) error {
	data, err := json.Marshal(struct {
		Kind      string   `json:"kind"`
		URI       string   `json:"uri"`
		Near      []string `json:"near,omitempty"`
		Retryable bool     `json:"retryable"`
		Hint      string   `json:"hint"`
	}{"resource_not_found", uri, near, false, hint})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{Code: code, Message: "there is no resource " + inLine(uri) + ": " + inLine(why), Data: data}
}
