package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"egod/internal/ops"
	"egod/internal/wire"
)

// membersOf is the JSON object of a result, by member.
func membersOf(result any) (map[string]any, json.RawMessage, error) {
	raw, err := wire.Encode(result)
	if err != nil {
		return nil, nil, fmt.Errorf("the result has no JSON form: %w", err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, nil, fmt.Errorf("the result is no object: %w", err)
	}
	out := make(map[string]any, len(members)+1)
	for name, value := range members {
		out[name] = value
	}
	return out, raw, nil
}

// tellJSON tells a result as the JSON it is.
func tellJSON(out *outcome) (*reply, error) {
	members, raw, err := membersOf(out.results[0])
	if err != nil {
		return nil, err
	}
	text, _ := cutText(string(raw), "the structured content has all")
	return &reply{members: members, text: text, origin: PackOrigin("")}, nil
}

func tellDone(*outcome) (*reply, error) {
	return &reply{members: map[string]any{"done": true}, text: "done"}, nil
}

// tellRun tells what a tool of a pack returned.
func tellRun(out *outcome) (*reply, error) {
	result, ok := out.results[0].(ops.RunResult)
	if !ok {
		return nil, errors.New("a run has another result than runs have")
	}
	var siteID string
	if json.Unmarshal(out.args["siteId"], &siteID) != nil {
		return nil, errors.New("a run without a pack")
	}
	origin := PackOrigin(siteID)
	if result.Page != nil {
		origin.Source, origin.URL = SourcePage, result.Page.URL
	}
	return out.run(result, origin)
}

// run tells a value, with what was printed and warned of beside it.
func (out *outcome) run(result ops.RunResult, origin Origin) (*reply, error) {
	r := valueReply(result.Value, origin)
	value := result.Value
	result.Value = nil
	members, _, err := membersOf(result)
	if err != nil {
		return nil, err
	}
	delete(members, "value")
	for name, member := range members {
		r.members[name] = member
	}
	result.Value = value
	var lines []string
	for _, line := range result.Logs {
		lines = append(lines, line.Level+": "+line.Message)
	}
	printed := "console:\n" + strings.Join(lines, "\n")
	if len(lines) > 0 {
		if printed, _ = cutText(printed, "print less"); len(printed) < len("console:\n")+maxText {
			r.text += "\n" + printed
		}
	}
	for _, w := range result.Warnings {
		r.text += "\nwarning: " + w
	}
	return r, nil
}

func tellScript(out *outcome) (*reply, error) {
	result, ok := out.results[0].(ops.ScriptResult)
	if !ok {
		return nil, errors.New("a script has another result than scripts have")
	}
	r := valueReply(result.Value, PageOrigin(""))
	output, cut := cutText(result.Output, "print less")
	r.members["output"], r.members["durationMs"] = output, result.DurationMs
	if cut {
		r.members["truncated"] = true
	}
	switch {
	case output == "":
	case string(result.Value) == "null":
		r.text = strings.TrimSuffix(output, "\n")
	default:
		r.text = strings.TrimSuffix(output, "\n") + "\nvalue: " + r.text
	}
	return r, nil
}

// tab is a row of the result of browser.listTabs.
type tab struct {
	TargetID string `json:"targetId"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Active   bool   `json:"active"`
	Index    int    `json:"index"`
}

// read puts the JSON form of the result of a step into a value of ours.
func (out *outcome) read(index int, into any) error {
	raw, err := wire.Encode(out.results[index])
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		return fmt.Errorf("reading a result: %w", err)
	}
	return nil
}

// activeTab is the page that the last step found, the zero tab when it found none.
func (out *outcome) activeTab() tab {
	var tabs []tab
	if err := out.read(len(out.results)-1, &tabs); err != nil {
		out.server.Log.Warn("the page of a call is not known", "error", err.Error())
	}
	for _, one := range tabs {
		if one.Active {
			return one
		}
	}
	return tab{}
}

func tellOpened(out *outcome) (*reply, error) {
	var opened struct {
		Navigation struct{ ErrorText string }
		Loaded     *bool // of page.goto alone
	}
	if err := out.read(0, &opened); err != nil {
		return nil, err
	}
	page := out.activeTab()
	if reason := opened.Navigation.ErrorText; reason != "" {
		return nil, ops.Errorf(ops.KindPageError, "the page did not open: %s", reason).
			With("errorText", reason).WithHint("check the address, and whether the site can be reached from here")
	}
	loaded := opened.Loaded == nil || *opened.Loaded
	text := fmt.Sprintf("opened %s\ntitle: %s", page.URL, page.Title)
	if !loaded {
		text += "\nit had not loaded when time was up"
	}
	return &reply{
		members: map[string]any{"url": page.URL, "title": page.Title, "loaded": loaded},
		text:    text, origin: PageOrigin(page.URL),
	}, nil
}

func tellTabs(out *outcome) (*reply, error) {
	tabs := []tab{}
	if err := out.read(len(out.results)-1, &tabs); err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%d tabs", len(tabs))}
	for _, one := range tabs {
		mark := " "
		if one.Active {
			mark = "*"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %q", mark, one.TargetID, one.URL, one.Title))
	}
	text, _ := cutText(strings.Join(lines, "\n"), "close some")
	return &reply{members: map[string]any{"tabs": tabs}, text: text, origin: PageOrigin("")}, nil
}

func tellSnapshot(out *outcome) (*reply, error) {
	content, ok := out.results[0].(string)
	if !ok {
		return nil, errors.New("a snapshot is no text")
	}
	page := out.activeTab()
	if content == "" && page.URL == "" {
		return &reply{members: map[string]any{"content": "", "truncated": false}, text: "no page is open: open_page opens one"}, nil
	}
	// A snapshot that was cut says so in its last line, which is no node.
	last := content[strings.LastIndexByte(content, '\n')+1:]
	cut := strings.HasPrefix(last, "... ") && strings.HasSuffix(last, " more characters")
	text := content
	if cut {
		text += "\n[cut: pass root for a part of the page, or a larger maxResultLength]"
	}
	return &reply{
		members: map[string]any{"content": content, "truncated": cut, "url": page.URL, "title": page.Title},
		text:    text, origin: PageOrigin(page.URL),
	}, nil
}

// maxImage is how many bytes of an image are answered: what hosts take at most is
// five megabytes of base64.
const maxImage = 3 << 20

func tellScreenshot(out *outcome) (*reply, error) {
	path, ok := out.results[0].(string)
	if !ok {
		return nil, errors.New("a screenshot has no path")
	}
	image, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the screenshot: %w", err)
	}
	if err := os.Remove(path); err != nil {
		out.server.Log.Debug("a screenshot stays until egod ends", "error", err.Error())
	}
	if len(image) > maxImage {
		return nil, ops.Errorf(ops.KindLimitExceeded, "the image has %d bytes: at most %d are answered", len(image), maxImage).
			With("limit", "image").With("limitBytes", maxImage).
			WithHint("ask for type jpeg with a low quality, for an element, or without fullPage")
	}
	format, err := word(out.args, "type", "png", "jpeg", "webp")
	if err != nil {
		return nil, err
	}
	if format == "" {
		format = "png"
	}
	page := out.activeTab()
	return &reply{
		members: map[string]any{"mimeType": "image/" + format, "bytes": len(image), "url": page.URL},
		text:    "screenshot of " + page.URL, origin: PageOrigin(page.URL),
		image: &imageContent{"image", image, "image/" + format},
	}, nil
}

func tellEvaluated(out *outcome) (*reply, error) {
	value, ok := out.results[0].(json.RawMessage)
	if !ok {
		return nil, errors.New("a value has no JSON form")
	}
	return valueReply(value, PageOrigin(out.activeTab().URL)), nil
}

func tellWaited(out *outcome) (*reply, error) {
	met := true
	for _, result := range out.results {
		one, ok := result.(bool)
		if !ok {
			return nil, errors.New("a wait has neither come true nor timed out")
		}
		met = met && one
	}
	text := "met"
	if !met {
		text = "not met in time"
	}
	return &reply{members: map[string]any{"met": met}, text: text}, nil
}
