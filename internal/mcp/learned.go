package mcp

import (
	"errors"
	"fmt"
	"strings"

	"egod/internal/ops"
)

// tellLearned tells what is known about a site.
func tellLearned(out *outcome) (*reply, error) {
	known, ok := out.results[0].(ops.LearnedContext)
	if !ok {
		return nil, errors.New("what is known has another form than it has")
	}
	members, _, err := membersOf(known)
	if err != nil {
		return nil, err
	}
	r := &reply{members: members, text: learnedText(known)}
	if known.Exists {
		r.origin = PackOrigin("")
		if known.SiteID != nil {
			r.origin.SiteID = *known.SiteID
		}
	}
	return r, nil
}

// learnedText is what is known about a site, for a model to read.
func learnedText(known ops.LearnedContext) string {
	if !known.Exists {
		return fmt.Sprintf("no skill pack knows %q", known.Domain)
	}
	var text strings.Builder
	for _, note := range known.Knowledge {
		fmt.Fprintf(&text, "## note %s/%s (hash %s)\n", note.SiteID, note.FileName, note.Hash)
		switch {
		case note.Unchanged:
			text.WriteString("unchanged: you have it\n")
		default:
			text.WriteString(strings.TrimSuffix(note.Content, "\n") + "\n")
		}
		if note.Truncated {
			text.WriteString("[cut: ask with a larger maxChars]\n")
		}
	}
	if len(known.Tools) > 0 {
		text.WriteString("## tools\n")
	}
	for i := range known.Tools {
		t := &known.Tools[i]
		fmt.Fprintf(&text, "- %s %s %s args %s: %s\n", runnerOf(t), t.SiteID, t.ToolName, t.Args, t.Description)
	}
	if known.Truncated {
		text.WriteString(leftOut(&known) + "[ask again with a larger maxChars, or with knownHashes of the notes you have]\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}
