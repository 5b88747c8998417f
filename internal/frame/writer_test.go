package frame

import (
	"bytes"
	"testing"
)

// TestWriterKeepsOrder: segments large and small come out as they went in.
func TestWriterKeepsOrder(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, Line, 1<<20)
	go w.Run()
	var want bytes.Buffer
	for i := range 2000 {
		length := 1 + i%50
		if i%100 == 0 {
			length = 1 + i*i%(3*segment)
		}
		text := bytes.Repeat([]byte{byte('a' + i%26)}, length)
		w.Send(text)
		want.Write(append(text, '\n'))
	}
	w.Close()
	<-w.done
	if !bytes.Equal(out.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes came out, %d went in", out.Len(), want.Len())
	}
	if written, queued, _ := w.Counts(); written != int64(want.Len()) || queued != 0 {
		t.Errorf("counted %d written, %d queued", written, queued)
	}
}
