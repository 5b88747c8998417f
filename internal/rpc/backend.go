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
}

// session is the Backend of one client of a service.
type session struct {
	table   *ops.Table
	session *ops.Session
}

// NewBackend returns the operations of svc for a new client.
func NewBackend(svc *ops.Service) Backend {
	return &session{table: svc.Table(), session: svc.NewSession()}
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
