// Package wire is what the faces over a pair of streams have in common: the
// envelope of JSON-RPC 2.0, the requests that are under way, what is owed for
// them, and how a connection ends. A face says what the methods are.
//
// A Conn reads texts out of frames and refuses what is none. The face takes each
// text apart with ParseMessage, registers its requests, and answers each of them
// once: whoever settles a request first is the one who answers it.
//
// # Life
//
// Start begins to write, Finish waits for the first reason to end and then gets
// everything answered, as far as the reason and the limits allow. Between them one
// goroutine of the face reads with Next. When Next fails the face hands the error
// to InputEnded, which returns when the connection is done with.
package wire
