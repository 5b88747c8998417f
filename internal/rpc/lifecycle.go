package rpc

import (
	"encoding/json"
	"reflect"
	"slices"

	"egod/internal/ops"
	"egod/internal/wire"
)

// Control methods are served here, on the reading goroutine, and never wait
// for anything. The rest belongs to the backend.
const (
	methodInitialize  = "initialize"
	methodInitialized = "initialized"
	methodPing        = "ping"
	methodShutdown    = "shutdown"
	methodExit        = "exit"
	methodCancel      = "$/cancelRequest"
	methodCancelled   = "notifications/cancelled"
)

// Controls returns the control methods as rpc.discover describes them, in order of
// name.
func Controls() []ops.ControlMethod {
	refusals := []ops.Kind{ops.KindInvalidRequest, ops.KindInvalidParams}
	return []ops.ControlMethod{
		{Name: methodCancel, Doc: "Cancel a request, which is then answered with an error.", Params: decodeCancel.Params()},
		{Name: methodExit, Doc: "End the process: with code 0 after shutdown, else 1."},
		{
			Name: methodInitialize, Doc: "Introduce the client; may be left out, and is taken once.",
			Params: decodeInitialize.Params(), Result: reflect.TypeFor[initializeResult](), Fails: refusals,
		},
		{Name: methodInitialized, Doc: "Say that the answer to initialize was read; nothing depends on it."},
		{Name: methodCancelled, Doc: "Cancel a request, as the Model Context Protocol spells it.", Params: decodeCancelled.Params()},
		{Name: methodPing, Doc: "Ask for a sign of life; never waits behind a run.", Result: reflect.TypeFor[struct{}](), Fails: refusals},
		{Name: methodShutdown, Doc: "Take no more requests; exit comes next.", Result: reflect.TypeFor[ops.Nothing](), Fails: refusals},
	}
}

// Info is what the server says about itself in its answer to initialize.
type Info struct {
	// Version is the version of egod, PID its process.
	Version string
	PID     int
	// Workspace and Roots are absolute paths.
	Workspace string
	Roots     []string
	// Generation is the generation of the skill index in use.
	Generation uint64
}

type initializeResult struct {
	ProtocolVersion string       `json:"protocolVersion"`
	ServerInfo      serverInfo   `json:"serverInfo"`
	PID             int          `json:"pid"`
	Workspace       string       `json:"workspace"`
	Roots           []string     `json:"roots"`
	Generation      uint64       `json:"generation"`
	Capabilities    capabilities `json:"capabilities"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type capabilities struct {
	Methods       []string `json:"methods"`
	Notifications []string `json:"notifications"`
}

// control serves a control method; known is false when the method is another.
// What is usually a notification may also be sent as a request: it does the
// same and is answered with null. What is usually a request does nothing when
// it is sent as a notification, because nobody would see the result.
func (s *Server) control(r *wire.Request) (result any, known bool, err error) {
	switch r.Method {
	case methodExit:
		s.exit()
		return nil, true, nil
	case methodCancel:
		p, err := decodeCancel.Decode(r.Params)
		s.cancelRequest(p.ID, err)
		return nil, true, nil
	case methodCancelled:
		p, err := decodeCancelled.Decode(r.Params)
		s.cancelRequest(p.RequestID, err)
		return nil, true, nil
	case methodInitialized:
		return nil, true, nil
	case methodPing, methodShutdown, methodInitialize:
		if r.ID == nil {
			return nil, true, nil
		}
	default:
		return nil, false, nil
	}
	if r.Method != methodPing {
		defer func() { s.backend.Asked(r.Method, err) }()
	}
	if s.down.Load() {
		return nil, true, errShutDown()
	}
	switch r.Method {
	case methodPing:
		_, err = noParams.Decode(r.Params)
		return pong, true, err
	case methodShutdown:
		_, err = noParams.Decode(r.Params)
		s.down.Store(err == nil)
		return nil, true, err
	}
	result, err = s.initialize(r.Params)
	return result, true, err
}

// encoded is a result that is JSON text already, known to be good.
type encoded string

// pong is the answer to ping.
const pong encoded = "{}"

func errShutDown() *ops.Error {
	return wire.InvalidRequest("egod was shut down by an earlier request").
		WithHint(`only the notification "exit" is taken now`)
}

// initialize makes the acquaintance of the client. It may be left out, and may
// be done once.
func (s *Server) initialize(params []byte) (any, error) {
	if s.initialized {
		return nil, wire.InvalidRequest("initialize was answered before: it is taken once")
	}
	client, err := parseClient(params)
	if err != nil {
		return nil, err
	}
	var info Info
	if s.cfg.Initialize != nil {
		if info, err = s.cfg.Initialize(client); err != nil {
			return nil, err
		}
	}
	s.initialized = true
	s.wantsLog.Store(client.Log)
	s.backend.Introduce(client.Name, client.Version)
	s.Log.Info("initialized", "client", client.Name, "clientVersion", client.Version, "processId", client.ProcessID)
	return initializeResult{
		ProtocolVersion: client.ProtocolVersion,
		ServerInfo:      serverInfo{Name: "egod", Version: info.Version},
		PID:             info.PID,
		Workspace:       info.Workspace,
		Roots:           append([]string{}, info.Roots...),
		Generation:      info.Generation,
		Capabilities:    capabilities{Methods: s.methods, Notifications: notifications()},
	}, nil
}

// exit ends the input: nothing that follows is read.
func (s *Server) exit() {
	s.stream.exited = true
	s.Exit()
}

// cancelRequest answers the request with an id, at once, and tells its work to
// end. Ids that are unknown or were answered are ignored, and so are params that
// do not decode: they name no request.
func (s *Server) cancelRequest(id json.RawMessage, err error) {
	if err != nil {
		s.Log.Debug("a cancel names no request")
		return
	}
	if r := s.ByID(id); r != nil {
		s.cancel(r, wire.ErrCancelledByClient, ops.Errorf(ops.KindCancelled, "%s was cancelled by the client", r.Method))
	}
}

// cancel answers r with answer unless it is answered, and ends its work with
// cause. The work may take its time: nobody waits for it.
func (s *Server) cancel(r *wire.Request, cause error, answer *ops.Error) {
	s.answerError(r, answer)
	s.StopWork(r, cause)
}

// methodNames returns what initialize lists: the methods of the backend and the
// control methods.
func methodNames(backend Backend) []string {
	names := backend.Methods()
	for _, control := range Controls() {
		names = append(names, control.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
