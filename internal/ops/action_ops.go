package ops

import (
	"context"
	"encoding/json"
	"time"

	"egod/internal/browser"
)

func locatorActions() []*Operation {
	return []*Operation{
		pointerAction("click", "Click the element once it is visible, stable, enabled and not covered.", (*browser.Locator).Click),
		pointerAction("dblclick", "Click the element twice.", (*browser.Locator).Dblclick),
		pointerAction("hover", "Move the mouse over the element.", (*browser.Locator).Hover),
		pointerAction("check", "Check a checkbox or radio button.", setChecked(true)),
		pointerAction("uncheck", "Uncheck a checkbox.", setChecked(false)),
		define(spec{
			name: "locator.setChecked", js: args(value("checked"), options()),
			doc: "Check or uncheck a checkbox.",
		}, locatorSetChecked),
		define(spec{
			name: "locator.dragTo", js: args(selector("target"), options()),
			doc: "Drag the element onto another.",
		}, locatorDragTo),
		act("scrollIntoViewIfNeeded", "Scroll the element into view.", (*browser.Locator).ScrollIntoViewIfNeeded),
		act("focus", "Give the element the keyboard focus.", (*browser.Locator).Focus),
		act("blur", "Take the keyboard focus off the element.", (*browser.Locator).Blur),
		define(spec{
			name: "locator.fill", js: args(value("value"), options()),
			doc: "Replace the text of an input, textarea or contenteditable element.",
		}, locatorFill),
		act("clear", "Empty an input, textarea or contenteditable element.", clearField),
		define(spec{
			name: "locator.press", js: args(value("key"), options()),
			doc: "Focus the element and press a key or a combination such as Control+A.",
		}, locatorPress),
		define(spec{
			name: "locator.pressSequentially", js: args(value("text"), options()),
			doc: "Focus the element and type a text key by key.",
		}, locatorPressSequentially),
		define(spec{
			name: "locator.selectOption", js: args(value("values"), options()),
			doc: "Choose options of a select and return the chosen values.",
		}, locatorSelectOption),
		define(spec{
			name: "locator.setInputFiles", js: args(value("files"), options()),
			doc: "Give a file input the files at these paths.",
		}, locatorSetInputFiles),
		define(spec{
			name: "locator.dispatchEvent", js: args(value("type"), value("eventInit"), options()),
			doc: "Send a made-up event to the element.",
		}, locatorDispatchEvent),
	}
}

// pointParams is a point in CSS pixels.
type pointParams struct {
	X float64 `json:"x" doc:"CSS pixels from the left"`
	Y float64 `json:"y" doc:"CSS pixels from the top"`
}

type clickParams struct {
	timedParams
	Button     string       `json:"button,omitempty" doc:"left (default), right or middle"`
	ClickCount int          `json:"clickCount,omitempty" doc:"the count the page sees; 1 when left out"`
	Delay      Milliseconds `json:"delay,omitempty" doc:"milliseconds between press and release"`
	Position   *pointParams `json:"position,omitempty" doc:"where on the element, from its top left corner; its middle when left out"`
	Force      bool         `json:"force,omitempty" doc:"do not wait for the element to be ready"`
	Trial      bool         `json:"trial,omitempty" doc:"wait for the element to be ready, and do nothing"`
	Modifiers  []string     `json:"modifiers,omitempty" doc:"keys held meanwhile: Alt, Control, Meta, Shift, ControlOrMeta"`
	Label      string       `json:"label,omitempty" doc:"taken for the original's sake; it has no effect"`
}

func (sc *Scope) clickOptions(p clickParams) browser.ClickOptions {
	o := browser.ClickOptions{
		Button: p.Button, ClickCount: p.ClickCount, Delay: p.Delay.value(), Force: p.Force, Timeout: sc.timeout(p.Timeout),
		Trial: p.Trial, Modifiers: p.Modifiers, Position: p.Position.point(),
	}
	return o
}

func (p *pointParams) point() *browser.Point {
	if p == nil {
		return nil
	}
	return &browser.Point{X: p.X, Y: p.Y}
}

func pointerAction(name, doc string, method func(*browser.Locator, context.Context, browser.ClickOptions) error) *Operation {
	return define(spec{name: "locator." + name, doc: doc, js: args(options())},
		func(ctx context.Context, sc *Scope, p clickParams) (Nothing, error) {
			locator, err := sc.locator(ctx, p.Selector)
			if err != nil {
				return Nothing{}, err
			}
			return Nothing{}, method(locator, ctx, sc.clickOptions(p))
		})
}

func setChecked(checked bool) func(*browser.Locator, context.Context, browser.ClickOptions) error {
	return func(l *browser.Locator, ctx context.Context, o browser.ClickOptions) error {
		return l.SetChecked(ctx, checked, o)
	}
}

type setCheckedParams struct {
	clickParams
	Checked bool `json:"checked" doc:"whether it shall be checked"`
}

func locatorSetChecked(ctx context.Context, sc *Scope, p setCheckedParams) (Nothing, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.SetChecked(ctx, p.Checked, sc.clickOptions(p.clickParams))
}

// act makes a row that does one thing to the element, waiting for it.
func act(name, doc string, method func(*browser.Locator, context.Context, time.Duration) error) *Operation {
	return read(name, doc, func(l *browser.Locator, ctx context.Context, timeout time.Duration) (Nothing, error) {
		return Nothing{}, method(l, ctx, timeout)
	})
}

func clearField(l *browser.Locator, ctx context.Context, timeout time.Duration) error {
	return l.Fill(ctx, "", browser.FillOptions{Timeout: timeout})
}

type dragToParams struct {
	timedParams
	Target string       `json:"target" doc:"selector of the element to drop on"`
	Button string       `json:"button,omitempty" doc:"left (default), right or middle"`
	Delay  Milliseconds `json:"delay,omitempty" doc:"milliseconds after each move"`
	Source *pointParams `json:"sourcePosition,omitempty" doc:"where on the element, from its top left corner; its middle when left out"`
	Drop   *pointParams `json:"targetPosition,omitempty" doc:"where on the target, from its top left corner; its middle when left out"`
	Force  bool         `json:"force,omitempty" doc:"do not wait for the elements to be ready"`
	Trial  bool         `json:"trial,omitempty" doc:"wait for the elements to be ready, and do nothing"`
	Label  string       `json:"label,omitempty" doc:"taken for the original's sake; it has no effect"`
}

func locatorDragTo(ctx context.Context, sc *Scope, p dragToParams) (Nothing, error) {
	from, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	to, err := sc.locator(ctx, p.Target)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, from.DragTo(ctx, to, browser.DragOptions{
		Button: p.Button, Delay: p.Delay.value(), Source: p.Source.point(), Target: p.Drop.point(), Force: p.Force, Trial: p.Trial,
	}, sc.timeout(p.Timeout))
}

type fillParams struct {
	timedParams
	Value      string `json:"value" doc:"the text"`
	ClearFirst *bool  `json:"clearFirst,omitempty" doc:"false inserts at the caret; true when left out"`
}

func locatorFill(ctx context.Context, sc *Scope, p fillParams) (Nothing, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.Fill(ctx, p.Value, browser.FillOptions{
		Append: p.ClearFirst != nil && !*p.ClearFirst, Timeout: sc.timeout(p.Timeout),
	})
}

type pressParams struct {
	timedParams
	Key   string       `json:"key" doc:"a key, or keys joined by + with the modifiers first"`
	Delay Milliseconds `json:"delay,omitempty" doc:"milliseconds between down and up"`
}

func locatorPress(ctx context.Context, sc *Scope, p pressParams) (Nothing, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.Press(ctx, p.Key, p.Delay.value(), sc.timeout(p.Timeout))
}

type pressSequentiallyParams struct {
	timedParams
	Text  string       `json:"text" doc:"what to type"`
	Delay Milliseconds `json:"delay,omitempty" doc:"milliseconds between keys"`
}

func locatorPressSequentially(ctx context.Context, sc *Scope, p pressSequentiallyParams) (Nothing, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.PressSequentially(ctx, p.Text, p.Delay.value(), sc.timeout(p.Timeout))
}

type selectOptionParams struct {
	timedParams
	Values json.RawMessage `json:"values" doc:"a value, {value}, {label} or {index}, or an array of them"`
}

func locatorSelectOption(ctx context.Context, sc *Scope, p selectOptionParams) ([]string, error) {
	wanted, err := oneOrMore(p.Values)
	if err != nil {
		return nil, err
	}
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return nil, err
	}
	return locator.SelectOption(ctx, wanted, sc.timeout(p.Timeout))
}

type setInputFilesParams struct {
	timedParams
	Files json.RawMessage `json:"files" doc:"a path, or an array of paths, or the path of a directory for an input with webkitdirectory; they must lie below --allow-fs"`
}

func locatorSetInputFiles(ctx context.Context, sc *Scope, p setInputFilesParams) (Nothing, error) {
	items, err := oneOrMore(p.Files)
	if err != nil {
		return Nothing{}, err
	}
	paths := make([]string, len(items))
	for i, item := range items {
		if json.Unmarshal(item, &paths[i]) != nil {
			return Nothing{}, invalidParam("$.files", "a path or an array of paths", jsonType(item), "files must be paths")
		}
		if paths[i], err = sc.readable(paths[i]); err != nil {
			return Nothing{}, err
		}
	}
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.SetInputFiles(ctx, paths, sc.timeout(p.Timeout))
}

type dispatchEventParams struct {
	timedParams
	Type      string          `json:"type" doc:"type of the event, such as input"`
	EventInit json.RawMessage `json:"eventInit,omitempty" doc:"members of the event"`
}

func locatorDispatchEvent(ctx context.Context, sc *Scope, p dispatchEventParams) (Nothing, error) {
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, locator.DispatchEvent(ctx, p.Type, p.EventInit, sc.timeout(p.Timeout))
}
