// Package runtime runs the JavaScript of site packs and agent scripts where it
// can do no harm: in worker processes that are the same binary started again.
//
// A [Pool] lives in the daemon. It keeps a few workers warm and hands each run
// to one of them; a worker serves one run at a time and gives every run a fresh
// JavaScript runtime. The parent and a worker speak length-framed messages over
// the worker's stdin and stdout (see frame.go). [Serve] is the worker's side.
//
// JavaScript engines written in Go can be stopped neither inside a native call
// nor by a memory limit, and some one-line programs end the whole process
// ("fatal error: stack overflow"). So nothing that comes from a pack is parsed
// or run in the daemon: a run that exceeds its time, memory, stack or output is
// interrupted, and when that does not work in a short grace its worker is
// killed. Other runs do not notice.
//
// The package knows no browser and no packs. A program reaches the outside only
// through host calls, (name, JSON arguments) -> JSON, which the parent forwards
// to the [Host] of the request.
//
// Goroutines of the parent:
//
//	per worker: one that starts the process and waits for its end (on Linux
//	  locked to its thread, which must live as long as the child), and one that
//	  reads its frames; both end with the process, which ends at the latest in
//	  Pool.Close
//	per host call: one; its context ends with the run
//	per background start of a worker: one; ends with the start or Pool.Close
//
// Goroutines of a worker: the frame reader (Serve itself), the frame writer, the
// executor that owns the JavaScript runtime, and a memory watchdog during a run.
package runtime
