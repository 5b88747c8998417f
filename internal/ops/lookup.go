package ops

import (
	"errors"
	"strings"

	"egod/internal/skills"
)

// findPack returns the pack with an id, or an error that lists the nearest ids
// and the roots that were searched.
func findPack(catalog *skills.Catalog, id string) (*skills.Pack, error) {
	if pack, ok := catalog.Pack(id); ok {
		return pack, nil
	}
	near := list(catalog.Near(id))
	e := Errorf(KindSkillNotFound, "there is no skill %q", id).
		With("siteId", id).With("near", near).With("roots", catalog.Roots())
	if gen, ok := catalog.RemovedIn(id); ok {
		e.Message = Errorf(KindSkillNotFound, "skill %q was removed in generation %d", id, gen).Message
		e.With("removedIn", gen)
	}
	if len(near) > 0 {
		return nil, e.WithHint("did you mean %q?", near[0])
	}
	return nil, e.WithHint("listSkills shows what there is; the roots searched are %s", strings.Join(catalog.Roots(), ", "))
}

// findTool returns a tool of a kind that can run.
func findTool(pack *skills.Pack, name string, kind skills.ToolKind) (*skills.Tool, error) {
	for _, t := range toolsOf(pack, kind) {
		if t.Name != name {
			continue
		}
		if len(t.Problems) > 0 {
			return nil, Errorf(KindSkillBroken, "tool %s of %s cannot run: %s", name, pack.ID, t.Problems[0].Message).
				With("diagnostics", t.Problems).WithHint("%s", t.Problems[0].Hint)
		}
		return t, nil
	}
	if pack.Status == skills.StatusBroken {
		return nil, Errorf(KindSkillBroken, "skill %s did not load", pack.ID).
			With("diagnostics", pack.Diagnostics).WithHint("validateSkills shows what to mend")
	}
	return nil, toolNotFound(pack, name, kind)
}

// toolRemoved says of a tool that is not there when it went away.
func toolRemoved(catalog *skills.Catalog, siteID, name string, kind skills.ToolKind, err error) error {
	var e *Error
	generation, removed := catalog.ToolRemovedIn(siteID, kind, name)
	if !removed || !errors.As(err, &e) || e.Kind != KindToolNotFound {
		return err
	}
	e.Message = Errorf(KindToolNotFound, "the %s tool %q of %s was removed in generation %d", kind, name, siteID, generation).Message
	return e.With("removedIn", generation)
}

func toolsOf(pack *skills.Pack, kind skills.ToolKind) []*skills.Tool {
	if kind == skills.BrowserTool {
		return pack.BrowserTools
	}
	return pack.NodeTools
}

func toolNotFound(pack *skills.Pack, name string, kind skills.ToolKind) *Error {
	other, method := skills.BrowserTool, "runBrowserTool"
	if kind == skills.BrowserTool {
		other, method = skills.NodeTool, "runTool"
	}
	names := toolNames(toolsOf(pack, kind))
	e := Errorf(KindToolNotFound, "%s has no %s tool %q", pack.ID, kind, name).
		With("siteId", pack.ID).With("toolName", name).With("tools", names)
	for _, t := range toolsOf(pack, other) {
		if t.Name == name {
			e.Message += "; it has a " + string(other) + " tool of that name"
			return e.With("otherKind", string(other)).WithHint("call %s", method)
		}
	}
	if near := skills.Suggest(name, names); len(near) > 0 {
		return e.WithHint("did you mean %q?", near[0])
	}
	if len(names) == 0 {
		return e.WithHint("%s declares no %s tools", pack.ID, kind)
	}
	return e.WithHint("its %s tools are %s", kind, strings.Join(names, ", "))
}

// WebHost is the host of an address that packs can match, and empty for all others.
func WebHost(url string) string { return skills.WebHost(url) }
