package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSnapshot(t *testing.T) {
	page, ctx := newTestPage(t, html(`<title>A page</title><h1>All <b>things</b></h1>
		<button id=inc aria-label="Increment counter">Click counter</button><button>Save</button><button>Twice</button><button>Twice</button>
		<label>Text input <input name=q value="typed &lt;b&gt;"></label><input type=checkbox aria-label=Agree checked disabled>
		<ul><li>one</li><li>two <a href="/two?x=1">link two</a></li></ul><p>para <i>graph</i></p><div><div></div></div>
		<p style="display:none">hidden words</p><script>var notThis</script><a data-testid=here href="/a">here</a>`))
	snap, err := page.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`- RootWebArea "A page" [url=`, `- heading "All things" [`, "level=1]", `  - button "Increment counter" [`, "loc=css:#inc", `- text "Click counter"`,
		`loc=role:button[name="Save"]`, `- text "Text input"`, `value="typed <b>"`, `- checkbox "Agree" [`, "checked, disabled]",
		`- listitem "one"`, `- link "link two" [`, "/two?x=1", `- paragraph "para graph"`, "loc=testid:here",
	} {
		if !strings.Contains(snap.Content, want) {
			t.Errorf("missing %s", want)
		}
	}
	_, body, _ := strings.Cut(snap.Content, "\n") // the first line has the address, which is the whole page here
	for _, not := range []string{"hidden words", "notThis", "generic", `Twice"]`, `text "All"`, `text "typed`} {
		if strings.Contains(body, not) {
			t.Errorf("it shows %s", not)
		}
	}
	if t.Failed() {
		t.Log(snap.Content)
	}
	for _, ref := range snap.Refs {
		sel := fmt.Sprintf("@%d", ref.BackendNodeID)
		if n, err := page.Locator(sel).Count(ctx); err != nil || n != 1 {
			t.Errorf("%s %s %q: %d, %v", sel, ref.Role, ref.Name, n, err)
		}
		if ref.Loc == "" {
			continue
		}
		same, err := page.Locator("loc="+ref.Loc).EvaluateAll(ctx, "(els) => els.length", nil)
		if err != nil || string(same) != "1" {
			t.Errorf("loc=%s finds %s, %v", ref.Loc, same, err)
		}
	}
}

func TestSnapshotScopes(t *testing.T) {
	page, ctx := newTestPage(t, html(`<h1>top</h1><div style="height:3000px"></div><section id=low><h2>bottom</h2><p>words</p></section>`))
	take := func(o SnapshotOptions) string {
		t.Helper()
		snap, err := page.Snapshot(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(snap.Content, "\n")
		if o.Scope == ScopeSubtree {
			body = snap.Content
		}
		return body
	}
	bare := SnapshotOptions{NoRefs: true, NoLocators: true}
	bare.Scope = ScopeViewport
	if got := take(bare); !strings.Contains(got, `heading "top"`) || strings.Contains(got, "bottom") || strings.Contains(got, "ref=") || strings.Contains(got, "loc=") {
		t.Errorf("viewport:\n%s", got)
	}
	bare.Scope, bare.Root = ScopeSubtree, "#low"
	if got, want := take(bare), "- heading \"bottom\" [level=2]\n- paragraph \"words\""; got != want {
		t.Errorf("subtree:\n%s\nwant\n%s", got, want)
	}
	whole, err := page.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	full := whole.Content
	cutShort, err := page.Snapshot(ctx, SnapshotOptions{MaxResultLength: len(full) - 5})
	if err != nil {
		t.Fatal(err)
	}
	cut := cutShort.Content
	if !strings.HasPrefix(full, cut[:strings.LastIndex(cut, "\n")]) || !strings.Contains(cut, "... 1 more lines, ") {
		t.Errorf("cut:\n%s", cut)
	}
	for _, bad := range []SnapshotOptions{{Scope: "page"}, {Scope: ScopeSubtree}, {Scope: ScopeSubtree, Root: "#none"}} {
		if _, err := page.Snapshot(ctx, bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

func TestSnapshotShowsFrames(t *testing.T) {
	page, ctx := newTestPage(t, framedPage())
	snap, err := page.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	clicked := 0
	for _, ref := range snap.Refs {
		if ref.Loc != "" {
			if n, err := page.Locator("loc=" + ref.Loc).Count(ctx); err != nil || n != 1 {
				t.Errorf("loc=%s finds %d, %v", ref.Loc, n, err)
			}
		}
		if ref.Role != "button" {
			continue
		}
		l := page.Locator(fmt.Sprintf("@%d", ref.BackendNodeID))
		if err := l.Click(ctx, ClickOptions{}); err != nil {
			t.Errorf("click in %q: %v", ref.Name, err)
		}
		v, err := l.Evaluate(ctx, "(el) => el.ownerDocument.title", nil, 0)
		if err != nil || string(v) != `"clicked true"` {
			t.Errorf("%q: %s, %v", ref.Name, v, err)
		}
		clicked++
	}
	if clicked != 2 {
		t.Errorf("%d buttons in frames:\n%s", clicked, snap.Content)
	}
}

// A subtree without locators is read by itself. It says what the whole page says there.
func TestSnapshotSubtreeAlone(t *testing.T) {
	for name, path := range map[string]string{
		"frames": framedPage(),
		"lists":  html(`<body><ul><li>one<li>two <a href=/x>link</a></ul><p hidden>no</p><div aria-hidden=true>no</div><dialog open><h2>Title</h2></dialog>`),
	} {
		t.Run(name, func(t *testing.T) {
			page, ctx := newTestPage(t, path)
			take := func(o SnapshotOptions) []string {
				o.NoLocators = true
				snap, err := page.Snapshot(ctx, o)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Split(snap.Content, "\n")
			}
			want := take(SnapshotOptions{})[1:] // without the line of the document
			for i := range want {
				want[i] = strings.TrimPrefix(want[i], "  ")
			}
			got := take(SnapshotOptions{Scope: ScopeSubtree, Root: "body"})
			if diff := cmp.Diff(want, got); diff != "" || len(want) < 3 {
				t.Errorf("-whole +subtree:\n%s", diff)
			}
		})
	}
}

// A ref whose node was replaced finds the first element with its role and name.
func TestStaleRefFallsBack(t *testing.T) {
	page, ctx := newTestPage(t, html(`<div id=box><button>Go</button></div>`))
	snap, err := page.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ref := ""
	for _, r := range snap.Refs {
		if r.Role == "button" {
			ref = fmt.Sprintf("ref=%d", r.BackendNodeID)
		}
	}
	if _, err := page.Evaluate(ctx, Script{Expression: `box.innerHTML = "<button onclick='document.title=1'>Go</button>"; 0`}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := page.Locator(ref).Click(ctx, ClickOptions{}); err != nil || time.Since(began) > 5*time.Second {
		t.Fatalf("%s: %v", ref, err)
	}
	if title, err := page.Title(ctx); err != nil || title != "1" {
		t.Errorf("title %q, %v", title, err)
	}
}

// BenchmarkSnapshot5000 takes snapshots of a page with 5,000 nodes. "whole" asks for
// the bare accessibility tree in turn and reports how many times longer the
// snapshot took: machines differ, and so do their loads.
func BenchmarkSnapshot5000(b *testing.B) {
	page, _ := newTestPage(b, html(`<main id=top><script>for (let i = 0; i < 1250; i++) document.write("<p><a href=/" + i + ">link " + i + "</a> text</p>")</script></main>
		<form id=form><input aria-label=Name><button>Send</button></form>`))
	take := func(b *testing.B, o SnapshotOptions) time.Duration {
		began := time.Now()
		if _, err := page.Snapshot(b.Context(), o); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	b.Run("whole", func(b *testing.B) {
		var bare, whole time.Duration
		for b.Loop() {
			whole += take(b, SnapshotOptions{})
			b.StopTimer()
			began := time.Now()
			if err := page.session.call(b.Context(), getFullAXTree{}, &rawAnswer{}); err != nil {
				b.Fatal(err)
			}
			bare += time.Since(began)
			b.StartTimer()
		}
		b.ReportMetric(float64(whole)/float64(bare), "times-bare")
	})
	for name, o := range map[string]SnapshotOptions{
		"viewport":            {Scope: ScopeViewport},
		"subtree":             {Scope: ScopeSubtree, Root: "#form"},
		"subtree-no-locators": {Scope: ScopeSubtree, Root: "#form", NoLocators: true},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				take(b, o)
			}
		})
	}
}

// rawAnswer leaves an answer unread.
type rawAnswer struct{}

func (*rawAnswer) readAnswer(json.RawMessage) error { return nil }

// A page that nests its elements without end gets a snapshot of its size, and not of
// the square of it.
func TestSnapshotOfADeepPage(t *testing.T) {
	const deep = 1000
	for _, role := range []string{"group", "generic"} {
		page, ctx := newTestPage(t, html("<p>x"))
		mustEvaluate(t, ctx, page, fmt.Sprintf(`{ let at = document.body; for (let i = 0; i < %d; i++) { const e = document.createElement("div");
			e.setAttribute("aria-label", "n" + i); e.setAttribute("role", %q); at.append(e); at = e; } at.append("the end"); } 0`, deep, role))
		s, err := page.Snapshot(ctx, SnapshotOptions{NoRefs: true, NoLocators: true})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(s.Content, "\n")
		last := lines[len(lines)-1]
		if len(lines) < deep || len(s.Content) > deep*(2*maxIndent+100) || !strings.Contains(s.Content, `"n999"`) || !strings.Contains(last, "the end") && !strings.Contains(last, "n999") {
			t.Errorf("%s: %d lines, %d bytes, the last is %q", role, len(lines), len(s.Content), last)
		}
		if indent := len(last) - len(strings.TrimLeft(last, " ")); indent != 2*maxIndent {
			t.Errorf("%s: the last line is indented by %d", role, indent)
		}
	}
}
