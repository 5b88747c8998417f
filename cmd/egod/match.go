package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"egod/internal/policy"
	"egod/internal/skills"
)

func (c *command) matchCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:     "match URL",
		Short:   "Say for every pack why it matches a URL or host, or does not",
		Example: "  egod match https://www.x.com/home",
		Args:    exactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withPacks(cmd, func(store *skills.Store) error {
				explained := store.Catalog().Explain(args[0])
				if c.json {
					return c.printJSON(explained)
				}
				return c.printExplanation(explained)
			})
		},
	})
}

// withPacks runs a function that needs the packs and nothing that runs them.
func (c *command) withPacks(cmd *cobra.Command, do func(*skills.Store) error) error {
	warnings, err := c.prepareOnce(cmd)
	if err != nil {
		return err
	}
	roots, _, err := c.searchRoots()
	if err != nil {
		return err
	}
	for _, w := range append(warnings, c.missingRoots(roots)...) {
		fmt.Fprintf(c.stderr, "egod: warning: %s\n", w)
	}
	store, err := skills.Open(context.WithoutCancel(cmd.Context()), skills.Config{Roots: roots, Poll: -1})
	if err != nil {
		return err
	}
	defer store.Close()
	return do(store)
}

func (c *command) printExplanation(e skills.Explanation) error {
	if e.Note != "" {
		fmt.Fprintf(c.stdout, "%s: no pack can match: %s\n", e.Input, e.Note)
		if e.Host == "" {
			return nil
		}
	}
	fmt.Fprintf(c.stdout, "host %s\n", e.Host)
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PACK\tMATCHES\tDOMAIN\tBECAUSE")
	for _, pack := range e.Packs {
		if len(pack.Patterns) == 0 {
			fmt.Fprintf(table, "%s\tno\t-\t%s\n", cell(pack.ID), pack.Reason)
		}
		for _, p := range pack.Patterns {
			matches := "no"
			if p.Matched {
				matches = "yes"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", cell(pack.ID), matches, cell(p.Pattern), p.Reason)
		}
	}
	return table.Flush()
}

// schemas are what egod schema prints, by name.
var schemas = map[string]func() json.RawMessage{"manifest": skills.ManifestSchema, "policy": policy.Schema}

func (c *command) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [manifest|policy]",
		Short: "Print the JSON Schema of manifest.json, or of the policy file",
		Example: `  egod schema > manifest.schema.json
  egod schema policy > policy.schema.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("usage: "+cmd.UseLine(), "schema takes one name, got %d", len(args))
			}
			if len(args) == 1 && schemas[args[0]] == nil {
				return usageError("use one of manifest, policy", "there is no schema %q", args[0])
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			schema := skills.ManifestSchema
			if len(args) == 1 {
				schema = schemas[args[0]]
			}
			_, err := c.stdout.Write(schema())
			return err
		},
	}
}
