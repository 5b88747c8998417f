package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"egod/internal/ops"
)

// scriptFlags are the flags of script.
type scriptFlags struct {
	args    string
	space   string
	timeout time.Duration
}

// scriptCommand runs an agent script. Its alias is what the original's command is
// called, with the flag that one takes.
func (c *command) scriptCommand() *cobra.Command {
	var flags scriptFlags
	cmd := c.withSettings(&cobra.Command{
		Use:     "script [FILE|-]",
		Aliases: []string{"nodejs"},
		Short:   "Run an agent script from a file or stdin and print what it prints",
		Long: `Run an agent script: the body of an async function, with the helpers as
globals. What it prints with console.log goes to stdout when it ends, also when it
throws; console.error and console.warn go to stderr as they come. The error goes to
stderr too, and the exit code is then 1.`,
		Example: `  echo 'await page.goto("https://example.com"); console.log(await page.title())' | egod script`,
		Args:    atMostOneScript,
		RunE:    func(cmd *cobra.Command, args []string) error { return c.script(cmd, args, flags) },
	})
	cmd.Flags().StringVar(&flags.args, "args", "null", "what the script sees as args: JSON, or @FILE")
	cmd.Flags().StringVar(&flags.space, "space", "", "task space to start in (default: the script chooses)")
	cmd.Flags().Var((*durationFlag)(&flags.timeout), "timeout", "deadline of the script (default: --tool-timeout)")
	cmd.Flags().String("sdk-path", "", "taken for the original's sake; it has no effect")
	return cmd
}

func atMostOneScript(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError("usage: "+cmd.UseLine(), "%s takes one script, got %d", cmd.CalledAs(), len(args))
	}
	return nil
}

func (c *command) script(cmd *cobra.Command, args []string, flags scriptFlags) error {
	source, err := c.readScript(args)
	if err != nil {
		return err
	}
	if flags.args == "-" {
		return usageError("write JSON, or @FILE", "--args - is not for scripts: stdin may be the script")
	}
	scriptArgs, err := c.readArguments(flags.args)
	if err != nil {
		return err
	}
	params := map[string]any{"source": source, "args": scriptArgs}
	if flags.space != "" {
		params["space"] = flags.space
	}
	if flags.timeout > 0 {
		params["timeoutMs"] = flags.timeout.Milliseconds()
	}
	return c.withService(cmd, func(ctx context.Context, session *ops.Session) error {
		if !c.json {
			ctx = ops.WithObserver(ctx, complaints{c.stderr})
		}
		result, err := invoke[ops.ScriptResult](ctx, session, "runScript", params)
		if err != nil {
			return c.scriptFailed(err)
		}
		if c.json {
			return c.printJSON(result)
		}
		_, err = io.WriteString(c.stdout, result.Output)
		return err
	})
}

// complaints prints what a script says with console.error and console.warn, as it
// comes and as it is. What pages say is no business of stderr.
type complaints struct{ out io.Writer }

// Log implements ops.Observer.
func (o complaints) Log(e ops.LogEvent) {
	if !e.FromPage && (e.Level == "error" || e.Level == "warn") {
		fmt.Fprintln(o.out, e.Message)
	}
}

// readScript reads the script. An empty one is a mistake of whoever runs it.
func (c *command) readScript(args []string) (string, error) {
	var raw []byte
	var err error
	if len(args) == 0 || args[0] == "-" {
		raw, err = io.ReadAll(c.stdin)
	} else {
		raw, err = os.ReadFile(args[0])
	}
	switch {
	case err != nil:
		return "", usageError("", "reading the script: %v", err)
	case strings.TrimSpace(string(raw)) == "":
		return "", usageError("name a file, or pipe the script in: egod script < FILE", "the script is empty")
	}
	return string(raw), nil
}

// scriptFailed prints what the script had printed, and the stack of what it
// threw.
func (c *command) scriptFailed(err error) error {
	if c.json {
		return c.reportRun(err)
	}
	var failed *ops.Error
	if !errors.As(err, &failed) {
		return err
	}
	if output, ok := failed.Data["output"].(string); ok {
		if _, err := io.WriteString(c.stdout, output); err != nil {
			return err
		}
	}
	if !c.printStack(failed) {
		return failed
	}
	return &exitError{code: exitFailure}
}
