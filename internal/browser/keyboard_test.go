package browser

import (
	"strings"
	"testing"
)

func TestTypeEveryCharacter(t *testing.T) {
	page, ctx := newTestPage(t, html("<textarea id=a></textarea>"))
	text := "it's a.b-c (50%) #1 & \"two\" $3! AbC ~`@^*_+={}[]|\\:;<>?,/\nnew line ünï 京 😀"
	if err := page.Locator("#a").PressSequentially(ctx, text, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got, err := page.Locator("#a").InputValue(ctx, 0); err != nil || got != text {
		t.Errorf("got  %q, %v\nwant %q", got, err, text)
	}
}

func TestKeyEvents(t *testing.T) {
	page, ctx := newTestPage(t, html(`<input id=a value=abc><script>
		window.keys = []; for (const type of ["keydown", "keyup"]) addEventListener(type, (e) => keys.push([type, e.key, e.code, e.keyCode, e.shiftKey, e.ctrlKey].join(" ")))
	</script>`))
	take := func() string {
		v, err := page.Evaluate(ctx, Script{Function: `() => keys.splice(0).join("\n")`})
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, v).(string)
	}
	for combo, want := range map[string]string{
		"a":               "keydown a KeyA 65 false false\nkeyup a KeyA 65 false false",
		"F5":              "keydown F5 F5 116 false false\nkeyup F5 F5 116 false false",
		"Space":           "keydown   Space 32 false false\nkeyup   Space 32 false false",
		"Shift+b":         "keydown Shift ShiftLeft 16 true false\nkeydown B KeyB 66 true false\nkeyup B KeyB 66 true false\nkeyup Shift ShiftLeft 16 false false",
		".":               "keydown . Period 190 false false\nkeyup . Period 190 false false",
		"%":               "keydown % Digit5 53 false false\nkeyup % Digit5 53 false false",
		"Control+Shift++": "keydown Control ControlLeft 17 false true\nkeydown Shift ShiftLeft 16 true true\nkeydown + Equal 187 true true\nkeyup + Equal 187 true true\nkeyup Shift ShiftLeft 16 false true\nkeyup Control ControlLeft 17 false false",
	} {
		if err := page.KeyPress(ctx, combo, 0); err != nil {
			t.Errorf("%s: %v", combo, err)
		}
		if got := take(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", combo, got, want)
		}
	}
}

func TestEditingKeys(t *testing.T) {
	page, ctx := newTestPage(t, html(`<form onsubmit="document.title = 'sent'; return false"><input id=a value=hello><input id=b><button>go</button></form>`))
	a := page.Locator("#a")
	press := func(combos ...string) {
		t.Helper()
		for _, c := range combos {
			if err := a.Press(ctx, c, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(value string) {
		t.Helper()
		if got, err := a.InputValue(ctx, 0); err != nil || got != value {
			t.Fatalf("value %q, %v; want %q", got, err, value)
		}
	}
	press("End", "Backspace", "Backspace", "Backspace")
	want("he")
	press("Home", "Delete", "Shift+X")
	want("Xe")
	press("ControlOrMeta+a")
	if err := page.InsertText(ctx, "all new"); err != nil {
		t.Fatal(err)
	}
	want("all new")
	press("Enter")
	if title, err := page.Title(ctx); err != nil || title != "sent" {
		t.Errorf("Enter did not submit: %q, %v", title, err)
	}
	press("Tab")
	if v, err := page.Evaluate(ctx, Script{Expression: "document.activeElement.id"}); err != nil || string(v) != `"b"` {
		t.Errorf("Tab went to %s, %v", v, err)
	}
	if err := page.KeyDown(ctx, "Shift"); err != nil {
		t.Fatal(err)
	}
	if err := page.KeyPress(ctx, "q", 0); err != nil {
		t.Fatal(err)
	}
	if err := page.KeyUp(ctx, "Shift"); err != nil {
		t.Fatal(err)
	}
	if got, err := page.Locator("#b").InputValue(ctx, 0); err != nil || got != "Q" {
		t.Errorf("with Shift held: %q, %v", got, err)
	}
}

func TestParseCombo(t *testing.T) {
	tests := []struct{ combo, modifiers, key, err string }{
		{"a", "", "a", ""}, {"Control+a", "Control", "a", ""}, {"Control+Shift+ArrowUp", "Control,Shift", "ArrowUp", ""},
		{"+", "", "+", ""}, {"Shift++", "Shift", "+", ""}, {"ControlOrMeta+a", controlOrMeta(), "a", ""}, {"ControlOrMeta", "", controlOrMeta(), ""},
		{"Ctrl+a", "", "", "unknown key modifier"}, {"", "", "", "no key"}, {"a+b", "", "", "unknown key modifier"},
	}
	for _, tt := range tests {
		modifiers, key, err := parseCombo(tt.combo)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: %v", tt.combo, err)
			}
			continue
		}
		if err != nil || strings.Join(modifiers, ",") != tt.modifiers || key != tt.key {
			t.Errorf("%q: %v %q, %v", tt.combo, modifiers, key, err)
		}
	}
	page, ctx := newTestPage(t, "")
	for combo, want := range map[string]string{"F99": "unknown key", "Foo+a": "unknown key modifier", "Control+é": "unknown key"} {
		if err := page.KeyPress(ctx, combo, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", combo, err)
		}
	}
}
