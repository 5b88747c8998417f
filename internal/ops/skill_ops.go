package ops

import (
	"context"
	"encoding/json"
	"path"

	"egod/internal/skills"
)

func skillRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "skillsForUrl", inline: true,
			doc: "List the skills whose domains match a URL or host name, most specific first.",
		}, skillsForURL),
		define(spec{
			name: "learnContext", inline: true,
			doc: "Return the notes and tools of every skill that matches a URL, or the current page of the space.",
		}, learnContext),
		define(spec{
			name: "listSkills", inline: true,
			doc: "List every pack of the index with its status and tools.",
		}, listSkills),
		define(spec{
			name: "toolHelp", inline: true,
			doc: "Return usage text for the tools of a pack, made from its manifest.",
		}, toolHelp),
		define(spec{
			name: "validateSkills",
			doc:  "Look for faults in one pack, in a directory of packs, or in all packs of the index.",
		}, validateSkills),
		define(spec{
			name: "reloadSkills",
			doc:  "Rescan the roots now and tell what changed.",
		}, reloadSkills),
	}
}

// SkillEntry describes a pack that matched a URL.
type SkillEntry struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Path         string          `json:"path"`
	Root         string          `json:"root"`
	Domains      []string        `json:"domains"`
	Notes        []string        `json:"notes"`
	NodeTools    json.RawMessage `json:"nodeTools"`
	BrowserTools json.RawMessage `json:"browserTools"`
	// Cost is what the dearest of its tools may start: static (notes alone), api
	// (nothing of the browser) or browser.
	Cost  skills.Cost `json:"cost"`
	Match SkillMatch  `json:"match"`
}

// SkillMatch tells which domain of the pack matched, and how.
type SkillMatch struct {
	Pattern string `json:"pattern"`
	Kind    string `json:"kind"`
}

type skillsForURLParams struct {
	URL string `json:"url" doc:"a URL or host name"`
}

// SkillsResult is the result of skillsForUrl.
type SkillsResult struct {
	Generation uint64       `json:"generation"`
	Skills     []SkillEntry `json:"skills"`
}

func skillsForURL(_ context.Context, sc *Scope, p skillsForURLParams) (SkillsResult, error) {
	catalog := sc.svc.store().Catalog()
	_, matches := catalog.Lookup(p.URL)
	result := SkillsResult{Generation: catalog.Generation(), Skills: make([]SkillEntry, 0, len(matches))}
	for _, m := range matches {
		result.Skills = append(result.Skills, entryOf(m))
	}
	return result, nil
}

func entryOf(m skills.Match) SkillEntry {
	pack := m.Pack
	notes := make([]string, 0, len(pack.Notes))
	for _, n := range pack.Notes {
		notes = append(notes, n.File)
	}
	return SkillEntry{
		ID: pack.ID, Name: pack.Name, Path: pack.Dir, Root: pack.Root, Domains: pack.Domains,
		Notes: notes, NodeTools: pack.RawNodeTools, BrowserTools: pack.RawBrowserTools,
		Cost: pack.Cost, Match: SkillMatch{Pattern: m.Pattern, Kind: string(m.Kind)},
	}
}

type learnContextParams struct {
	URL      string   `json:"url,omitempty" doc:"a URL or host name; the current page of the space when left out"`
	Space    SpaceRef `json:"space,omitempty" doc:"name or number of the task space whose page is meant"`
	MaxChars int      `json:"maxChars,omitempty" doc:"the most characters of notes and tools in all; what is left out is named in omitted; 0 means no limit"`
	Known    []string `json:"knownHashes,omitempty" doc:"hashes of notes that the caller has: they come without content"`
}

func (p learnContextParams) taskSpace() (SpaceRef, bool) { return p.Space, p.URL == "" }

// LearnedContext is what is known about a site.
type LearnedContext struct {
	Generation uint64        `json:"generation"`
	Exists     bool          `json:"exists"`
	SiteID     *string       `json:"siteId"`
	SiteName   *string       `json:"siteName"`
	Domain     string        `json:"domain"`
	Knowledge  []Knowledge   `json:"knowledge"`
	Tools      []LearnedTool `json:"tools"`
	// Cost is what the dearest of the tools may start.
	Cost skills.Cost `json:"cost"`
	// Truncated is true when maxChars left something out, which Omitted names.
	Truncated bool      `json:"truncated,omitempty"`
	Omitted   []Omitted `json:"omitted,omitempty"`
	// OmittedMore is how many pieces were left out beyond those that Omitted names.
	OmittedMore int `json:"omittedMore,omitempty"`
}

// Knowledge is one note.
type Knowledge struct {
	// Path is the note's slash path in the pack.
	Path     string `json:"-"`
	SiteID   string `json:"siteId"`
	FileName string `json:"fileName"`
	Content  string `json:"content"`
	// Hash names the content as it is given here: that of a note that was cut is
	// not that of the whole note.
	Hash string `json:"hash"`
	// Unchanged is true for a note that the caller knows; its content is empty.
	Unchanged bool `json:"unchanged,omitempty"`
	// Truncated is true for a note that maxChars cut.
	Truncated bool `json:"truncated,omitempty"`
}

// LearnedTool is one tool with its declaration as the pack wrote it.
type LearnedTool struct {
	SiteID      string          `json:"siteId"`
	ToolName    string          `json:"toolName"`
	ToolType    string          `json:"toolType"`
	Description string          `json:"description"`
	Args        json.RawMessage `json:"args"`
	Returns     json.RawMessage `json:"returns"`
	Example     string          `json:"example"`
	// Cost is what running it may start: api or browser.
	Cost skills.Cost `json:"cost"`
}

func learnContext(ctx context.Context, sc *Scope, p learnContextParams) (LearnedContext, error) {
	if p.MaxChars < 0 {
		return LearnedContext{}, invalidParam("$.maxChars", "zero or more", "a negative number", "maxChars must not be negative")
	}
	url := p.URL
	if url == "" {
		page, err := sc.page(ctx)
		if err != nil {
			return LearnedContext{}, err
		}
		if url, err = page.URL(ctx); err != nil {
			return LearnedContext{}, err
		}
	}
	catalog := sc.svc.store().Catalog()
	host, matches := catalog.Lookup(url)
	result := LearnedContext{
		Generation: catalog.Generation(), Exists: len(matches) > 0, Domain: host,
		Knowledge: []Knowledge{}, Tools: []LearnedTool{}, Cost: skills.CostStatic,
	}
	if len(matches) > 0 {
		result.SiteID, result.SiteName = &matches[0].Pack.ID, &matches[0].Pack.Name
	}
	known := knownFrom(p.Known)
	for _, m := range matches {
		result.Cost = result.Cost.Or(m.Pack.Cost)
		for _, n := range m.Pack.Notes {
			note := Knowledge{Path: n.Path, SiteID: m.Pack.ID, FileName: path.Base(n.Path), Content: n.Content}
			result.Knowledge = append(result.Knowledge, known.skip(note, n.Hash))
		}
		for _, list := range [][]*skills.Tool{m.Pack.NodeTools, m.Pack.BrowserTools} {
			for _, t := range list {
				result.Tools = append(result.Tools, learnedTool(m.Pack, t))
			}
		}
	}
	if p.MaxChars > 0 {
		result.fit(p.MaxChars, known)
	}
	return result, nil
}

func learnedTool(pack *skills.Pack, t *skills.Tool) LearnedTool {
	args, returns := t.RawArgs, t.RawReturns
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if len(returns) == 0 {
		returns = json.RawMessage("null")
	}
	return LearnedTool{
		SiteID: pack.ID, ToolName: t.Name, ToolType: string(t.Kind), Description: t.Description,
		Args: args, Returns: returns, Example: exampleCall(pack.ID, t), Cost: t.Cost,
	}
}

// PackSummary is one row of listSkills.
type PackSummary struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Path         string   `json:"path"`
	Root         string   `json:"root"`
	Domains      []string `json:"domains"`
	Status       string   `json:"status"`
	NodeTools    []string `json:"nodeTools"`
	BrowserTools []string `json:"browserTools"`
	Diagnostics  int      `json:"diagnostics"`
	// Drift lists the tools that returned another type than they declare.
	Drift []ToolDrift `json:"drift,omitempty"`
}

// PackList is the result of listSkills.
type PackList struct {
	Generation uint64        `json:"generation"`
	Roots      []string      `json:"roots"`
	Skills     []PackSummary `json:"skills"`
}

func listSkills(_ context.Context, sc *Scope, _ struct{}) (PackList, error) {
	catalog := sc.svc.store().Catalog()
	list := PackList{Generation: catalog.Generation(), Roots: catalog.Roots(), Skills: []PackSummary{}}
	for _, pack := range catalog.Packs() {
		list.Skills = append(list.Skills, PackSummary{
			ID: pack.ID, Name: pack.Name, Path: pack.Dir, Root: pack.Root, Domains: pack.Domains,
			Status: string(pack.Status), NodeTools: toolNames(pack.NodeTools),
			BrowserTools: toolNames(pack.BrowserTools), Diagnostics: len(pack.Diagnostics), Drift: sc.svc.drift.of(pack),
		})
	}
	return list, nil
}

func toolNames(tools []*skills.Tool) []string {
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

// ReloadResult tells what a rescan changed.
type ReloadResult struct {
	Generation uint64   `json:"generation"`
	Added      []string `json:"added"`
	Updated    []string `json:"updated"`
	Removed    []string `json:"removed"`
}

func reloadSkills(ctx context.Context, sc *Scope, _ struct{}) (ReloadResult, error) {
	change, err := sc.svc.store().Reload(ctx)
	if err != nil {
		return ReloadResult{}, err
	}
	return ReloadResult{
		Generation: change.Generation, Added: list(change.Added), Updated: list(change.Updated), Removed: list(change.Removed),
	}, nil
}

// list makes an empty list of a nil one, so that JSON says [] and not null.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
