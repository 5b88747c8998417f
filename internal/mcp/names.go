package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"egod/internal/ops"
)

const (
	// maxToolName is the longest name of a tool. Models take 64 characters at most,
	// and hosts put a prefix such as "mcp__egod__" before; other servers' names leave
	// room for longer ones.
	maxToolName = 64 - 16
	// hashLength is how many characters tell names apart that are no longer told apart
	// by what was kept of them.
	hashLength = 8
)

// packToolNames returns the names under which hosts see tools of packs, in order. A
// name is <site>__<tool> where both are fit for it. Where they are not, because of
// their characters, their length, or because another pair would have the same name,
// it ends with a hash of the pair. It depends on nothing but the pack, so that a name
// stays what it is when other packs come and go.
func packToolNames(tools []ops.PackTool) []string {
	type pair struct{ siteID, toolName string }
	seen := make(map[pair]bool, len(tools))
	names := make([]string, len(tools))
	for i, t := range tools {
		// A browser tool may have the name of a node tool, which comes before it.
		at := pair{t.SiteID, t.Name}
		names[i] = packToolName(t.SiteID, t.Name, seen[at])
		seen[at] = true
	}
	return names
}

// packToolName returns the name of one tool; second says that the pack has another
// tool with this name.
func packToolName(siteID, toolName string, second bool) string {
	plain := siteID + "__" + toolName
	name := fitName(plain)
	// "__" in either part could be read as the separator.
	ambiguous := second || siteID == "" || toolName == "" ||
		strings.Contains(siteID+"_", "__") || strings.Contains("_"+toolName, "__")
	if name == plain && len(name) <= maxToolName && !ambiguous && !endsLikeHash(name) {
		return name
	}
	pair := siteID + "\x00" + toolName
	if second {
		pair += "\x00second"
	}
	sum := sha256.Sum256([]byte(pair))
	hash := hex.EncodeToString(sum[:])[:hashLength]
	if len(name) > maxToolName-hashLength-1 {
		name = name[:maxToolName-hashLength-1]
	}
	return name + "_" + hash
}

// maxArgName is the longest name of an argument that Anthropic's models take.
const maxArgName = 64

// argNames returns the names under which hosts see the arguments of a tool, in order.
// Each is the declared one where that has nothing but letters of ASCII, digits and
// "_.-": a host whose model refuses a name cannot send its model anything any more, so
// that one argument would end the session (anthropics/claude-code #34771).
func argNames(args []ops.PackArg) []string {
	names := make([]string, len(args))
	taken := make(map[string]bool, len(args))
	for i, a := range args {
		if fitsArg(a.Name) {
			names[i], taken[a.Name] = a.Name, true
		}
	}
	for i, a := range args {
		if names[i] != "" {
			continue
		}
		fitted := fitName(a.Name)
		fitted = fitted[:min(len(fitted), maxArgName-hashLength)]
		names[i] = fitted
		for n := 2; names[i] == "" || taken[names[i]]; n++ {
			names[i] = fitted + "_" + strconv.Itoa(n)
		}
		taken[names[i]] = true
	}
	return names
}

// fitsArg reports whether a name of an argument may stay as it is.
func fitsArg(name string) bool {
	plain := strings.ReplaceAll(name, ".", "")
	return name != "" && len(name) <= maxArgName && fitName(plain) == plain
}

// fitName replaces what may not stand in a name.
func fitName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
}

// endsLikeHash reports whether a plain name could be mistaken for one with a hash.
func endsLikeHash(name string) bool {
	at := len(name) - hashLength - 1
	if at < 0 || name[at] != '_' {
		return false
	}
	_, err := hex.DecodeString(name[at+1:])
	return err == nil
}
