// Package tests holds the tests that need more than one package, most of them
// against the real binary. The tests of a package's own behaviour lie beside its
// code.
//
// There are four tiers. Put a case in the lowest one that can fail for the reason
// you have in mind:
//
//  1. Tables and fuzz targets beside the code (internal/...). Add a row; for input
//     that comes from outside, extend the seed corpus of the fuzz target as well.
//  2. Protocol transcripts: what a client sends and what it must get, byte for byte
//     where that matters, against the binary over a pipe, without a browser. start
//     in client_test.go runs the binary and keeps apart answers and notifications.
//  3. Scripts of the command line: the binary as a user types it, its output and
//     its exit code.
//  4. Real Chromium: the binary, a Chromium it starts, and pages served on loopback
//     under the host names of real sites by the package tests/sites. The cases of
//     the shipped packs are in packs_test.go; add a page to tests/sites and a row
//     to its table.
//
// Rules that hold in every tier: no sleeps, wait for the thing itself and for a
// context; traffic goes to loopback only; a test ends every process it starts and
// removes every file it makes; a fixed report gets one regression test named after
// it. A failing test against the binary prints what egod wrote to stderr.
//
// TestMain builds the binary once, with the race detector when the tests have it.
package tests
