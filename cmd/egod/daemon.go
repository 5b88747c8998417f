package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"egod/internal/audit"
	"egod/internal/browser"
	"egod/internal/ops"
	"egod/internal/rpc"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
	"egod/internal/video"
	"egod/internal/wire"
	packs "egod/skills"
)

// daemon is the set of running parts behind a face.
type daemon struct {
	workspace string
	logger    *slog.Logger
	index     index
	runner    *jsruntime.Pool
	browser   *browser.Manager
	service   *ops.Service
	audit     *audit.Log // nil without --audit-log
	closeLog  func() error
}

// start builds the parts, leaf to root. onChange hears of every swap of the
// skill index. Whoever gets the daemon closes it.
func (c *command) start(ctx context.Context, onChange func(skills.Change)) (_ *daemon, err error) {
	d := &daemon{closeLog: func() error { return nil }}
	d.index.replaced = make(chan struct{}, 1)
	defer func() {
		if err != nil {
			d.close(context.WithoutCancel(ctx))
		}
	}()
	secrets, warnings := c.hiddenValues()
	if d.logger, d.closeLog, err = c.newLogger(secrets); err != nil {
		return nil, err
	}
	roots, workspace, err := c.searchRoots()
	if err != nil {
		return nil, err
	}
	for _, w := range append(warnings, c.missingRoots(roots)...) {
		d.logger.Warn(w)
	}
	d.workspace = workspace
	if d.runner, err = c.newRunner(d.logger); err != nil {
		return nil, err
	}
	d.index.open = func(ctx context.Context, roots []skills.Root, after uint64) (*skills.Store, error) {
		return skills.Open(ctx, c.settings.follow(skills.Config{
			Roots: roots, Logger: d.logger, OnChange: onChange, Check: ops.SourceCheck(d.runner), Cost: ops.ToolCost, After: after,
		}))
	}
	policy, err := c.policy()
	if err != nil {
		return nil, err
	}
	if d.audit, err = c.openAudit(d.logger); err != nil {
		return nil, err
	}
	if err := d.index.start(ctx, roots); err != nil {
		return nil, err
	}
	for _, w := range c.strangers(d.index.current().Catalog()) {
		d.logger.Warn(w)
	}
	d.browser = c.newBrowser(d.logger)
	d.service, err = ops.New(ops.Config{
		Skills: d.index.current(), Runner: d.runner, Browser: d.browser, Logger: d.logger,
		ToolTimeout: c.settings.toolTimeout, MaxConcurrentRuns: c.settings.maxRuns,
		SpaceIdleTimeout: c.settings.spaceIdle,
		StrictResults:    c.settings.strictResults,
		Policy:           policy,
		LegacyHelpers:    c.legacyHelpers(),
		TempDir:          os.TempDir(),
		FFmpeg:           c.lookupEnv(video.PathVariable),
		Version:          version,
		ErrorCodes:       errorCodes(),
		Controls:         rpc.Controls(),
		Secrets:          secrets,
		Audit:            d.auditor(),
	})
	return d, err
}

// errorCodes are the codes of the JSON-RPC face, which rpc.discover tells.
func errorCodes() []ops.ErrorCode {
	var codes []ops.ErrorCode
	for _, c := range wire.Codes() {
		codes = append(codes, ops.ErrorCode(c))
	}
	return codes
}

// close ends the parts, root to leaf. The context bounds how long Chrome may
// take to go.
func (d *daemon) close(ctx context.Context) error {
	var errs []error
	if d.service != nil {
		errs = append(errs, d.service.Close(ctx))
	}
	if d.browser != nil {
		errs = append(errs, d.browser.Close(ctx))
	}
	errs = append(errs, d.index.close()) // before the workers that its checks use
	if d.runner != nil {
		errs = append(errs, d.runner.Close())
	}
	if d.audit != nil {
		errs = append(errs, d.audit.Close())
	}
	return errors.Join(append(errs, d.closeLog())...)
}

func (c *command) newRunner(logger *slog.Logger) (*jsruntime.Pool, error) {
	executable, err := c.executable()
	if err != nil {
		return nil, fmt.Errorf("finding egod's own binary, which runs the workers: %w", err)
	}
	surface, err := ops.NewTable().Surface()
	if err != nil {
		return nil, err
	}
	return jsruntime.NewPool(jsruntime.Config{
		Command:    []string{executable, workerCommandName},
		Env:        c.workerEnv(),
		ProgramEnv: c.programEnv(),
		Workers:    c.settings.workers,
		Surface:    surface,
		Files:      true,
		Limits:     jsruntime.Limits{MemoryBytes: c.settings.toolMemory},
		Logger:     logger,
	})
}

func (c *command) newBrowser(logger *slog.Logger) *browser.Manager {
	for _, flag := range c.settings.idleBrowserFlags() {
		logger.Warn("--" + flag + " has no effect: with --browser-url no Chrome is started")
	}
	return browser.New(browser.Config{
		URLs: c.settings.browserURLs, Isolation: browser.Isolation(c.settings.isolation),
		Chrome: c.settings.chrome, Args: c.settings.chromeArgs, Headed: c.settings.headed,
		Profile: c.settings.profile, NoSandbox: c.settings.noSandbox, TempDir: os.TempDir(),
		IdleTimeout: c.settings.idleTimeout, Dialog: browser.DialogPolicy(c.settings.dialog),
		Logger: logger, Env: c.env,
	})
}

// lookupEnv reads a variable that is not a flag's. An empty one counts as
// unset.
func (c *command) lookupEnv(name string) string {
	for _, entry := range c.env {
		if n, value, _ := strings.Cut(entry, "="); n == name {
			return value
		}
	}
	return ""
}

// searchRoots decides where packs are looked for, highest first, and which
// directory is the workspace.
func (c *command) searchRoots() (roots []skills.Root, workspace string, err error) {
	if workspace, err = c.absolute(c.settings.workspace); err != nil {
		return nil, "", err
	}
	dirs := c.settings.roots
	if len(dirs) == 0 {
		if own := c.lookupEnv("EGO_BROWSER_AGENT_WORKSPACE"); own != "" {
			dir, err := c.absolute(own)
			if err != nil {
				return nil, "", err
			}
			dirs = []string{agentLearnings(dir)}
		} else {
			dirs = []string{workspaceLearnings(workspace)}
		}
	}
	roots, err = c.rootsOf(dirs)
	return roots, workspace, err
}

// rootsOf makes roots of directories, with the embedded packs below them.
func (c *command) rootsOf(dirs []string) (roots []skills.Root, err error) {
	for _, dir := range dirs {
		absolute, err := c.absolute(dir)
		if err != nil {
			return nil, err
		}
		roots = append(roots, skills.Root{Dir: absolute})
	}
	if c.settings.builtin {
		embedded, err := packs.Learnings()
		if err != nil {
			return nil, fmt.Errorf("reading the packs embedded in the binary: %w", err)
		}
		roots = append(roots, skills.Root{Dir: builtinRoot, FS: embedded, Builtin: true})
	}
	return roots, nil
}

// builtinRoot is what the root of the embedded packs is called: no directory of
// any system has this name.
const builtinRoot = "builtin:learnings"

// missingRoots are warnings about roots that were asked for and are not there. A
// root that is looked at only because it is the usual place may be missing.
func (c *command) missingRoots(roots []skills.Root) (warnings []string) {
	for i := range c.settings.roots {
		if _, err := os.Stat(roots[i].Dir); err != nil {
			warnings = append(warnings, fmt.Sprintf("--root %s cannot be read yet: %v", roots[i].Dir, err))
		}
	}
	return warnings
}

// workspaceLearnings is the directory of packs in a workspace.
func workspaceLearnings(dir string) string {
	return filepath.Join(dir, "skills", "ego-browser", "learnings")
}

// agentLearnings is the directory of packs in an agent workspace of the
// original layout: learnings/, else skills/ego-browser/learnings/.
func agentLearnings(dir string) string {
	direct := filepath.Join(dir, "learnings")
	if info, err := os.Stat(direct); err == nil && info.IsDir() {
		return direct
	}
	return workspaceLearnings(dir)
}

// absolute resolves a directory against the working directory, with a leading
// ~ as the home directory. Empty means the working directory.
func (c *command) absolute(dir string) (string, error) {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		home := c.lookupEnv("HOME")
		if home == "" {
			home = c.lookupEnv("USERPROFILE")
		}
		if home == "" {
			return "", usageError("write the path out", "%s needs HOME, which is not set", dir)
		}
		dir = filepath.Join(home, rest)
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	wd, err := c.getwd()
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	return filepath.Join(wd, dir), nil
}

// closeTimeout bounds the end of a command: Chrome is asked, then killed.
const closeTimeout = 10 * time.Second
