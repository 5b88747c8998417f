package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAll returns what the frames of in are: each text, each refusal by its
// first words, and the end.
func readAll(framing Framing, in io.Reader, limit int64) []string {
	f := NewReader(in, framing, limit)
	var got []string
	for {
		text, err := f.Next()
		var bad *Error
		switch {
		case err == nil:
			got = append(got, shorten(string(text)))
		case errors.As(err, &bad):
			got = append(got, "! "+bad.Error())
		default:
			return append(got, "END "+err.Error())
		}
	}
}

func shorten(s string) string {
	if len(s) <= 40 {
		return s
	}
	return fmt.Sprintf("%s... (%d bytes)", s[:10], len(s))
}

func TestFrames(t *testing.T) {
	const limit = 100
	long := strings.Repeat("y", 300)
	h := func(body string) string { return string(Header.Append(nil, []byte(body))) }
	const badLine = "! a header line is not of the form name: value"
	const large = "! message too large: at most 100 bytes are taken"
	for _, tc := range []struct {
		name    string
		framing Framing
		in      string
		want    []string
	}{
		{"nothing", Line, "", []string{"END EOF"}},
		{"blank lines", Line, "\n \r\n\t\n", []string{"END EOF"}},
		{"line ends", Line, "1\n2\r\n\n3", []string{"1", "2", "3", "END EOF"}},
		{"marks", Line, "\xEF\xBB\xBF1\n\xEF\xBB\xBF\n2\n", []string{"1", "2", "END EOF"}},
		{"at the limit", Line, strings.Repeat("1", limit) + "\r\n" + strings.Repeat("1", limit+1) + "\n3\n",
			[]string{"1111111111... (100 bytes)", large, "3", "END EOF"}},
		{"too long at the end", Line, long, []string{large, "END EOF"}},

		{"no frames", Header, "", []string{"END EOF"}},
		{"blank lines between frames", Header, "\r\n" + h("1") + "\n\r\n" + h("2") + "\r\n", []string{"1", "2", "END EOF"}},
		{"blanks in a frame", Header, h(" 1\r\n") + h("\n") + h("2"), []string{"1", "! the message is empty", "2", "END EOF"}},
		{"frame at the limit", Header, h(long[:100]) + h(long[:101]) + h("3"),
			[]string{"yyyyyyyyyy... (100 bytes)", large, "3", "END EOF"}},
		{"header in a frame too large", Header, h(long+"Content-Length: 1\\r\\n"+long) + h("2"), []string{large, "2", "END EOF"}},
		{"garbage before", Header, "hello\r\n" + h("1"), []string{badLine, "1", "END EOF"}},
		{"garbage between", Header, h("1") + "x\ny\nz\n" + h("2"), []string{"1", badLine, "2", "END EOF"}},
		{"garbage without end", Header, h("1") + "{}" + h("2"), []string{"1", badLine, "2", "END EOF"}},
		{"a longer name", Header, "{}X-Content-Length: 1\r\n" + h("2"), []string{badLine, "2", "END EOF"}},
		{"no length", Header, "A: b\r\n\r\n{}" + h("2"), []string{"! the message has no Content-Length header", "2", "END EOF"}},
		{"too many headers", Header, strings.Repeat("A: b\r\n", 100) + "\r\n{}" + h("2"),
			[]string{"! a message has at most 64 header lines", "2", "END EOF"}},
		{"header too long", Header, "A: " + strings.Repeat("b", 10_000) + "\r\n\r\n{}" + h("2"),
			[]string{"! a header line is longer than 8192 bytes", "2", "END EOF"}},
		{"header without end", Header, "A: " + strings.Repeat("b", 200_000) + h("2"),
			[]string{"! a header line is longer than 8192 bytes", "2", "END EOF"}},
		{"length too short", Header, "Content-Length: 2\r\n\r\n{ \"a\": 1 }" + h("2"), []string{"{", badLine, "2", "END EOF"}},
		{"cut in a body", Header, "Content-Length: 9\r\n\r\n{}", []string{"END input ended inside a message: 2 of 9 bytes were read"}},
		{"cut in a large body", Header, "Content-Length: 999\r\n\r\n{}", []string{large, "END input ended inside a message: 2 of 999 bytes were read"}},
		{"cut in the headers", Header, "Content-Length: 9\r\n", []string{"END input ended inside the headers of a message"}},
		{"cut in a header", Header, h("1") + "Content-Le", []string{"1", "END input ended inside the headers of a message"}},
		{"cut after garbage", Header, "x\n" + long, []string{badLine, "END EOF"}},
	} {
		t.Run(tc.framing.String()+" "+tc.name, func(t *testing.T) {
			for name, reader := range map[string]func(io.Reader) io.Reader{
				"whole":       func(r io.Reader) io.Reader { return r },
				"bytes":       iotest.OneByteReader,
				"halves":      iotest.HalfReader,
				"end at once": iotest.DataErrReader,
			} {
				got := readAll(tc.framing, reader(strings.NewReader(tc.in)), limit)
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// TestResyncAnywhere: wherever a header stands in garbage that has no newline,
// also across the edge of the buffer, it is found.
func TestResyncAnywhere(t *testing.T) {
	frame := string(Header.Append(nil, []byte("42")))
	for offset := readBuffer - 40; offset <= readBuffer+5; offset++ {
		in := "\x00" + strings.Repeat("{", offset) + frame
		got := readAll(Header, strings.NewReader(in), 1000)
		if len(got) != 3 || got[1] != "42" {
			t.Fatalf("garbage of %d bytes: %q", offset+1, got)
		}
	}
}

// TestLongLines is mark3labs/mcp-go #588 and #155: a line of more than 64 KiB
// ended the connection.
func TestLongLines(t *testing.T) {
	for _, n := range []int{readBuffer - 1, readBuffer, readBuffer + 1, 70_000, 5 << 20} {
		line := strings.Repeat("1", n)
		got := readAll(Line, strings.NewReader(line+"\r\n2\n"), 64<<20)
		if want := []string{shorten(line), "2", "END EOF"}; !cmp.Equal(got, want) {
			t.Errorf("line of %d bytes: got %q", n, got)
		}
	}
}

// TestBodySizes: a body of any size, with blanks that belong to it, leaves the
// next one where it is. A JSON decoder that reads from the stream itself leaves
// some of them behind.
func TestBodySizes(t *testing.T) {
	sizes := []int{readBuffer - 1, readBuffer, readBuffer + 1, 4*firstBody - 1, 4 * firstBody, 4*firstBody + 1, 5 << 20}
	for n := range 1200 {
		sizes = append(sizes, n+1)
	}
	var in bytes.Buffer
	var want []string
	for _, n := range sizes {
		body := strings.Repeat("1", n)
		in.Write(Header.Append(nil, []byte(body+"\n\r\n")))
		want = append(want, shorten(body))
	}
	want = append(want, "END EOF")
	if diff := cmp.Diff(want, readAll(Header, &in, 64<<20)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLengthIsNotAllocated: memory follows what has come, not what was
// announced, and what is too large is not kept at all.
func TestLengthIsNotAllocated(t *testing.T) {
	const limit = 32 << 20
	for name, in := range map[string]io.Reader{
		"announced, within the limit": strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\nabc", limit)),
		"announced, absurd":           strings.NewReader("Content-Length: 9999999999999\r\n\r\nabc"),
		"sent, beyond the limit":      io.MultiReader(strings.NewReader("Content-Length: 99999999\r\n\r\n"), io.LimitReader(zeros{}, 99999999)),
		"a header without end":        io.LimitReader(zeros{}, 99999999),
	} {
		t.Run(name, func(t *testing.T) {
			if used := allocated(func() { readAll(Header, in, limit) }); used > 4<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
		})
	}
	t.Run("a line without end", func(t *testing.T) {
		in := io.LimitReader(zeros{}, 99999999)
		if used := allocated(func() { readAll(Line, in, 1<<20) }); used > 8<<20 {
			t.Errorf("%d bytes were allocated", used)
		}
	})
}

// zeros reads as zeros without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestDetectFraming(t *testing.T) {
	for in, want := range map[string]Framing{
		"{":                       Line,
		"[":                       Line,
		" \r\n\t{":                Line,
		"\xEF\xBB\xBF{":           Line,
		"\xEF\xBB\xBF\n{":         Line,
		"\xEF":                    Line,
		"\xEFabc":                 Line,
		"5":                       Line,
		"\x00":                    Line,
		"Content-Length":          Header,
		"\n\ncontent-type":        Header,
		"\xEF\xBB\xBFContent-Len": Header,
	} {
		r := NewReader(strings.NewReader(in), Auto, 100)
		got, err := r.Detect()
		if err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", in, got, err, want)
		}
		rest, _ := io.ReadAll(r.src)
		if len(rest) == 0 || !bytes.HasSuffix([]byte(in), rest) {
			t.Errorf("%q: %q is left", in, rest)
		}
	}
	if _, err := NewReader(strings.NewReader(" \n"), Auto, 100).Detect(); !errors.Is(err, io.EOF) {
		t.Errorf("blank input: %v", err)
	}
}

func TestParseFraming(t *testing.T) {
	for _, f := range []Framing{Auto, Line, Header} {
		if got, err := Parse(f.String()); err != nil || got != f {
			t.Errorf("%s: got %s, %v", f, got, err)
		}
	}
	if _, err := Parse("lines"); err == nil || !strings.Contains(err.Error(), `"lines"`) {
		t.Errorf("unknown framing: %v", err)
	}
}

// TestRandomSplits: how the input is cut into reads changes nothing.
func TestRandomSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"Content-Length: 5\r\n", "\r\n", "\n", "{\"a\":", "12345", "content-length:3\n", "A: b\r\n", "}", "Content-Length: 99999\r\n"}
	for range 2_000 {
		var in strings.Builder
		for range 1 + rng.IntN(12) {
			in.WriteString(pieces[rng.IntN(len(pieces))])
		}
		for _, framing := range []Framing{Line, Header} {
			want := readAll(framing, strings.NewReader(in.String()), 50)
			got := readAll(framing, &choppy{rng: rng, rest: in.String()}, 50)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q in %s framing (-whole +split):\n%s", in.String(), framing, diff)
			}
		}
	}
}

// choppy reads a few bytes at a time.
type choppy struct {
	rng  *rand.Rand
	rest string
}

func (c *choppy) Read(p []byte) (int, error) {
	if c.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:1+c.rng.IntN(min(len(c.rest), 7))])
	c.rest = c.rest[n:]
	return n, nil
}
