// Command egod serves site skills over JSON-RPC on stdio: what is known about a
// site, and its tools, run in JavaScript workers and in Chrome.
//
// This package alone touches the process: its standard streams, arguments,
// environment, signals and exit code.
package main

import "os"

// version is set when a release is linked.
var version = "dev"

func main() {
	p := programFromOS()
	if firstProcess() {
		os.Exit(runAsInit(append([]string{p.executableOr(os.Args[0])}, p.args...), p.stderr))
	}
	os.Exit(run(p))
}
