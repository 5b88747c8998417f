package mcp

import "egod/internal/ops"

// Described is a core tool as the reference shows it.
type Described struct {
	Name, Doc string
	// Params are the names of what it takes; what may be left out ends with "?".
	Params []string
	// Gives are the members of structuredContent that its output schema names.
	Gives []string
	// Operations are those that it may call.
	Operations []string
	// ReadOnly, Destructive and OpenWorld are the hints of tools/list.
	ReadOnly, Destructive, OpenWorld bool
}

// CoreTools describes the core tools in the order of tools/list, for the reference in
// docs/mcp.md, which is made from it.
func CoreTools(table *ops.Table) ([]Described, error) {
	var described []Described
	for _, d := range coreList() {
		one := Described{
			Name: d.name, Doc: d.doc, Operations: d.does,
			ReadOnly: d.reads, Destructive: d.destroys(), OpenWorld: !d.closed,
		}
		for _, s := range d.shows {
			_, required, err := s.property(table, d.does[0])
			if err != nil {
				return nil, err
			}
			name := s.name
			if !required {
				name += "?"
			}
			one.Params = append(one.Params, name)
		}
		for _, g := range d.gives {
			one.Gives = append(one.Gives, g.name)
		}
		described = append(described, one)
	}
	return described, nil
}
