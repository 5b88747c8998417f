package ops

import (
	"path"
	"sort"
	"strings"

	"egod/internal/skills"
)

// NoteRef names a note of the index: the pack's id and the note's slash path in
// the pack.
type NoteRef struct {
	SiteID, Path string
}

// Note is a note of the index, with what a list shows of it.
type Note struct {
	NoteRef
	SiteName string
	Domains  []string
	// Title is the note's first heading, or its file name.
	Title string
	// Place is the note's place in its pack's own order, from 0.
	Place   int
	Content string
	Hash    string
}

// Note finds a note of the index in use. The error names what is near: ids of
// packs, or paths of notes in data.notes.
func (s *Service) Note(ref NoteRef) (Note, error) {
	pack, err := findPack(s.store().Catalog(), ref.SiteID)
	if err != nil {
		return Note{}, err
	}
	for i := range pack.Notes {
		if pack.Notes[i].Path == ref.Path {
			return noteOf(pack, i), nil
		}
	}
	var paths []string
	for i := range pack.Notes {
		paths = append(paths, pack.Notes[i].Path)
	}
	e := Errorf(KindInvalidParams, "%s has no note %q", pack.ID, ref.Path).With("siteId", pack.ID)
	if near := skills.Suggest(ref.Path, paths); len(near) > 0 {
		return Note{}, e.With("notes", near).WithHint("did you mean %q?", near[0])
	}
	if len(paths) == 0 {
		return Note{}, e.WithHint("%s has no notes", pack.ID)
	}
	return Note{}, e.With("notes", paths).WithHint("its notes are %s", strings.Join(paths, ", "))
}

func noteOf(pack *skills.Pack, i int) Note {
	n := &pack.Notes[i]
	return Note{
		NoteRef: NoteRef{pack.ID, n.Path}, SiteName: pack.Name, Domains: pack.Domains,
		Title: titleOf(n), Place: i, Content: n.Content, Hash: n.Hash[:hashChars],
	}
}

// titleLines is how far a title is looked for.
const titleLines = 20

// titleOf is the first heading of a note, or its file name.
func titleOf(n *skills.Note) string {
	lines := 0
	for line := range strings.Lines(n.Content) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' && strings.TrimSpace(title) != "" {
			return strings.TrimSpace(title)
		}
		if lines++; lines == titleLines {
			break
		}
	}
	return path.Base(n.Path)
}

// NoteMark is a place in the list of all notes: right after a note. The zero
// value is its beginning.
type NoteMark struct {
	NoteRef
	// Place is where in its pack the note was, should it be gone.
	Place int
}

// Notes lists notes of the index in use from a mark on, at most limit of them, by
// id of the pack and in the pack's own order. The mark that is returned is where
// the next ones begin; more says whether there are any. A list that is read in
// parts while packs change may lack a note that moved, and never one that did not.
func (s *Service) Notes(from NoteMark, limit int) (notes []Note, next NoteMark, more bool) {
	packs := s.store().Catalog().Packs()
	start := sort.Search(len(packs), func(i int) bool { return packs[i].ID >= from.SiteID })
	next = from
	for _, pack := range packs[start:] {
		begin := 0
		if pack.ID == from.SiteID {
			begin = placeAfter(pack, from)
		}
		for i := begin; i < len(pack.Notes); i++ {
			if len(notes) == limit {
				return notes, next, true
			}
			notes = append(notes, noteOf(pack, i))
			next = NoteMark{NoteRef{pack.ID, pack.Notes[i].Path}, i}
		}
	}
	return notes, next, false
}

// placeAfter is where in a pack the notes after a mark begin. When the note of
// the mark is gone, what followed it has taken its place.
func placeAfter(pack *skills.Pack, mark NoteMark) int {
	for i := range pack.Notes {
		if pack.Notes[i].Path == mark.Path {
			return i + 1
		}
	}
	return max(mark.Place, 0)
}
