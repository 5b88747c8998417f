package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// heard is what the page put into its list of events since it was asked last.
func heard(t *testing.T, ctx context.Context, p *Page) string {
	t.Helper()
	v, err := p.Evaluate(ctx, Script{Expression: "log.splice(0).join(' ')"})
	if err != nil {
		t.Fatal(err)
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

const listen = `<script>var log = []; for (const type of ["mousedown", "mouseup", "click", "keydown", "keyup", "dragstart", "drop", "dragend", "input", "focus"])
  document.addEventListener(type, (e) => log.push(type + "-" + (e.target.id || e.target.nodeName) + (e.shiftKey ? "-shift" : "")), true)</script>`

// TestFramesUnderTransforms clicks in frames that are scaled, rotated or zoomed, and
// compares boxes with where they are drawn.
func TestFramesUnderTransforms(t *testing.T) {
	const button = "<body style='margin:0'><button id=b style='margin:60px 80px;width:90px;height:40px' onclick='document.title=event.isTrusted'>B</button>"
	tests := []struct {
		name, style string
		want        *Box
	}{
		{"scale", "transform:scale(.5);transform-origin:0 0", &Box{52, 42, 45, 20}},
		{"scale property", "scale:.5;transform-origin:0 0", &Box{52, 42, 45, 20}},
		{"stretched", "transform:scale(.5,2);transform-origin:0 0", &Box{52, 144, 45, 80}},
		{"quarter turn", "transform:rotate(90deg);transform-origin:0 0;margin-left:300px", &Box{200, 96, 40, 90}},
		{"rotated", "transform:rotate(30deg);margin:80px", nil},
		{"rotate property", "rotate:-20deg;margin:80px", nil},
		{"zoomed", "zoom:.5", nil},
		{"in a scaled parent", "scale:1.2;transform:rotate(180deg) skewX(10deg);margin:80px", nil},
	}
	for _, origin := range []struct{ name, site string }{{"same process", ""}, {"own process", otherSite()}} {
		for _, tt := range tests {
			t.Run(origin.name+"/"+tt.name, func(t *testing.T) {
				page, ctx := newTestPage(t, html(fmt.Sprintf(`<style>body{margin:8px}iframe{border:5px solid;padding:3px;display:block}</style><iframe id=f style="width:300px;height:200px;%s" src="%s"></iframe>`,
					tt.style, origin.site+html(button))))
				b := page.Locator(FrameSelector("#f", "#b"))
				if err := b.Click(ctx, ClickOptions{Timeout: 5 * time.Second}); err != nil {
					t.Fatal(err)
				}
				if v, err := b.Evaluate(ctx, "() => document.title", nil, 0); err != nil || string(v) != `"true"` {
					t.Errorf("the click came as %s, %v", v, err)
				}
				box, err := b.BoundingBox(ctx, 0)
				if err != nil || box == nil {
					t.Fatal(box, err)
				}
				near := func(a, b float64) bool { return math.Abs(a-b) < 1 }
				if w := tt.want; w != nil && !(near(box.X, w.X) && near(box.Y, w.Y) && near(box.Width, w.Width) && near(box.Height, w.Height)) {
					t.Errorf("box %+v, want %+v", *box, *w)
				}
			})
		}
	}
}

const dragPage = listen + `<style>div{width:80px;height:60px;margin:5px;background:#ccc}</style>
<div id=a draggable=true ondragstart="event.dataTransfer.setData('text/plain','A')">a</div><div id=c>c</div><section style="position:relative">
<div id=covered>under</div><div id=cover style="position:absolute;top:0;left:0;margin:0;width:200px">over</div></section><div style="height:2500px"></div>
<div id=far ondragover="event.preventDefault()" ondrop="event.preventDefault();log.push('got-'+event.dataTransfer.getData('text/plain')+'-'+event.offsetX)">far</div>`

func TestDragToWhatIsFarAway(t *testing.T) {
	page, ctx := newTestPage(t, html(dragPage))
	for _, tt := range []struct {
		from, to string
		o        DragOptions
		want     string
	}{
		{"#a", "#far", DragOptions{}, "mousedown-a dragstart-a drop-far got-A-40 dragend-a"},
		{"#a", "#far", DragOptions{Source: &Point{70, 50}, Target: &Point{10, 10}}, "mousedown-a dragstart-a drop-far got-A-10 dragend-a"},
		{"#c", "#far", DragOptions{}, "mousedown-c mouseup-far click-BODY"},
		{"#a", "#far", DragOptions{Trial: true}, ""},
		{"#a", "#covered", DragOptions{}, "error: <div id=\"cover\"> covers the point"},
	} {
		err := page.Locator(tt.from).DragTo(ctx, page.Locator(tt.to), tt.o, time.Second)
		if got := heard(t, ctx, page); err == nil && got != tt.want {
			t.Errorf("%s to %s: %s, want %s", tt.from, tt.to, got, tt.want)
		}
		if err != nil && (!strings.HasPrefix(tt.want, "error: ") || !strings.Contains(err.Error(), tt.want[len("error: "):])) {
			t.Errorf("%s to %s: %v, want %s", tt.from, tt.to, err, tt.want)
		}
	}
}

const pointPage = listen + `<style>button{width:80px;height:30px}</style><button id=a>a</button><button id=clear style="opacity:0">c</button>
<button id=none style="pointer-events:none">n</button><div inert><button id=inert>i</button></div><div id=dc style="display:contents"><b>in contents</b></div>
<select id=s><option value=x>X<optgroup disabled><option value=z>Z</optgroup></select><div id=cb role=checkbox onclick="this.setAttribute('aria-checked','true')">q</div>
<label id=lab>wrapped <input type=checkbox id=in></label><div contenteditable id=host><p id=para>old</p></div>`

func TestPointing(t *testing.T) {
	page, ctx := newTestPage(t, html(pointPage))
	on := func(s string) *Locator { return page.Locator(s) }
	const short = 300 * time.Millisecond
	click := func(s string, o ClickOptions) func() error {
		o.Timeout = short
		return func() error { return on(s).Click(ctx, o) }
	}
	for _, tt := range []struct {
		name string
		do   func() error
		want string // what the page heard, or a part of the error
	}{
		{"modifiers", click("#a", ClickOptions{Modifiers: []string{"Shift"}}), "keydown-BODY-shift mousedown-a-shift focus-a mouseup-a-shift click-a-shift keyup-a"},
		{"none held afterwards", click("#a", ClickOptions{}), "mousedown-a focus-a mouseup-a click-a"},
		{"unknown modifier", click("#a", ClickOptions{Modifiers: []string{"Hyper"}}), "error: unknown key modifier Hyper"},
		{"trial", click("#a", ClickOptions{Trial: true}), ""},
		{"see-through", click("#clear", ClickOptions{}), "mousedown-clear focus-clear mouseup-clear click-clear"},
		{"no pointer events", click("#none", ClickOptions{}), `error: <button id="none"> takes no clicks (pointer-events: none)`},
		{"inert", click("#inert", ClickOptions{}), `error: <button id="inert"> is inert`},
		{"without a box of its own", click("#dc", ClickOptions{}), "mousedown-B mouseup-B click-B"},
		{"hover with a modifier", func() error { return on("#a").Hover(ctx, ClickOptions{Modifiers: []string{"Control"}}) }, "keydown-BODY keyup-BODY"},
		{"option of a disabled group", func() error {
			_, err := on("#s").SelectOption(ctx, []json.RawMessage{json.RawMessage(`"z"`)}, short)
			return err
		}, "error: is disabled"},
		{"select without focus", func() error {
			_, err := on("#s").SelectOption(ctx, []json.RawMessage{json.RawMessage(`"x"`)}, short)
			return err
		}, "input-s"},
		{"role without aria-checked", func() error { return on("#cb").SetChecked(ctx, true, ClickOptions{}) }, "mousedown-cb mouseup-cb click-cb"},
		{"label of a checkbox", func() error { return on("#lab").SetChecked(ctx, true, ClickOptions{}) }, "mousedown-in focus-in mouseup-in click-in input-in"},
		{"inside of an editable element", func() error { return on("#para").Fill(ctx, "new", FillOptions{}) }, "focus-host input-host"},
	} {
		err := tt.do()
		got := heard(t, ctx, page)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want && (err == nil || !strings.HasPrefix(tt.want, "error: ") || !strings.Contains(got, tt.want[len("error: "):])) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if _, err := page.Evaluate(ctx, Script{Expression: "document.activeElement.blur(), log.splice(0), 0"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestKeysByCode(t *testing.T) {
	page, ctx := newTestPage(t, html(`<input id=i autofocus><script>var log = []; i.onkeydown = (e) => log.push([e.key, e.code, e.location, e.keyCode].join())</script>`))
	for _, tt := range []struct{ key, want string }{
		{"ShiftRight", "Shift,ShiftRight,2,16"}, {"ControlLeft", "Control,ControlLeft,1,17"}, {"Numpad1", "End,Numpad1,3,35"},
		{"NumpadAdd", "+,NumpadAdd,3,107"}, {"NumpadEnter", "Enter,NumpadEnter,3,13"}, {"AltGraph", "AltGraph,AltRight,2,225"}, {"NumLock", "NumLock,NumLock,0,144"},
	} {
		if err := page.Locator("#i").Press(ctx, tt.key, 0, 0); err != nil {
			t.Errorf("%s: %v", tt.key, err)
		}
		if got := heard(t, ctx, page); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.key, got, tt.want)
		}
	}
	if v, err := page.Locator("#i").InputValue(ctx, 0); err != nil || v != "+" {
		t.Errorf("typed %q, %v", v, err)
	}
}
