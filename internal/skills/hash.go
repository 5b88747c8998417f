package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// ContentHash is the content key of a text, 32 hexadecimal digits: the hash of a
// note is that of its content.
func ContentHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// hashPack fills in the hashes of a pack and its tools.
func hashPack(p *Pack, m *manifest) {
	files := make([]string, 0, len(p.Files))
	for file := range p.Files {
		files = append(files, file)
	}
	slices.Sort(files)
	all, shared := sha256.New(), sha256.New()
	if m != nil {
		io.WriteString(all, m.doc.text)
	}
	for _, n := range p.Notes {
		writeParts(all, n.Path, n.Hash)
	}
	apart := filesApart(p)
	for _, file := range files {
		sum := sha256.Sum256([]byte(p.Files[file]))
		writeParts(all, file, string(sum[:]))
		if !apart[file] {
			writeParts(shared, file, string(sum[:]))
		}
	}
	for _, d := range p.Diagnostics {
		writeParts(all, d.File, d.Code, d.Message)
	}
	p.Hash = hex.EncodeToString(all.Sum(nil)[:16])
	importable := string(shared.Sum(nil))
	for _, t := range p.NodeTools {
		t.Hash = ContentHash("node\x00" + t.Path + "\x00" + t.Callable + "\x00" + importable)
	}
	for _, t := range p.BrowserTools {
		t.Hash = ContentHash("browser\x00" + t.Path + "\x00" + t.Source)
	}
}

// filesApart are the files that no node tool imports as far as their text can
// tell: the manifest and the browser tools, unless a source mentions them. All
// other files count for every node tool, since this package does not follow
// imports.
func filesApart(p *Pack) map[string]bool {
	apart := map[string]bool{manifestName: true}
	for _, t := range p.BrowserTools {
		apart[t.Path] = true
	}
	for _, t := range p.NodeTools {
		delete(apart, t.Path)
	}
	for file, text := range p.Files {
		if apart[file] {
			continue
		}
		if strings.Contains(text, "manifest") || strings.Contains(text, "browser-tools") {
			return map[string]bool{}
		}
	}
	return apart
}

func writeParts(w io.Writer, parts ...string) {
	for _, s := range parts {
		_, _ = io.WriteString(w, s+"\x00") // a hash takes whatever it is given
	}
}
