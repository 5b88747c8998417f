package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"egod/internal/policy"
	"egod/internal/skills"
)

// command is what the subcommands share: the process and the settings.
type command struct {
	*program
	settings settings
	json     bool
	// given tells whether a flag was set, on the command line or by the environment;
	// prepare sets it.
	given func(flag string) bool
	// policyFile is nil when there is none; prepare reads it.
	policyFile *policy.File
}

func newRootCommand(p *program) *cobra.Command {
	c := &command{program: p}
	root := &cobra.Command{
		Use:   "egod",
		Short: "Serve site skills to agents and editors over JSON-RPC on stdio",
		Long: `egod serves site skills: folders, one per website, with notes and tools. It
answers what is known about a URL, and runs the tools, in JavaScript workers
and in Chrome. Started without a command it serves JSON-RPC on stdin and stdout.`,
		Example:       `  printf '{"jsonrpc":"2.0","id":1,"method":"skillsForUrl","params":["https://x.com"]}\n' | egod`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return c.serve(cmd) },
	}
	root.Version = version
	root.SetVersionTemplate(versionLine())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print results as JSON")
	for _, sub := range []*cobra.Command{
		c.serveCommand(), c.mcpCommand(), c.workerCommand(), c.versionCommand(),
		c.listCommand(), c.contextCommand(), c.runToolCommand(), c.runBrowserToolCommand(), c.scriptCommand(),
		c.validateCommand(), c.watchCommand(), c.matchCommand(), c.schemaCommand(), c.newCommand(),
		c.doctorCommand(), c.policyCommand(), c.browserCommand(), c.typesCommand(),
	} {
		root.AddCommand(sub)
	}
	c.settings.register(root.Flags())
	return root
}

// helpCommand shows how a command is used. A word that is none is an error, as it is
// without help before it.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show how a command is used",
		Example: "  egod help run",
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				if about == nil {
					about = root
				}
				return noArguments(about, append(rest, args...))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// withSettings adds the shared flags to a command that builds the daemon's
// parts.
func (c *command) withSettings(cmd *cobra.Command) *cobra.Command {
	c.settings.register(cmd.Flags())
	return cmd
}

// prepare reads the environment and checks the settings of a command.
func (c *command) prepare(cmd *cobra.Command) (warnings []string, err error) {
	warnings, err = applyEnv(cmd.Flags(), c.env)
	if err != nil {
		return warnings, err
	}
	if err := c.settings.check(); err != nil {
		return warnings, err
	}
	c.given = cmd.Flags().Changed
	return warnings, c.readPolicy()
}

// prepareOnce is prepare for a command that ends by itself: what goes well is no
// news there, unless it was asked for.
func (c *command) prepareOnce(cmd *cobra.Command) (warnings []string, err error) {
	warnings, err = c.prepare(cmd)
	if !cmd.Flags().Changed("log-level") {
		c.settings.logLevel = "warn"
	}
	return warnings, err
}

// noArguments refuses stray words: a mistyped command would else start the
// daemon and wait for input.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasAvailableSubCommands() {
		return usageError("", "%s takes no arguments, got %q", cmd.Name(), args[0])
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	if near := skills.Suggest(args[0], names); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return usageError(hint, "unknown command %q", args[0])
}

// exactArguments asks for the arguments a command names in its usage line.
func exactArguments(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		wanted := fmt.Sprintf("%d arguments", n)
		if n == 1 {
			wanted = "one argument"
		}
		return usageError("usage: "+cmd.UseLine(), "%s takes %s, got %d", cmd.Name(), wanted, len(args))
	}
}

// flagError reports a flag that does not exist, with the nearest name there is,
// or one that does not parse.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + strings.TrimLeft(unknown.GetSpecifiedName(), "-")
		if near := skills.Suggest(name, names); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %s?", near[0])
		}
	case errors.As(err, &invalid):
		return usageError("", "--%s: %v", invalid.GetFlag().Name, valueError(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap()))
	}
	return &exitError{code: exitUsage, err: err, hint: hint}
}

// valueError says in plain words why a value does not fit a flag.
func valueError(flag *pflag.Flag, value string, err error) error {
	switch flag.Value.Type() {
	case "int", "int64":
		return fmt.Errorf("%q is not a whole number", value)
	case "bool":
		return fmt.Errorf("%q is neither true nor false", value)
	}
	return err
}
