package mcp

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
)

// Toolset says which tools a server offers.
type Toolset string

// The toolsets.
const (
	// ToolsetCore is the core tools: they run any tool of any pack by name.
	ToolsetCore Toolset = "core"
	// ToolsetPacks is one tool for each tool of a pack.
	ToolsetPacks Toolset = "packs"
	// ToolsetAll is both.
	ToolsetAll Toolset = "all"
)

// Toolsets are the names of all toolsets.
func Toolsets() []string {
	return []string{string(ToolsetCore), string(ToolsetAll), string(ToolsetPacks)}
}

// toolset is the tools that are offered at one time. It is immutable.
type toolset struct {
	// order is that of tools/list: core tools first, then those of packs by name, so
	// that a host which reads one page has the core.
	order  []*tool
	core   int // how many of order are core tools
	byName map[string]*tool
	// removed has the generation in which tools went that were there before, the latest
	// ones of them.
	removed map[string]uint64
}

func (t *toolset) names() []string {
	names := make([]string, len(t.order))
	for i, one := range t.order {
		names[i] = one.name
	}
	return names
}

// Changed makes tools and notes follow the skill index, and tells the client when they
// are not what they were. It may be called by any goroutine.
func (s *Server) Changed() {
	s.load()
	s.announceNotes()
}

// load makes the tools of the skill index of this moment those that are offered.
func (s *Server) load() {
	s.loading.Lock()
	defer s.loading.Unlock()
	set := &toolset{order: slices.Clone(s.core), core: len(s.core), byName: map[string]*tool{}, removed: map[string]uint64{}}
	before := s.tools.Load()
	var generation uint64
	if s.cfg.Toolset == ToolsetAll || s.cfg.Toolset == ToolsetPacks {
		var packTools []ops.PackTool
		packTools, generation = s.service.PackTools()
		var known map[string]*tool
		if before != nil {
			known = before.byName
		}
		set.order = append(set.order, toolsOfPacks(packTools, known)...)
	}
	for _, t := range set.order {
		set.byName[t.name] = t
	}
	if before != nil {
		maps.Copy(set.removed, before.removed)
		for name := range before.byName {
			set.removed[name] = generation
		}
	}
	for name := range set.byName {
		delete(set.removed, name)
	}
	forgetOldest(set.removed)
	s.tools.Store(set)
	if before == nil || !slices.Equal(before.order, set.order) { // tools that stay what they are stay the same tools
		s.listChanged(methodToolsChanged, func(n *mcp.NotificationSubscriptions) bool { return n.ToolsListChanged })
	}
}

// maxRemoved is how many tools that went are remembered: packs may be saved under new
// names for as long as egod runs.
const maxRemoved = 5_000

// forgetOldest forgets the tools that went first when there are too many.
func forgetOldest(removed map[string]uint64) {
	if len(removed) <= maxRemoved {
		return
	}
	names := slices.SortedFunc(maps.Keys(removed), func(a, b string) int { return cmp.Compare(removed[b], removed[a]) })
	for _, name := range names[maxRemoved:] {
		delete(removed, name)
	}
}

// pageSize is how many tools one page of tools/list has.
const pageSize = 200

// toolList is the answer to tools/list, with tools that are JSON already.
type toolList struct {
	mcp.ListToolsResult
	Tools []json.RawMessage `json:"tools"`
}

// listTools answers tools/list. A cursor names the last tool of the page before, so
// that tools which come and go between two pages move none past the reader.
func (s *Server) listTools(req mcp.Request) (mcp.Result, error) {
	params, _ := req.GetParams().(*mcp.ListToolsParams)
	set := s.tools.Load()
	start := 0
	if params != nil && params.Cursor != "" {
		var err error
		if start, err = set.after(params.Cursor); err != nil {
			return nil, err
		}
	}
	end := min(start+pageSize, len(set.order))
	list := &toolList{Tools: make([]json.RawMessage, 0, end-start)}
	list.CacheScope = "private"
	for _, t := range set.order[start:end] {
		listed, err := t.listed()
		if err != nil {
			return nil, fmt.Errorf("listing the tool %s: %w", t.name, err)
		}
		list.Tools = append(list.Tools, listed)
	}
	if end < len(set.order) {
		list.NextCursor = cursorAt(set.order[end-1].name)
	}
	return list, nil
}

// cursorMark begins what a cursor is the base64 form of.
const cursorMark = "after:"

func cursorAt(name string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + name))
}

// after returns where the page begins that a cursor asks for.
func (t *toolset) after(cursor string) (int, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	name, ok := strings.CutPrefix(string(text), cursorMark)
	if err != nil || !ok {
		return 0, ops.Errorf(ops.KindInvalidParams, "the cursor is none that tools/list gave").With("path", "$.cursor").
			WithHint("leave the cursor out to begin anew")
	}
	for i := range t.core {
		if t.order[i].name == name {
			return i + 1, nil
		}
	}
	at, found := slices.BinarySearchFunc(t.order[t.core:], name, func(one *tool, name string) int { return strings.Compare(one.name, name) })
	if found {
		at++
	}
	return t.core + at, nil
}
