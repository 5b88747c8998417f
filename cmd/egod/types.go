package main

import (
	"io"

	"github.com/spf13/cobra"

	"egod/internal/ops"
)

func (c *command) typesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "types",
		Short:   "Print TypeScript declarations of what tools and scripts get",
		Example: "  egod types > egod.d.ts",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			declarations := ops.NewTable().Declarations()
			if c.json {
				return c.printJSON(map[string]string{"declarations": declarations})
			}
			_, err := io.WriteString(c.stdout, declarations)
			return err
		},
	}
}
