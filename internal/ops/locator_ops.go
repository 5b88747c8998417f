package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"egod/internal/browser"
)

func locatorRows() []*Operation {
	rows := append(locatorReads(), locatorStates()...)
	rows = append(rows, locatorActions()...)
	return append(rows, pageShorthands(rows)...)
}

// selectorParams name the element of an operation.
type selectorParams struct {
	Selector string `json:"selector" doc:"what to find: CSS, xpath=..., or another form of docs/helpers.md"`
	inSpace
}

// timedParams are of operations that wait for their element.
type timedParams struct {
	selectorParams
	Timeout *Milliseconds `json:"timeout,omitempty" doc:"milliseconds to wait for the element; 10000 when left out"`
}

func (sc *Scope) locator(ctx context.Context, selector string) (*browser.Locator, error) {
	if strings.TrimSpace(selector) == "" {
		return nil, invalidParam("$.selector", "a selector", "an empty string", "a locator needs a non-empty selector")
	}
	page, err := sc.page(ctx)
	if err != nil {
		return nil, err
	}
	return page.Locator(selector), nil
}

// timeout is the time an operation may wait, as the browser takes it: what the
// call says, else what the run set with setDefaultTimeout, else 0 for the
// operation's own default. Zero on the wire means one look and no wait, which
// is negative there.
func (sc *Scope) timeout(asked *Milliseconds) time.Duration {
	if asked == nil {
		asked = sc.place.defaultTimeout()
	}
	return asked.orDefault()
}

// read makes a row that asks the element something, waiting for it.
func read[R any](name, doc string, method func(*browser.Locator, context.Context, time.Duration) (R, error)) *Operation {
	return define(spec{name: "locator." + name, doc: doc, js: args(options())},
		func(ctx context.Context, sc *Scope, p timedParams) (R, error) {
			locator, err := sc.locator(ctx, p.Selector)
			if err != nil {
				return *new(R), err
			}
			return method(locator, ctx, sc.timeout(p.Timeout))
		})
}

// ask makes a row that looks once.
func ask[R any](name, doc string, method func(*browser.Locator, context.Context) (R, error)) *Operation {
	return define(spec{name: "locator." + name, doc: doc, js: args()},
		func(ctx context.Context, sc *Scope, p selectorParams) (R, error) {
			locator, err := sc.locator(ctx, p.Selector)
			if err != nil {
				return *new(R), err
			}
			return method(locator, ctx)
		})
}

func locatorReads() []*Operation {
	return []*Operation{
		define(spec{
			name: "locator.evaluateAll", js: args(function("pageFunction"), value("arg")),
			doc: "Call a function in the page with all matching elements and an argument.",
		}, locatorEvaluateAll),
		define(spec{
			name: "locator.evaluate", js: args(function("pageFunction"), value("arg"), options()),
			doc: "Call a function in the page with the matching element and an argument.",
		}, locatorEvaluate),
		define(spec{
			name: "locator.getAttribute", js: args(value("name"), options()),
			doc: "Return an attribute of the matching element, or null when it has none.",
		}, locatorGetAttribute),
		read("textContent", "Return the text of the element, hidden parts included.", (*browser.Locator).TextContent),
		read("innerText", "Return the text of the element as it is rendered.", (*browser.Locator).InnerText),
		read("innerHTML", "Return the markup inside the element.", (*browser.Locator).InnerHTML),
		read("inputValue", "Return the value of an input, textarea or select.", (*browser.Locator).InputValue),
		read("isChecked", "Tell whether a checkbox or radio button is checked.", (*browser.Locator).IsChecked),
		read("boundingBox", "Return where the element is in the viewport, or null when it takes no space.", (*browser.Locator).BoundingBox),
	}
}

func locatorStates() []*Operation {
	return []*Operation{
		ask("count", "Count the matching elements.", (*browser.Locator).Count),
		ask("isVisible", "Tell whether the element takes space and is not hidden.", (*browser.Locator).IsVisible),
		ask("isHidden", "Tell whether the element is missing or not visible.", (*browser.Locator).IsHidden),
		ask("isEnabled", "Tell whether the element can be used.", (*browser.Locator).IsEnabled),
		ask("isDisabled", "Tell whether the element is missing or disabled.", (*browser.Locator).IsDisabled),
		ask("isEditable", "Tell whether text can be put into the element.", (*browser.Locator).IsEditable),
		ask("allInnerTexts", "Return the rendered texts of all matching elements.", (*browser.Locator).AllInnerTexts),
		ask("allTextContents", "Return the texts of all matching elements.", (*browser.Locator).AllTextContents),
		define(spec{
			name: "locator.waitFor", js: args(options()),
			doc: "Wait until the element is in a state; false when it is not in time.",
		}, pageWaitForSelector),
	}
}

type evaluateAllParams struct {
	selectorParams
	PageFunction string          `json:"pageFunction" doc:"source of a function that gets (elements, arg)"`
	Arg          json.RawMessage `json:"arg,omitempty" doc:"value passed to the function"`
	IsFunction   bool            `json:"isFunction,omitempty" doc:"pageFunction is a function; found out by itself when left out"`
}

func locatorEvaluateAll(ctx context.Context, sc *Scope, p evaluateAllParams) (json.RawMessage, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return sc.log.during(locator.Page(), func() (json.RawMessage, error) { return locator.EvaluateAll(ctx, p.PageFunction, p.Arg) })
}

type elementEvaluateParams struct {
	timedParams
	PageFunction string          `json:"pageFunction" doc:"source of a function that gets (element, arg)"`
	Arg          json.RawMessage `json:"arg,omitempty" doc:"value passed to the function"`
	IsFunction   bool            `json:"isFunction,omitempty" doc:"pageFunction is a function; found out by itself when left out"`
}

func locatorEvaluate(ctx context.Context, sc *Scope, p elementEvaluateParams) (json.RawMessage, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return sc.log.during(locator.Page(), func() (json.RawMessage, error) {
		return locator.Evaluate(ctx, p.PageFunction, p.Arg, sc.timeout(p.Timeout))
	})
}

type attributeParams struct {
	timedParams
	Name string `json:"name" doc:"name of the attribute"`
}

func locatorGetAttribute(ctx context.Context, sc *Scope, p attributeParams) (*string, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return locator.GetAttribute(ctx, p.Name, sc.timeout(p.Timeout))
}

// oneOrMore reads a value that may be given alone or in an array.
func oneOrMore(raw json.RawMessage) ([]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	if raw[0] != '[' {
		return []json.RawMessage{raw}, nil
	}
	var items []json.RawMessage
	return items, json.Unmarshal(raw, &items)
}

// shorthandNames are the locator operations that page offers with a selector as
// the first argument.
var shorthandNames = []string{
	"click", "dblclick", "hover", "fill", "press", "check", "uncheck", "selectOption", "focus", "setInputFiles",
	"textContent", "innerText", "inputValue", "getAttribute", "isVisible", "isEnabled", "isChecked",
}

// pageShorthands makes the rows of page from those of locator: the same
// operation under a second name.
func pageShorthands(locators []*Operation) []*Operation {
	byName := make(map[string]*Operation, len(locators))
	for _, row := range locators {
		byName[row.Name] = row
	}
	var rows []*Operation
	for _, name := range shorthandNames {
		row := *byName["locator."+name]
		row.Name, row.shortFor = "page."+name, "locator."+name
		row.JS = args(append([]Arg{selector("selector")}, row.JS.Args...)...)
		rows = append(rows, &row)
	}
	return rows
}
