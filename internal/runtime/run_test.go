package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRunPassesArgsAndContext(t *testing.T) {
	p := newTestPool(t)
	res, err := run(t, p, Request{
		Program: body(`console.log("hello", args.name); return {sum: args.a + ctx.table.n, same: ctx.args().a}`),
		Args:    json.RawMessage(`{"a": 2, "name": "w\u00f6rld"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(res.Value), `{"sum":3,"same":2}`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}
	if len(res.Logs) != 1 || res.Logs[0].Level != "log" || res.Logs[0].Message != "hello wörld" {
		t.Errorf("logs %+v", res.Logs)
	}
}

func TestRunForwardsHostCalls(t *testing.T) {
	p := newTestPool(t)
	host := hostFunc(func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(fmt.Sprintf(`{"name":%q,"args":%s,"n":{"$type":"number","value":"NaN"},"m":{"$type":"map","value":[["k",{"$type":"bigint","value":"12"}]]},"re":{"$type":"regexp","value":"/a\\//gi"},"e":{"$type":"error","name":"TypeError","message":"m","stack":"s"}}`, name, args)), nil
	})
	res, err := run(t, p, Request{Host: host, Program: body(`
		const r = await ctx.call("page.goto", {url: "x", skip: undefined});
		const all = await Promise.all([1, 2, 3].map((i) => ctx.call("n", {i})));
		return [r.name, r.args, Number.isNaN(r.n), r.m.get("k") === 12n, r.re.test("A/"), r.re.flags, r.e instanceof Error, r.e.name, all.map((x) => x.args.i)];`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(res.Value), `["page.goto",{"url":"x"},true,true,true,"gi",true,"TypeError",[1,2,3]]`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}
}

// deniedError is an error as ops makes them.
type deniedError struct{}

func (*deniedError) Error() string { return "host a.test is refused" }

func (*deniedError) HostError() (kind string, data any) {
	return "policy_denied", map[string]any{"rule": "net", "hint": "use --allow"}
}

func TestHostErrorsReachTheProgramAndComeBack(t *testing.T) {
	p := newTestPool(t)
	failure := &deniedError{}
	host := hostFunc(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return nil, fmt.Errorf("fetching: %w", failure)
	})
	res, err := run(t, p, Request{Host: host, Program: body(`
		try { await ctx.call("fetch.server") } catch (e) { return [e instanceof Error, e.message, e.kind, e.code, e.data.rule, e.hint] }`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(res.Value), `[true,"fetching: host a.test is refused","policy_denied","policy_denied","net","use --allow"]`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}

	_, err = run(t, p, Request{Host: host, Program: module("const get = async (ctx) => {\n  return await ctx.call('fetch.server');\n};\nexport const run = async (ctx) => {\n  await get(ctx);\n};\n")})
	var se *ScriptError
	if !errors.As(err, &se) {
		t.Fatalf("error %v, want a ScriptError", err)
	}
	if !errors.Is(err, failure) {
		t.Errorf("the host's error is not the cause of %v", err)
	}
	if se.File != "tools/t.js" || se.Line != 2 || se.Kind != "policy_denied" {
		t.Errorf("position %s:%d:%d kind %q, want line 2 of the tool", se.File, se.Line, se.Column, se.Kind)
	}

	_, err = run(t, p, Request{Host: host, Program: body(`try { await ctx.call("x") } catch (e) { throw new Error("other") }`)})
	if !errors.As(err, &se) || se.Cause != nil {
		t.Errorf("error %v has the cause %v although another error was thrown", err, se.Cause)
	}
}

func TestTimeoutEndsEndlessLoops(t *testing.T) {
	p := newTestPool(t)
	for _, source := range []string{
		`while (true) {}`,
		`while (true) { try { while (true) {} } catch (e) {} finally { while (true) {} } }`,
		`const f = async () => { while (true) await null }; await f()`,
		`await new Promise((resolve) => { setTimeout(resolve, 1e6) })`,
		`/^(?=x?)(a+)+$/.test("a".repeat(35) + "!")`,
		`new Array(1e8).fill(0).sort()`,
		`return {toJSON() { while (true) {} }}`,
		`return {get a() { while (true) {} }}`,
		`throw {get message() { return 1 }, toString() { while (true) {} }}`,
		`const e = new Error("x"); Object.defineProperty(e, "message", {get() { while (true) {} }}); throw e`,
	} {
		start := time.Now()
		_, err := run(t, p, Request{Program: body(source), Timeout: 150 * time.Millisecond, Limits: Limits{MemoryBytes: 2 << 30}})
		var te *TimeoutError
		if !errors.As(err, &te) || !te.Stopped || te.Timeout != 150*time.Millisecond {
			t.Errorf("%s: error %v, want a TimeoutError", source, err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s: took %v", source, took)
		}
		if got := value(t, p, `return 1`); got != "1" {
			t.Errorf("%s: the next run gave %s", source, got)
		}
	}
}

func TestCancelIsAnsweredAtOnce(t *testing.T) {
	p := newTestPool(t)
	cause := errors.New("cancelled by the client")
	for _, source := range []string{
		`ctx.call("started"); while (true) {}`,
		`ctx.call("started"); await new Promise((r) => setTimeout(r, 1e6))`,
		`ctx.call("started"); await null; /^(?=x?)(a+)+$/.test("a".repeat(35) + "!")`,
		`await ctx.call("started"); await ctx.call("blocks")`,
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancelled := make(chan time.Time, 1)
		host := hostFunc(func(ctx context.Context, name string, _ json.RawMessage) (json.RawMessage, error) {
			if name == "started" {
				cancelled <- time.Now()
				cancel(cause)
				return json.RawMessage(`1`), nil
			}
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		_, err := p.Run(ctx, Request{Program: body(source), Host: host})
		if took := time.Since(<-cancelled); took > 200*time.Millisecond {
			t.Errorf("%s: answered %v after the cancel", source, took)
		}
		if !errors.Is(err, cause) {
			t.Errorf("%s: error %v, want the cause of the context", source, err)
		}
		cancel(nil)
	}
	if got := value(t, p, `return 1`); got != "1" {
		t.Errorf("the next run gave %s", got)
	}
}

// limitTest is a program that passes a limit.
type limitTest struct {
	name, source, limit string
	limits              Limits
}

func TestLimitsEndOneRunAlone(t *testing.T) {
	p := newTestPool(t)
	tests := []limitTest{
		{"repeat", `return 'x'.repeat(2**40)`, "memory", Limits{}},
		{"brackets in JSON", `JSON.parse('['.repeat(5e6))`, "stack", Limits{}},
		{"flat of a cycle", `const a = []; a[0] = a; a.flat(Infinity)`, "stack", Limits{}},
		{"fill", `new Array(2**32-1).fill(0)`, "memory", Limits{}},
		{"buffer", `new ArrayBuffer(2**40)`, "memory", Limits{}},
		{"brackets in eval", `(0, eval)('('.repeat(1e6))`, "stack", Limits{}},
		{"array bomb", `const a = []; for (;;) a.push(new Array(1e3).fill(1))`, "memory", Limits{MemoryBytes: 64 << 20}},
		{"string bomb", `let s = "x"; for (;;) s += s`, "memory", Limits{MemoryBytes: 64 << 20}},
		{"recursion", `const f = () => f() + 1; f()`, "stack", Limits{}},
		{"getter recursion", `const o = {get a() { return o.a }}; o.a`, "stack", Limits{CallStack: 1000}},
		{"proxy recursion", `const p = new Proxy({}, {get: (t, k, r) => r[k]}); p.x`, "stack", Limits{CallStack: 1000}},
		{"toString recursion", `const o = {toString() { return "" + o }}; "" + o`, "stack", Limits{}},
		{"logs", `for (;;) console.log("x".repeat(1000))`, "log", Limits{}},
		{"result", `return "x".repeat(2000)`, "output", Limits{OutputBytes: 1000}},
		{"timers", `for (;;) setTimeout(() => {}, 1000)`, "timers", Limits{}},
		{"host calls", `for (;;) ctx.call("x")`, "calls", Limits{}},
	}
	if raceDetector {
		// Without a bound on the address space this one takes 64 GB and their shadow.
		tests = slices.DeleteFunc(tests, func(tt limitTest) bool { return tt.name == "fill" })
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			})
			_, err := run(t, p, Request{Program: body(tt.source), Limits: tt.limits, Host: host})
			var le *LimitError
			if !errors.As(err, &le) || le.Limit != tt.limit {
				t.Fatalf("error %#v (%v), want the %s limit", err, err, tt.limit)
			}
			if le.Detail == "" || strings.Contains(le.Detail, "\n") {
				t.Errorf("detail %q is not one line", le.Detail)
			}
			if got := value(t, p, `return 1`); got != "1" {
				t.Errorf("the next run gave %s", got)
			}
		})
	}
}

func TestForgottenPromises(t *testing.T) {
	p := newTestPool(t)
	tests := []struct{ name, source, message, hint string }{
		{"never settles", `await new Promise(() => {})`, "never settled", "never resolved"},
		{"returns one that never settles", `return new Promise(() => {})`, "never settled", "never resolved"},
		{"unhandled rejection", `(async () => { throw new Error("lost") })(); return 1`, "unhandled rejection: lost", "await"},
		{"unhandled rejection while stuck", `(async () => { throw new Error("lost") })(); await new Promise(() => {})`, "unhandled rejection: lost", "await"},
		{"throws in a timer", `setTimeout(() => { throw new Error("late") }, 1); await new Promise((r) => setTimeout(r, 1e6))`, "late", ""},
		{"throws in a tick", `process.nextTick(() => { throw new Error("late") }); await new Promise((r) => setTimeout(r, 1e6))`, "late", ""},
		{"throws in an immediate", `setImmediate(() => { throw new Error("late") }); await new Promise((r) => setTimeout(r, 1e6))`, "late", ""},
		{"calls what is no function", `const o = {}; o.method()`, "method is not a function", ""},
		{"takes nothing apart", `const { a } = null`, "Cannot destructure or use undefined or null as an object", ""},
		{"uses a global that is missing", `return new Blob([])`, "Blob is not available in node tools", "Uint8Array"},
		{"throws in a microtask", `queueMicrotask(() => { throw new Error("late") }); await new Promise((r) => setTimeout(r, 1e6))`, "late", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, err := run(t, p, Request{Program: body(tt.source)})
			var se *ScriptError
			if !errors.As(err, &se) || !strings.Contains(se.Message, tt.message) || !strings.Contains(se.Hint, tt.hint) {
				t.Fatalf("error %v, want %q", err, tt.message)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v, not at once", took)
			}
		})
	}
	if got := value(t, p, `const p = Promise.reject(new Error("x")); await new Promise((r) => setTimeout(r, 5)); try { await p } catch (e) { return e.message }`); got != `"x"` {
		t.Errorf("a rejection that a later await takes gave %s", got)
	}
	// What a program catches has the same words.
	const caught = `const said = []; try { null.x } catch (e) { said.push(e.message, e.stack.replace(/\d+:\d+/, "*")) } await (async () => undefined.y)().catch((e) => said.push(e.message)); return said`
	if got, want := value(t, p, caught), `["Cannot read properties of undefined or null (reading 'x')","TypeError: Cannot read properties of undefined or null (reading 'x')\n    at run (tools/t.js:*)","Cannot read properties of undefined or null (reading 'y')"]`; got != want {
		t.Errorf("caught %s, want %s", got, want)
	}
	if got := value(t, p, `await new Promise((r) => setTimeout(r, 2).unref()); return 1`); got != "1" {
		t.Errorf("waiting for a timer without a reference gave %s", got)
	}
}

func TestUnfinishedHostCallIsWarnedAbout(t *testing.T) {
	p := newTestPool(t)
	res, err := run(t, p, Request{Program: body(`ctx.call("page.goto"); return 1`), Host: hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Logs) != 1 || !strings.Contains(res.Logs[0].Message, "page.goto") {
		t.Errorf("logs %+v, want a warning about page.goto", res.Logs)
	}
}

func TestLogsComeWhileTheRunGoesOn(t *testing.T) {
	p := newTestPool(t)
	logged := make(chan string, 10)
	host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		select {
		case m := <-logged:
			return json.RawMessage(jsString(m)), nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	})
	res, err := run(t, p, Request{Program: body(`console.warn("first %d", 5); return await ctx.call("wait")`), Host: host, OnLog: func(e LogEntry) { logged <- e.Level + " " + e.Message }})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(res.Value); got != `"warn first 5"` {
		t.Errorf("value %s", got)
	}
}

func TestRunsDoNotMix(t *testing.T) {
	p := newTestPool(t, func(c *Config) { c.Workers = 2 })
	prog := body(`console.log(args.i); globalThis.leak = (globalThis.leak || 0) + 1; Array.prototype.map = null; const x = await ctx.call("echo", {i: args.i}); return [args.i, x.i, globalThis.leak]`)
	host := hostFunc(func(_ context.Context, _ string, args json.RawMessage) (json.RawMessage, error) { return args, nil })
	errs := make(chan error, 40)
	for i := range 40 {
		go func() {
			res, err := p.Run(context.Background(), Request{Program: prog, Host: host, Args: json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))})
			if err == nil && (string(res.Value) != fmt.Sprintf(`[%d,%d,1]`, i, i) || len(res.Logs) != 1 || res.Logs[0].Message != fmt.Sprint(i)) {
				err = fmt.Errorf("run %d gave %s and %v", i, res.Value, res.Logs)
			}
			errs <- err
		}()
	}
	for range 40 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestCloseEndsRuns(t *testing.T) {
	p := newTestPool(t)
	started := make(chan struct{})
	host := hostFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		close(started)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	done := make(chan error, 1)
	go func() {
		_, err := p.Run(context.Background(), Request{Program: body(`await ctx.call("x")`), Host: host})
		done <- err
	}()
	<-started
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	if _, err := p.Run(context.Background(), Request{Program: body(``)}); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v after Close, want ErrClosed", err)
	}
}

func TestWorkerThatCannotStart(t *testing.T) {
	p, err := NewPool(Config{Command: []string{"/nonexistent/egod"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.Run(context.Background(), Request{Program: body(``), Timeout: 10 * time.Second})
	var we *WorkerError
	if !errors.As(err, &we) || we.Hint == "" {
		t.Errorf("error %v, want a WorkerError with a hint", err)
	}
}
