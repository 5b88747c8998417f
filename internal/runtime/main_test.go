package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// workerEnv makes the test binary a worker, so that the pool under test starts
// real processes without a build of the command.
const workerEnv = "EGOD_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(daemonEnv) != "" {
		loopForEver()
	}
	goleak.VerifyTestMain(m)
}

// testSurface is what the tests' programs see: a ctx with the bare host.
const testSurface = `(host, table) => ({
	ctx: {call: host.call, source: host.source, log: host.log, table, args: () => host.args,
		page: {evaluate: (fn, arg) => host.call("page.evaluate", {fn: host.source(fn), arg})}},
	globals: {page: {evaluate: (fn, arg) => host.call("page.evaluate", {fn: host.source(fn), arg})}, call: host.call},
})`

// newTestPool makes a pool whose workers are this test binary.
func newTestPool(t testing.TB, change ...func(*Config)) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Command: []string{exe},
		Env:     []string{workerEnv + "=1"}, ProgramEnv: map[string]string{"NODE_ENV": "test"},
		Workers: 1,
		Surface: Surface{Source: testSurface, Table: json.RawMessage(`{"n":1}`)},
	}
	for _, f := range change {
		f(&cfg)
	}
	p, err := NewPool(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// module is a program with one file that exports run.
func module(source string) *Program {
	return &Program{Site: "test", Entry: "tools/t.js", Export: "run", Files: map[string]string{"tools/t.js": source}}
}

// body is a program whose tool has that body.
func body(source string) *Program {
	return module("export async function run(ctx, args) {\n" + source + "\n}\n")
}

// run runs a program with a generous deadline.
func run(t testing.TB, p *Pool, req Request) (*Result, error) {
	t.Helper()
	if req.Timeout == 0 {
		req.Timeout = 20 * time.Second
	}
	return p.Run(context.Background(), req)
}

// value runs the body of a tool and returns its value.
func value(t testing.TB, p *Pool, source string) string {
	t.Helper()
	res, err := run(t, p, Request{Program: body(source)})
	if err != nil {
		t.Fatalf("%s\nfailed: %v", source, err)
	}
	return string(res.Value)
}

// hostFunc is a Host made of a function.
type hostFunc func(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error)

func (f hostFunc) Call(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
	return f(ctx, name, args)
}
