package ops

import (
	"unicode/utf8"

	"egod/internal/skills"
)

// Omitted names something that maxChars left out of a LearnedContext.
type Omitted struct {
	// Path is a note's slash path in the pack.
	Path   string `json:"-"`
	SiteID string `json:"siteId"`
	// Kind is note, node or browser.
	Kind string `json:"kind"`
	// Name is the file name of a note or the name of a tool.
	Name string `json:"name"`
	// Chars is how many characters are missing: all of it, or the rest of a note
	// that was cut.
	Chars int `json:"chars"`
}

// maxOmitted bounds what is named of what was left out: names cost room too.
const maxOmitted = 100

// omit notes that something was left out. The first ones are those that rank highest.
func (c *LearnedContext) omit(o Omitted) {
	c.Truncated = true
	if len(c.Omitted) == maxOmitted {
		c.OmittedMore++
		return
	}
	c.Omitted = append(c.Omitted, o)
}

// fit leaves out tools and notes until the rest has at most limit characters
// (code points). What an agent can do with the site comes before what it can
// read about it, but half of the room is kept for notes when they need it. Within
// each kind the order is that of the answer: the most specific match first, the
// pack's own order within. Notes the caller knows take no room.
func (c *LearnedContext) fit(limit int, known knownHashes) {
	notes := 0
	for i := range c.Knowledge {
		notes += utf8.RuneCountInString(c.Knowledge[i].Content)
	}
	used := c.fitTools(max(limit/2, limit-notes))
	c.fitNotes(limit-used, known)
}

// fitTools leaves out the tools that do not fit, and returns what the others
// take. A tool is whole or not there: half a declaration cannot be called.
func (c *LearnedContext) fitTools(room int) (used int) {
	kept := c.Tools[:0]
	for _, t := range c.Tools {
		n := t.chars()
		if used+n > room {
			c.omit(Omitted{SiteID: t.SiteID, Kind: t.ToolType, Name: t.ToolName, Chars: n})
			continue
		}
		used += n
		kept = append(kept, t)
	}
	c.Tools = kept
	return used
}

// chars is the size of a tool in code points, without the JSON around it.
func (t *LearnedTool) chars() int {
	return utf8.RuneCountInString(t.ToolName) + utf8.RuneCountInString(t.Description) +
		utf8.RuneCount(t.Args) + utf8.RuneCount(t.Returns) + utf8.RuneCountInString(t.Example)
}

// fitNotes keeps notes while there is room, cuts the first one that passes it,
// and leaves out the rest.
func (c *LearnedContext) fitNotes(room int, known knownHashes) {
	kept := c.Knowledge[:0]
	for _, note := range c.Knowledge {
		n := utf8.RuneCountInString(note.Content)
		if n <= room {
			room -= n
			kept = append(kept, note)
			continue
		}
		part := cutText(note.Content, room)
		room = 0
		c.omit(Omitted{
			Path: note.Path, SiteID: note.SiteID, Kind: "note", Name: note.FileName, Chars: n - utf8.RuneCountInString(part),
		})
		if part != "" {
			note.Content, note.Truncated = part, true
			kept = append(kept, known.skip(note, skills.ContentHash(part)))
		}
	}
	c.Knowledge = kept
}

// knownHashes are the hashes of contents that the caller has.
type knownHashes map[string]bool

func knownFrom(hashes []string) knownHashes {
	if len(hashes) == 0 {
		return nil
	}
	known := make(knownHashes, len(hashes))
	for _, h := range hashes {
		known[h] = true
	}
	return known
}

// hashChars is how much of a content hash is told: enough to tell the versions
// of a note apart, at half of the tokens.
const hashChars = 16

// skip gives a note the hash of its content, and takes the content away when the
// caller has it.
func (known knownHashes) skip(note Knowledge, hash string) Knowledge {
	note.Hash = hash[:hashChars]
	if known[note.Hash] {
		note.Content, note.Unchanged = "", true
	}
	return note
}
