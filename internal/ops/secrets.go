package ops

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// Secrets hides the values of secrets in what egod says about its work: errors,
// console lines and the log. Values of tools are the client's own business and
// pass unchanged. A nil *Secrets hides nothing; it is safe for concurrent use.
type Secrets struct {
	replace *strings.Replacer
}

// NewSecrets hides the values, and the forms they take inside JSON, Go string
// literals, URLs and base64. Empty values are no secrets. Without any it returns
// nil.
func NewSecrets(values []string) *Secrets {
	var forms []string
	for _, value := range values {
		forms = append(forms, secretForms(value)...)
	}
	if len(forms) == 0 {
		return nil
	}
	// The longer one first: of a secret that begins with another one nothing may
	// be left.
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, Redacted)
	}
	return &Secrets{replace: strings.NewReplacer(pairs...)}
}

// secretForms lists the texts that give a value away.
func secretForms(value string) []string {
	if value == "" {
		return nil
	}
	quoted := strconv.Quote(value)
	forms := []string{
		value, quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value),
		base64.StdEncoding.EncodeToString([]byte(value)), base64.URLEncoding.EncodeToString([]byte(value)),
	}
	if text, err := json.Marshal(value); err == nil {
		forms = append(forms, string(text[1:len(text)-1]))
	}
	// A value of several lines is seldom shown whole.
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= longLine {
			forms = append(forms, line)
		}
	}
	return forms
}

// longLine is how long one line of a secret must be to be hidden by itself.
const longLine = 8

// Text returns text without the secrets.
func (s *Secrets) Text(text string) string {
	if s == nil {
		return text
	}
	return s.replace.Replace(text)
}

// hideError returns an error whose message, hint and data show no secret. The
// cause is kept for the log, which hides secrets by itself.
func (s *Secrets) hideError(err error) error {
	e, ok := err.(*Error) //nolint:errorlint // what wraps an *Error is no answer yet
	if s == nil || !ok {
		return err
	}
	hidden := *e
	hidden.Message, hidden.Hint = s.Text(e.Message), s.Text(e.Hint)
	if e.Data != nil {
		hidden.Data = make(map[string]any, len(e.Data))
		for name, value := range e.Data {
			hidden.Data[name] = s.hideValue(value)
		}
	}
	return &hidden
}

// hideValue returns the JSON form of a value without the secrets. JSON text is
// replaced as text: the forms of a secret never hold a quote or a bare
// backslash once encoded, so the text stays JSON.
func (s *Secrets) hideValue(value any) any {
	if text, ok := value.(string); ok {
		return s.Text(text)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return value // the face reports it
	}
	hidden := s.Text(string(raw))
	if hidden == string(raw) {
		return value
	}
	if !json.Valid([]byte(hidden)) {
		return Redacted
	}
	return json.RawMessage(hidden)
}

// hideLogs hides secrets in the console lines, warnings and dialogs of a result.
func (s *Secrets) hideLogs(result *RunResult) {
	if s == nil {
		return
	}
	s.hideLines(result.Logs)
	for i := range result.Warnings {
		result.Warnings[i] = s.Text(result.Warnings[i])
	}
	for i := range result.Dialogs {
		result.Dialogs[i].Message = s.Text(result.Dialogs[i].Message)
	}
}

// hideScript hides secrets in what a script printed.
func (s *Secrets) hideScript(result *ScriptResult) {
	s.hideLines(result.Logs)
	result.Output = s.Text(result.Output)
}

func (s *Secrets) hideLines(lines []LogLine) {
	for i := range lines {
		lines[i].Message = s.Text(lines[i].Message)
	}
}
