package runtime

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
)

// Config says how a Pool starts its workers and what their programs may use.
type Config struct {
	// Command is the argv that starts a worker, for example {exe, "worker"}. Required.
	Command []string
	// Env is the environment of the workers; nil gives them an empty one.
	Env []string
	// ProgramEnv is what programs see of the environment, as process.env. Each run has
	// its own copy.
	ProgramEnv map[string]string
	// Workers is how many workers are kept warm; 0 means 2.
	Workers int
	// MaxWorkers bounds how many live at once; 0 means 64. A run past it waits.
	MaxWorkers int
	// Surface is the host surface that programs see.
	Surface Surface
	// Files tells that the Host answers the host calls that node:fs makes: fs.readFile,
	// fs.writeFile, fs.stat and so on, see js/mod_fs.js. Without it node:fs refuses
	// everything as denied by the policy.
	Files bool
	// Limits are the defaults for every run; a Request may lower or raise them.
	Limits Limits
	// Logger gets what operators want to know; nil discards it.
	Logger *slog.Logger
}

// Surface is JavaScript that turns the bare host into what programs see.
type Surface struct {
	// Source is a function expression (host, table) => ({ctx, globals}), run in
	// every fresh runtime before the program. ctx is the first argument of module
	// tools; the members of globals become global names of scripts.
	Source string
	// Table is passed to it as a JavaScript value; nil passes null.
	Table json.RawMessage
}

// ProgramKind tells how a program is entered.
type ProgramKind int

const (
	// Module is an ES module of a pack; one of its exports is called with (ctx, args).
	Module ProgramKind = iota
	// Script is the body of an async function: top-level await, return and
	// import() are allowed, and the surface's globals are visible by name.
	Script
)

// Program is source to run, with every file it may import.
type Program struct {
	Kind ProgramKind
	// Site names the pack in messages; it has no other meaning here.
	Site string
	// Entry is the slash path of the entry file in Files.
	Entry string
	// Export is the export of a Module to call; "" takes the default export, or
	// the only function the module exports.
	Export string
	// Context names the member of the surface that the program gets: a tool as its
	// first argument, a script as its globals. "" is "ctx" or "globals".
	Context string
	// Files holds the sources by slash path relative to the pack.
	Files map[string]string
	// Hash is the content key: programs with the same hash have the same Files.
	// "" means: hash the files at every run.
	Hash string
}

// Request is one run.
type Request struct {
	Program *Program
	// Args is the second argument of the tool as JSON; nil means {}.
	Args json.RawMessage
	// Host answers host calls; nil refuses them all.
	Host Host
	// Timeout bounds the run, waiting for a worker included; 0 means none.
	Timeout time.Duration
	// Limits override Config.Limits where they are not zero. The address space of the
	// workers follows Config.Limits alone, so more memory than four times that is
	// never to be had.
	Limits Limits
	// OnLog, if set, gets each log entry in order while the run goes on. It is
	// called on the goroutine that called Run and must not block for long.
	OnLog func(LogEntry)
}

// Host answers the host calls of a run.
type Host interface {
	// Call answers one host call. It is called concurrently; ctx ends with the
	// run, and Call must return soon after that. An error that has
	// HostError() (kind string, data any) gives the JavaScript error the
	// properties kind, code and data.
	Call(ctx context.Context, name string, args json.RawMessage) (json.RawMessage, error)
}

// Result is what a run that did not fail gives back.
type Result struct {
	// Value is the returned value as tagged JSON ("value is JSON" in docs/protocol.md).
	Value json.RawMessage
	// Logs are the console entries in order.
	Logs []LogEntry
	// Duration is the time from the call of Run to its end.
	Duration time.Duration
	// Output is the text a Script printed with console.log.
	Output string
}

// LogEntry is one console message.
type LogEntry struct {
	// Level is the console method: log, info, warn, error, debug.
	Level string `json:"level"`
	// Message is the formatted text, without a final newline.
	Message string `json:"message"`
	// TimeMs is milliseconds since the run began.
	TimeMs int64 `json:"timeMs"`
}

// Limits bound one run. A zero field takes the default named with it.
type Limits struct {
	// MemoryBytes is how much the heap of the worker may grow in the run; 256 MiB.
	MemoryBytes int64 `json:"memoryBytes,omitempty"`
	// OutputBytes bounds the encoded result and a script's output, each; 32 MiB.
	OutputBytes int64 `json:"outputBytes,omitempty"`
	// LogBytes bounds the text of all log entries; 4 MiB.
	LogBytes int64 `json:"logBytes,omitempty"`
	// CallStack bounds nested calls; 5,000. Through getters, proxies and toString the
	// engine needs time in the square of it to give up: about a second at 5,000.
	CallStack int `json:"callStack,omitempty"`
	// SourceBytes bounds each source file that is imported; 128 KiB. Parsers of
	// nested source need stack in proportion to it, so it cannot be raised past that.
	SourceBytes int64 `json:"sourceBytes,omitempty"`
	// PendingCalls bounds the host calls of a run that are not answered yet; 10,000.
	PendingCalls int `json:"pendingCalls,omitempty"`
	// Timers bounds the active timers; 10,000.
	Timers int `json:"timers,omitempty"`
}

var defaultLimits = Limits{
	MemoryBytes: 256 << 20, OutputBytes: 32 << 20, LogBytes: 4 << 20,
	CallStack: 5_000, SourceBytes: maxSourceBytes, PendingCalls: 10_000, Timers: 10_000,
}

// maxSourceBytes keeps a file of nothing but brackets within what the parsers
// survive: 262,144 "(" end the process in either parser, 200,000 do not.
const maxSourceBytes = 128 << 10

// over returns l with the zero fields taken from base.
func (l Limits) over(base Limits) Limits {
	pick64 := func(v, d int64) int64 {
		if v > 0 {
			return v
		}
		return d
	}
	pick := func(v, d int) int {
		if v > 0 {
			return v
		}
		return d
	}
	return Limits{
		MemoryBytes:  pick64(l.MemoryBytes, base.MemoryBytes),
		OutputBytes:  pick64(l.OutputBytes, base.OutputBytes),
		LogBytes:     pick64(l.LogBytes, base.LogBytes),
		CallStack:    pick(l.CallStack, base.CallStack),
		SourceBytes:  min(pick64(l.SourceBytes, base.SourceBytes), maxSourceBytes),
		PendingCalls: pick(l.PendingCalls, base.PendingCalls),
		Timers:       pick(l.Timers, base.Timers),
	}
}
