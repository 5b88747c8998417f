package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"egod/internal/ops"
	"egod/internal/report"
)

// withService runs a function with the daemon's parts, and closes them after.
func (c *command) withService(cmd *cobra.Command, do func(context.Context, *ops.Session) error) (err error) {
	warnings, err := c.prepareOnce(cmd)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(c.stderr, "egod: warning: %s\n", w)
	}
	ctx, stop := watchSignals(cmd.Context(), c.exit)
	defer stop()
	d, err := c.start(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if closeErr := d.close(closing); err == nil {
			err = closeErr
		}
	}()
	session := d.service.NewSession()
	session.Introduce("cli", cmd.CommandPath(), "")
	return do(ctx, session)
}

// invoke runs one operation with named params and returns its typed result.
func invoke[R any](ctx context.Context, session *ops.Session, name string, params map[string]any) (R, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return *new(R), err
	}
	result, err := session.Invoke(ctx, name, raw)
	if err != nil {
		return *new(R), err
	}
	typed, ok := result.(R)
	if !ok {
		return typed, fmt.Errorf("%s returned a %T", name, result)
	}
	return typed, nil
}

func (c *command) listCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:     "list",
		Short:   "List the packs of all roots",
		Example: "  egod list --root ./learnings",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withService(cmd, func(ctx context.Context, session *ops.Session) error {
				list, err := invoke[ops.PackList](ctx, session, "listSkills", nil)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(list)
				}
				table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tSTATUS\tDOMAINS\tNODE TOOLS\tBROWSER TOOLS\tPATH")
				for _, pack := range list.Skills {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", cell(pack.ID), pack.Status, words(pack.Domains),
						words(pack.NodeTools), words(pack.BrowserTools), cell(pack.Path))
				}
				return table.Flush()
			})
		},
	})
}

// words joins a list for a table cell.
func words(items []string) string {
	if len(items) == 0 {
		return "-"
	}
	return cell(strings.Join(items, " "))
}

// cell is a foreign text for a table.
func cell(text string) string { return strings.ReplaceAll(report.Printable(text), "\t", " ") }

// lines is a foreign text of several lines for a terminal; for a pipe it stays what
// it is.
func (c *command) lines(text string) string {
	if !typed(c.stdout) {
		return text
	}
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range parts {
		parts[i] = report.Printable(line)
	}
	return strings.Join(parts, "\n")
}

func (c *command) contextCommand() *cobra.Command {
	var maxChars int
	var known []string
	cmd := c.withSettings(&cobra.Command{
		Use:   "context URL",
		Short: "Print what is known about a URL: notes and tools",
		Example: `  egod context https://x.com/home
  egod context --max-chars 4000 https://x.com/home`,
		Args: exactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withService(cmd, func(ctx context.Context, session *ops.Session) error {
				learned, err := invoke[ops.LearnedContext](ctx, session, "learnContext",
					map[string]any{"url": args[0], "maxChars": maxChars, "knownHashes": known})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(learned)
				}
				return c.printContext(learned)
			})
		},
	})
	cmd.Flags().IntVar(&maxChars, "max-chars", 0, "the most characters of notes and tools in all; 0 means no limit")
	cmd.Flags().StringArrayVar(&known, "known-hash", nil, "hash of a note whose content is not wanted; may be given more than once")
	return cmd
}

func (c *command) printContext(learned ops.LearnedContext) error {
	var text strings.Builder
	if !learned.Exists {
		fmt.Fprintf(&text, "nothing is known about %s\n", learned.Domain)
	}
	for _, note := range learned.Knowledge {
		if note.Unchanged {
			fmt.Fprintf(&text, "--- %s: %s (unchanged)\n\n", note.SiteID, note.FileName)
			continue
		}
		fmt.Fprintf(&text, "--- %s: %s\n%s\n\n", note.SiteID, note.FileName, strings.TrimSpace(note.Content))
	}
	for _, tool := range learned.Tools {
		fmt.Fprintf(&text, "--- %s tool %s of %s\n%s\n%s\n\n", tool.ToolType, tool.ToolName, tool.SiteID, tool.Description, tool.Example)
	}
	for _, o := range learned.Omitted {
		fmt.Fprintf(&text, "--- left out: %s %s of %s, %d characters\n", o.Kind, o.Name, o.SiteID, o.Chars)
	}
	if learned.OmittedMore > 0 {
		fmt.Fprintf(&text, "--- left out: %d more notes and tools\n", learned.OmittedMore)
	}
	_, err := fmt.Fprint(c.stdout, c.lines(text.String()))
	return err
}
