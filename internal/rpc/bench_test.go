package rpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"egod/internal/frame"
)

// benchPipe starts a server behind two pipes of the operating system, as a
// parent process has it, and returns the parent's ends.
func benchPipe(b *testing.B, cfg Config) (requests, answers *os.File) {
	b.Helper()
	in, requests, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	answers, out, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		backend := newFakeBackend()
		if outcome, err := newTestServer(backend, cfg).Run(context.Background(), in, out); err != nil || outcome.ExitCode() != 0 {
			b.Errorf("%+v, %v", outcome, err)
		}
		_ = out.Close()
	}()
	b.Cleanup(func() {
		_ = requests.Close()
		_, _ = io.Copy(io.Discard, answers)
		<-done
		_ = in.Close()
		_ = answers.Close()
	})
	return requests, answers
}

// BenchmarkPing is the cost of a request that does nothing, over pipes of the
// operating system: one at a time, and with many under way.
func BenchmarkPing(b *testing.B) {
	const ping = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`
	for _, framing := range []frame.Framing{frame.Line, frame.Header} {
		request := framing.Append(nil, fmt.Appendf(nil, ping, 1234567))
		b.Run("serial/"+framing.String(), func(b *testing.B) {
			requests, answers := benchPipe(b, Config{})
			r := bufio.NewReader(answers)
			answer := len(framing.Append(nil, []byte(`{"jsonrpc":"2.0","id":1234567,"result":{}}`)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := requests.Write(request); err != nil {
					b.Fatal(err)
				}
				if _, err := r.Discard(answer); err != nil {
					b.Fatal(err)
				}
			}
			perSecond(b)
		})
		b.Run("pipelined/"+framing.String(), func(b *testing.B) {
			requests, answers := benchPipe(b, Config{})
			const burst = 100
			many := []byte(strings.Repeat(string(request), burst))
			answer := int64(len(framing.Append(nil, []byte(`{"jsonrpc":"2.0","id":1234567,"result":{}}`))))
			b.ReportAllocs()
			b.ResetTimer()
			go func() {
				for n := 0; n < b.N; n += burst {
					if _, err := requests.Write(many[:min(burst, b.N-n)*len(request)]); err != nil {
						b.Error(err)
						return
					}
				}
			}()
			if _, err := io.CopyN(io.Discard, answers, int64(b.N)*answer); err != nil {
				b.Fatal(err)
			}
			perSecond(b)
		})
	}
}

// BenchmarkBackground is the cost of a request that runs on a goroutine of its
// own, with many under way.
func BenchmarkBackground(b *testing.B) {
	requests, answers := benchPipe(b, Config{})
	const width = 7 // ids must differ while they are in flight
	answer := int64(len(frame.Line.Append(nil, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%0*d,"result":"later"}`, width, 0))))
	b.ReportAllocs()
	go func() {
		w := bufio.NewWriterSize(requests, 4<<10)
		for n := range b.N {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%d,"method":"later"}`+"\n", 1_000_000+n%9_000_000)
		}
		if err := w.Flush(); err != nil {
			b.Error(err)
		}
	}()
	if _, err := io.CopyN(io.Discard, answers, int64(b.N)*answer); err != nil {
		b.Fatal(err)
	}
	perSecond(b)
}

// BenchmarkEcho is the cost of a megabyte in and out.
func BenchmarkEcho(b *testing.B) {
	text := strings.Repeat("0123456789abcdef", 1<<16)
	request := frame.Line.Append(nil, []byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":["`+text+`"]}`))
	answer := len(frame.Line.Append(nil, []byte(`{"jsonrpc":"2.0","id":1,"result":["`+text+`"]}`)))
	requests, answers := benchPipe(b, Config{})
	b.SetBytes(int64(len(request)))
	b.ReportAllocs()
	for b.Loop() {
		go func() { _, _ = requests.Write(request) }()
		if _, err := io.CopyN(io.Discard, answers, int64(answer)); err != nil {
			b.Fatal(err)
		}
	}
}

func perSecond(b *testing.B) {
	b.Helper()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}
