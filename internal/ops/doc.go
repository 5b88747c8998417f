// Package ops holds the operations of egod as one table of typed rows. Every
// face (JSON-RPC, the JS ctx of tools, and whatever is added later) is made
// from that table, so that they cannot disagree.
//
// It is the only package that sees skills, runtime and browser together: it
// checks parameters and policy, decides whose turn it is, and turns the typed
// errors of those packages into Error values with a stable Kind.
package ops
