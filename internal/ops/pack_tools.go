package ops

import (
	"encoding/json"

	"egod/internal/skills"
)

// PackTool is a tool of a pack that can run, for faces that offer each by itself.
type PackTool struct {
	SiteID, SiteName string
	Name             string
	// Operation runs it: runTool or runBrowserTool.
	Operation   string
	Description string
	// Args are the declared arguments; nil when the pack declares none and takes any.
	Args []PackArg
	// AnyArgs says that the pack does not declare what the tool takes.
	AnyArgs bool
	// Returns is nil when the manifest does not say.
	Returns *PackValue
	// SideEffects is what the tool changes, in the author's words; empty when the
	// manifest does not say.
	SideEffects string
}

// PackArg is a declared argument.
type PackArg struct {
	Name string
	PackValue
	Required bool
}

// PackValue describes a value: Type is one of JSON's, or integer, or empty when the
// manifest does not say.
type PackValue struct {
	Type, Description string
}

// Fits reports whether a JSON value is of the declared type. Without one any is.
func (v PackValue) Fits(value json.RawMessage) bool { return v.Type == "" || hasType(value, v.Type) }

// PackTools returns the tools of all packs that can run, in order of pack and as the
// manifests have them, with the generation of the index they are from.
func (s *Service) PackTools() (tools []PackTool, generation uint64) {
	catalog := s.store().Catalog()
	for _, pack := range catalog.Packs() {
		for _, kind := range []skills.ToolKind{skills.NodeTool, skills.BrowserTool} {
			for _, t := range toolsOf(pack, kind) {
				if len(t.Problems) == 0 {
					tools = append(tools, packTool(pack, t))
				}
			}
		}
	}
	return tools, catalog.Generation()
}

func packTool(pack *skills.Pack, t *skills.Tool) PackTool {
	out := PackTool{
		SiteID: pack.ID, SiteName: pack.Name, Name: t.Name, Operation: "runTool",
		Description: t.Description, AnyArgs: len(t.RawArgs) == 0, SideEffects: t.SideEffects,
	}
	if t.Kind == skills.BrowserTool {
		out.Operation = "runBrowserTool"
	}
	for _, a := range t.Args {
		out.Args = append(out.Args, PackArg{Name: a.Name, PackValue: PackValue(a.ValueSchema), Required: a.Required})
	}
	if t.Returns != nil {
		returns := PackValue(*t.Returns)
		out.Returns = &returns
	}
	return out
}
