// Package rpc is the JSON-RPC face of egod, over one pair of streams, as
// docs/protocol.md has it.
//
// The connection is the one of github.com/sourcegraph/jsonrpc2. Below it lies an
// ObjectStream of ours over the connection of package wire, which does what that
// library leaves open: answers to frames that are no requests, batches, ids and
// params as they were written, limits. Above it a Server has the methods of the
// lifecycle and asks a Backend for everything else.
//
// # Order
//
// Requests are taken in the order in which they arrive. Control methods, and
// operations that only read memory, are answered where they are read, and never
// wait. Every other operation is prepared where it is read, which gives it its
// place in the queues it needs, and then runs on a goroutine of its own: calls
// on one space run in the order of arrival, and answers come as they are ready.
// A request can be cancelled from the moment it was read.
//
// # Goroutines
//
//	reader   owned by the library's connection: reads, parses, prepares, runs what
//	         cannot wait. Blocks in Read, or while the client owes reading too
//	         much. Ends when Run is done; a Read that does not return keeps it.
//	writer   owned by wire.Conn: the only one that writes. Blocks in Write, or
//	         for something to write. Ends when all is written, or a write fails;
//	         a Write that does not return keeps it.
//	watcher  owned by the library's connection: waits for the connection to end.
//	work     one for each operation under way, owned by the Server: ends when the
//	         operation returns, which its context tells it to.
//
// Each request is answered by whoever settles it first (wire.Conn.Settle): its
// work, a cancel, or the end of the server.
package rpc
