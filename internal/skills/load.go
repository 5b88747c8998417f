package skills

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// loader reads packs. It keeps nothing between two of them and may be used by
// several goroutines at once.
type loader struct {
	limits Limits
	// watch is called with each directory before it is read, so that no change
	// between reading and watching is lost. It may be nil.
	watch func(real string)
	// cost is [Config.Cost]; it may be nil.
	cost func(*Tool, map[string]string) Cost
}

// loaded is what reading one pack directory gave.
type loaded struct {
	pack *Pack
	// ok says that the manifest could be used. Without it the pack is broken.
	ok bool
	// noManifest says that this is because there is none.
	noManifest bool
	// gone says that there is no such directory any more.
	gone bool
	seen seen
}

// packLoad is the state of loading one pack.
type packLoad struct {
	*loader
	root     *packRoot
	name     string // the directory's
	link     link   // how the directory is reached, when it is a link
	tree     tree
	findings findings
	walked   *walked
	manifest *manifest
	pack     *Pack
	// sourceBytes and noteBytes are what has been read, against PackBytes.
	sourceBytes, noteBytes int64
	// named are the notes that the manifest named so far, scanned the files that
	// were searched for refs.
	named      map[string]bool
	scanned    map[string]bool
	noManifest bool
}

// load reads one pack directory of an opened root. It never fails: what is wrong
// is in the pack's diagnostics.
func (l *loader) load(root *packRoot, name string) *loaded {
	p := &packLoad{loader: l, root: root, name: name, named: map[string]bool{}, scanned: map[string]bool{}, pack: &Pack{
		Dir: filepath.Join(root.root.Dir, name), Root: root.root.Dir, Files: map[string]string{},
		embedded:     root.root.FS != nil,
		RawNodeTools: json.RawMessage("{}"), RawBrowserTools: json.RawMessage("{}"),
	}}
	p.link = root.packLink(name)
	t, refused := root.openPack(name, p.link.path != "")
	if refused != nil {
		p.findings.add(*refused.code, manifestName, Range{}, refused.message, "")
		out := p.finish()
		out.gone = refused.missing
		return out
	}
	defer t.close()
	if p.link.path != "" && l.watch != nil {
		l.watch(filepath.Dir(p.link.target)) // a swap of the target shows there
	}
	p.tree = t
	p.walked = l.walk(t)
	p.readManifest()
	if p.manifest != nil {
		p.describe()
		p.notes()
		p.tools()
	}
	p.leftovers()
	return p.finish()
}

func (p *packLoad) readManifest() {
	raw, refused := p.tree.readFile(manifestName, p.limits.ManifestBytes, p.walked.regular(manifestName))
	switch {
	case refused == nil:
		p.manifest = parseManifest(p.name, raw, &p.findings)
	case refused.tooLarge:
		p.findings.add(codeManifestTooLarge, manifestName, Range{}, refused.message, "")
	case refused.missing:
		p.noManifest = true
		hint := ""
		if other, ok := p.walked.otherCase(manifestName); ok {
			hint = fmt.Sprintf("rename %s to %s", other, manifestName)
		}
		p.findings.add(codeManifestMissing, manifestName, Range{}, fmt.Sprintf("%s has no %s", p.name, manifestName), hint)
	case refused.code == &codeFileUnreadable:
		p.findings.add(codeManifestUnreadable, manifestName, Range{}, refused.message, "")
	default:
		p.findings.add(*refused.code, manifestName, Range{}, refused.message, "")
	}
}

// describe fills in what needs no other file.
func (p *packLoad) describe() {
	m := p.manifest
	p.pack.ID, p.pack.idAt = m.id, m.idAt
	p.pack.Name = cmp.Or(m.name, m.id)
	seen := map[string]string{}
	for _, d := range m.domains {
		pat, fault := parsePattern(d.text)
		if fault != nil {
			p.findings.add(*fault.code, manifestName, d.at, fault.message, fault.hint)
		}
		p.pack.Domains = append(p.pack.Domains, d.text)
		p.pack.patterns = append(p.pack.patterns, pat)
		if pat.host == "" {
			continue
		}
		key := string(pat.kind) + pat.host
		if first, ok := seen[key]; ok {
			p.findings.add(codeDomainDuplicate, manifestName, d.at, fmt.Sprintf("domain %q is the same as %q", d.text, first), "")
			continue
		}
		seen[key] = d.text
	}
}

// finish closes the pack: id, diagnostics, status, hashes.
func (p *packLoad) finish() *loaded {
	pack := p.pack
	if isBlank(pack.ID) {
		pack.ID = p.name
	}
	pack.Name = cmp.Or(pack.Name, pack.ID)
	pack.Diagnostics = p.findings.finish(pack.ID, p.uri)
	switch {
	case p.manifest == nil:
		pack.Status = StatusBroken
	case hasError(pack.Diagnostics):
		pack.Status = StatusDegraded
	default:
		pack.Status = StatusOK
	}
	if p.manifest != nil {
		pack.NodeTools, pack.BrowserTools = finishTools(p.manifest.node), finishTools(p.manifest.browser)
		pack.RawNodeTools, pack.RawBrowserTools = p.manifest.rawNode, p.manifest.rawBrowser
		if len(p.manifest.node) > 0 && p.manifest.node[0].shorthand {
			pack.RawNodeTools = rawShorthand(pack.NodeTools)
		}
		if len(p.manifest.browser) > 0 && p.manifest.browser[0].shorthand {
			pack.RawBrowserTools = rawShorthand(pack.BrowserTools)
		}
	}
	p.costs()
	hashPack(pack, p.manifest)
	out := &loaded{pack: pack, ok: p.manifest != nil, noManifest: p.noManifest}
	if p.walked != nil {
		out.seen = p.walked.seen
	}
	if p.link.path != "" {
		out.seen.links = append(out.seen.links, p.link)
	}
	return out
}

// costs says what the tools and the pack may start.
func (p *packLoad) costs() {
	p.pack.Cost = CostStatic
	for _, t := range slices.Concat(p.pack.NodeTools, p.pack.BrowserTools) {
		t.Cost = CostBrowser
		if p.cost != nil && t.Source != "" {
			t.Cost = p.cost(t, p.pack.Files)
		}
		p.pack.Cost = p.pack.Cost.Or(t.Cost)
	}
}

func finishTools(specs []*toolSpec) []*Tool {
	tools := make([]*Tool, len(specs))
	for i, s := range specs {
		t := s.Tool // a copy, so that the places in the manifest can go
		tools[i] = &t
	}
	return tools
}

// uri is the address of a file of the pack.
func (p *packLoad) uri(file string) string { return fileURIOf(p.pack, file) }

// cleanPath checks what holds for every path of a manifest: it must be relative,
// with slashes, and stay in the pack. The result is cleaned.
func cleanPath(p string) (string, string) {
	switch {
	case strings.ContainsRune(p, 0):
		return "", "must not have a NUL character"
	case strings.Contains(p, `\`):
		return "", "must be written with slashes, not backslashes"
	case strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' && isWordByte(p[0]):
		return "", "must be relative to the pack directory"
	}
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", "must stay inside the pack directory"
	}
	return clean, ""
}

// canonicalPath says whether a path is what every reader of the format takes: a
// file of one directory, without detours.
func canonicalPath(p, dir, ext string) bool {
	return path.Clean(p) == p && path.Dir(p) == dir && strings.HasSuffix(p, ext)
}

// productPath knows the layout of a later dialect: <product>/prompt.md and
// <product>/functions.js.
func productPath(p, base string) bool {
	dir, file := path.Split(p)
	return path.Clean(p) == p && file == base && strings.Count(dir, "/") == 1 && dir != "/"
}
