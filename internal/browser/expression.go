package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// runExpression evaluates a script text and packs its value.
func (p *Page) runExpression(ctx context.Context, w *world, s Script) (json.RawMessage, error) {
	from := origin{source: s.Expression, name: sourceURL(s.Name)}
	res, err := p.evaluateScript(ctx, w, &from)
	if err != nil {
		return nil, err
	}
	if res.Exception != nil {
		return nil, p.thrownByScript(ctx, w, res.Exception, from)
	}
	return p.packResult(ctx, w, &res.Result, s.Arg, from)
}

// evaluateScript runs the text as it is. Chrome itself says when it has a return
// at its top level, before any of it ran: then it is run as a function's body.
func (p *Page) evaluateScript(ctx context.Context, w *world, from *origin) (*evaluated, error) {
	end := "\n//# sourceURL=" + from.name
	if isFunctionText(from.source) { // a declaration has no value; an expression has
		res, err := p.evaluateIn(ctx, w, "(\n"+trimStatementEnd(from.source)+"\n)"+end)
		if err != nil || !isSyntaxError(res.Exception) {
			from.shift = 1
			return res, err
		}
	}
	res, err := p.evaluateIn(ctx, w, from.source+end)
	if err != nil || !isTopLevelReturn(res.Exception) {
		return res, err
	}
	from.shift = 1
	return p.evaluateIn(ctx, w, "(function(){\n"+from.source+"\n})()"+end)
}

func trimStatementEnd(source string) string {
	return strings.TrimRight(source, " \t\r\n;")
}

// isSyntaxError reports whether the script did not parse; one thrown at run time has a stack.
func isSyntaxError(e *exceptionDetails) bool {
	return e != nil && e.Exception != nil && e.Exception.ClassName == "SyntaxError" && e.StackTrace == nil
}

func isTopLevelReturn(e *exceptionDetails) bool {
	return isSyntaxError(e) && strings.HasPrefix(e.Exception.Description, "SyntaxError: Illegal return statement")
}

// packResult turns the value of a script into tagged JSON, in the page when it is an object.
func (p *Page) packResult(ctx context.Context, w *world, v *remoteObject, arg json.RawMessage, from origin) (json.RawMessage, error) {
	switch v.Type {
	case "undefined":
		return json.RawMessage("null"), nil
	case "string", "boolean":
		return fitting(wellFormed(v.Value))
	case "number", "bigint":
		return packNumber(v)
	case "symbol":
		return nil, &ResultError{Path: "$", Reason: "a symbol has no JSON form"}
	case "object":
		if v.ObjectID == "" {
			return json.RawMessage("null"), nil
		}
	}
	defer releaseObject(w.session, v.ObjectID)
	if v.Type == "function" && !isTextOf(from.source, v.Description) {
		return json.RawMessage("{}"), nil
	}
	body := "return %s.success(this,false)"
	if v.Type == "function" {
		body = "return %s.invoke(this," + strings.ReplaceAll(argLiteral(arg), "%", "%%") + ",false)"
	}
	text, err := p.callOn(ctx, w, v.ObjectID, fmt.Sprintf(body, p.chrome.scripts.token))
	if err != nil {
		return nil, placeError(err, from)
	}
	o, err := decodeOutcome(text, from)
	return o.value, err
}

// packNumber tags what JSON cannot say.
func packNumber(v *remoteObject) (json.RawMessage, error) {
	if v.UnserializableValue == "" {
		return v.Value, nil
	}
	kind, text := "number", v.UnserializableValue
	if v.Type == "bigint" {
		kind, text = "bigint", strings.TrimSuffix(text, "n")
	}
	return json.Marshal(struct {
		Type  string `json:"$type"`
		Value string `json:"value"`
	}{kind, text})
}

// callFunctionParams is Runtime.callFunctionOn for a call on one object.
type callFunctionParams struct {
	FunctionDeclaration string         `json:"functionDeclaration"`
	ObjectID            string         `json:"objectId,omitempty"`
	ExecutionContextID  int            `json:"executionContextId,omitempty"`
	Arguments           []callArgument `json:"arguments,omitempty"`
	AwaitPromise        bool           `json:"awaitPromise,omitempty"`
}

type callArgument struct {
	Value    any    `json:"value,omitempty"`
	ObjectID string `json:"objectId,omitempty"`
}

func (callFunctionParams) ProtoReq() string { return "Runtime.callFunctionOn" }

// callOn runs a function body of ours with this bound to a remote object; it gives a string.
func (p *Page) callOn(ctx context.Context, w *world, objectID, body string) (string, error) {
	var res evaluated
	err := w.session.call(ctx, callFunctionParams{
		FunctionDeclaration: `function(){"use strict";` + body + `}`, ObjectID: objectID, AwaitPromise: true,
	}, &res)
	if err != nil {
		if ctx.Err() != nil {
			return "", p.abandon(w.session, err, aliveWithin)
		}
		return "", evaluationRefused(err)
	}
	if res.Exception != nil {
		return "", thrown(res.Exception)
	}
	text, err := res.Result.text()
	if err != nil {
		return "", fmt.Errorf("decoding the page's answer: %w", err)
	}
	return text, nil
}

// thrownByScript makes the error of an exception that left a script text. Errors
// and objects are read in the page; primitives came with the answer.
func (p *Page) thrownByScript(ctx context.Context, w *world, e *exceptionDetails, from origin) error {
	if isSyntaxError(e) || e.Exception == nil || e.Exception.ObjectID == "" {
		return placeError(thrown(e), from)
	}
	defer releaseObject(w.session, e.Exception.ObjectID)
	text, err := p.callOn(ctx, w, e.Exception.ObjectID, fmt.Sprintf("return %s.failure(this)", p.chrome.scripts.token))
	if err != nil {
		return err
	}
	_, err = decodeOutcome(text, from)
	var thrownErr *EvalError
	if ok := asEval(err, &thrownErr); ok && thrownErr.Line == 0 && e.url() == from.name {
		thrownErr.File, thrownErr.Line, thrownErr.Column = from.name, max(e.LineNumber+1-from.shift, 1), e.ColumnNumber+1
	}
	return err
}
