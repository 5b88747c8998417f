package runtime

import (
	"encoding/json"
	"regexp"
)

var (
	// usesHelper finds what a function may need of the bundler's helper block.
	usesHelper = regexp.MustCompile(`\b__[A-Za-z]+\b|\brequire\b`)
	// functionHead is how the text of a function, class or arrow function begins.
	functionHead = regexp.MustCompile(`^(async\b\s*)?(function\b|class\b|\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)`)
	// asyncMethod is a method whose name is async, which begins like an arrow function.
	asyncMethod = regexp.MustCompile(`^async\s*\([^()]*\)\s*\{`)
	methodHead  = regexp.MustCompile(`^(static\s+)?(async\s+(?:\*\s*)?|\*\s*|get\s+|set\s+)?(\[[^\]]*\]|#?[\p{L}_$][\p{L}\p{N}_$]*|"[^"]*"|'[^']*'|\d+)\s*\(`)
)

// hostSource is host.source: it makes of the text of a function an expression that
// a page can evaluate to the same function. The text carries the bundler's helpers
// when it uses them.
func (r *gojaRealm) hostSource(text string) string {
	text = methodText(text)
	if !usesHelper.MatchString(text) {
		return text
	}
	helpers := ""
	if r.task != nil {
		if prog, ok := r.task.program.(*gojaProgram); ok {
			helpers = prog.helpers
		}
	}
	// A page has no require; an import of a URL is what it can mean there, and
	// what that gives is the namespace already.
	return "(() => {\nconst require = (name) => import(name);\n" + helpers +
		"\nvar __toESM = (module) => module;\nreturn (" + text + "\n);\n})()"
}

// methodText makes an expression of the text of a method: "name(a) {}" is none,
// but it is one as a member of an object.
func methodText(text string) string {
	if functionHead.MatchString(text) && !asyncMethod.MatchString(text) {
		return text
	}
	m := methodHead.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	static, modifier, key := m[1], m[2], m[3]
	text = text[len(static):]
	switch key[0] {
	case '[':
		return "Object.values({" + text + "})[0]"
	case '#':
		text = modifier + text[len(modifier)+1:]
		key = key[1:]
	}
	if key[0] != '"' && key[0] != '\'' {
		raw, err := json.Marshal(key)
		if err != nil {
			return text
		}
		key = string(raw)
	}
	return "({" + text + "\n})[" + key + "]"
}
