package rpc

import (
	"encoding/json"

	"egod/internal/ops"
)

// Backend is what the server needs of the operations behind it.
type Backend interface {
	// Methods returns the names of all operations in order.
	Methods() []string
	// Prepare decodes and checks a call of an operation and reserves its turn;
	// it must not block. known is false when there is no such operation.
	Prepare(method string, params json.RawMessage) (call *ops.Call, known bool, err error)
	// Asked hears of what the server answered or refused itself, err being nil when
	// it was served, and Introduce of what the client calls itself.
	Asked(method string, err error)
	Introduce(name, version string)
}

// session is the Backend of one client of a service.
type session struct {
	table   *ops.Table
	session *ops.Session
}

// NewBackend returns the operations of svc for a new client.
func NewBackend(svc *ops.Service) Backend {
	s := &session{table: svc.Table(), session: svc.NewSession()}
	s.session.Introduce("rpc", "", "")
	return s
}

func (s *session) Methods() []string { return s.table.Names() }

func (s *session) Prepare(method string, params json.RawMessage) (*ops.Call, bool, error) {
	op, ok := s.table.Lookup(method)
	if !ok {
		return nil, false, nil
	}
	call, err := op.Prepare(s.session, params)
	return call, true, err
}

func (s *session) Asked(method string, err error) { s.session.Asked(method, err) }

func (s *session) Introduce(name, version string) { s.session.Introduce("rpc", name, version) }
