package ops

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egod/internal/skills"
)

// notesOn returns a service over a root with the files given by path below it. It
// looks at the root when it is told to.
func notesOn(t testing.TB, files map[string]string) (svc *Service, root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range files {
		saveFile(t, root, path, text)
	}
	store, err := skills.Open(t.Context(), skills.Config{Roots: []skills.Root{{Dir: root}}, Poll: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	svc = &Service{}
	svc.skills.Store(store)
	return svc, root
}

func saveFile(t testing.TB, root, path, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func manifestWith(id, domains, notes string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"domains":[%s],"notes":[%s]}`, id, strings.ToUpper(id), domains, notes)
}

// threePacks are a with two notes, b with none, and c with one.
func threePacks() map[string]string {
	return map[string]string{
		"a/manifest.json": manifestWith("a", `"a.test","*.shop.test"`, `"notes/z.md","notes/a.md"`),
		"a/notes/z.md":    "---\nx: y\n---\n\n## The **first** one ##\n", "a/notes/a.md": "#hash\nno title\n",
		"b/manifest.json": manifestWith("b", `"b.test","b.example:80","www.all.test"`, ``),
		"c/manifest.json": manifestWith("c", `"münchen.test"`, `"notes/c.md"`), "c/notes/c.md": "",
	}
}

func TestNotesAreListedInParts(t *testing.T) {
	svc, _ := notesOn(t, threePacks())
	for limit := 1; limit <= 4; limit++ {
		var got []string
		var mark NoteMark
		for more := true; more; {
			var notes []Note
			notes, mark, more = svc.Notes(mark, limit)
			for _, n := range notes {
				got = append(got, n.SiteID+" "+n.Path+" "+n.Title)
			}
			if len(notes) != limit && more {
				t.Errorf("%d notes of %d, and there are more", len(notes), limit)
			}
		}
		if d := cmp.Diff([]string{"a notes/z.md The **first** one ##", "a notes/a.md a.md", "c notes/c.md c.md"}, got); d != "" {
			t.Errorf("in parts of %d (-want +got):\n%s", limit, d)
		}
	}
}

func TestNotesGoOnWhereTheyWere(t *testing.T) {
	svc, _ := notesOn(t, threePacks())
	for _, c := range []struct {
		name string
		mark NoteMark
		want string
	}{
		{"the note is gone", NoteMark{NoteRef{"a", "notes/gone.md"}, 1}, "notes/a.md"},
		{"the pack is gone", NoteMark{NoteRef{"aa", "notes/z.md"}, 0}, "notes/c.md"},
		{"past the pack", NoteMark{NoteRef{"a", "notes/gone.md"}, 99}, "notes/c.md"},
		{"a hostile place", NoteMark{NoteRef{"a", "notes/gone.md"}, -5}, "notes/z.md"},
	} {
		notes, _, _ := svc.Notes(c.mark, 1)
		if len(notes) != 1 || notes[0].Path != c.want {
			t.Errorf("%s: %v, want %s", c.name, notes, c.want)
		}
	}
}

func TestNoteIsFoundOrSomethingNearIs(t *testing.T) {
	svc, _ := notesOn(t, threePacks())
	n, err := svc.Note(NoteRef{"a", "notes/z.md"})
	if err != nil || n.SiteName != "A" || !strings.Contains(n.Content, "first") || len(n.Hash) != hashChars {
		t.Errorf("%+v, %v", n, err)
	}
	for _, c := range []struct {
		ref           NoteRef
		message, hint string
	}{
		{NoteRef{"nobody", "notes/z.md"}, `there is no skill "nobody"`, "listSkills"},
		{NoteRef{"a", "notes/zz.md"}, `a has no note "notes/zz.md"`, `did you mean "notes/z.md"?`},
		{NoteRef{"a", "notes/../../c/notes/c.md"}, "a has no note", "its notes are notes/z.md, notes/a.md"},
		{NoteRef{"b", "notes/x.md"}, `b has no note "notes/x.md"`, "b has no notes"},
	} {
		_, err := svc.Note(c.ref)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%v: %v, want %q with hint %q", c.ref, err, c.message, c.hint)
		}
	}
}

func TestNoteWatch(t *testing.T) {
	svc, root := notesOn(t, threePacks())
	watch := svc.NewNoteWatch()
	look := func(want ...NoteChange) {
		t.Helper()
		if _, err := svc.store().Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, watch.Changes()); d != "" {
			t.Errorf("changes (-want +got):\n%s", d)
		}
	}
	look()
	saveFile(t, root, "a/notes/z.md", "another text")
	saveFile(t, root, "c/manifest.json", manifestWith("c", `"c.test"`, `"notes/c.md"`)) // its note is the same
	look(NoteChange{NoteRef: NoteRef{"a", "notes/z.md"}})
	saveFile(t, root, "b/notes/new.md", "new")
	saveFile(t, root, "b/manifest.json", manifestWith("b", `"b.test"`, `"notes/new.md"`))
	if err := os.RemoveAll(filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	look(NoteChange{NoteRef{"a", "notes/z.md"}, false, true}, NoteChange{NoteRef{"a", "notes/a.md"}, false, true},
		NoteChange{NoteRef{"b", "notes/new.md"}, true, false})
	look()
}

func TestComplete(t *testing.T) {
	svc, _ := notesOn(t, threePacks())
	for _, c := range []struct {
		name string
		got  Completion
		want []string
	}{
		{"sites", svc.CompleteSite("", 9), []string{"a", "b", "c"}},
		{"a site", svc.CompleteSite("B", 9), []string{"b"}},
		{"no site", svc.CompleteSite("zz", 9), []string{}},
		{"notes of a pack", svc.CompleteNote("a", "notes/", "", 9), []string{"a.md", "z.md"}},
		{"notes of all", svc.CompleteNote("", "", "c", 9), []string{"notes/c.md"}},
		{"notes of nobody", svc.CompleteNote("x", "", "", 9), []string{}},
		{"addresses", svc.CompleteURL("", 9), []string{"https://a.test/", "https://b.test/", "https://münchen.test/", "https://www.all.test/"}},
		{"an address of a scheme", svc.CompleteURL("http://b", 9), []string{"http://b.test/"}},
		{"a part of an address", svc.CompleteURL("all", 9), []string{"https://www.all.test/"}},
		{"a subdomain", svc.CompleteURL("my.sh", 9), []string{"https://my.shop.test/"}},
		{"past the host", svc.CompleteURL("https://a.test/x", 9), []string{}},
	} {
		if d := cmp.Diff(c.want, c.got.Values); d != "" || c.got.Total != len(c.want) {
			t.Errorf("%s: %d in all (-want +got):\n%s", c.name, c.got.Total, d)
		}
	}
	if got := svc.CompleteSite("", 2); len(got.Values) != 2 || got.Total != 3 {
		t.Errorf("a limit of 2 gives %+v", got)
	}
}

func TestCompletionRanks(t *testing.T) {
	for _, c := range []struct {
		typed, word string
		want        rank
	}{
		{"", "x", rankPrefix}, {"sea", "search-web", rankPrefix}, {"web", "search-web", rankWord}, {"ear", "search-web", rankInside},
		{"swb", "search-web", rankScatter}, {"bws", "search-web", rankNotThere}, {"search-web-x", "search-web", rankNotThere},
		{"b", "abb-b", rankWord}, {"é", "aé-é", rankWord}, {"éx", "é-x", rankScatter},
	} {
		if got := rankOf(c.typed, c.word); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.typed, c.word, got, c.want)
		}
	}
}
