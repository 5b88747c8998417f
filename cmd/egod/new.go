package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"egod/internal/scaffold"
)

func (c *command) newCommand() *cobra.Command {
	var domains []string
	cmd := c.withSettings(&cobra.Command{
		Use:   "new SITE --domain DOMAIN [DIR]",
		Short: "Make a pack to start from",
		Long: `Make the pack SITE in DIR, a directory of packs, with a note, a node tool and a
browser tool that run as they are. Without DIR it is the first directory that
egod would serve packs from.`,
		Example: "  egod new example --domain example.com --domain '*.example.com' ./learnings",
		Args:    newArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.newPack(cmd, args, domains)
		},
	})
	cmd.Flags().StringArrayVar(&domains, "domain", nil, "host the pack is about, such as example.com; may be given more than once")
	return cmd
}

func newArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 1 || len(args) == 2 {
		return nil
	}
	return usageError("usage: "+cmd.UseLine(), "new takes the pack's id and perhaps a directory, got %d arguments", len(args))
}

func (c *command) newPack(cmd *cobra.Command, args, domains []string) error {
	if _, err := c.prepareOnce(cmd); err != nil {
		return err
	}
	if len(domains) == 0 {
		return usageError("usage: "+cmd.UseLine(), "egod new needs --domain: packs are found by the host of a URL")
	}
	root, err := c.newRoot(args[1:])
	if err != nil {
		return err
	}
	files, err := scaffold.Write(root, scaffold.Pack{ID: args[0], Domains: domains})
	var invalid *scaffold.InvalidError
	if errors.As(err, &invalid) {
		return usageError(invalid.Hint, "%v", invalid)
	}
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]any{"siteId": args[0], "path": filepath.Join(root, args[0]), "root": root, "files": files})
	}
	return c.printNew(root, args, files)
}

// newRoot is the directory that the pack is made in.
func (c *command) newRoot(named []string) (string, error) {
	if len(named) > 0 {
		return c.absolute(named[0])
	}
	roots, _, err := c.searchRoots()
	if err != nil {
		return "", err
	}
	return roots[0].Dir, nil
}

func (c *command) printNew(root string, args, files []string) error {
	shown := root
	if wd, err := c.getwd(); err == nil {
		if below, err := filepath.Rel(wd, root); err == nil && filepath.IsLocal(below) {
			shown = below
		}
	}
	var text strings.Builder
	for _, file := range files {
		fmt.Fprintf(&text, "made %s\n", filepath.Join(shown, filepath.FromSlash(file)))
	}
	flag := ""
	if len(args) > 1 {
		flag = " --root " + shellWord(args[1])
	}
	fmt.Fprintf(&text, "try  egod validate %s\n", shellWord(filepath.Join(shown, args[0])))
	fmt.Fprintf(&text, "     egod run %s page-url --args '{\"path\":\"/about\"}'%s\n", args[0], flag)
	_, err := fmt.Fprint(c.stdout, text.String())
	return err
}

// shellWord quotes a word where a shell would take it apart.
func shellWord(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"\\$`!*?[]{}()<>|&;#~") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
