package browser

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Modifier bits of Chrome's input events.
const (
	modAlt     = 1
	modControl = 2
	modMeta    = 4
	modShift   = 8
)

var modifierBits = map[string]int{"Alt": modAlt, "Control": modControl, "Meta": modMeta, "Shift": modShift}

// keyEvent is Input.dispatchKeyEvent.
type keyEvent struct {
	Type           string   `json:"type"`
	Modifiers      int      `json:"modifiers"`
	Key            string   `json:"key,omitempty"`
	Code           string   `json:"code,omitempty"`
	Text           string   `json:"text,omitempty"`
	UnmodifiedText string   `json:"unmodifiedText,omitempty"`
	VirtualKeyCode int      `json:"windowsVirtualKeyCode,omitempty"`
	Location       int      `json:"location,omitempty"`
	IsKeypad       bool     `json:"isKeypad,omitempty"`
	AutoRepeat     bool     `json:"autoRepeat,omitempty"`
	Commands       []string `json:"commands,omitempty"`
}

func (keyEvent) ProtoReq() string { return "Input.dispatchKeyEvent" }

// parseCombo splits "Control+Shift+a" into modifiers and a key. A trailing plus is
// the plus key itself. ControlOrMeta is Meta on macOS and Control elsewhere.
func parseCombo(combo string) (modifiers []string, key string, err error) {
	parts := strings.Split(combo, "+")
	if strings.HasSuffix(combo, "+") && combo != "" {
		parts = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(combo, "+"), "+"), "+"), "+")
		if combo == "+" {
			parts = []string{"+"}
		}
	}
	for _, part := range parts[:len(parts)-1] {
		if part == "ControlOrMeta" {
			part = controlOrMeta()
		}
		if _, ok := modifierBits[part]; !ok {
			return nil, "", &PageError{
				Permanent: true, Reason: fmt.Sprintf("press: unknown key modifier %q in %q", part, combo),
				Hint: "modifiers are Alt, Control, Meta, Shift and ControlOrMeta",
			}
		}
		modifiers = append(modifiers, part)
	}
	key = parts[len(parts)-1]
	if key == "ControlOrMeta" {
		key = controlOrMeta()
	}
	if key == "" {
		return nil, "", &PageError{Permanent: true, Reason: fmt.Sprintf("press: no key in %q", combo), Hint: `give a key, e.g. "Enter" or "Control+a"`}
	}
	return modifiers, key, nil
}

func controlOrMeta() string {
	if runtime.GOOS == "darwin" {
		return "Meta"
	}
	return "Control"
}

// KeyPress presses and releases a key with its modifiers, e.g. "Enter" or
// "ControlOrMeta+a". delay is between press and release.
func (p *Page) KeyPress(ctx context.Context, combo string, delay time.Duration) error {
	return p.mouse(ctx, "keyboard.press", func() error { return p.pressCombo(ctx, combo, delay) })
}

func (p *Page) pressCombo(ctx context.Context, combo string, delay time.Duration) error {
	modifiers, key, err := parseCombo(combo)
	if err != nil {
		return err
	}
	known, ok := lookupKey(key)
	if !ok {
		if len([]rune(key)) == 1 && len(modifiers) == 0 {
			return p.insertText(ctx, key)
		}
		return unknownKey(key)
	}
	keys := make([]usKey, 0, len(modifiers)+1)
	for _, m := range modifiers {
		keys = append(keys, usKeys[m])
	}
	if err := p.holding(ctx, append(keys, known), func() error { return settle(ctx, delay) }); err != nil {
		return err
	}
	return p.afterInput(ctx)
}

// holding does something with keys held, and lets them go whatever came of it.
func (p *Page) holding(ctx context.Context, keys []usKey, do func() error) error {
	var err error
	held := 0
	for ; held < len(keys) && err == nil; held++ {
		err = p.keyDown(ctx, keys[held])
	}
	if err == nil {
		err = do()
	}
	for held--; held >= 0; held-- {
		err = errors.Join(err, p.keyUp(ctx, keys[held]))
	}
	return err
}

func unknownKey(key string) error {
	return &PageError{
		Permanent: true, Reason: fmt.Sprintf("press: unknown key %q", key),
		Hint: "keys are single characters or names like Enter, Tab, ArrowLeft, F5; for other text use keyboard.insertText",
	}
}

// KeyDown holds a key down until KeyUp; a modifier counts for what follows.
func (p *Page) KeyDown(ctx context.Context, key string) error {
	return p.oneKey(ctx, "keyboard.down", key, p.keyDown)
}

// KeyUp lets a key go.
func (p *Page) KeyUp(ctx context.Context, key string) error {
	return p.oneKey(ctx, "keyboard.up", key, p.keyUp)
}

func (p *Page) oneKey(ctx context.Context, op, key string, do func(context.Context, usKey) error) error {
	if key == "ControlOrMeta" {
		key = controlOrMeta()
	}
	known, ok := lookupKey(key)
	if !ok {
		return pageError(op, "", unknownKey(key))
	}
	return p.mouse(ctx, op, func() error { return do(ctx, known) })
}

func (p *Page) keyDown(ctx context.Context, k usKey) error {
	p.mu.Lock()
	p.input.modifiers |= modifierBits[k.key]
	mods := p.input.modifiers
	p.mu.Unlock()
	e := k.event(mods)
	e.Type = "rawKeyDown"
	if e.Text != "" {
		e.Type = "keyDown"
	}
	e.Commands = macCommands(k, mods)
	return p.dispatch(ctx, e)
}

func (p *Page) keyUp(ctx context.Context, k usKey) error {
	p.mu.Lock()
	p.input.modifiers &^= modifierBits[k.key]
	mods := p.input.modifiers
	p.mu.Unlock()
	e := k.event(mods)
	e.Type, e.Text, e.UnmodifiedText = "keyUp", "", ""
	return p.dispatch(ctx, e)
}

// macCommands are the edit commands that macOS takes from its menus, which a
// browser driven from outside does not have.
func macCommands(k usKey, mods int) []string {
	if runtime.GOOS != "darwin" || mods&modMeta == 0 {
		return nil
	}
	commands := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo"}
	if c, ok := commands[k.code]; ok {
		return []string{c}
	}
	return nil
}

// InsertText puts text in at the caret as one input, without key events.
func (p *Page) InsertText(ctx context.Context, text string) error {
	return p.mouse(ctx, "keyboard.insertText", func() error { return p.insertText(ctx, text) })
}

func (p *Page) insertText(ctx context.Context, text string) error {
	return p.dispatch(ctx, proto.InputInsertText{Text: text})
}

// deleteSelection presses Delete, whatever modifiers are held: editors that keep a
// document of their own learn from its events what to take out of it.
func (p *Page) deleteSelection(ctx context.Context) error {
	e := usKeys["Delete"].event(0)
	e.Type = "rawKeyDown"
	if err := p.dispatch(ctx, e); err != nil {
		return err
	}
	e.Type = "keyUp"
	return p.dispatch(ctx, e)
}

// Type presses the key of every character in turn; characters that the US layout
// lacks are inserted. delay is between two characters.
func (p *Page) Type(ctx context.Context, text string, delay time.Duration) error {
	return p.mouse(ctx, "keyboard.type", func() error { return p.typeText(ctx, text, delay) })
}

func (p *Page) typeText(ctx context.Context, text string, delay time.Duration) error {
	for i, r := range []rune(text) {
		if i > 0 {
			if err := settle(ctx, delay); err != nil {
				return err
			}
		}
		k, ok := lookupRune(r)
		var err error
		if !ok {
			err = p.insertText(ctx, string(r))
		} else if err = p.keyDown(ctx, k); err == nil {
			err = p.keyUp(ctx, k)
		}
		if err != nil {
			return err
		}
	}
	return p.afterInput(ctx)
}
