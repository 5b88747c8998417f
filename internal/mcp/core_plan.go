package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	"egod/internal/ops"
)

// tabsOperation tells which page a call was about. It never starts Chrome.
const tabsOperation = "browser.listTabs"

// pageStep is the last step of tools whose answer says which page it is of.
func pageStep(args arguments) step {
	return step{op: tabsOperation, params: args.with("space"), optional: true}
}

// misused is an error about args that do not fit together.
func misused(path, hint, format string, values ...any) error {
	return ops.Errorf(ops.KindInvalidParams, format, values...).With("path", path).WithHint("%s", hint)
}

// word reads an arg that is one of a few words; empty when it was not given.
func word(args arguments, name string, words ...string) (string, error) {
	if !args.has(name) {
		return "", nil
	}
	var text string
	if json.Unmarshal(args[name], &text) == nil {
		for _, w := range words {
			if text == w {
				return w, nil
			}
		}
	}
	all := strings.Join(words, ", ")
	return "", ops.Errorf(ops.KindInvalidParams, "%s must be one of %s, got %s", name, all, args[name]).
		With("path", "$."+name).With("expected", "one of: "+all).With("actual", string(args[name]))
}

func encoded(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil { // strings and numbers always have a JSON form
		return json.RawMessage("null")
	}
	return raw
}

func planLearn(args arguments) ([]step, error) {
	params := args.with("url", "maxChars", "knownHashes", "space")
	if !args.has("maxChars") {
		params["maxChars"] = encoded(maxText)
	}
	return []step{{op: "learnContext", params: params}}, nil
}

func planOpen(args arguments) ([]step, error) {
	open := step{op: "page.goto", params: args.with("url", "waitUntil", "timeout", "space")}
	var newTab bool
	if args.has("newTab") && json.Unmarshal(args["newTab"], &newTab) != nil {
		return nil, ops.Errorf(ops.KindInvalidParams, "newTab must be a boolean, got %s", args["newTab"]).
			With("path", "$.newTab").With("expected", "a boolean").With("actual", string(args["newTab"]))
	}
	if newTab {
		if args.has("waitUntil") {
			return nil, misused("$.waitUntil", "leave waitUntil out", "a new tab is waited for until it has loaded")
		}
		open = step{op: "browser.openOrReuseTab", params: args.with("url", "timeout", "space")}
	}
	return []step{open, pageStep(args)}, nil
}

func planTabs(args arguments) ([]step, error) {
	action, err := word(args, "action", "list", "switch", "close")
	if err != nil {
		return nil, err
	}
	list := step{op: tabsOperation, params: args.with("space")}
	switch action {
	case "switch":
		return []step{{op: "browser.switchTab", params: args.with("target", "space")}, list}, nil
	case "close":
		return []step{{op: "browser.closeTab", params: args.with("target", "space")}, list}, nil
	}
	if args.has("target") {
		return nil, misused("$.target", `say what to do with it: action "switch" or "close"`, "target is of no use in a list")
	}
	return []step{list}, nil
}

func planSnapshot(args arguments) ([]step, error) {
	params := args.with("root", "maxResultLength", "space")
	if args.has("root") {
		params["scope"] = encoded("subtree")
	}
	if !args.has("maxResultLength") {
		params["maxResultLength"] = encoded(maxText)
	}
	return []step{{op: "page.snapshot", params: params}, pageStep(args)}, nil
}

func planScreenshot(args arguments) ([]step, error) {
	shot := step{op: "page.screenshot", params: args.with("fullPage", "type", "quality", "space")}
	if args.has("selector") {
		if args.has("fullPage") {
			return nil, misused("$.fullPage", "leave one of the two out", "fullPage and selector ask for different images")
		}
		shot = step{op: "locator.screenshot", params: args.with("selector", "type", "quality", "space")}
	}
	return []step{shot, pageStep(args)}, nil
}

func planEvaluate(args arguments) ([]step, error) {
	return []step{{op: "page.evaluate", params: args.with("pageFunction", "arg", "space")}, pageStep(args)}, nil
}

func planPress(args arguments) ([]step, error) {
	if args.has("selector") {
		return []step{{op: "page.press", params: args}}, nil
	}
	return []step{{op: "page.keyboard.press", params: args.with("key", "space")}}, nil
}

// waited are what wait_for can wait for, in the order in which it does.
var waited = []string{"url", "loadState", "selector", "text"}

func planWait(args arguments) ([]step, error) {
	var steps []step
	for _, name := range waited {
		if !args.has(name) {
			continue
		}
		params := args.with("timeout", "space")
		switch name {
		case "url":
			params["url"] = args["url"]
			steps = append(steps, step{op: "page.waitForURL", params: params})
		case "loadState":
			params["state"] = args["loadState"]
			steps = append(steps, step{op: "page.waitForLoadState", params: params})
		case "selector":
			params["selector"] = args["selector"]
		case "text":
			var text string
			if json.Unmarshal(args["text"], &text) != nil || strings.TrimSpace(text) == "" {
				return nil, ops.Errorf(ops.KindInvalidParams, "text must be a string that is not blank, got %s", args["text"]).
					With("path", "$.text").With("expected", "a string").With("actual", string(args["text"]))
			}
			params["selector"] = encoded("text=" + text)
		}
		if _, ok := params["selector"]; ok {
			if args.has("state") {
				params["state"] = args["state"]
			}
			steps = append(steps, step{op: "page.waitForSelector", params: params})
		}
	}
	if len(steps) == 0 {
		return nil, misused("$", fmt.Sprintf("name one of %s", strings.Join(waited, ", ")), "wait_for has nothing to wait for")
	}
	return steps, nil
}
