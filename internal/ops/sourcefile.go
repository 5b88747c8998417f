package ops

import (
	"path"
	"slices"
	"strings"
)

// sourceFile is a file of a pack as tokens, with where its functions are.
type sourceFile struct {
	name   string
	tokens []token
	// partner is the index of the bracket that closes or opens each bracket, -1
	// for all else.
	partner []int
	// functions maps names to the first token of a parameter list: its
	// parenthesis, or the parameter of an arrow function without one. "default"
	// and the names that are exported under another are among them.
	functions map[string][]int
	// elsewhere maps names to those of other files that they stand for.
	elsewhere map[string]otherName
	// declares are the tokens that name a parameter.
	declares map[int]bool
	// indirect says that a parameter is to be had without its own name.
	indirect bool
}

type otherName struct{ file, name string }

// readSource takes a file apart; ok is false when it cannot be JavaScript.
func readSource(name, source string) (*sourceFile, bool) {
	tokens, ok := tokenize(source)
	if !ok {
		return nil, false
	}
	f := &sourceFile{
		name: name, tokens: tokens, partner: make([]int, len(tokens)),
		functions: map[string][]int{}, elsewhere: map[string]otherName{}, declares: map[int]bool{},
	}
	f.match()
	for i := range tokens {
		switch tokens[i].kind {
		case tokenPunct:
			f.list(i)
		case tokenName:
			f.indirect = f.indirect || tokens[i].text == "arguments" || tokens[i].text == "eval"
			f.arrow(i)
			f.named(i)
			f.clause(i)
		case tokenText:
		}
	}
	return f, true
}

// at is a token, an empty text outside the file.
func (f *sourceFile) at(i int) token {
	if i < 0 || i >= len(f.tokens) {
		return token{kind: tokenText}
	}
	return f.tokens[i]
}

// isName says whether there is a name there.
func (f *sourceFile) isName(i int) bool { return f.at(i).kind == tokenName }

func (f *sourceFile) match() {
	var open []int
	for i := range f.tokens {
		f.partner[i] = -1
		if f.tokens[i].kind != tokenPunct {
			continue
		}
		switch f.tokens[i].text[0] {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) > 0 {
				last := open[len(open)-1]
				f.partner[i], f.partner[last] = last, i
				open = open[:len(open)-1]
			}
		}
	}
}

// after is the index behind the bracket that closes the one at i, or past the end.
func (f *sourceFile) after(i int) int {
	if i < 0 || i >= len(f.tokens) || f.partner[i] < i {
		return len(f.tokens)
	}
	return f.partner[i] + 1
}

// arrow notes the parameter of an arrow function that has one without parentheses.
func (f *sourceFile) arrow(i int) {
	if f.at(i + 1).is("=>") {
		f.declares[i] = true
	}
}

// list notes the parameters when a parameter list begins at i.
func (f *sourceFile) list(i int) {
	if !f.at(i).is("(") || !f.isParameterList(i) {
		return
	}
	for p, end := i+1, f.after(i)-1; p < end; p = f.nextItem(p, end) {
		if f.isName(p) {
			f.declares[p] = true
		}
	}
}

func (f *sourceFile) isParameterList(i int) bool {
	before := i - 1
	if f.isName(before) && !f.at(before).is("function") {
		before--
	}
	if f.at(before).is("*") {
		before--
	}
	if f.at(before).is("function") {
		return true
	}
	switch next := f.at(f.after(i)); {
	case next.is("=>"):
		return true
	case next.is("{"): // a method, unless it is a statement
		return f.isName(i-1) && !f.at(i-1).oneOf("if", "for", "while", "switch", "catch", "with", "await")
	}
	return false
}

// nextItem is where the item behind the one at p begins, in a list up to end.
func (f *sourceFile) nextItem(p, end int) int {
	for p < end {
		switch {
		case f.at(p).is(","):
			return p + 1
		case f.partner[p] > p:
			p = f.partner[p] + 1
		default:
			p++
		}
	}
	return end
}

// named notes the name of a function that is declared or assigned at i.
func (f *sourceFile) named(i int) {
	t := f.at(i)
	switch {
	case t.is("function"):
		name := i + 1
		if f.at(name).is("*") {
			name++
		}
		if f.isName(name) && f.at(name+1).is("(") {
			f.add(f.at(name).text, name+1)
		}
	case t.is("default") && f.at(i-1).is("export"):
		f.value("default", i+1)
	case t.kind == tokenName && f.at(i+1).is("=") && !f.at(i+2).is("="):
		name := t.text
		if name == "exports" {
			name = "default"
		}
		f.value(name, i+2)
	}
}

func (f *sourceFile) add(name string, list int) {
	if !slices.Contains(f.functions[name], list) {
		f.functions[name] = append(f.functions[name], list)
	}
}

// value notes what a name stands for: the function that begins at i, or another
// name.
func (f *sourceFile) value(name string, i int) {
	if f.at(i).is("async") && !f.at(i+1).is("=>") {
		i++
	}
	switch {
	case f.at(i).is("function"):
		i++
		for f.at(i).is("*") || f.isName(i) {
			i++
		}
		if f.at(i).is("(") {
			f.add(name, i)
		}
	case f.at(i).is("(") && f.at(f.after(i)).is("=>"), f.isName(i) && f.at(i+1).is("=>"):
		f.add(name, i)
	case name == "default" && f.isName(i) && !f.at(i).is("class") && !f.at(i+1).oneOf("(", ".", "?."):
		f.elsewhere[name] = otherName{f.name, f.at(i).text}
	}
}

// clause notes the names of "export {a as b}", "export {a} from" and
// "import {a as b} from" when one of these stands at i.
func (f *sourceFile) clause(i int) {
	exports := f.at(i).is("export")
	if !exports && !f.at(i).is("import") {
		return
	}
	open := i + 1
	if !exports && f.isName(open) && f.at(open+1).is(",") {
		open += 2 // import a, {b} from
	}
	if !f.at(open).is("{") {
		return
	}
	end, file := f.after(open)-1, f.name
	if f.at(end + 1).is("from") {
		file = f.relative(f.at(end + 2).text)
	}
	for p := open + 1; p < end; p = f.nextItem(p, end) {
		there, here := f.at(p).text, f.at(p).text
		if f.at(p + 1).is("as") {
			here = f.at(p + 2).text
		}
		if here != there || file != f.name {
			f.elsewhere[here] = otherName{file, there}
		}
	}
}

// relative is the file that an import names, empty for what is none of the pack.
func (f *sourceFile) relative(quoted string) string {
	name := strings.Trim(quoted, `"'`)
	if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
		return ""
	}
	return path.Join(path.Dir(f.name), name)
}
