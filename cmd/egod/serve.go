package main

import (
	"context"

	"github.com/spf13/cobra"

	"egod/internal/rpc"
	"egod/internal/skills"
)

func (c *command) serveCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:     "serve",
		Short:   "Serve JSON-RPC on stdin and stdout (what egod does without a command)",
		Example: "  egod serve --root ./learnings --log-level debug",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.serve(cmd) },
	})
}

// serve runs the JSON-RPC face until its client is done or a signal comes.
func (c *command) serve(cmd *cobra.Command) error {
	return c.serveFace(cmd, "reading JSON-RPC from the terminal, one request a line", c.jsonFace)
}

// rpcFace is the JSON-RPC face.
type rpcFace struct{ *rpc.Server }

func (c *command) jsonFace(ctx context.Context, d *daemon, watch func(pid int)) (face, error) {
	return rpcFace{rpc.New(rpc.NewBackend(d.service), rpc.Config{
		Config: c.wireConfig(d),
		Initialize: func(client rpc.Client) (rpc.Info, error) {
			switch {
			case client.ProcessID <= 0:
			case foreignClient():
				d.logger.Debug("the client's process is in another pid namespace and is not watched", "pid", client.ProcessID)
			default:
				watch(client.ProcessID)
			}
			return c.welcome(ctx, d, client)
		},
	})}, nil
}

// Changed tells the client of a swap of the skill index.
func (f rpcFace) Changed(change skills.Change) {
	files := make([]rpc.FileDiagnostics, 0, len(change.Diagnostics))
	for _, file := range change.Diagnostics {
		files = append(files, rpc.FileDiagnostics{URI: file.URI, SiteID: file.SiteID, Diagnostics: file.Diagnostics})
	}
	f.Server.Changed(rpc.Change{
		Generation: change.Generation, Added: change.Added, Updated: change.Updated,
		Removed: change.Removed, Reason: change.Reason, Diagnostics: files,
	})
}
