package main

import (
	"github.com/spf13/cobra"

	jsruntime "egod/internal/runtime"
)

const workerCommandName = "worker"

// workerCommand is how egod runs itself to execute pack code. It speaks the
// runtime's frames on its standard streams and is of no use by hand.
func (c *command) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    workerCommandName,
		Short:  "Run pack code for a daemon (started by egod itself)",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return jsruntime.Serve(cmd.Context(), c.stdin, c.stdout)
		},
	}
}
