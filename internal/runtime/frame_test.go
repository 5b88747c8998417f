package runtime

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestFramesRoundTrip(t *testing.T) {
	var buf bytes.Buffer
	fw := &frameWriter{w: &buf}
	big := []byte(`"` + strings.Repeat("x", 3<<20) + `"`)
	frames := []struct {
		kind frameKind
		run  uint64
		head any
		body []byte
	}{
		{frameReady, 0, nil, nil},
		{frameCall, 1 << 60, callHead{ID: 7, Name: "page.goto"}, []byte(`{"a":1}`)},
		{frameDone, 2, doneHead{}, big},
		{frameCancel, 3, nil, nil},
	}
	for _, f := range frames {
		if err := fw.write(f.kind, f.run, f.head, f.body); err != nil {
			t.Fatal(err)
		}
	}
	fr := newFrameReader(&buf)
	for _, want := range frames {
		got, err := fr.read()
		if err != nil {
			t.Fatal(err)
		}
		if got.kind != want.kind || got.run != want.run || !bytes.Equal(got.body, want.body) || (want.head == nil) != (len(got.head) == 0) {
			t.Errorf("frame %q %d came back as %q %d", want.kind, want.run, got.kind, got.run)
		}
	}
	if _, err := fr.read(); !errors.Is(err, io.EOF) {
		t.Errorf("error %v at the end, want EOF", err)
	}
}

func TestCutFrames(t *testing.T) {
	var buf bytes.Buffer
	if err := (&frameWriter{w: &buf}).write(frameCall, 1, callHead{ID: 1}, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < buf.Len(); n++ {
		if _, err := newFrameReader(bytes.NewReader(buf.Bytes()[:n])).read(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: error %v", n, buf.Len(), err)
		}
	}
}

func FuzzFrameReader(f *testing.F) {
	var buf bytes.Buffer
	if err := (&frameWriter{w: &buf}).write(frameLog, 5, logHead{Output: "x"}, []byte("1")); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 'D', 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		fr := newFrameReader(bytes.NewReader(data))
		total := 0
		for {
			frame, err := fr.read()
			if err != nil {
				break
			}
			total += len(frame.head) + len(frame.body) + frameHeader
		}
		if total > len(data) {
			t.Errorf("%d bytes of frames out of %d", total, len(data))
		}
	})
}

func FuzzSourceMapSegments(f *testing.F) {
	f.Add(";;AAAA,CAAC;AACA", "ü = 1\nab")
	f.Add("AAAA", "")
	f.Add("gggggggggggggggggggg", "x")
	f.Fuzz(func(t *testing.T, mappings, code string) {
		_, _ = shiftFirstSegment(mappings, -1, 1)
		_, _ = columnsInBytes(mappings, code)
		if fields, err := decodeVLQ(mappings); err == nil && len(fields) > 0 && len(mappings) < 8 {
			again, err := decodeVLQ(encodeVLQ(fields))
			if err != nil || len(again) != len(fields) {
				t.Errorf("%q: %v came back as %v", mappings, fields, again)
			}
		}
	})
}

func FuzzExpandProperties(f *testing.F) {
	f.Add(`[^\p{L}]\P{Nd}`, "u")
	f.Add(`\\p{L}[\]\p{sc=Greek}]`, "gu")
	f.Add(`\p{`, "u")
	f.Fuzz(func(t *testing.T, pattern, flags string) {
		out, err := rewritePattern(pattern, flags)
		if err == nil && !strings.ContainsAny(flags, "uv") && out != pattern {
			t.Errorf("%q was changed without flag u", pattern)
		}
	})
}
