package browser

import (
	"strconv"
	"strings"
)

// usKey is one key of the US keyboard, as the page sees it.
type usKey struct {
	key      string // KeyboardEvent.key
	code     string // KeyboardEvent.code
	vk       int    // Windows virtual key code, KeyboardEvent.keyCode
	text     string // what it types; empty for keys that type nothing
	shifted  string // what it types with Shift; empty: the same
	location int
}

// event is the key's event under modifiers. With Control, Alt or Meta nothing is typed.
func (k usKey) event(modifiers int) keyEvent {
	e := keyEvent{
		Modifiers: modifiers, Key: k.key, Code: k.code, VirtualKeyCode: k.vk, Text: k.text, UnmodifiedText: k.text,
		Location: k.location, IsKeypad: k.location == keypad,
	}
	if modifiers&modShift != 0 && k.shifted != "" {
		e.Key, e.Text, e.UnmodifiedText = k.shifted, k.shifted, k.shifted
	}
	if modifiers&(modControl|modAlt|modMeta) != 0 {
		e.Text, e.UnmodifiedText = "", ""
	}
	return e
}

// usKeys are the keys by the name press takes: names of KeyboardEvent.key for keys
// that type nothing, and the characters themselves.
var usKeys = makeUSKeys()

// Virtual key codes: https://learn.microsoft.com/windows/win32/inputdev/virtual-key-codes
func makeUSKeys() map[string]usKey {
	keys := map[string]usKey{
		"Enter": {key: "Enter", code: "Enter", vk: 13, text: "\r"}, "Tab": {key: "Tab", code: "Tab", vk: 9},
		"Backspace": {key: "Backspace", code: "Backspace", vk: 8}, "Escape": {key: "Escape", code: "Escape", vk: 27},
		"Delete": {key: "Delete", code: "Delete", vk: 46}, "Insert": {key: "Insert", code: "Insert", vk: 45},
		"Home": {key: "Home", code: "Home", vk: 36}, "End": {key: "End", code: "End", vk: 35},
		"PageUp": {key: "PageUp", code: "PageUp", vk: 33}, "PageDown": {key: "PageDown", code: "PageDown", vk: 34},
		"ArrowLeft": {key: "ArrowLeft", code: "ArrowLeft", vk: 37}, "ArrowUp": {key: "ArrowUp", code: "ArrowUp", vk: 38},
		"ArrowRight": {key: "ArrowRight", code: "ArrowRight", vk: 39}, "ArrowDown": {key: "ArrowDown", code: "ArrowDown", vk: 40},
		"Shift":    {key: "Shift", code: "ShiftLeft", vk: 16, location: 1},
		"Control":  {key: "Control", code: "ControlLeft", vk: 17, location: 1},
		"Alt":      {key: "Alt", code: "AltLeft", vk: 18, location: 1},
		"Meta":     {key: "Meta", code: "MetaLeft", vk: 91, location: 1},
		"CapsLock": {key: "CapsLock", code: "CapsLock", vk: 20}, "ContextMenu": {key: "ContextMenu", code: "ContextMenu", vk: 93},
		"PrintScreen": {key: "PrintScreen", code: "PrintScreen", vk: 44}, "Pause": {key: "Pause", code: "Pause", vk: 19},
		"NumLock": {key: "NumLock", code: "NumLock", vk: 144}, "ScrollLock": {key: "ScrollLock", code: "ScrollLock", vk: 145},
		"AltGraph": {key: "AltGraph", code: "AltRight", vk: 225, location: 2},
		" ":        {key: " ", code: "Space", vk: 32, text: " "}, "Space": {key: " ", code: "Space", vk: 32, text: " "},
	}
	for i := 1; i <= 12; i++ {
		name := "F" + strconv.Itoa(i)
		keys[name] = usKey{key: name, code: name, vk: 111 + i}
	}
	for c := 'a'; c <= 'z'; c++ {
		lower, upper := string(c), strings.ToUpper(string(c))
		k := usKey{key: lower, code: "Key" + upper, vk: int(c - 'a' + 'A'), text: lower, shifted: upper}
		keys[lower] = k
		k.key, k.text = upper, upper
		keys[upper] = k
	}
	const shiftedDigits = ")!@#$%^&*("
	for i := range 10 {
		addKey(keys, strconv.Itoa(i), shiftedDigits[i:i+1], "Digit"+strconv.Itoa(i), '0'+i)
	}
	for _, k := range []struct {
		plain, shifted, code string
		vk                   int
	}{
		{"`", "~", "Backquote", 192}, {"-", "_", "Minus", 189}, {"=", "+", "Equal", 187}, {"[", "{", "BracketLeft", 219},
		{"]", "}", "BracketRight", 221}, {"\\", "|", "Backslash", 220}, {";", ":", "Semicolon", 186}, {"'", "\"", "Quote", 222},
		{",", "<", "Comma", 188}, {".", ">", "Period", 190}, {"/", "?", "Slash", 191},
	} {
		addKey(keys, k.plain, k.shifted, k.code, k.vk)
	}
	return keys
}

// addCodes enters the keys that are called by their code: those there are twice, and
// the keypad. Its digits move the caret, as without NumLock.
func addCodes(codes map[string]usKey) {
	for _, k := range []struct {
		name string
		vk   int
	}{{"Shift", 16}, {"Control", 17}, {"Alt", 18}, {"Meta", 91}} {
		codes[k.name+"Left"] = usKey{key: k.name, code: k.name + "Left", vk: k.vk, location: 1}
		codes[k.name+"Right"] = usKey{key: k.name, code: k.name + "Right", vk: k.vk, location: 2}
	}
	moves := []string{"Insert", "End", "ArrowDown", "PageDown", "ArrowLeft", "Clear", "ArrowRight", "Home", "ArrowUp", "PageUp"}
	movesVK := []int{45, 35, 40, 34, 37, 12, 39, 36, 38, 33}
	for i, key := range moves {
		code := "Numpad" + strconv.Itoa(i)
		codes[code] = usKey{key: key, code: code, vk: movesVK[i], shifted: strconv.Itoa(i), location: keypad}
	}
	for _, k := range []struct {
		code, text string
		vk         int
	}{{"NumpadAdd", "+", 107}, {"NumpadSubtract", "-", 109}, {"NumpadMultiply", "*", 106}, {"NumpadDivide", "/", 111}} {
		codes[k.code] = usKey{key: k.text, code: k.code, vk: k.vk, text: k.text, location: keypad}
	}
	codes["NumpadDecimal"] = usKey{key: "Delete", code: "NumpadDecimal", vk: 46, shifted: ".", location: keypad}
	codes["NumpadEnter"] = usKey{key: "Enter", code: "NumpadEnter", vk: 13, text: "\r", location: keypad}
}

// keypad is KeyboardEvent.location of the keypad.
const keypad = 3

// addKey enters a key under both of its characters.
func addKey(keys map[string]usKey, plain, shifted, code string, vk int) {
	keys[plain] = usKey{key: plain, code: code, vk: vk, text: plain, shifted: shifted}
	keys[shifted] = usKey{key: shifted, code: code, vk: vk, text: shifted, shifted: shifted}
}

// usCodes are the keys that type by their code, such as KeyA and Digit1.
var usCodes = makeUSCodes()

func makeUSCodes() map[string]usKey {
	codes := make(map[string]usKey)
	for name, k := range usKeys {
		if k.text != "" && k.key == name && k.text != k.shifted {
			codes[k.code] = k
		}
	}
	addCodes(codes)
	return codes
}

// lookupKey finds a key by its name, its character or its code.
func lookupKey(name string) (usKey, bool) {
	k, ok := usKeys[name]
	if !ok {
		k, ok = usCodes[name]
	}
	return k, ok
}

// lookupRune is the key that types a character; a line end is Enter, a tab Tab.
func lookupRune(r rune) (usKey, bool) {
	switch r {
	case '\n', '\r':
		return usKeys["Enter"], true
	case '\t':
		return usKeys["Tab"], true
	}
	return lookupKey(string(r))
}
