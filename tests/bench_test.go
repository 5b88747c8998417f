package tests

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// These benchmarks measure the binary over its pipes, with a client that does
// next to nothing: it writes prepared lines and counts those that come back.
// docs/performance.md has figures.

// wire is a running egod and the two ends of its pipes.
type wire struct {
	b     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

func startWire(b testing.TB, root string, args ...string) *wire {
	b.Helper()
	w := &wire{b: b, cmd: exec.Command(egodPath, append([]string{"serve", "--root", root, "--builtin=false", "--log-level", "error"}, args...)...)}
	w.cmd.Env = append(os.Environ(), "TMPDIR="+b.TempDir())
	w.cmd.Stderr = os.Stderr
	stdin, err := w.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	w.stdin, w.out = stdin, bufio.NewReaderSize(stdout, 1<<16)
	return w
}

// call sends one line and waits for the next one.
func (w *wire) call(line string) []byte {
	w.b.Helper()
	if _, err := io.WriteString(w.stdin, line); err != nil {
		w.b.Fatal(err)
	}
	answer, err := w.out.ReadBytes('\n')
	if err != nil {
		w.b.Fatal(err)
	}
	if bytes.Contains(answer, []byte(`"error"`)) {
		w.b.Fatalf("%s", answer)
	}
	return answer
}

// pipeline sends n requests without waiting, and waits for n answers.
func (w *wire) pipeline(n int, request func(buf []byte, id int) []byte) {
	w.b.Helper()
	sent := make(chan error, 1)
	go func() {
		out := bufio.NewWriterSize(w.stdin, 1<<16)
		var line []byte
		for id := range n {
			line = request(line[:0], id)
			if _, err := out.Write(line); err != nil {
				sent <- err
				return
			}
		}
		sent <- out.Flush()
	}()
	for range n {
		if _, err := w.out.ReadSlice('\n'); err != nil {
			w.b.Fatal(err)
		}
	}
	if err := <-sent; err != nil {
		w.b.Fatal(err)
	}
}

// serial sends requests one after the other and reports percentiles.
func (w *wire) serial(b *testing.B, request func(buf []byte, id int) []byte) {
	b.Helper()
	times := make([]time.Duration, b.N)
	for id := range times {
		line := string(request(nil, id))
		began := time.Now()
		w.call(line)
		times[id] = time.Since(began)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

func (w *wire) end() {
	w.b.Helper()
	_ = w.stdin.Close()
	_, _ = io.Copy(io.Discard, w.out)
	if err := w.cmd.Wait(); err != nil {
		w.b.Error(err)
	}
}

// manyPacks writes n packs with a note and a tool each.
func manyPacks(b testing.TB, n int) (root string) {
	b.Helper()
	root = b.TempDir()
	for i := range n {
		id := fmt.Sprintf("pack-%d", i)
		fixture{id: id, domains: []string{id + ".test", "*." + id + ".test"}, files: map[string]string{
			"notes/about.md": "# " + id + "\n\nWhat is known about it.\n",
			"tools/empty.js": "export const run = () => null;\n",
		}}.write(b, root)
	}
	return root
}

// BenchmarkBinaryPing sends requests that need no work, many in flight.
func BenchmarkBinaryPing(b *testing.B) {
	w := startWire(b, b.TempDir())
	defer w.end()
	ping := func(buf []byte, id int) []byte {
		return fmt.Appendf(buf, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id)
	}
	w.pipeline(1000, ping)
	b.ResetTimer()
	w.pipeline(b.N, ping)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkBinarySkillsForUrl looks URLs up among 10 and 1,000 packs: many in
// flight, and one at a time.
func BenchmarkBinarySkillsForUrl(b *testing.B) {
	for _, packs := range []int{10, 1000} {
		w := startWire(b, manyPacks(b, packs))
		lookup := func(buf []byte, id int) []byte {
			return fmt.Appendf(buf, `{"jsonrpc":"2.0","id":%d,"method":"skillsForUrl","params":["https://www.pack-%d.test/a"]}`+"\n", id, id%packs)
		}
		b.Run(fmt.Sprintf("packs=%d/pipelined", packs), func(b *testing.B) {
			w.pipeline(b.N, lookup)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
		b.Run(fmt.Sprintf("packs=%d/serial", packs), func(b *testing.B) { w.serial(b, lookup) })
		w.end()
	}
}

// BenchmarkBinaryRunEmpty runs a node tool that does nothing: one at a time, and
// as many at once as egod runs.
func BenchmarkBinaryRunEmpty(b *testing.B) {
	w := startWire(b, manyPacks(b, 10))
	defer w.end()
	run := func(buf []byte, id int) []byte { // calls on one space run one after the other
		return fmt.Appendf(buf, `{"jsonrpc":"2.0","id":%d,"method":"runTool","params":{"siteId":"pack-0","toolName":"empty","space":"s%d"}}`+"\n", id, id%16)
	}
	for id := range 20 {
		w.call(string(run(nil, id)))
	}
	b.Run("serial", func(b *testing.B) { w.serial(b, run) })
	b.Run("inflight=16", func(b *testing.B) {
		for done := 0; done < b.N; done += 16 {
			w.pipeline(min(16, b.N-done), run)
		}
	})
}

// BenchmarkBinaryStart is the time from exec to the first answer with 1,000
// packs.
func BenchmarkBinaryStart(b *testing.B) {
	root := manyPacks(b, 1000)
	for b.Loop() {
		w := startWire(b, root)
		w.call(`{"jsonrpc":"2.0","id":1,"method":"skillsForUrl","params":["https://pack-7.test/"]}` + "\n")
		b.StopTimer()
		w.end()
		b.StartTimer()
	}
}
