package mcp

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"egod/internal/wire"
)

// metaRevision is the member of _meta in which each request from the revision
// 2026-07-28 on says which revision it is of.
const metaRevision = "io.modelcontextprotocol/protocolVersion"

// saysRevision reports whether params say which revision a request is of.
func saysRevision(params json.RawMessage) bool {
	if len(params) == 0 || params[0] != '{' {
		return false
	}
	meta := wire.Member(params, "_meta")
	return len(meta) > 0 && meta[0] == '{' && wire.Member(meta, metaRevision) != nil
}

// introduce tells the audit log who the client says it is: in initialize, or from
// that revision on in _meta of each request.
func (s *Server) introduce(r *wire.Request, revised bool) {
	about := json.RawMessage(nil)
	switch {
	case r.Method == methodInitialize:
		about = wire.Member(r.Params, "clientInfo")
	case revised:
		about = wire.Member(wire.Member(r.Params, "_meta"), mcp.MetaKeyClientInfo)
	}
	var client struct{ Name, Version string }
	if len(about) > 0 && json.Unmarshal(about, &client) == nil {
		s.session.Introduce("mcp", client.Name, client.Version)
	}
}

// complete says in a result that it is all there is, which a request that says its
// revision needs to hear. The library does so in results that its own handlers give,
// and knows nothing of those given past them.
func complete(result json.RawMessage) json.RawMessage {
	const word = `{"resultType":"complete"`
	if len(result) < 2 || result[0] != '{' || wire.Member(result, "resultType") != nil {
		return result
	}
	completed := append(make(json.RawMessage, 0, len(word)+1+len(result)), word...)
	if rest := result[1:]; rest[0] != '}' {
		completed = append(completed, ',')
	}
	return append(completed, result[1:]...)
}
