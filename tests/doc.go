// Package tests holds the tests that need more than one package, most of them
// against the real binary. The tests of a package's own behaviour lie beside its
// code.
//
// There are four tiers. Put a case in the lowest one that can fail for the reason
// you have in mind:
//
//  1. Tables and fuzz targets beside the code (internal/...). Add a row; for input
//     that comes from outside, extend the seed corpus of the fuzz target as well.
//  2. Protocol transcripts, without a browser: what a client sends and what it must
//     get. Those of the wire itself are internal/rpc/testdata/*.txtar; what only a
//     process can show (signals, ends of pipes, cancels that must reach a worker) is
//     here, with start in client_test.go for the client and fixture_test.go for packs.
//  3. The command line, in scripts/*.txtar: the binary as a user types it, its
//     output and its exit code. scripts_test.go says what a script may use.
//  4. Real Chromium: the binary, a Chromium it starts, and pages served on loopback.
//     For the shipped packs these are recordings under the host names of the real
//     sites (package tests/sites): add a page there, a row in packs_test.go, and
//     the value the tool must return, which -update writes to testdata/packs. Read
//     what it wrote before you commit it.
//     For the helpers of scripts these are scenarios/*.js, each an agent script that
//     checks what it sees on the pages of playground_test.go: add a script that ends
//     with await done(), and what it needs to a page of scenarios/pages.
//
// What needs processes rather than messages is in lifetime_test.go,
// chrome_lifetime_test.go and container_linux_test.go, with the helpers of
// processes_test.go. stress_test.go plays random clients, the same again with
// -stress.seed. clients/ holds clients in other languages with their libraries.
//
// authoring_test.go runs the commands of docs/authoring.md in order and compares what
// they print with what the document shows: edit the document, and that is the test.
// hosts_test.go starts what the files of docs/integrations.md name, and holds the page
// and the files together.
//
// Rules that hold in every tier: no sleeps, wait for the thing itself and for a
// context; traffic goes to loopback only; a test ends every process it starts and
// removes every file it makes; a fixed report gets one regression test named after
// it. A failing test against the binary prints what egod wrote to stderr.
//
// TestMain builds the binary once, with the race detector when the tests have it.
package tests
