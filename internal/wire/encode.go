package wire

import (
	"bytes"
	"encoding/json"
	"strconv"

	"egod/internal/frame"
)

// Encode returns the JSON text of v on one line, as valid Unicode text. Unlike
// json.Marshal it leaves <, > and & alone: nobody embeds the wire in HTML.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return frame.ValidText(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// Answer is a result, one JSON text, or an error; neither is the result null.
type Answer struct {
	Result json.RawMessage
	Error  *Fault
}

// Fault is the error of an answer.
type Fault struct {
	Code    int64
	Message string
	Data    json.RawMessage // nil for none
}

// AppendAnswer appends the response to the request with the id text id, null
// when it is nil.
func AppendAnswer(dst, id []byte, answer Answer) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, id...)
	}
	switch {
	case answer.Error != nil:
		dst = append(dst, `,"error":`...)
		dst = appendFault(dst, answer.Error)
	case answer.Result != nil:
		dst = append(dst, `,"result":`...)
		dst = append(dst, answer.Result...)
	default:
		dst = append(dst, `,"result":null`...)
	}
	return append(dst, '}')
}

func appendFault(dst []byte, e *Fault) []byte {
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, e.Code, 10)
	dst = append(dst, `,"message":`...)
	message, err := Encode(e.Message)
	if err != nil { // a string always has a JSON form
		message = []byte(`""`)
	}
	dst = append(dst, message...)
	if e.Data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.Data...)
	}
	return append(dst, '}')
}

// AppendNotification appends a notification whose params are the JSON text
// params.
func AppendNotification(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"`...)
	dst = append(dst, method...)
	dst = append(dst, `","params":`...)
	dst = append(dst, params...)
	return append(dst, '}')
}
