package ops

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
)

// Defaults of Config, as docs/protocol.md states them.
const (
	DefaultToolTimeout       = 60 * time.Second
	DefaultMaxConcurrentRuns = 16
	// runQueue is how many runs may wait behind the running ones.
	runQueue = 256
)

// Browsers gives task spaces their tabs. A *browser.Manager has them all in one
// Chrome; what spreads them over several can stand in its place.
type Browsers interface {
	// Space returns the space of that name, made on first use. It starts nothing.
	Space(name string) *browser.Space
	// AllTabs lists the tabs of every space that has some, by the name of the space.
	AllTabs(ctx context.Context) (map[string][]browser.Tab, error)
}

// Config is what a Service is made of. Everything but Logger and the limits is
// required; the Service does not close what it is given.
type Config struct {
	Skills  *skills.Store
	Runner  *jsruntime.Pool
	Browser Browsers
	Logger  *slog.Logger

	// ToolTimeout is the deadline of a run that names none; 0 means
	// DefaultToolTimeout.
	ToolTimeout time.Duration
	// MaxConcurrentRuns bounds the runs under way; 0 means the default.
	MaxConcurrentRuns int
	// SpaceIdleTimeout is after how long a task space that nobody used is closed; 0
	// means never.
	SpaceIdleTimeout time.Duration
	// StrictResults turns a result of another type than declared into an error.
	StrictResults bool
	Policy        Policy
	// LegacyHelpers gives scripts the flat helpers of the older dialect too.
	LegacyHelpers bool
	// TempDir is where files of runs are put; empty means the system's own.
	TempDir string
	// FFmpeg is the path of the ffmpeg that makes screencasts; empty means the one
	// on PATH.
	FFmpeg string
	// Version is egod's own, ErrorCodes are those of the wire, and Controls what the
	// JSON-RPC face serves itself; rpc.discover tells them.
	Version    string
	ErrorCodes []ErrorCode
	Controls   []ControlMethod
	// Secrets are hidden in errors and console lines; nil hides nothing.
	Secrets *Secrets
	// Audit hears of everything that is asked; nil when nobody wants to know.
	Audit Auditor
}

// Service answers operations. It is safe for concurrent use. Its only goroutines
// are those of timers, which close task spaces that nobody uses.
type Service struct {
	table    *Table
	skills   atomic.Pointer[skills.Store]
	runner   *jsruntime.Pool
	browser  Browsers
	logger   *slog.Logger
	runs     *admission
	spaces   *spaceRegistry
	idleEnds *idleEnds
	files    *fileRoom
	fetchers fetchers
	policy   Policy
	secrets  *Secrets
	audit    *auditTrail
	ffmpeg   string

	toolTimeout   time.Duration
	strictResults bool
	version       string
	errorCodes    []ErrorCode
	controls      []ControlMethod
	// scriptContext is what scripts get instead of the usual globals, and contexts
	// what tools get instead of the usual ctx.
	scriptContext string
	contexts      contexts
	drift         drift
}

// New returns a Service over running parts.
func New(cfg Config) (*Service, error) {
	if cfg.Skills == nil || cfg.Runner == nil || cfg.Browser == nil {
		return nil, errors.New("an operations service needs skills, a runner and a browser")
	}
	if cfg.ToolTimeout <= 0 {
		cfg.ToolTimeout = DefaultToolTimeout
	}
	if cfg.MaxConcurrentRuns <= 0 {
		cfg.MaxConcurrentRuns = DefaultMaxConcurrentRuns
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	svc := &Service{
		table:    NewTable(),
		runner:   cfg.Runner,
		browser:  cfg.Browser,
		logger:   cfg.Logger,
		runs:     newAdmission(cfg.MaxConcurrentRuns, runQueue),
		spaces:   newSpaceRegistry(),
		idleEnds: newIdleEnds(),
		files:    &fileRoom{parent: cfg.TempDir},
		fetchers: newFetchers(),
		policy:   cfg.Policy,
		secrets:  cfg.Secrets,
		audit:    newAuditTrail(cfg.Audit, cfg.Secrets),
		ffmpeg:   cfg.FFmpeg,

		toolTimeout:   cfg.ToolTimeout,
		strictResults: cfg.StrictResults,
		version:       cfg.Version,
		errorCodes:    cfg.ErrorCodes,
		controls:      cfg.Controls,
	}
	svc.spaces.idleAfter, svc.spaces.onIdle = cfg.SpaceIdleTimeout, svc.endIdle
	svc.spaces.onOwner = func(space *taskSpace, owner Ownership) { svc.browser.Space(space.name).Keep(owner != OwnedByAgent) }
	svc.skills.Store(cfg.Skills)
	if cfg.LegacyHelpers {
		svc.scriptContext = contextScripts
	}
	return svc, nil
}

// Close ends the recordings under way, removes the files that runs made for
// themselves, and gives up the connections that are kept for fetch.server. Task
// spaces no longer end by themselves. ctx bounds how long the films may take to be
// completed.
func (s *Service) Close(ctx context.Context) error {
	s.spaces.stop()
	s.idleEnds.stop()
	s.fetchers.close()
	s.spaces.endRecordings(ctx)
	return s.files.remove()
}

// Sweep deletes what the runs of services that were killed left behind.
func (s *Service) Sweep() error { return sweepFiles(s.files.parent) }

// Table returns the operations the service answers.
func (s *Service) Table() *Table { return s.table }

// store is the source of packs in use. A run asks once and keeps what it got.
func (s *Service) store() *skills.Store { return s.skills.Load() }

// UseSkills makes another store the source of packs and returns the one that was
// it, for the caller to close. Runs under way keep the packs they have.
func (s *Service) UseSkills(store *skills.Store) *skills.Store { return s.skills.Swap(store) }

// Generation returns the generation of the skill index in use.
func (s *Service) Generation() uint64 { return s.store().Catalog().Generation() }

// Roots returns the directories that are searched for packs, highest first.
func (s *Service) Roots() []string { return s.store().Catalog().Roots() }

// Session is one client of the service. Task spaces outlive it.
type Session struct {
	svc *Service
	// who is the client as the audit log names it.
	who atomic.Pointer[auditClient]
}

// NewSession returns a session for a new client.
func (s *Service) NewSession() *Session { return &Session{svc: s} }

// Invoke prepares and runs one operation, for callers without a wire, such as
// the command line.
func (s *Session) Invoke(ctx context.Context, name string, params []byte) (any, error) {
	op, ok := s.svc.table.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", name)
	}
	call, err := op.Prepare(s, params)
	if err != nil {
		return nil, err
	}
	return call.Run(ctx)
}
