// Package mcp is the face of egod for agent hosts: the Model Context Protocol over
// one pair of streams, as docs/mcp.md has it.
//
// The protocol is that of github.com/modelcontextprotocol/go-sdk. Below it lies a
// Connection of ours over package wire, so that nothing that comes in can end the
// session: what is no request is answered here and never reaches the library, which
// knows requests by numbers of ours. Its answers are written under the ids that the
// client gave. Around every method lies a function of ours that recovers panics and
// gives errors their codes.
//
// # Tools
//
// A core tool says which operations of package ops it calls and which of their
// params it shows; types, docs and checks come from the rows of those. A pack tool
// is made from the manifest of its pack. Calls are prepared where they are read, so
// that calls on one space run in the order of arrival.
//
// # Notes
//
// Notes are resources. Lists and reads are answered from the skill index of the moment
// and never reach the library. Prompts and completions are made from the index too.
//
// What changes is told by us alone, to clients that shook hands and to each request of
// subscriptions/listen: the library is not asked who wants to hear of it.
//
// # Goroutines
//
//	reader   owned by the library's connection: reads, checks, prepares. Blocks in
//	         Read, or while the client owes reading too much. Ends when Run is done;
//	         a Read that does not return keeps it.
//	writer   owned by wire.Conn: see there.
//	roots    one for a client that has roots, owned by rootsFollower: asks for them
//	         and waits for the answer. Ends with the connection; Run waits for it.
//	handler  one for each request under way, owned by the library: ends when the
//	         method returns, which its context tells it to.
package mcp
