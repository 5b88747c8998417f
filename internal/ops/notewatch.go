package ops

import (
	"strings"

	"egod/internal/skills"
)

// NoteChange is what became of a note between two looks of a NoteWatch.
type NoteChange struct {
	NoteRef
	// Appeared and Gone notes change the list of notes; of the others the content
	// is another one.
	Appeared, Gone bool
}

// NoteWatch tells which notes changed since it was last asked. It belongs to one
// goroutine.
type NoteWatch struct {
	svc  *Service
	seen *skills.Catalog
}

// NewNoteWatch returns a watch that knows the notes of this moment.
func (s *Service) NewNoteWatch() *NoteWatch {
	return &NoteWatch{svc: s, seen: s.store().Catalog()}
}

// Changes returns what changed since the last call, by id of the pack. Packs that
// were not loaded again cost next to nothing.
func (w *NoteWatch) Changes() []NoteChange {
	now := w.svc.store().Catalog()
	before, after := w.seen.Packs(), now.Packs()
	w.seen = now
	var changes []NoteChange
	for len(before) > 0 || len(after) > 0 {
		var old, new *skills.Pack
		order := 0
		switch {
		case len(before) == 0:
			order = 1
		case len(after) == 0:
			order = -1
		default:
			order = strings.Compare(before[0].ID, after[0].ID)
		}
		if order <= 0 {
			old, before = before[0], before[1:]
		}
		if order >= 0 {
			new, after = after[0], after[1:]
		}
		if old != new {
			changes = appendNoteChanges(changes, old, new)
		}
	}
	return changes
}

// appendNoteChanges compares the notes of a pack, nil for one that is not there.
func appendNoteChanges(changes []NoteChange, old, new *skills.Pack) []NoteChange {
	hashes := map[string]string{}
	if old != nil {
		for _, n := range old.Notes {
			hashes[n.Path] = n.Hash
		}
	}
	if new != nil {
		for _, n := range new.Notes {
			hash, known := hashes[n.Path]
			delete(hashes, n.Path)
			if !known || hash != n.Hash {
				changes = append(changes, NoteChange{NoteRef: NoteRef{new.ID, n.Path}, Appeared: !known})
			}
		}
	}
	if old != nil {
		for _, n := range old.Notes {
			if _, gone := hashes[n.Path]; gone {
				changes = append(changes, NoteChange{NoteRef: NoteRef{old.ID, n.Path}, Gone: true})
			}
		}
	}
	return changes
}
