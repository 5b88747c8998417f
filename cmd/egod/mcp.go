package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"egod/internal/mcp"
	"egod/internal/skills"
)

func (c *command) mcpCommand() *cobra.Command {
	toolset := toolsetFlag(mcp.ToolsetCore)
	cmd := c.withSettings(&cobra.Command{
		Use:   "mcp",
		Short: "Serve the Model Context Protocol on stdin and stdout, for agent hosts",
		Long: `Serve the Model Context Protocol on stdin and stdout. A host starts this command
and offers its tools to a model. The core tools find out what is known about a
site, run the tools of packs by name, and drive a browser; with --toolset packs
each tool of a pack is a tool of its own, and with --toolset all there are both.`,
		Example: `  egod mcp --root ./learnings
  claude mcp add egod -- egod mcp --root ./learnings`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.serveFace(cmd, "reading the Model Context Protocol from the terminal", func(_ context.Context, d *daemon, _ func(int)) (face, error) {
				config := mcp.Config{Config: c.wireConfig(d), Toolset: mcp.Toolset(toolset), Version: version}
				if !c.placed() {
					config.AdoptRoots = func(ctx context.Context, uris []string) (bool, error) { return c.follow(ctx, d, uris) }
				}
				server, err := mcp.New(d.service, config)
				return mcpFace{server}, err
			})
		},
	})
	cmd.Flags().Var(&toolset, "toolset", "tools to offer: "+strings.Join(mcp.Toolsets(), ", "))
	return cmd
}

// toolsetFlag reads the name of a toolset.
type toolsetFlag mcp.Toolset

func (t *toolsetFlag) String() string { return string(*t) }
func (t *toolsetFlag) Type() string   { return "toolset" }

func (t *toolsetFlag) Set(text string) error {
	if !slices.Contains(mcp.Toolsets(), text) {
		return fmt.Errorf("%q is not known: use one of %s", text, strings.Join(mcp.Toolsets(), ", "))
	}
	*t = toolsetFlag(text)
	return nil
}

// mcpFace is the face for agent hosts.
type mcpFace struct{ *mcp.Server }

// Changed has the tools of packs follow the skill index.
func (f mcpFace) Changed(skills.Change) { f.Server.Changed() }
