package ops

import (
	"fmt"
	"strings"
)

// helpTexts are the answers of help by name; "" is the overview.
func (t *Table) helpTexts() map[string]string {
	texts := make(map[string]string)
	var overview []string
	for _, f := range t.facades(typeWriter{}, inlineOptions) {
		overview = append(overview, f.Name+": "+f.Doc)
		lines := []string{f.Name + ": " + f.Doc}
		for _, m := range f.Members {
			lines = append(lines, "  "+m.Short+" - "+m.Doc)
			texts[m.Name] = m.help()
		}
		if _, isFunction := texts[f.Name]; !isFunction {
			texts[f.Name] = strings.Join(lines, "\n")
		}
	}
	overview = append(overview, `help("page") lists the functions of page, help("page.goto") tells all about one.`)
	texts[""] = strings.Join(overview, "\n\n")
	return texts
}

// help is the whole text about a function.
func (m *Member) help() string {
	var out strings.Builder
	for _, form := range m.Forms {
		out.WriteString(m.Name + form + "\n")
	}
	out.WriteString(m.Doc)
	for _, a := range m.Args {
		fmt.Fprintf(&out, "\n  %s - %s", a.Declaration(), a.Doc)
	}
	for _, o := range m.Options {
		fmt.Fprintf(&out, "\n  options.%s - %s", o.Declaration(), o.Doc)
	}
	return out.String()
}
