package skills

import (
	"encoding/json"
	"path/filepath"
)

// Status says how much of a pack can be used.
type Status string

const (
	// StatusOK is a pack without errors.
	StatusOK Status = "ok"
	// StatusDegraded is a pack of which a part does not work, or whose last edit
	// did not load so that the version before it is served.
	StatusDegraded Status = "degraded"
	// StatusBroken is a pack that never loaded: it is listed by its directory's
	// name and has nothing but diagnostics.
	StatusBroken Status = "broken"
)

// ToolKind says where a tool runs.
type ToolKind string

const (
	// NodeTool is an ES module run beside the browser.
	NodeTool ToolKind = "node"
	// BrowserTool is a function expression run in the page.
	BrowserTool ToolKind = "browser"
)

// Cost says what it may take to use something, dearest last.
type Cost string

const (
	// CostStatic is what costs nothing: notes.
	CostStatic Cost = "static"
	// CostAPI runs code beside the browser and never starts it.
	CostAPI Cost = "api"
	// CostBrowser may start the browser.
	CostBrowser Cost = "browser"
)

// Or is the dearer of two costs.
func (c Cost) Or(other Cost) Cost {
	for _, dear := range []Cost{CostBrowser, CostAPI} {
		if c == dear || other == dear {
			return dear
		}
	}
	return CostStatic
}

// Pack is one pack as it was when it was loaded. It is immutable and shared:
// nobody may change what hangs below it.
type Pack struct {
	// ID is the manifest's id, or the directory's name when that cannot be read.
	ID string
	// Name is the manifest's name, or the id.
	Name string
	// Dir is the absolute directory, Root the root it was found in. For embedded
	// packs both are below [Root.Dir].
	Dir, Root string
	// Domains are the declared patterns, as declared.
	Domains []string
	// Notes are the declared notes that could be read, in manifest order.
	Notes []Note
	// NodeTools and BrowserTools are in manifest order.
	NodeTools, BrowserTools []*Tool
	// RawNodeTools and RawBrowserTools are the manifest's objects as declared,
	// compact, {} when absent or not an object.
	RawNodeTools, RawBrowserTools json.RawMessage
	Status                        Status
	// Cost is that of the dearest tool.
	Cost Cost
	// Stale says that the directory holds an edit that did not load, and that
	// this is the version before it.
	Stale bool
	// Diagnostics are the findings of the directory as it is now.
	Diagnostics []Diagnostic
	// Files holds every source a node tool may import, and every tool's own file,
	// by slash path relative to Dir.
	Files map[string]string
	// Hash changes when any byte that is served does.
	Hash string

	patterns []pattern
	idAt     Range // the place of the id in the manifest
	embedded bool  // has no files on disk
}

// Note is a text for an agent.
type Note struct {
	Path    string // slash path relative to the pack
	File    string // absolute, in the system's form
	Content string // valid UTF-8
	Hash    string
}

// Tool is a callable of a pack.
type Tool struct {
	Name        string
	Kind        ToolKind
	Description string
	// Path is the slash path of the tool's file, cleaned, a key of [Pack.Files]
	// when the file could be read.
	Path string
	// Callable is the export to call; empty for browser tools.
	Callable string
	// CallableAt is the place in the manifest that says so.
	CallableAt Range
	Args       []Arg
	// RawArgs and RawReturns are as declared, compact; {} and null when absent.
	RawArgs, RawReturns json.RawMessage
	// Returns is nil when the manifest does not say what the tool returns.
	Returns     *ValueSchema
	SideEffects string
	Source      string
	// Cost says what running the tool may start.
	Cost Cost
	// Hash is the content key of everything the tool's program is made of: same
	// hash, same program.
	Hash string
	// Problems are the findings that stop this tool from running.
	Problems []Diagnostic
}

// Arg is one declared argument.
type Arg struct {
	Name string
	ValueSchema
	Required bool
}

// ValueSchema describes a value. Type is one of string, number, integer,
// boolean, array, object, or empty when the manifest does not say.
type ValueSchema struct {
	Type        string
	Description string
}

// Tool finds a tool by kind and name.
func (p *Pack) Tool(kind ToolKind, name string) (*Tool, bool) {
	list := p.NodeTools
	if kind == BrowserTool {
		list = p.BrowserTools
	}
	for _, t := range list {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// DeclaresHost says whether a host, as [Hostname] returns it, is one the pack
// declares.
func (p *Pack) DeclaresHost(host string) bool {
	for _, pat := range p.patterns {
		if pat.matches(host) {
			return true
		}
	}
	return false
}

// fileURIOf is the address of a file of a pack, given by slash path.
func fileURIOf(p *Pack, file string) string {
	if p.embedded {
		return "egod-builtin:///" + filepath.Base(p.Dir) + "/" + file
	}
	return fileURI(filepath.Join(p.Dir, filepath.FromSlash(file)))
}

// FileURI is the address of a file of the pack, as its diagnostics give it.
func (p *Pack) FileURI(file string) string { return fileURIOf(p, file) }
