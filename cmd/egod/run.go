package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"egod/internal/browser"
	"egod/internal/ops"
)

// runFlags are the flags of the two commands that run a tool.
type runFlags struct {
	args    string
	url     string
	timeout time.Duration
}

func (f *runFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.args, "args", "{}", "the tool's arguments: JSON, @FILE, or - for stdin")
	cmd.Flags().StringVar(&f.url, "url", "", "open this page first")
	cmd.Flags().Var((*durationFlag)(&f.timeout), "timeout", "deadline of the run (default: --tool-timeout)")
}

func (c *command) runToolCommand() *cobra.Command {
	var flags runFlags
	cmd := c.withSettings(&cobra.Command{
		Use:     "run SITE TOOL",
		Short:   "Run a node tool and print its value",
		Example: `  egod run google search --args '{"query":"site skills"}'`,
		Args:    exactArguments(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.runTool(cmd, "runTool", args, flags)
		},
	})
	flags.register(cmd)
	return cmd
}

func (c *command) runBrowserToolCommand() *cobra.Command {
	var flags runFlags
	var anyOrigin bool
	cmd := c.withSettings(&cobra.Command{
		Use:     "run-browser SITE TOOL --url URL",
		Short:   "Open a page, run a browser tool in it and print its value",
		Example: `  egod run-browser google search-extract --url 'https://www.google.com/search?q=go'`,
		Args:    exactArguments(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.url == "" {
				return usageError("name the page with --url", "egod run-browser needs --url: a browser tool runs in a page")
			}
			return c.runTool(cmd, "runBrowserTool", args, flags)
		},
	})
	flags.register(cmd)
	cmd.Flags().BoolVar(&anyOrigin, "any-origin", false, "run on a page the pack does not declare (needs --allow-any-origin)")
	return cmd
}

func (c *command) runTool(cmd *cobra.Command, method string, target []string, flags runFlags) error {
	toolArgs, err := c.readArguments(flags.args)
	if err != nil {
		return err
	}
	return c.withService(cmd, func(ctx context.Context, session *ops.Session) error {
		if !c.json {
			ctx = ops.WithObserver(ctx, console{c.stderr})
		}
		if flags.url != "" {
			if _, err := invoke[browser.OpenedTab](ctx, session, "browser.openOrReuseTab", map[string]any{"url": flags.url}); err != nil {
				return err
			}
		}
		params := map[string]any{"siteId": target[0], "toolName": target[1], "args": toolArgs}
		if flags.timeout > 0 {
			params["timeoutMs"] = flags.timeout.Milliseconds()
		}
		if anyOrigin := cmd.Flags().Lookup("any-origin"); anyOrigin != nil && anyOrigin.Changed {
			params["anyOrigin"] = anyOrigin.Value.String() == "true"
		}
		result, err := invoke[ops.RunResult](ctx, session, method, params)
		if err != nil {
			return c.reportRun(err)
		}
		return c.printRun(result)
	})
}

// console prints what a tool prints as it comes.
type console struct{ out io.Writer }

// Log implements ops.Observer.
func (o console) Log(e ops.LogEvent) { fmt.Fprintf(o.out, "%s: %s\n", e.Level, e.Message) }

// printRun prints the value on stdout.
func (c *command) printRun(result ops.RunResult) error {
	if c.json {
		return c.printJSON(result)
	}
	for _, warning := range result.Warnings {
		fmt.Fprintf(c.stderr, "egod: warning: %s\n", warning)
	}
	var value bytes.Buffer
	if err := json.Indent(&value, result.Value, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.stdout, value.String())
	return err
}

// reportRun prints where a tool threw, or the whole failure as JSON when that
// was asked for.
func (c *command) reportRun(err error) error {
	var failed *ops.Error
	if !errors.As(err, &failed) {
		return err
	}
	if !c.json {
		c.printStack(failed)
		return err
	}
	data := map[string]any{"kind": failed.Kind, "message": failed.Message, "retryable": failed.Retryable}
	if failed.Hint != "" {
		data["hint"] = failed.Hint
	}
	for name, value := range failed.Data {
		data[name] = value
	}
	if err := c.printJSON(map[string]any{"error": data}); err != nil {
		return err
	}
	code, _ := exitCode(err)
	return &exitError{code: code}
}

// printStack prints the stack of what a tool or script threw, which names its file
// and line. It reports whether there was one.
func (c *command) printStack(failed *ops.Error) bool {
	var thrown struct{ Stack string }
	raw, err := json.Marshal(failed.Data["error"])
	if err != nil || json.Unmarshal(raw, &thrown) != nil || thrown.Stack == "" {
		return false
	}
	fmt.Fprintln(c.stderr, thrown.Stack)
	return true
}

// readArguments reads a tool's arguments: JSON, @FILE, or - for stdin.
func (c *command) readArguments(text string) (json.RawMessage, error) {
	source := "--args"
	switch {
	case text == "-":
		source = "stdin"
		raw, err := io.ReadAll(c.stdin)
		if err != nil {
			return nil, fmt.Errorf("reading the arguments from stdin: %w", err)
		}
		text = string(raw)
	case strings.HasPrefix(text, "@"):
		source = text[1:]
		raw, err := os.ReadFile(source)
		if err != nil {
			return nil, usageError("", "reading the arguments: %v", err)
		}
		text = string(raw)
	}
	var probe any
	if err := json.Unmarshal([]byte(text), &probe); err != nil {
		return nil, usageError(`write an object, such as --args '{"query":"go"}'`, "%s is not JSON: %v", source, err)
	}
	return json.RawMessage(text), nil
}
