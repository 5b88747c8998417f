package ops

import (
	"fmt"
	"sync"

	"egod/internal/skills"
)

// drift counts how often tools return another type than they declare: once may be
// an odd page, always is a manifest or a tool that is wrong.
type drift struct {
	mu     sync.Mutex // guards counts
	counts map[driftKey]ToolDrift
}

// driftKey names a tool and what it is: an edit begins anew.
type driftKey struct{ siteID, name, hash, returns string }

// maxDrift bounds what is remembered of tools that were edited since.
const maxDrift = 10_000

// ToolDrift is how often a tool returned another type than it declares.
type ToolDrift struct {
	ToolName string          `json:"toolName"`
	ToolType skills.ToolKind `json:"toolType"`
	// Runs are those that returned something since the tool was last changed,
	// OtherType those of them that returned another type.
	Runs      int `json:"runs"`
	OtherType int `json:"otherType"`
}

// String is for a warning: "3 of 5 runs".
func (d ToolDrift) String() string {
	if d.Runs == 1 {
		return "its only run so far"
	}
	return fmt.Sprintf("%d of its %d runs", d.OtherType, d.Runs)
}

func keyOfDrift(siteID string, t *skills.Tool) driftKey {
	key := driftKey{siteID: siteID, name: t.Name, hash: t.Hash}
	if t.Returns != nil {
		key.returns = t.Returns.Type
	}
	return key
}

// note counts a run and returns the count with it.
func (d *drift) note(run toolRun, right bool) ToolDrift {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts == nil || len(d.counts) >= maxDrift {
		d.counts = make(map[driftKey]ToolDrift)
	}
	key := keyOfDrift(run.siteID, run.tool)
	count := d.counts[key]
	count.ToolName, count.ToolType = run.tool.Name, run.tool.Kind
	count.Runs++
	if !right {
		count.OtherType++
	}
	d.counts[key] = count
	return count
}

// of lists the tools of a pack, as they are now, that returned another type.
func (d *drift) of(pack *skills.Pack) []ToolDrift {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []ToolDrift
	for _, kind := range []skills.ToolKind{skills.NodeTool, skills.BrowserTool} {
		for _, t := range toolsOf(pack, kind) {
			if count := d.counts[keyOfDrift(pack.ID, t)]; count.OtherType > 0 {
				list = append(list, count)
			}
		}
	}
	return list
}
