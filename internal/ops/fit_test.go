package ops

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"egod/internal/skills"
)

// learned is a context of two packs: a tool of 40 characters and a note of 60 for
// each, and a second note of 100 for the first.
func learned() *LearnedContext {
	tool := func(site string) LearnedTool {
		return LearnedTool{SiteID: site, ToolName: "find", ToolType: "node", Args: json.RawMessage(`{}`), Returns: json.RawMessage(`null`),
			Description: strings.Repeat("d", 20), Example: strings.Repeat("e", 10)}
	}
	return &LearnedContext{
		Tools: []LearnedTool{tool("near"), tool("far")},
		Knowledge: []Knowledge{
			knowledgeOf("near", "a.md", strings.Repeat("a", 60)), knowledgeOf("near", "b.md", strings.Repeat("b", 100)),
			knowledgeOf("far", "c.md", strings.Repeat("c", 60)),
		},
	}
}

func knowledgeOf(site, file, content string) Knowledge {
	return knownHashes(nil).skip(Knowledge{SiteID: site, FileName: file, Content: content}, skills.ContentHash(content))
}

func TestFitRanks(t *testing.T) {
	for _, c := range []struct {
		name    string
		limit   int
		tools   []string // sites
		notes   []string // file and characters
		omitted []Omitted
	}{
		{"all fits", 300, []string{"near", "far"}, []string{"a.md:60", "b.md:100", "c.md:60"}, nil},
		{"the last note is cut", 280, []string{"near", "far"}, []string{"a.md:60", "b.md:100", "c.md:40"},
			[]Omitted{{"", "far", "note", "c.md", 20}}},
		{"the last note goes", 240, []string{"near", "far"}, []string{"a.md:60", "b.md:100"},
			[]Omitted{{"", "far", "note", "c.md", 60}}},
		{"notes keep half", 100, []string{"near"}, []string{"a.md:60"},
			[]Omitted{{"", "far", "node", "find", 40}, {"", "near", "note", "b.md", 100}, {"", "far", "note", "c.md", 60}}},
		{"what tools leave is for notes", 70, nil, []string{"a.md:60", "b.md:10"},
			[]Omitted{{"", "near", "node", "find", 40}, {"", "far", "node", "find", 40}, {"", "near", "note", "b.md", 90}, {"", "far", "note", "c.md", 60}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := learned()
			got.fit(c.limit, nil)
			var tools, notes []string
			for _, tool := range got.Tools {
				tools = append(tools, tool.SiteID)
			}
			for _, n := range got.Knowledge {
				notes = append(notes, n.FileName+":"+strconv.Itoa(len(n.Content)))
			}
			if d := cmp.Diff(c.tools, tools); d != "" {
				t.Errorf("tools (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.notes, notes); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.omitted, got.Omitted); d != "" {
				t.Errorf("omitted (-want +got):\n%s", d)
			}
			if got.Truncated != (len(c.omitted) > 0) {
				t.Errorf("truncated is %v", got.Truncated)
			}
		})
	}
}

// What is left out is named, but not without end.
func TestFitNamesAFewOfMany(t *testing.T) {
	c := &LearnedContext{}
	for i := range maxOmitted + 7 {
		c.Knowledge = append(c.Knowledge, knowledgeOf("many", strconv.Itoa(i), "text"))
	}
	c.fit(1, nil)
	if len(c.Omitted) != maxOmitted || c.OmittedMore != 7 || c.Omitted[0].Name != "0" || !c.Truncated {
		t.Errorf("%d named, %d more", len(c.Omitted), c.OmittedMore)
	}
}

// A small room is for tools when they are all there is to give.
func TestFitGivesToolsWhatNotesDoNotNeed(t *testing.T) {
	c := learned()
	c.Knowledge = c.Knowledge[:1]
	c.Knowledge[0].Content = "short"
	c.fit(85, nil)
	if len(c.Tools) != 2 || c.Truncated {
		t.Errorf("%d tools, omitted %v", len(c.Tools), c.Omitted)
	}
}

// A caller that says each time what it knows gets all there is in the end.
func TestFitGoesOnWithWhatIsNotKnown(t *testing.T) {
	content := strings.Repeat("One line of it.\n", 20)
	known := knownHashes{}
	for round := range 10 {
		c := &LearnedContext{}
		for _, file := range []string{"a.md", "b.md", "c.md"} {
			text := file + "\n" + content
			c.Knowledge = append(c.Knowledge, known.skip(Knowledge{FileName: file, Content: text}, skills.ContentHash(text)))
		}
		c.fit(500, known)
		for _, n := range c.Knowledge {
			known[n.Hash] = true
		}
		if !c.Truncated && !slices.ContainsFunc(c.Knowledge, func(n Knowledge) bool { return !n.Unchanged }) {
			if round < 3 {
				t.Errorf("all known after %d rounds", round)
			}
			return
		}
	}
	t.Error("never all known")
}

func TestCutText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"before a heading", "intro line\n\n## One\ntext text\n|## Two\ntext", ""},
		{"a heading in a fence is none", "intro line\n\n```\n# comm|ent\n```\nmore", "intro line\n\n"},
		{"an early heading is not enough", "# T\nlong long long long long\nli|ne", "# T\nlong long long long long\n"},
		{"after a paragraph", "one two three four\n\nfive\nsix| seven", "one two three four\n\n"},
		{"after a word", "one two three four fi|ve", "one two three four "},
		{"at the end of a word", "one two three four| five", ""},
		{"between letters", "aaaaaaaaaaaa|aaaaa", ""},
		{"not inside a letter with a mark", "aaaaaaaaaaae|\u0301aaa", "aaaaaaaaaaa"},
		{"not inside a family", "aaaaa\U0001f469\u200d|\U0001f467 b", "aaaaa"},
		{"not inside a flag", "aaaaaaa\U0001f1e9|\U0001f1ea", "aaaaaaa"},
		{"not inside a line end", "aaaaaaa\r|\nb", "aaaaaaa"},
		{"nothing", "|abc", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after, _ := strings.Cut(c.text, "|")
			want := c.want
			if want == "" {
				want = before
			}
			if got := cutText(before+after, utf8.RuneCountInString(before)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzCutText(f *testing.F) {
	f.Add("# a\n\ntext\n```\n# b\n```\n", 10)
	f.Add("e\u0301\U0001f1e9\U0001f1ea", 3)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if !utf8.ValidString(text) || limit < 0 {
			return
		}
		got := cutText(text, limit)
		if !strings.HasPrefix(text, got) || utf8.RuneCountInString(got) > limit || !utf8.ValidString(got) {
			t.Errorf("cutText(%q, %d) = %q", text, limit, got)
		}
		if utf8.RuneCountInString(text) <= limit && got != text {
			t.Errorf("cutText(%q, %d) = %q although all of it fits", text, limit, got)
		}
	})
}
