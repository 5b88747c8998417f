package runtime

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// BenchmarkRunEmpty is an empty tool over the worker's pipe.
func BenchmarkRunEmpty(b *testing.B) {
	p := newTestPool(b)
	req := Request{Program: body(`return null`), Timeout: time.Minute}
	req.Program.Hash = "empty"
	if _, err := p.Run(context.Background(), req); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Run(context.Background(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRunHostCall is one host call within a run.
func BenchmarkRunHostCall(b *testing.B) {
	p := newTestPool(b)
	prog := body(`for (let i = 0; i < args.n; i++) await ctx.call("x", {i}); return null`)
	args, err := json.Marshal(map[string]int{"n": b.N})
	if err != nil {
		b.Fatal(err)
	}
	host := hostFunc(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage("1"), nil
	})
	if _, err := p.Run(context.Background(), Request{Program: prog, Args: args, Host: host}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSpawnWorker starts a worker and waits until it is ready.
func BenchmarkSpawnWorker(b *testing.B) {
	p := newTestPool(b)
	for b.Loop() {
		w, err := startWorker(context.Background(), &p.cfg, addressSpaceFor(defaultLimits.MemoryBytes))
		if err != nil {
			b.Fatal(err)
		}
		w.kill()
		<-w.exited
	}
}

// BenchmarkRealm makes a fresh runtime with globals and surface, without a worker.
func BenchmarkRealm(b *testing.B) {
	e := newGojaEngine(&initHead{Surface: testSurface})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.realm(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile bundles and compiles a small module.
func BenchmarkCompile(b *testing.B) {
	e := newGojaEngine(&initHead{Surface: testSurface})
	prog := module("import {x} from './x.js';\nexport const run = async (ctx, args = {}) => { const f = (a) => a?.b ?? x; return f(args) };\n")
	prog.Files["tools/x.js"] = "export const x = 1;\n"
	head := &runHead{Entry: prog.Entry, Files: prog.Files, Limits: defaultLimits}
	for b.Loop() {
		if _, err := e.compile(head); err != nil {
			b.Fatal(err)
		}
	}
}
