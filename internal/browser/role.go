package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// roleQuery finds elements by role, name and state in the accessibility tree.
type roleQuery struct {
	Role          string
	Name          *TextPattern
	IncludeHidden bool
	States        map[string]string // checked, disabled, expanded, level, pressed, selected
}

var roleStates = map[string]bool{
	"checked": true, "disabled": true, "expanded": true, "level": true, "pressed": true, "selected": true,
}

// parseRole reads R[name=V][checked=true]...; V is a JSON string, a quoted or bare
// text (all exact), or an object {regex,flags} or {text,exact}.
func parseRole(value string) (*roleQuery, error) {
	role, rest, _ := strings.Cut(value, "[")
	q := &roleQuery{Role: strings.TrimSpace(role), States: map[string]string{}}
	if q.Role == "" {
		return nil, fmt.Errorf("the role is missing")
	}
	if rest != "" {
		rest = "[" + rest
	}
	for rest != "" {
		key, val, tail, err := cutOption(rest)
		if err != nil {
			return nil, err
		}
		rest = strings.TrimSpace(tail)
		if err := q.set(key, val); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *roleQuery) set(key, val string) error {
	switch {
	case key == "name":
		m, err := parseMatch(val)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(val, "{") {
			m.Exact = true
		}
		q.Name = m
	case key == "includeHidden":
		q.IncludeHidden = val == "true"
	case roleStates[key]:
		q.States[key] = val
	default:
		return fmt.Errorf("unknown role option %s", key)
	}
	return nil
}

// cutOption splits "[key=value]tail"; value may be quoted or a JSON object.
func cutOption(s string) (key, value, tail string, err error) {
	body := s[1:]
	key, body, ok := strings.Cut(body, "=")
	if s[0] != '[' || !ok {
		return "", "", "", fmt.Errorf("option %s is not [name=value]", s)
	}
	if strings.HasPrefix(body, `"`) || strings.HasPrefix(body, "{") {
		dec := json.NewDecoder(strings.NewReader(body))
		var raw json.RawMessage
		if dec.Decode(&raw) == nil {
			n := int(dec.InputOffset())
			if rest := body[n:]; strings.HasPrefix(rest, "]") {
				return key, body[:n], rest[1:], nil
			}
		}
	}
	end := strings.IndexByte(body, ']')
	if strings.HasPrefix(body, "'") {
		if i := strings.Index(body[1:], "']"); i >= 0 {
			end = i + 2
		}
	}
	if end < 0 {
		return "", "", "", fmt.Errorf("option %s is not closed", s)
	}
	return key, body[:end], body[end+1:], nil
}

// axAlias says under which other names Chrome's accessibility tree has elements of an
// ARIA role, and what CSS finds when there are any: each name costs a walk of the tree.
type axAlias struct {
	roles []string
	css   string
}

var axAliases = map[string]axAlias{
	"img":  {[]string{"image"}, "img,svg,[role]"},
	"math": {[]string{"MathMLMath"}, "math"},
	"textbox": {
		[]string{"Date", "DateTime", "InputTime", "ColorWell"},
		"input[type=date],input[type=datetime-local],input[type=month],input[type=week],input[type=time],input[type=color]",
	},
	"table": {[]string{"LayoutTable"}, bareTable},
	"row":   {[]string{"LayoutTableRow"}, bareTable},
	"cell":  {[]string{"LayoutTableCell"}, bareTable},
}

// bareTable finds what Chrome may take for a means of layout.
const bareTable = "table:not([role]):not(:has(th,caption))"

// axRoles are the names of a role to ask for on the page of a resolver.
func (r *resolver) axRoles(ctx context.Context, role string) ([]string, error) {
	roles := []string{role}
	alias, ok := axAliases[role]
	if !ok {
		return roles, nil
	}
	var n int
	err := r.page.askIn(ctx, r.world, &query{Kind: "css", Value: alias.css}, "egod.count(query)", &n)
	if n > 0 {
		roles = append(roles, alias.roles...)
	}
	return roles, err
}

// axMatches returns the backend node ids of the elements a role query finds below
// the document whose remote object is documentID, in document order for each of
// Chrome's names of the role.
func (r *resolver) axMatches(ctx context.Context, documentID string, q *roleQuery, roles []string) ([]int, error) {
	var res axNodes
	for _, role := range roles {
		if err := r.world.session.call(ctx, queryAXTree{ObjectID: documentID, Role: role}, &res); err != nil {
			return nil, err
		}
	}
	var ids []int
	names := []string{}
	for i := range res.nodes {
		if n := &res.nodes[i]; n.backendID != 0 && !n.ignored && q.inState(n) {
			ids, names = append(ids, n.backendID), append(names, squeeze(n.name))
		}
	}
	if q.Name == nil {
		return ids, nil
	}
	if q.Name.Regex != nil {
		return r.accepted(ctx, q.Name, ids, names)
	}
	return named(q.Name, ids, names), nil
}

// accepted keeps the ids whose name a regular expression of the page's engine meets.
func (r *resolver) accepted(ctx context.Context, pattern *TextPattern, ids []int, names []string) ([]int, error) {
	var fits []bool
	if err := r.page.askIn(ctx, r.world, nil, "egod.matching("+encode(pattern)+","+encode(names)+")", &fits); err != nil {
		return nil, err
	}
	var out []int
	for i, ok := range fits {
		if ok {
			out = append(out, ids[i])
		}
	}
	return out, nil
}

// named keeps the ids whose name is the wanted one; when there is none, and the
// pattern is not exact, those whose name has it in it. A name that is met exactly is
// what the caller means.
func named(pattern *TextPattern, ids []int, names []string) []int {
	want := squeeze(pattern.Text)
	var exact, loose []int
	for i, name := range names {
		switch {
		case name == want:
			exact = append(exact, ids[i])
		case !pattern.Exact && strings.Contains(strings.ToLower(name), strings.ToLower(want)):
			loose = append(loose, ids[i])
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return loose
}

// inState compares the asked states; one the element does not have counts as false,
// but for expanded: what cannot be opened is not closed.
func (q *roleQuery) inState(n *axNode) bool {
	for name, want := range q.States {
		got := n.property(name)
		if got == "" && name != "level" && name != "expanded" {
			got = "false"
		}
		if got != want {
			return false
		}
	}
	return true
}

// unseen are the characters that only say where a word may be broken.
var unseen = strings.NewReplacer("\u200b", "", "\u00ad", "")

// squeeze makes a text what is read of it, as the query script does.
func squeeze(s string) string { return strings.Join(strings.Fields(unseen.Replace(s)), " ") }
