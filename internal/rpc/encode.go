package rpc

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"egod/internal/frame"
)

// encode returns the JSON text of v on one line, as valid Unicode text. Unlike
// json.Marshal it leaves <, > and & alone: nobody embeds the wire in HTML.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return frame.ValidText(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// appendObject appends the request as the library is shown it.
func appendObject(dst, method []byte, seq uint64) []byte {
	dst = append(dst, `{"method":`...)
	dst = append(dst, method...)
	if seq != 0 {
		dst = append(dst, `,"id":`...)
		dst = strconv.AppendUint(dst, seq, 10)
	}
	return append(dst, '}')
}

// appendAnswer appends the response to the request with the id text id, null
// when it is nil.
func appendAnswer(dst, id []byte, resp *jsonrpc2.Response) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, id...)
	}
	switch {
	case resp.Error != nil:
		dst = append(dst, `,"error":`...)
		dst = appendError(dst, resp.Error)
	case resp.Result != nil:
		dst = append(dst, `,"result":`...)
		dst = append(dst, *resp.Result...)
	default:
		dst = append(dst, `,"result":null`...)
	}
	return append(dst, '}')
}

func appendError(dst []byte, e *jsonrpc2.Error) []byte {
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, e.Code, 10)
	dst = append(dst, `,"message":`...)
	message, err := encode(e.Message)
	if err != nil { // a string always has a JSON form
		message = []byte(`""`)
	}
	dst = append(dst, message...)
	if e.Data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, *e.Data...)
	}
	return append(dst, '}')
}

// appendNotification appends a notification whose params are the JSON text
// params.
func appendNotification(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"`...)
	dst = append(dst, method...)
	dst = append(dst, `","params":`...)
	dst = append(dst, params...)
	return append(dst, '}')
}
