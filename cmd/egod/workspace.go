package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"egod/internal/ops"
	"egod/internal/rpc"
	"egod/internal/skills"
)

// index is the skill store in use. A client that names a workspace may have it
// replaced, while others read it.
type index struct {
	open func(ctx context.Context, roots []skills.Root, after uint64) (*skills.Store, error)

	mu    sync.Mutex
	store *skills.Store // nil before the first one is open

	// replaced has room for one: somebody is told that another store is in use.
	replaced chan struct{}
}

// current returns the store in use.
func (x *index) current() *skills.Store {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.store
}

// start opens the first store.
func (x *index) start(ctx context.Context, roots []skills.Root) error {
	store, err := x.open(ctx, roots, 0)
	if err != nil {
		return fmt.Errorf("opening the skill roots: %w", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.store = store
	return nil
}

// replace opens a store over other roots, gives it to the service, and closes
// the one before. Generations go on.
func (x *index) replace(ctx context.Context, service *ops.Service, roots []skills.Root) error {
	store, err := x.open(ctx, roots, service.Generation())
	if err != nil {
		return fmt.Errorf("opening the skill roots of the client: %w", err)
	}
	x.use(store)
	return service.UseSkills(store).Close()
}

// use makes another store the one in use.
func (x *index) use(store *skills.Store) {
	x.mu.Lock()
	x.store = store
	x.mu.Unlock()
	select {
	case x.replaced <- struct{}{}:
	default:
	}
}

// close ends the store in use.
func (x *index) close() error {
	if store := x.current(); store != nil {
		return store.Close()
	}
	return nil
}

// welcome takes what a client says of its workspace: it counts where the command
// line and the environment named neither roots nor a workspace. It returns what
// the client is told.
func (c *command) welcome(ctx context.Context, d *daemon, client rpc.Client) (rpc.Info, error) {
	if !c.placed() && (client.Workspace != "" || len(client.Roots) > 0) {
		if err := c.adopt(ctx, d, client); err != nil {
			return rpc.Info{}, err
		}
	}
	return rpc.Info{
		Version: version, PID: os.Getpid(), Workspace: d.workspace,
		Roots: d.service.Roots(), Generation: d.service.Generation(),
	}, nil
}

// placed tells whether the command line or the environment says where packs are.
func (c *command) placed() bool {
	return len(c.settings.roots) > 0 || c.settings.workspace != "" || c.lookupEnv("EGO_BROWSER_AGENT_WORKSPACE") != ""
}

// adopt searches for packs where the client says.
func (c *command) adopt(ctx context.Context, d *daemon, client rpc.Client) error {
	workspace := d.workspace
	if client.Workspace != "" {
		dir, err := clientPath("workspace", client.Workspace)
		if err != nil {
			return err
		}
		workspace = dir
	}
	dirs := []string{workspaceLearnings(workspace)}
	if len(client.Roots) > 0 {
		dirs = nil
	}
	for _, given := range client.Roots {
		dir, err := clientPath("roots", given)
		if err != nil {
			return err
		}
		dirs = append(dirs, dir)
	}
	roots, err := c.rootsOf(dirs)
	if err != nil {
		return err
	}
	if err := d.index.replace(ctx, d.service, roots); err != nil {
		return err
	}
	d.workspace = workspace
	return nil
}

// follow searches for packs below each folder that an MCP client has open; they are
// its workspaces, the first one before the others. What is no local folder is passed
// over. Without any, packs are searched for where they were at the start. It reports
// whether that is another place than the one before.
func (c *command) follow(ctx context.Context, d *daemon, uris []string) (changed bool, err error) {
	var folders []string
	for _, uri := range uris {
		dir, err := clientPath("roots", uri)
		if err != nil {
			d.logger.Warn("a root of the client is passed over", "error", err.Error())
			continue
		}
		if !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	if len(folders) == 0 {
		first, err := c.absolute("")
		if err != nil {
			return false, err
		}
		folders = []string{first}
	}
	dirs := make([]string, len(folders))
	for i, folder := range folders {
		dirs[i] = workspaceLearnings(folder)
	}
	roots, err := c.rootsOf(dirs)
	if err != nil || slices.EqualFunc(roots, d.service.Roots(), func(r skills.Root, dir string) bool { return r.Dir == dir }) {
		return false, err
	}
	if err := d.index.replace(ctx, d.service, roots); err != nil {
		return false, err
	}
	d.workspace = folders[0]
	return true, nil
}

// clientPath reads a path of initialize: absolute, or a file: URI as editors
// send them.
func clientPath(param, given string) (string, error) {
	path := given
	if strings.HasPrefix(given, "file:") {
		parsed, err := url.Parse(given)
		if err != nil || parsed.Host != "" && parsed.Host != "localhost" {
			return "", ops.Errorf(ops.KindInvalidParams, "%s %q is not the URI of a local file", param, given).With("path", "$."+param)
		}
		path = filepath.FromSlash(parsed.Path)
		if len(path) > 2 && path[0] == filepath.Separator && path[2] == ':' { // a Windows drive: /C:/...
			path = path[1:]
		}
	}
	if !filepath.IsAbs(path) {
		return "", ops.Errorf(ops.KindInvalidParams, "%s %q is not absolute", param, given).With("path", "$."+param).
			WithHint("write the whole path: egod's working directory is not the client's")
	}
	return filepath.Clean(path), nil
}
