package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// Templates of addresses. Notes lie in notes/; those that a pack has elsewhere are
// listed with an address of the same form.
const (
	noteTemplate = uriScheme + "{site}/notes/{file}"
	pathTemplate = uriScheme + "{site}/{+path}"
)

// resources offers the notes of the index. Lists and reads are answered from the
// index of the moment, so that what a client asks for after a save is up to date
// whether or not it minds notifications. Nothing here reads a disk.
type resources struct {
	svc  *ops.Service
	subs subscriptions

	mu    sync.Mutex // held while announcing
	watch *ops.NoteWatch
}

func newResources(svc *ops.Service) *resources {
	return &resources{svc: svc, watch: svc.NewNoteWatch()}
}

// install adds the templates. Lists and reads do not come to the SDK, which knows
// only what was registered with it.
func (r *resources) install(server *mcp.Server) {
	for _, t := range templates() {
		server.AddResourceTemplate(t, readNothing)
	}
}

// readNothing is what the library has to read resources with.
func readNothing(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return nil, errors.New("resources are read elsewhere")
}

func templates() []*mcp.ResourceTemplate {
	return []*mcp.ResourceTemplate{
		{
			Name: "note", Title: "A note of a site", URITemplate: noteTemplate, MIMEType: noteType,
			Description: "What the pack of a site says about it: site is the id of the pack, file the name of the note.",
		},
		{
			Name: "note-by-path", Title: "A note of a site, by its path", URITemplate: pathTemplate, MIMEType: noteType,
			Description: "The same for any note that the pack declares: path is the note's path in the pack.",
		},
	}
}

const (
	methodListResources = "resources/list"
	methodReadResource  = "resources/read"
)

const noteType = "text/markdown"

// list answers resources/list: every note, by id of the pack.
func (r *resources) list(req mcp.Request) (mcp.Result, error) {
	var from ops.NoteMark
	if params, _ := req.GetParams().(*mcp.ListResourcesParams); params != nil && params.Cursor != "" {
		var err error
		if from, err = readCursor(params.Cursor); err != nil {
			return nil, err
		}
	}
	notes, next, more := r.svc.Notes(from, pageSize)
	result := &mcp.ListResourcesResult{Cacheable: notCached(), Resources: make([]*mcp.Resource, len(notes))}
	for i := range notes {
		result.Resources[i] = resourceOf(&notes[i])
	}
	if more {
		result.NextCursor = writeCursor(next)
	}
	return result, nil
}

// maxTitle bounds titles and names that packs give, in characters.
const maxTitle = 80

func resourceOf(n *ops.Note) *mcp.Resource {
	file := n.Path[strings.LastIndexByte(n.Path, '/')+1:]
	return &mcp.Resource{
		URI: noteURI(n.NoteRef), Name: inLine(n.SiteID + "/" + file), Title: inLine(n.SiteName) + ": " + inLine(n.Title),
		Description: "Note of the site skill " + inLine(n.SiteID) + domainsOf(n) + ", written by its author",
		MIMEType:    noteType, Size: int64(len(n.Content)),
		Meta:        resourceMeta(n),
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"assistant"}, Priority: 0.8 / float64(n.Place+1)},
	}
}

// inLine is a text of others where one line of ours is expected: without what breaks
// a line or turns its direction, and not too long.
func inLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	line := strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(line) <= maxTitle {
		return line
	}
	return string([]rune(line)[:maxTitle-1]) + "…"
}

// resourceMeta says that title and description are the pack's words, and which
// version of the note is listed.
func resourceMeta(n *ops.Note) mcp.Meta {
	meta := PackOrigin(n.SiteID).Meta()
	meta[metaHash] = n.Hash
	return meta
}

// domainsOf names the first domains of a note's pack.
func domainsOf(n *ops.Note) string {
	const most = 3
	switch {
	case len(n.Domains) == 0:
		return ""
	case len(n.Domains) > most:
		return " for " + inLine(strings.Join(n.Domains[:most], ", ")+", ...")
	}
	return " for " + inLine(strings.Join(n.Domains, ", "))
}

// notCached says that a client must not keep an answer: the next save may change it.
func notCached() mcp.Cacheable { return mcp.Cacheable{CacheScope: "private"} }

// noteCursor is where a page of notes begins, as clients carry it.
type noteCursor struct {
	Site  string `json:"s"`
	Path  string `json:"p"`
	Place int    `json:"i"`
}

func writeCursor(m ops.NoteMark) string {
	text, err := json.Marshal(noteCursor{m.SiteID, m.Path, m.Place})
	if err != nil {
		return "" // strings and a number have a JSON form
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func readCursor(given string) (ops.NoteMark, error) {
	text, err := base64.RawURLEncoding.DecodeString(given)
	var c noteCursor
	if err != nil || json.Unmarshal(text, &c) != nil || c.Site == "" {
		return ops.NoteMark{}, ops.Errorf(ops.KindInvalidParams, "the cursor is none that resources/list gave").
			With("path", "$.cursor").WithHint("leave the cursor out to begin anew")
	}
	return ops.NoteMark{NoteRef: ops.NoteRef{SiteID: c.Site, Path: c.Path}, Place: c.Place}, nil
}

// read answers resources/read with the whole note: the index holds no note longer
// than 1 MiB.
func (r *resources) read(req mcp.Request) (mcp.Result, error) {
	params, ok := req.GetParams().(*mcp.ReadResourceParams)
	if !ok || params == nil {
		return nil, ops.Errorf(ops.KindInvalidParams, "params must be an object with the uri of a resource")
	}
	n, err := r.find(params.URI, notFoundCode(params))
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Cacheable: notCached(), Contents: []*mcp.ResourceContents{contentsOf(params.URI, n.SiteID, n.Content, n.Hash)}}, nil
}

// metaHash is the key in _meta of the hash of a note, as knownHashes of learn_context
// takes it.
const metaHash = "egod/hash"

// contentsOf is the text of a note as the content of a resource.
func contentsOf(uri, siteID, text, hash string) *mcp.ResourceContents {
	c := &mcp.ResourceContents{URI: uri, MIMEType: noteType, Text: text, Meta: PackOrigin(siteID).Meta()}
	c.Meta[metaHash] = hash
	if text == "" {
		c.Blob = []byte{} // the library leaves an empty text out, and then there would be neither
	}
	return c
}
