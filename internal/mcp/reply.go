package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/ops"
	"egod/internal/wire"
)

// maxText is how many characters of text an answer has when the caller does not say
// otherwise. Hosts cut or refuse what is much longer, and some show the structured
// content beside it.
const maxText = 30_000

// outcome is what the steps of a call came to.
type outcome struct {
	server  *Server
	args    arguments
	results []any // nil for an optional step that failed
}

// reply is what a tool answers before it has the form of the protocol.
type reply struct {
	// members are those of structuredContent, beside the origin.
	members map[string]any
	// text is for the model. It is put behind a fence when it has an origin.
	text   string
	origin Origin
	// image stands before the text.
	image *imageContent
	// failed makes it a result that is an error.
	failed bool
}

// toolResult is the answer to tools/call. It is not the library's CallToolResult, which
// writes < and > in six characters each. The library completes that one where it calls
// tools itself; here they are called past it, and it completes this one for what is
// embedded: revisions of the protocol from 2026-07-28 on want the member resultType.
type toolResult struct {
	mcp.SubscriptionsListenResult
	Content           []any           `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"`
	IsError           bool            `json:"isError,omitempty"`
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type imageContent struct {
	Type     string `json:"type"`
	Data     []byte `json:"data"` // in base64
	MIMEType string `json:"mimeType"`
}

// result gives a reply the form of the protocol.
func (r *reply) result() (mcp.Result, error) {
	if r.origin.Source != "" {
		r.members["origin"] = r.origin
	}
	structured, err := wire.Encode(r.members)
	if err != nil {
		return nil, fmt.Errorf("the result has no JSON form: %w", err)
	}
	result := &toolResult{StructuredContent: structured, IsError: r.failed}
	result.Meta = mcp.Meta{} // null is none
	maps.Copy(result.Meta, r.origin.Meta())
	if r.image != nil {
		result.Content = append(result.Content, r.image)
	}
	result.Content = append(result.Content, textContent{"text", r.origin.Fence(r.text)})
	return result, nil
}

// cutText cuts a text at maxText characters, and says what is missing and what to do
// about it.
func cutText(text, advice string) (kept string, cut bool) {
	n := utf8.RuneCountInString(text)
	if n <= maxText {
		return text, false
	}
	end := 0
	for range maxText {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return fmt.Sprintf("%s\n[cut: %d of %d characters; %s]", text[:end], maxText, n, advice), true
}

// valueReply tells a value that a tool or a page returned. One that is too long is
// told as text that is cut, in the member valueText.
func valueReply(value json.RawMessage, origin Origin) *reply {
	text, cut := cutText(string(value), "return less, or a part at a time")
	r := &reply{members: map[string]any{"value": value}, text: text, origin: origin}
	if cut {
		r.members = map[string]any{"valueText": text, "truncated": true, "valueChars": utf8.RuneCount(value)}
	}
	return r
}

// asOps returns the error of package ops that err is.
func asOps(err error) (*ops.Error, bool) {
	var ours *ops.Error
	ok := errors.As(err, &ours)
	return ours, ok
}

// failed tells an error of a call of t as a result, for the model to act on. An
// error that nobody foresaw is one of the request.
func (s *Server) failed(t *tool, args arguments, err error) (mcp.Result, error) {
	ours, ok := asOps(err)
	if !ok || ours.Kind == ops.KindInternal || ours.Kind == ops.KindCancelled {
		return nil, err
	}
	detail := map[string]any{}
	for name, value := range ours.Data {
		detail[name] = value
	}
	detail["kind"], detail["message"] = ours.Kind, ours.Message
	detail["retryable"] = ours.Retryable || ours.Kind == ops.KindBusy
	hint := ours.Hint
	if ours.Data["policyEntry"] == nil { // the policy file has its own words
		hint = hostWords.Replace(hint)
	}
	if hint != "" {
		detail["hint"] = hint
	}
	r := &reply{members: map[string]any{"error": detail}, text: errorText(ours, hint), failed: true}
	if quotes(t, ours) {
		r.origin = t.origin
		if r.origin.Source == SourcePack && r.origin.SiteID == "" && ours.Kind != ops.KindSkillNotFound && args.has("siteId") {
			_ = json.Unmarshal(args["siteId"], &r.origin.SiteID) // it was a string, or no pack would be quoted
		}
	}
	return r.result()
}

// quotes reports whether an error of a call of t may have words of a page or a pack:
// what was thrown, and the names of a pack's tools, args and files, which may be any
// text.
func quotes(t *tool, e *ops.Error) bool {
	pack := t.origin.Source == SourcePack
	switch e.Kind {
	case ops.KindToolFailed, ops.KindPageError, ops.KindResultInvalid:
		return true
	case ops.KindInvalidParams:
		path, _ := e.Data["path"].(string)
		return pack && strings.HasPrefix(path, "$.args")
	case ops.KindBusy, ops.KindBrowserUnavailable, ops.KindBrowserGone:
		return false // about egod alone
	}
	return pack
}

// hostWords puts what a host can call where a hint names an operation.
var hostWords = strings.NewReplacer(
	"runBrowserTool", "run_browser_tool", "runTool", "run_tool", "learnContext", "learn_context", "skillsForUrl", "skills_for_url",
	"browser.listTabs", "tabs", "listSkills", "egod list", "validateSkills", "egod validate",
)

// errorText is an error in words: what happened, where in the pack, and what to do.
func errorText(e *ops.Error, hint string) string {
	lines := []string{string(e.Kind) + ": " + e.Message}
	if where := position(e.Data["error"]); where != "" {
		lines = append(lines, "at "+where)
	}
	for _, name := range []string{"path", "expected", "actual"} {
		if value, ok := e.Data[name]; ok {
			lines = append(lines, fmt.Sprintf("%s: %s", name, plainText(value)))
		}
	}
	for _, name := range []string{"near", "tools", "roots"} {
		if value, ok := e.Data[name]; ok && plainText(value) != "" {
			lines = append(lines, fmt.Sprintf("%s: %s", name, plainText(value)))
		}
	}
	if output, _ := e.Data["output"].(string); output != "" {
		kept, _ := cutText(output, "print less")
		lines = append(lines, "printed before:", kept)
	}
	if hint != "" {
		lines = append(lines, "hint: "+hint)
	}
	return strings.Join(lines, "\n")
}

// position is where in the pack something was thrown: file:line:column.
func position(thrown any) string {
	raw, err := json.Marshal(thrown)
	var at struct {
		File         string
		Line, Column int
	}
	if err != nil || json.Unmarshal(raw, &at) != nil || at.File == "" {
		return ""
	}
	if at.Line == 0 {
		return at.File
	}
	return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column)
}

// plainText is a member of an error's data in words: lists by commas.
func plainText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ", ")
	}
	raw, err := wire.Encode(value)
	if err != nil {
		return ""
	}
	return string(raw)
}
